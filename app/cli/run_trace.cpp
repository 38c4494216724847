// SPDX-License-Identifier: GPL-3.0-only
#include "app/cli/run_trace.h"

#include <filesystem>
#include <iostream>

#include "app/cli/progress_lines.h"
#include "base/text.h"
#include "engine/record/run_store.h"
#include "profiler/io/import/import_folder.h"
#include "profiler/io/import/trace_import.h"
#include "profiler/io/names/action_map.h"
#include "profiler/io/ranks/rank_files.h"

namespace lanelab {

Result<std::string> variantOf(const RunRecord& record, const std::string& name) {
  std::vector<std::string> names;
  for (const VariantRecord& variant : record.variants) {
    names.push_back(variant.name);
    if (variant.name == name || (!name.empty() && slug(variant.name) == slug(name))) return variant.name;
  }
  if (!name.empty()) {
    const std::string nearest = nearestName(name, names);
    return Error::badInput("The run has no variant \"{}\". {}", name,
                           nearest.empty() ? "Choose " + joinOr(names) + "." : "Did you mean \"" + nearest + "\"?");
  }
  if (names.size() == 1) return names.front();
  return Error::badInput("The run has {} variants. Name one with --variant: {}.", names.size(), joinOr(names));
}

Result<std::string> runTracePath(const RunRecord& record, const std::string& folder, const std::string& variant) {
  const Result<std::string> name = variantOf(record, variant);
  if (!name.ok()) return name.error();
  const std::string path = tracePathOf(folder, *name);
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) return path;
  if (record.experiment.record != RecordMode::Off && record.status != RunStatus::Done)
    return Error::badInput("The run is {} and has no trace of {}: it ended before it stored one. Run it again.",
                           toWord(record.status), *name);
  return Error::badInput(
      "The run has no trace of {} ({} does not exist). Run the experiment with \"record\": \"blocks\" or \"actions\".",
      *name, path);
}

Result<std::shared_ptr<const Trace>> readRunTrace(const RunRecord& record, const std::string& folder,
                                                  const std::string& variant) {
  const Result<std::string> path = runTracePath(record, folder, variant);
  if (!path.ok()) return path.error();
  return readTrace(*path);
}

Result<TraceSource> traceSourceOf(const std::string& place, const std::string& variant) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(place, ignored)) return TraceSource{place};
  if (holdsImport(place)) return TraceSource{importedTracePath(place)};
  if (!holdsRun(place)) {
    return Error::badInput(
        "{} has neither a run.json nor an import.json. Choose a run folder, the folder of an imported trace, or a "
        "trace file.",
        place);
  }
  Result<RunRecord> record = readRun(place);
  if (!record.ok()) return record.error();
  Result<std::string> name = variantOf(*record, variant);
  if (!name.ok()) return name.error();
  Result<std::string> file = runTracePath(*record, place, *name);
  if (!file.ok()) return file.error();
  return TraceSource{std::move(*file), std::move(*record), std::move(*name)};
}

Result<TraceSource> traceOrRanksOf(const std::string& place, const std::string& variant) {
  std::error_code ignored;
  const bool ranks = std::filesystem::is_directory(place, ignored) && !holdsImport(place) && !holdsRun(place);
  return ranks ? TraceSource{place} : traceSourceOf(place, variant);
}

void addImportOptions(const Command& command, ImportOptions& options) {
  command.option("--actions FILE", options.actions,
                 "JSON file that says which names of spans are passes, sends and so on (see: schema actions)");
  command
      .option("--max-unpacked SIZE", options.max_unpacked,
              "Limit for the unpacked size of a trace (default: LANELAB_MAX_UNPACKED, else 8GiB)")
      .check([](const std::string& size) {
        return bytesOfSize(size) ? std::string()
                                 : "\"" + size + "\" is not a size; write bytes or a unit, such as 20GiB";
      });
}

Result<ImportLimits> importLimits(const ImportOptions& options, const WorkControl& control) {
  ImportLimits limits{.stop = control.stop, .report = control.report};
  if (!options.actions.empty()) {
    const Result<SharedActionMap> actions = readActionMap(options.actions);
    if (!actions.ok()) return actions.error();
    limits.actions = *actions;
  }
  if (!options.max_unpacked.empty()) {
    limits.unpacked_bytes = bytesOfSize(options.max_unpacked).value_or(limits.unpacked_bytes);
  } else if (const Status known = readEnvironment(limits); !known.ok()) {
    return known.error();
  }
  return limits;
}

Result<std::shared_ptr<const ImportedTrace>> importChosen(const std::vector<std::string>& places,
                                                          const ImportOptions& options, const WorkControl& control) {
  const Result<ImportLimits> limits = importLimits(options, control);
  if (!limits.ok()) return limits.error();
  ReadImport read = importRanks(places, *limits);
  return !read.ok() && control.stop.stop_requested() ? Error::cancelled(verbatim(read.error().message)) : read;
}

Result<std::shared_ptr<const ImportedTrace>> importForFigures(const std::string& file, const ImportOptions& options,
                                                              const std::string& consequence,
                                                              const std::stop_token& stop) {
  auto read = [&] {
    ProgressLines lines(ProgressLines::Length::MostlyShort);
    return importChosen({file}, options, {lines.report(), stop});
  }();
  if (!read.ok()) return read;
  const ImportCounts& counts = (*read)->counts;
  if (const std::int64_t lost = lostForGaps(counts); lost > 0)
    std::cerr << "Warning: " << file << ": " << lost << (lost == 1 ? " event is" : " events are") << " lost, so "
              << consequence << ". lanelab-cli import lists the losses by kind.\n";
  for (const std::string& remark : counts.remarks) std::cerr << "Warning: " << file << ": " << remark << "\n";
  for (const std::string& unmatched : counts.unmatched) std::cerr << "Note: " << unmatched << "\n";
  return read;
}

}  // namespace lanelab
