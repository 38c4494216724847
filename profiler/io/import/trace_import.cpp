// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/import/trace_import.h"

#include <algorithm>
#include <exception>
#include <new>
#include <set>
#include <string_view>

#include "profiler/io/chrome/chrome_import.h"
#include "profiler/io/import/other_format.h"
#include "profiler/io/nsight/nsight_import.h"
#include "profiler/io/perfetto/perfetto_import.h"
#include "profiler/io/source/byte_source.h"
#include "profiler/io/source/decimal.h"

namespace lanelab {

namespace {

using Problems = std::map<std::string, std::int64_t>;
using Fields = std::map<std::string, std::string>;

ReadImport cancelled(const std::string& subject) {
  return Error::cancelled("{} was not imported: the import was cancelled.", subject);
}

ReadImport finished(ImportedTrace imported) { return std::make_shared<const ImportedTrace>(std::move(imported)); }

Nanoseconds baseOf(const Fields& fields, Problems& problems) {
  const auto field = fields.find("baseTimeNanoseconds");
  if (field == fields.end()) return 0;
  const auto base = scaledDecimal(field->second, 0);
  if (base && inReach(*base)) return *base;
  ++problems["bad_number"];
  return 0;
}

std::string formatOf(const Fields& fields, ImportBuilder& builder) {
  const auto about = fields.find("otherData");
  if (about != fields.end())
    if (std::string format = parseImportedFormat(about->second); !format.empty()) return format;
  for (const char* key : {"schemaVersion", "deviceProperties", "distributedInfo", "traceName"})
    if (fields.contains(key)) return "kineto";
  for (const char* category :
       {"cpu_op", "kernel", "cuda_runtime", "gpu_memcpy", "user_annotation", "Operator", "Kernel"})
    if (builder.hasCategory(category)) return "kineto";
  return "chrome";
}

/// What an earlier import said of the file that it read.
void addEarlierRemarks(std::string_view about, std::vector<std::string>& remarks) {
  std::vector<std::string> earlier = parseImportedRemarks(about);
  std::erase_if(earlier, [&](const std::string& one) { return std::ranges::find(remarks, one) != remarks.end(); });
  remarks.insert(remarks.begin(), earlier.begin(), earlier.end());
}

Error noTrace(const std::string& subject, std::string_view why) {
  return Error::badInput(
      "{} holds no trace: {}. Choose a Chrome or Perfetto trace, plain or gzipped, or an SQLite export of Nsight "
      "Systems.",
      subject, why);
}

Error unreadable(const std::string& subject, bool any_text, bool damaged) {
  if (!any_text)
    return Error::badInput(
        "{} is empty. Choose a Chrome or Perfetto trace, plain or gzipped, or an SQLite export of Nsight Systems.",
        subject);
  if (damaged) return Error::badInput("{} is cut or damaged before its first event. Copy or record it again.", subject);
  return noTrace(subject, "neither an object with an array traceEvents nor an array of events");
}

/// Of JSON without any event.
Error withoutEvents(const std::string& subject, const EventSplitter& cutter, bool damaged) {
  if (!cutter.foundEvents() && cutter.fields().contains("traceEvents"))
    return noTrace(subject, "its traceEvents is not an array");
  if (cutter.foundEvents() && !cutter.endedOpen() && damaged)
    return Error::badInput(
        "{} has no event that can be read: its array of events holds something else or is damaged. Choose another "
        "file, or copy or record this one again.",
        subject);
  return unreadable(subject, cutter.foundText(), damaged);
}

void setDistributedInfo(DistributedInfo told, ImportBuilder& builder) {
  builder.setRank(told.rank);
  builder.setToldGroups(std::move(told.groups));
}

ReadImport readJson(ByteSource& source, const std::string& subject, const ImportLimits& limits) {
  ImportBuilder builder(limits);
  Problems& problems = builder.problems();
  EventSplitter cutter(source, problems);
  const ReadEvents events = importChrome(cutter, builder);
  if (source.ended() != ByteSource::Ended::Itself) return cancelled(subject);  // importTrace() tells why
  const bool damaged_source = source.damaged();
  if (!cutter.foundText() && damaged_source)
    return Error::badInput("{} is a damaged gzip file. Copy or record it again.", subject);
  const bool cut = events.count == 0 && cutter.endedOpen();
  if (!cutter.foundEvents() || (events.count == 0 && (cut || !problems.empty() || damaged_source)))
    return withoutEvents(subject, cutter, cut || !problems.empty() || damaged_source);
  if (events.count > 0 && !events.any_phase && !problems.contains("damaged_event"))
    return noTrace(subject, "the objects in its array are not events, which have a phase (\"ph\")");
  if (damaged_source) ++problems["damaged_gzip"];
  const auto about = cutter.fields().find("otherData");
  std::optional<DeclaredTrace> declared =
      about == cutter.fields().end() ? std::nullopt : parseDeclaredTrace(about->second);
  const Nanoseconds base = baseOf(cutter.fields(), problems);
  const std::string format = formatOf(cutter.fields(), builder);
  if (const auto told = cutter.fields().find("distributedInfo"); told != cutter.fields().end())
    setDistributedInfo(parseDistributedInfo(told->second), builder);
  ImportedTrace imported = builder.finish(format, base, std::move(declared));
  if (about != cutter.fields().end()) addEarlierRemarks(about->second, imported.counts.remarks);
  return finished(std::move(imported));
}

ReadImport readPerfetto(ByteSource& source, const std::string& subject, const ImportLimits& limits) {
  ImportBuilder builder(limits);
  PerfettoImport read = importPerfetto(source, builder, limits);
  if (read.stopped) return cancelled(subject);
  if (read.too_large) return Error::badInput(unpackedTooFar(subject, limits));
  if (source.ended() != ByteSource::Ended::Itself) return cancelled(subject);  // importTrace() tells why
  if (source.damaged()) ++builder.problems()["damaged_gzip"];
  ImportedTrace imported = builder.finish("perfetto", read.base, std::move(read.declared));
  if (imported.declared) imported.base = imported.trace->range().start;  // as in the other formats of the same trace
  const ImportCounts& counts = imported.counts;
  const bool empty = !imported.declared && counts.spans + counts.instants + counts.counters == 0;
  if (empty && !read.any_known) return unreadable(subject, true, !counts.problems.empty());
  if (empty && read.live)
    return Error::badInput("{} holds no whole part of a trace: the run ended before it wrote one. Run it again.",
                           subject);
  if (empty && !counts.problems.empty()) return unreadable(subject, true, true);
  return finished(std::move(imported));
}

ReadImport readAny(ByteSource& source, const std::string& subject, const ImportLimits& limits) {
  constexpr std::size_t kEnough = 1U << 16U;
  std::string front = readSome(source, kEnough);
  if (const auto other = otherFormat(front)) return Error::badInput("{} {}", subject, *other);
  const bool perfetto = seemsPerfetto(front);
  const auto whole = sourceBehind(std::move(front), source);
  return perfetto ? readPerfetto(*whole, subject, limits) : readJson(*whole, subject, limits);
}

template <class Read>
ReadImport guarded(const std::string& subject, const Read& read) {
  try {
    return read();
  } catch (const StoppedError&) {
    return cancelled(subject);
  } catch (const std::bad_alloc&) {
    return Error::badInput("{} is too large for this machine's memory. Record fewer steps or close other programs.",
                           subject);
  } catch (const std::exception& error) {
    return Error::badInput("{} could not be read: {}. Copy or record it again.", subject, error.what());
  }
}

}  // namespace

ReadImport importTrace(const std::string& path, const ImportLimits& limits) {
  return guarded(path, [&]() -> ReadImport {
    OpenedSource opened = openSource(path, limits);
    if (!opened.source) return Error::badInput(verbatim(opened.error));
    if (isNsightFile(path, opened.head)) {
      opened.source.reset();  // it reads ahead
      ReadImport read = importNsight(path, limits, opened.progress.get());
      if (read.ok()) opened.progress->finish();
      return read;
    }
    if (opened.head.starts_with("LLTRACE1"))
      return Error::badInput(
          "{} is a trace in the packed format of LaneLab 0.1.0, which later versions cannot read. Run the experiment "
          "again, or export the trace as chrome with version 0.1.0.",
          path);
    const ReadImport read = readAny(*opened.source, path, limits);
    switch (opened.source->ended()) {
      case ByteSource::Ended::Cancelled: return cancelled(path);
      case ByteSource::Ended::TooLarge: return Error::badInput(unpackedTooFar(path, limits));
      case ByteSource::Ended::Itself: break;
    }
    opened.source.reset();  // its thread counts, too
    if (read.ok()) opened.progress->finish();
    return read;
  });
}

ReadImport importTraceByEnvironment(const std::string& path, const WorkControl& control) {
  ImportLimits limits{.stop = control.stop, .report = control.report};
  if (const Status known = readEnvironment(limits); !known.ok()) return known.error();
  return importTrace(path, limits);
}

Result<std::shared_ptr<const Trace>> readTrace(const std::string& path, const WorkControl& control) {
  const ReadImport read = importTraceByEnvironment(path, control);
  if (!read.ok()) return read.error();
  return (*read)->trace;
}

ReadImport importBytes(std::string_view bytes, const std::string& subject) {
  return guarded(subject, [&] { return readAny(*memorySource(bytes), subject, {}); });
}

std::int64_t lostEvents(const ImportCounts& counts) {
  std::int64_t lost = 0;
  for (const auto& [kind, count] : counts.problems)
    lost += kind.starts_with("overlap") || kind == "long_name" ? 0 : count;
  return lost;
}

std::int64_t lostForGaps(const ImportCounts& counts) {
  // Arrows, counters, marks of other kinds and texts that were repaired; what remarks tell of is told there.
  static const std::set<std::string_view> others = {
      "missing_id",      "too_many_counters", "unsupported_phase", "control_character", "invalid_utf8",
      "unescaped_quote", "bad_escape",        "no_time",           "before_launch",     "flow_of_left_out_work"};
  std::int64_t lost = lostEvents(counts) - counts.bad_counters;
  for (const auto& [kind, count] : counts.problems)
    if (kind.starts_with("unmatched_flow_") || others.contains(kind)) lost -= count;
  return lost;
}

}  // namespace lanelab
