// SPDX-License-Identifier: GPL-3.0-only
// A tiny world for the tests of suggestions: runs that "measured" exactly what known costs predict, blocks and all.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "engine/advise/suggestions.h"
#include "engine/advise/traced_profile.h"
#include "engine/lanes/lane_infos.h"
#include "engine/sim/measured_costs.h"
#include "engine/sim/predicted_trace.h"
#include "profiler/trace/trace_builder.h"
#include "tests/support/resolved.h"

namespace lanelab::test {

inline Experiment resnetOn(int lanes, const std::string& arch = "resnet50") {
  Experiment experiment;
  experiment.model.arch = arch;
  experiment.model.classes = 10;
  experiment.data.shape = {3, 64, 64};
  experiment.data.batch = 32;
  for (int lane = 0; lane < lanes; ++lane) experiment.lanes.push_back({Device::cpu(lane), "", 1});
  experiment.record = RecordMode::Blocks;
  return experiment;
}

inline VariantConfig pipelineCutAt(std::vector<std::string> cuts, ScheduleKind schedule = ScheduleKind::OneFOneB,
                                   int split_size = 4) {
  VariantConfig variant;
  variant.name = "Pipeline";
  variant.strategy = Strategy::Pipeline;
  variant.schedule = schedule;
  variant.split_size = split_size;
  variant.cuts = std::move(cuts);
  return variant;
}

/// What is true in this world: one micro-batch size, a forward and a backward a block, in microseconds.
inline StepCosts randomCosts(const ModelSpec& model, unsigned seed) {
  std::mt19937 random(seed);
  const auto between = [&](int low, int high) {
    return 1e-6 * static_cast<double>(low + static_cast<int>(random() % static_cast<unsigned>(high - low)));
  };
  StepCosts costs;
  for (const BlockSpec& block : model.blocks) {
    const double forward = between(500, 4000);
    costs.whole.blocks.push_back({block.name, forward, 2 * forward + between(0, 500), 0, 0});
  }
  costs.whole.transfers.assign(model.blocks.size() - 1, 0.0);
  return costs;
}

/// The simulated step as if measured, with a span for every block in every action.
inline std::shared_ptr<const Trace> traceOf(const Experiment& experiment, const ModelSpec& model,
                                            const VariantPlan& plan, const StepCosts& costs) {
  auto trace = std::make_shared<Trace>(
      *predictedTrace(simulate(plan.schedule, plan.stages, costs), plan.name, laneInfos(experiment.lanes)));
  trace->origin = Origin::Measured;
  const auto first_name = static_cast<std::uint32_t>(trace->names.size());
  for (const BlockSpec& block : model.blocks) trace->names.push_back(block.name);
  std::vector<Track> details;
  for (const Track& track : trace->tracks) {
    if (track.kind != Track::Kind::Compute) continue;
    Track detail;
    detail.lane = track.lane;
    detail.kind = Track::Kind::Detail;
    detail.name = "blocks";
    for (const Span& action : track.spans) {
      const Stage& stage = plan.stages[static_cast<std::size_t>(action.stage)];
      const bool forward = action.phase == Phase::Forward;
      double at = static_cast<double>(action.start);
      for (std::size_t n = 0; n < stage.end.index() - stage.first.index(); ++n) {
        const std::size_t block = forward ? stage.first.index() + n : stage.end.index() - 1 - n;
        Span span = action;
        span.category = Category::Block;
        span.name = first_name + static_cast<std::uint32_t>(block);
        span.start = std::llround(at);
        at += 1e9 * (forward ? costs.whole.blocks[block].forward : costs.whole.blocks[block].backward);
        span.end = std::llround(at);
        detail.spans.push_back(span);
      }
    }
    details.push_back(std::move(detail));
  }
  for (Track& detail : details) trace->tracks.push_back(std::move(detail));
  return trace;
}

}  // namespace lanelab::test
