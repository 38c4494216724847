// SPDX-License-Identifier: GPL-3.0-only
#include "engine/library/overlay/overlaid_run.h"

#include "engine/library/run_difference.h"
#include "engine/record/run_store.h"

namespace lanelab {

std::vector<OverlaidRun> readOverlaid(const std::vector<RunEntry>& runs, const std::stop_token& stop) {
  const std::vector<std::string> names = shortNames(runs);
  std::vector<OverlaidRun> read;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    OverlaidRun& run = read.emplace_back(OverlaidRun{names[i], runs[i], nullptr, i >= kMostOverlaidRuns});
    if (run.left_out || stop.stop_requested()) continue;
    Result<RunRecord> record = readRun(run.entry.folder);
    if (!record.ok()) continue;
    run.entry = entryOf(run.entry.folder, *record, run.entry.labels);  // as the record is now
    run.record = std::make_shared<const RunRecord>(std::move(*record));
  }
  return read;
}

}  // namespace lanelab
