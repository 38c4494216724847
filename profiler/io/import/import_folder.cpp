// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/import/import_folder.h"

#include <filesystem>
#include <map>

#include "base/atomic_file.h"
#include "profiler/io/import/imported_writer.h"
#include "profiler/io/written/json_object.h"

namespace lanelab {

namespace {

namespace fs = std::filesystem;

void writeCounts(JsonObject& object, std::string_view key, const std::map<std::string, std::int64_t>& counts) {
  JsonObject inner(object.key(key));
  for (const auto& [name, count] : counts) appendNumber(inner.textKey(name), count);
  inner.close();
}

constexpr std::string_view kClockWords[] = {"reference", "collectives", "send/receive", "same epoch", "unknown"};

void writeRanks(JsonObject& object, const ImportedTrace& imported) {
  if (imported.world_size) object.number("world_size", *imported.world_size);
  std::string& list = object.key("ranks") += '[';
  for (const JoinedRank& rank : imported.ranks) {
    if (&rank != &imported.ranks.front()) list += ", ";
    JsonObject one(list);
    one.number("rank", rank.rank);
    one.text("file", rank.file);
    one.text("clock", kClockWords[static_cast<std::size_t>(rank.clock)]);
    one.time("offset_us", rank.offset);
    one.time("residual_us", rank.residual);
    one.number("shared", rank.shared);
    one.close();
  }
  list += ']';
}

void writeSummary(JsonObject& object, const ImportedTrace& imported) {
  const ImportCounts& counts = imported.counts;
  object.text("format", imported.format);
  object.number("spans", counts.spans);
  object.number("instants", counts.instants);
  object.number("counters", counts.counters);
  object.number("flows", counts.flows);
  writeCounts(object, "categories", counts.categories);
  writeCounts(object, "problems", counts.problems);
  if (!counts.notes.empty()) writeCounts(object, "notes", counts.notes);
  if (!counts.remarks.empty()) object.texts("remarks", counts.remarks);
  if (!counts.unmatched.empty()) object.texts("unmatched", counts.unmatched);
  if (!imported.ranks.empty()) writeRanks(object, imported);
}

std::string noteOf(const std::string& folder) { return (fs::path(folder) / "import.json").string(); }

}  // namespace

std::string importSummaryJson(const ImportedTrace& imported) {
  std::string out;
  JsonObject summary(out);
  writeSummary(summary, imported);
  summary.close();
  return out;
}

bool holdsImport(const std::string& folder) {
  std::error_code none;
  return fs::is_regular_file(noteOf(folder), none) && fs::is_regular_file(importedTracePath(folder), none);
}

std::string importedTracePath(const std::string& folder) { return (fs::path(folder) / "trace.json.gz").string(); }

std::string whyNoImportInto(const std::string& folder) {
  std::error_code none;
  if (!fs::exists(folder, none) || holdsImport(folder)) return {};
  if (!fs::is_directory(folder, none)) return folder + " is a file; name a folder for the import.";
  return fs::is_empty(folder, none)
             ? std::string()
             : folder + " already holds something else; name a new or empty folder for the import.";
}

Status writeImport(const ImportedTrace& imported, const std::string& source, const std::string& folder,
                   const WorkControl& control) {
  std::error_code reason;
  const bool made = fs::create_directories(folder, reason);
  if (reason) return Error::failed("{} could not be made: {}; choose another folder.", folder, reason.message());
  constexpr int kQuickly = 1;
  if (Status written = writeChromeTrace(imported, importedTracePath(folder), control, kQuickly); !written.ok()) {
    if (made) fs::remove(folder, reason);
    return written;
  }
  std::string note;
  JsonObject about(note);
  about.number("schema", 1);
  about.text("source", source);
  writeSummary(about, imported);
  about.close();
  return writeFileAtomically(noteOf(folder), note + '\n', Durable::No);
}

}  // namespace lanelab
