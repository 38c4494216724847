// SPDX-License-Identifier: GPL-3.0-only
#include "engine/record/bookmarks.h"

#include <filesystem>

#include "base/atomic_file.h"
#include "base/csv.h"
#include "base/json_table.h"
#include "base/whole_file.h"
#include "engine/record/file_lock.h"
#include "engine/record/run_store.h"
#include "profiler/analysis/busy_pieces.h"
#include "profiler/trace/number_text.h"

namespace lanelab {
namespace {

constexpr int kBookmarksSchema = 1;
constexpr std::uint64_t kLargestFile = 16ull << 20;

std::string pathIn(const std::string& folder) { return (std::filesystem::path(folder) / "bookmarks.json").string(); }

std::vector<TimeRange> actionsOf(const Trace& trace, int lane, TimeRange range) {
  std::vector<TimeRange> pieces;
  for (const Track& track : trace.tracks) {
    if (track.lane != lane || track.kind != Track::Kind::Compute) continue;
    for (const Span& span : track.spans)
      if (span.category == Category::Action) pieces.push_back(intersection(span.range(), range));
  }
  return unionOf(std::move(pieces));
}

}  // namespace

void fieldsOf(auto& field, StructOf<Bookmark> auto& bookmark) {
  field("name", bookmark.name, Need::Yes);
  field("variant", bookmark.variant, Need::Yes);
  field("start_ns", bookmark.range.start, Need::Yes);
  field("end_ns", bookmark.range.end, Need::Yes);
  field.check(!bookmark.range.empty(), "end_ns", " must be above start_ns.");
}

std::string defaultBookmarkName(const Trace& trace, TimeRange range) {
  int first = -1, last = -1;
  for (const StepWindow& window : stepWindows(trace)) {
    if (window.range == range) {  // a step as a whole, whatever overlaps it
      first = last = shownStep(trace, window.step);
      break;
    }
    if (window.range.end <= range.start || window.range.start >= range.end) continue;
    last = shownStep(trace, window.step);
    if (first < 0) first = last;
  }
  const std::string length = plainDuration(range.length());
  if (first < 0) return length;
  return (first == last ? "step " + std::to_string(first)
                        : "steps " + std::to_string(first) + " to " + std::to_string(last)) +
         ", " + length;
}

std::string toJson(const std::vector<Bookmark>& bookmarks) {
  return prettyJson({{"schema", kBookmarksSchema}, {"bookmarks", jsonOf(bookmarks)}});
}

Result<std::vector<Bookmark>> parseBookmarks(const std::string& json, const std::string& place) {
  return readJson(json, place, [](FieldErrors& errors, const Json& value) {
    FieldReader field(errors, value, "");
    field.schema(kBookmarksSchema);
    std::vector<Bookmark> bookmarks;
    field("bookmarks", bookmarks, Need::Yes);
    return bookmarks;
  });
}

Result<std::vector<Bookmark>> readBookmarks(const std::string& folder) {
  const std::string path = pathIn(folder);
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return std::vector<Bookmark>();
  const Result<std::string> text = readWholeFile(path, kLargestFile);
  if (!text.ok()) return text.error();
  return parseBookmarks(*text, path);
}

Result<std::vector<Bookmark>> changeBookmarks(const std::string& folder,
                                              const std::function<void(std::vector<Bookmark>&)>& change) {
  const std::string path = pathIn(folder);
  const Result<FileLock> lock = lockToChange(path);
  if (!lock.ok()) return lock.error();
  Result<std::vector<Bookmark>> bookmarks = readBookmarks(folder);
  if (!bookmarks.ok()) {
    const std::string aside = freePath(std::filesystem::path(folder) / "bookmarks-unread", ".json");
    std::error_code error;
    std::filesystem::rename(path, aside, error);
    if (error)
      return Error::failed("The damaged {} cannot be renamed to {} ({}), so nothing was written.", path, aside,
                           error.message());
    bookmarks = std::vector<Bookmark>();
  }
  change(*bookmarks);
  if (const Status written = writeFileAtomically(path, toJson(*bookmarks)); !written.ok()) return written.error();
  return bookmarks;
}

std::string bookmarksCsv(const std::vector<Bookmark>& bookmarks, const Trace& trace) {
  const Nanoseconds begin = trace.range().start;
  std::vector<TimeRange> windows;
  for (const StepWindow& window : stepWindows(trace)) windows.push_back(window.range);
  windows = unionOf(std::move(windows));
  std::string csv;
  CsvTable table(csv, "name,variant,start_us,length_us,lane,busy_us,idle_us");
  for (const Bookmark& bookmark : bookmarks) {
    if (!bookmark.variant.empty() && bookmark.variant != trace.title) continue;

    for (std::size_t lane = 0; lane < trace.lanes.size(); ++lane) {
      const std::vector<TimeRange> actions = actionsOf(trace, static_cast<int>(lane), bookmark.range);
      Nanoseconds idle = 0;
      for (const TimeRange& window : windows) {
        const TimeRange inside = intersection(window, bookmark.range);
        idle += inside.length() - coveredTime(actions, inside);
      }
      const LaneInfo& info = trace.lanes[lane];
      table.text(bookmark.name).text(bookmark.variant).number(microsecondsText(bookmark.range.start - begin));
      table.number(microsecondsText(bookmark.range.length())).text(info.name.empty() ? info.device : info.name);
      table.number(microsecondsText(lengthOf(actions))).number(microsecondsText(idle)).endRow();
    }
  }
  return csv;
}

}  // namespace lanelab
