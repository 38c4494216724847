// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/chrome/event_arguments.h"

#include <simdjson.h>

#include <map>
#include <optional>

#include "profiler/io/chrome/chrome_event.h"
#include "profiler/io/chrome/event_splitter.h"
#include "profiler/io/source/byte_source.h"
#include "profiler/io/source/cut_text.h"

namespace lanelab {
namespace {

std::string argumentText(simdjson::dom::element value) {
  std::string_view text;
  if (value.is_string() && value.get(text) == simdjson::SUCCESS) return std::string(cutText(text, kMostArgumentBytes));
  const std::string json = simdjson::minify(value);
  return std::string(cutText(json, kMostArgumentBytes));
}

EventArguments argumentsIn(std::string_view event) {
  EventArguments found;
  simdjson::dom::parser parser;
  simdjson::dom::object arguments;
  if (parser.parse(simdjson::padded_string(event))["args"].get(arguments) != simdjson::SUCCESS) return found;
  for (const auto& [key, value] : arguments) {
    if (found.size() == kMostArguments) break;
    found.emplace_back(std::string(cutText(key, kMostArgumentBytes)), argumentText(value));
  }
  return found;
}

/// A span that overlapped another one may have lost its end in the import, so its length need not be the file's.
bool isLike(const ChromeEvent& event, const SoughtEvent& sought) {
  return event.ts == sought.ts && event.name == sought.name && event.pid == sought.pid && event.tid == sought.tid &&
         (event.phase == "X" || event.phase == "B" || event.phase == "b");
}

EventArguments search(EventSplitter& splitter, const SoughtEvent& sought, const std::stop_token& stop) {
  std::map<std::string, std::int64_t> problems;
  ChromeEventParser parser(problems);
  StopCheck check(stop);
  std::optional<EventArguments> similar;
  while (const auto text = splitter.next()) {
    check();
    const ChromeEvent* event = parser.parse(*text, splitter.readable());
    if (event == nullptr) {
      if (const auto front = splitter.shorten()) event = parser.parse(*front, splitter.readable());
      continue;
    }
    if (!isLike(*event, sought)) continue;
    const bool same_length = event->phase != "X" || event->dur == sought.dur;
    if (same_length) return argumentsIn(*text);
    if (!similar) similar = argumentsIn(*text);
  }
  return similar.value_or(EventArguments());
}

}  // namespace

Result<EventArguments> readChromeArguments(const std::string& path, const SoughtEvent& event,
                                           const ImportLimits& limits) {
  const OpenedSource opened = openSource(path, limits);
  if (!opened.source) return Error::badInput(verbatim(opened.error));
  std::map<std::string, std::int64_t> problems;
  EventSplitter splitter(*opened.source, problems);
  EventArguments found = search(splitter, event, limits.stop);
  if (opened.source->ended() == ByteSource::Ended::Cancelled) throw StoppedError();
  return found;
}

}  // namespace lanelab
