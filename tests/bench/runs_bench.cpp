// SPDX-License-Identifier: GPL-3.0-only
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/atomic_file.h"
#include "engine/library/run_index.h"
#include "engine/record/run_record.h"
#include "tests/bench/benches.h"
#include "tests/support/stopwatch.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/written_labels.h"

namespace lanelab::bench {

namespace {

namespace fs = std::filesystem;

constexpr int kTimings = 5;  ///< of what leaves the folders as they are; the median counts

VariantRecord measured(const std::string& name, Strategy strategy, double seconds) {
  VariantRecord variant;
  variant.name = name;
  variant.strategy = strategy;
  variant.split_size = 8;
  for (int repeat = 0; repeat < 5; ++repeat) {
    const double step = seconds * (1 + 0.01 * repeat);
    variant.repeats.push_back({3 * step, {step, step, step}, {2.3, 2.2, 2.1}});
  }
  variant.lanes = {{"cpu:0", "cpu:0", 1, 0.75, 0.25, 1 << 20, {1 << 20, 0, 0, 0, 0, 0}}};
  return variant;
}

/// As a demo run with three variants and five repeats leaves it.
std::string recordOf(int number) {
  RunRecord record;
  record.id = "run-" + std::to_string(number);
  record.status = RunStatus::Done;
  record.started = "2026-01-01T00:00:00Z";
  record.experiment.name = "demo";
  record.experiment.lanes = {{Device::cpu(0), "", 1}, {Device::cpu(1), "", 1}};
  record.variants = {measured("Single", Strategy::Single, 0.1 + 1e-6 * number),
                     measured("Model parallel", Strategy::ModelParallel, 0.11),
                     measured("Pipeline", Strategy::Pipeline, 0.06)};
  if (!refreshStatistics(record).ok()) throw std::runtime_error("The record has no baseline.");
  return toJson(record);
}

/// Written an hour ago, so that nothing is read again for being fresh.
void writeRuns(const fs::path& root, int count) {
  const auto time = fs::file_time_type::clock::now() - std::chrono::hours(1);
  for (int i = 0; i < count; ++i) {
    const fs::path folder = root / ("run-" + std::to_string(i));
    fs::create_directories(folder);
    const fs::path record = folder / "run.json";
    if (!writeFileAtomically(record.string(), recordOf(i), Durable::No).ok())
      throw std::runtime_error(record.string() + " cannot be written.");
    fs::last_write_time(record, time);
  }
}

template <class Work>
Series timed(const std::string& name, int repeats, const Work& work) {
  Series series{name, {}};
  for (int i = 0; i < repeats; ++i) {
    const test::Stopwatch watch;
    work();
    series.seconds.push_back(watch.seconds());
  }
  return series;
}

}  // namespace

nlohmann::json benchRuns(int runs, bool print) {
  const test::TemporaryFolder place;
  writeRuns(place.path(), runs);
  std::size_t listed = 0;
  const auto open = [&] {
    RunIndex index({place.path()});
    index.refresh();
    listed = index.entries().size();
  };
  std::vector<Series> series;
  series.push_back(timed("first opening, no index", 1, open));
  series.push_back(timed("opening with its index", kTimings, open));
  series.push_back(timed("opening after one changed label", kTimings, [&] {
    const std::string folder = place.path() + "/run-0";
    if (!test::writeLabels(folder, {"", {std::to_string(listed++)}, "", false}).ok())
      throw std::runtime_error("no label");
    open();
  }));
  series.push_back(timed("rebuilding", 1, [&] { RunIndex({place.path()}).rebuild(); }));
  if (listed != static_cast<std::size_t>(runs)) throw std::runtime_error("Not all runs were listed.");
  if (print) {
    std::printf("%d runs of three variants, seconds (median of %d)\n", runs, kTimings);
    for (const Series& one : series) std::printf("  %-34s %8.3f\n", one.name.c_str(), one.median());
  }
  return toJson(series);
}

}  // namespace lanelab::bench
