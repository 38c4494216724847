// SPDX-License-Identifier: GPL-3.0-only
// Small run folders, for the tests of what lists them.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "engine/library/run_index.h"
#include "engine/record/run_store.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/experiment/small_experiment.h"

namespace lanelab::test {

/// Two variants, of which the second is twice as fast: 8 images a step in 0.5 s and in 0.25 s.
inline RunRecord doneRecord(const std::string& name, const std::string& started = "2026-01-02T03:04:05Z") {
  RunRecord record;
  record.id = name;
  record.status = RunStatus::Done;
  record.started = started;
  record.experiment = smallExperiment();
  record.experiment.name = name;
  record.experiment.data.batch = 8;
  record.experiment.data.steps = 2;
  for (const double step : {0.5, 0.25}) {
    VariantRecord variant;
    variant.name = step > 0.4 ? "Single" : "Pipeline";
    variant.strategy = step > 0.4 ? Strategy::Single : Strategy::Pipeline;
    variant.split_size = step > 0.4 ? 8 : 2;
    variant.micro_batches = step > 0.4 ? 1 : 4;
    for (int i = 0; i < 5; ++i) variant.repeats.push_back({2 * step, {step, step}, {2.25, 2.0}});
    variant.lanes = {{"cpu:0", "cpu:0", 1.0, 0.75, 0.25, 1000, {1100, 0, 0, 0, 0, 0}}};
    record.variants.push_back(variant);
  }
  record.predictions = {{"Pipeline", 2, 4, 0.275}};
  EXPECT_TRUE(refreshStatistics(record).ok());
  return record;
}

/// A folder of runs, made in a temporary one.
class LibraryTest : public testing::Test {
 protected:
  std::string at(const std::string& name) const { return (root / name).string(); }

  std::string writeRun(const std::string& name, const RunRecord& record) const {
    Result<RunFolder> folder = RunFolder::create(at(name));
    EXPECT_TRUE(folder.ok()) << folder.error().message;
    EXPECT_TRUE(folder->write(record).ok());
    return folder->path();
  }
  std::string writeRun(const std::string& name) const { return writeRun(name, doneRecord(name)); }

  /// As if the files had been written an hour ago: what was just written is read again each time.
  static void age(const std::string& folder) {
    for (const auto& file : std::filesystem::directory_iterator(folder))
      std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  }

  RunIndex indexed() const {
    RunIndex index({root.string()});
    index.refresh();
    return index;
  }

  const TemporaryFolder m_folder;
  const std::filesystem::path root = m_folder.file("runs");
};

}  // namespace lanelab::test
