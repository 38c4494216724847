#include "profiler/io/chrome_reader.h"

#include <simdjson.h>

#include <new>

#include "profiler/io/chrome_event.h"
#include "profiler/io/decimal.h"
#include "profiler/io/event_cutter.h"
#include "profiler/io/file_text.h"
#include "profiler/io/trace_assembly.h"

namespace lanelab {

namespace {

Nanoseconds baseOf(const CutTrace& cut, std::map<std::string, std::int64_t>& problems) {
  const auto field = cut.fields.find("baseTimeNanoseconds");
  if (field == cut.fields.end()) return 0;
  const auto base = scaledDecimal(field->second, 0);
  // Half of what the reader of numbers takes, so that base and time together fit.
  if (base && *base <= (std::int64_t{1} << 61) && *base >= -(std::int64_t{1} << 61)) return *base;
  ++problems["bad_number"];
  return 0;
}

std::string unreadable(const std::string& subject, const std::string& text, const CutTrace& cut) {
  const std::string mend = "; choose a Chrome trace JSON file, plain or gzipped.";
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) return subject + " is empty" + mend;
  if (!cut.problems.empty()) return subject + " is cut or damaged before its first event; copy or record it again.";
  return subject + " holds no trace: neither an object with traceEvents nor an array of events" + mend;
}

/// `text` gets padding, which simdjson reads over.
ReadTrace readText(std::string text, const std::string& subject) {
  ReadTrace result;
  const std::size_t size = text.size();
  text.resize(size + simdjson::SIMDJSON_PADDING, '\0');
  const CutTrace cut = cutTrace(std::string_view(text).substr(0, size));
  if (!cut.has_events || (cut.events.empty() && !cut.problems.empty())) {
    text.resize(size);
    result.error = unreadable(subject, text, cut);
    return result;
  }
  result.problems = cut.problems;
  const Nanoseconds base = baseOf(cut, result.problems);
  const auto about = cut.fields.find("otherData");
  TraceAssembly assembly(base, about == cut.fields.end() ? std::nullopt : parseDeclaredTrace(about->second), result.problems);
  ChromeEventParser parser(result.problems);
  for (const std::string_view event : cut.events) {
    const auto offset = static_cast<std::size_t>(event.data() - text.data());
    if (const ChromeEvent* parsed = parser.parse(event, text.size() - offset)) assembly.add(*parsed);
  }
  result.trace = std::make_shared<const Trace>(assembly.finish());
  return result;
}

template <class Read>
ReadTrace withinMemory(const std::string& subject, const Read& read) {
  try {
    return read();
  } catch (const std::bad_alloc&) {
    ReadTrace result;
    result.error = subject + " is too large for this machine's memory; record fewer steps or close other programs.";
    return result;
  }
}

}  // namespace

ReadTrace readChromeTrace(const std::string& path) {
  return withinMemory(path, [&] {
    FileText file = readFileText(path);
    if (!file.error.empty()) {
      ReadTrace failed;
      failed.error = std::move(file.error);
      return failed;
    }
    ReadTrace result = readText(std::move(file.text), path);
    if (file.damaged_gzip) ++result.problems["damaged_gzip"];
    return result;
  });
}

ReadTrace parseChromeTrace(std::string_view json) {
  return withinMemory("The text", [&] { return readText(std::string(json), "The text"); });
}

}  // namespace lanelab
