// SPDX-License-Identifier: GPL-3.0-only
#include "app/cli/compare_timelines.h"

#include <iostream>
#include <memory>

#include "app/cli/run_trace.h"
#include "base/atomic_file.h"
#include "base/text.h"
#include "base/text_table.h"
#include "engine/record/run_store.h"
#include "profiler/analysis/aligned_runs.h"
#include "profiler/io/tables/aligned_csv.h"

namespace lanelab {
namespace {

Result<std::shared_ptr<const Trace>> traceOf(const std::string& folder, const std::string& variant) {
  const Result<RunRecord> record = readRun(folder);
  if (!record.ok()) return record.error();
  return readRunTrace(*record, folder, variant);
}

/// "+12.3 %", "-0.4 %"; empty where there is nothing to take a share of.
std::string shareText(double a, double b) { return a > 0 ? formatChange(b / a - 1) : std::string(); }

void print(const AlignedRuns& runs) {
  std::vector<std::vector<std::string>> rows{{"stage", "phase", "actions", "A", "B", "B - A", "share"}};
  double a = 0, b = 0;
  for (const CellMean& mean : runs.means()) {
    const double difference = mean.b - mean.a;
    rows.push_back({std::to_string(mean.stage), std::string(1, letterOf(mean.phase)), std::to_string(mean.cells),
                    formatSeconds(mean.a * 1e-9), formatSeconds(mean.b * 1e-9),
                    (difference < 0 ? "-" : "+") + formatSeconds((difference < 0 ? -difference : difference) * 1e-9),
                    shareText(mean.a, mean.b)});
    a += mean.a * static_cast<double>(mean.cells);
    b += mean.b * static_cast<double>(mean.cells);
  }
  if (rows.size() > 1) std::cout << textTable(rows, 2) << "\n";
  std::cout << runs.cells.size() << " actions in both, B's together " << (a > 0 ? shareText(a, b) : "no time")
            << "; only in A " << runs.only_a << ", only in B " << runs.only_b << ".\n";
}

}  // namespace

Status compareTimelines(const std::vector<std::string>& folders, const std::vector<std::string>& variants,
                        const std::string& csv) {
  const auto a = traceOf(folders.front(), variants.front());
  if (!a.ok()) return a.error();
  const auto b = traceOf(folders.back(), variants.back());
  if (!b.ok()) return b.error();
  const AlignedRuns runs = alignRuns(**a, **b);
  if (!csv.empty()) {
    if (const Status written = writeFileAtomically(csv, alignedCsv(runs)); !written.ok()) return written;
  }
  std::cout << "Mean length of an action; A is " << variants.front() << ", B is " << variants.back()
            << ". Measured, each action of each step by its fellow.\n\n";
  print(runs);
  return {};
}

}  // namespace lanelab
