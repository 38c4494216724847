// SPDX-License-Identifier: GPL-3.0-only
// Records of runs as if they had been measured: two variants of five repeats, one twice as fast as the other.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "engine/record/run_record.h"
#include "engine/report/run_notes.h"
#include "tests/unit/experiment/small_experiment.h"

namespace lanelab::test {

inline std::vector<std::string> notesOnFigures(const RunRecord& record) {
  using enum RunNote::Kind;
  return noteSentences(runNotes(record), {Suggestion, Modes, Statistics});
}

inline VariantRecord variantWith(const std::string& name, std::vector<double> seconds) {
  VariantRecord variant;
  variant.name = name;
  variant.strategy = Strategy::Single;
  variant.split_size = 8;
  for (const double time : seconds) variant.repeats.push_back({time, {time / 2, time / 2}, {2.0, 1.0}});
  return variant;
}

inline RunRecord recordOf(std::vector<VariantRecord> variants) {
  RunRecord record;
  record.id = "first";
  record.status = RunStatus::Done;
  record.experiment = smallExperiment();
  record.variants = std::move(variants);
  EXPECT_TRUE(refreshStatistics(record).ok());
  return record;
}

inline const std::vector<double> kSlow = {2.0, 2.01, 1.99, 2.005, 1.995};
inline const std::vector<double> kFast = {1.0, 1.005, 0.995, 1.0025, 0.9975};

inline RunRecord slowAndFast() { return recordOf({variantWith("Slow", kSlow), variantWith("Fast, indeed", kFast)}); }

}  // namespace lanelab::test
