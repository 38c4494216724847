// SPDX-License-Identifier: GPL-3.0-only
// Small trainings on CPU lanes through a session, and what they left: weights, gradients, losses.
#pragma once

#include <ATen/ops/equal.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>

#include "engine/torch/devices/lane_memory.h"
#include "engine/torch/train/torch_session.h"
#include "tests/support/resolved.h"

namespace lanelab {

inline Experiment resNet18(int batch, int steps) {
  Experiment experiment;
  experiment.model = {"resnet18", 10, std::nullopt};
  experiment.data.shape = {3, 32, 32};
  experiment.data.batch = batch;
  experiment.data.steps = steps;
  experiment.training.lr = 0.01;
  experiment.lanes = {{Device::cpu(0), "", 1}, {Device::cpu(1), "", 1}, {Device::cpu(2), "", 1}};
  experiment.record = RecordMode::Off;
  return experiment;
}

/// A ResNet-18 with a sixteenth of its channels, 44,000 parameters, from a file of PyTorch's: the same layers, whose
/// first and last blocks are "conv1" and "fc". For tests to the bit that need no other size.
inline Experiment narrowResNet18(int batch, int steps) {
  Experiment experiment = resNet18(batch, steps);
  experiment.model = {.arch = {}, .classes = 10, .file = LANELAB_SOURCE_DIR "/tests/data/exported/resnet18.pt2"};
  return experiment;
}

inline Experiment toy(int batch, int steps) {
  Experiment experiment = resNet18(batch, steps);
  experiment.model = {"toy", 5, std::nullopt};
  experiment.data.shape = {10};
  return experiment;
}

struct Trained {
  TensorMap weights, gradients;
  RepeatOutcome outcome;
};

inline std::unique_ptr<TorchSession> openSession(const Experiment& experiment, const VariantConfig& variant,
                                                 const std::optional<Schedule>& schedule = {}) {
  const auto resolution = resolve(experiment);
  const ModelSpec& spec = resolution->model();
  VariantPlan plan = test::planned(experiment, variant);
  if (schedule) plan.schedule = *schedule;
  installLaneAllocator();
  const auto inputs = loadTrainingInputs(experiment, resolution->network());
  auto session = TorchSession::open(std::make_shared<const TrainingJob>(TrainingJob{experiment, spec, plan, *inputs}));
  EXPECT_TRUE(session.ok()) << session.error().message;
  return std::unique_ptr<TorchSession>(static_cast<TorchSession*>(std::move(session).value().release()));
}

inline Trained train(const Experiment& experiment, const VariantConfig& variant, TraceBuilder* trace = nullptr,
                     const std::optional<Schedule>& schedule = {}) {
  const auto session = openSession(experiment, variant, schedule);
  Trained trained;
  trained.outcome = session->runRepeat({.trace = trace});
  EXPECT_TRUE(trained.outcome.failure.ok()) << trained.outcome.failure.error().message;
  trained.weights = session->gather(TorchSession::Which::Weights).value();
  trained.gradients = session->gather(TorchSession::Which::Gradients).value();
  return trained;
}

inline void expectSame(const TensorMap& actual, const TensorMap& wanted, const std::string& what) {
  ASSERT_EQ(actual.size(), wanted.size()) << what;
  for (const auto& [name, tensor] : wanted) {
    ASSERT_EQ(actual.count(name), 1u) << what << ' ' << name;
    EXPECT_TRUE(at::equal(actual.at(name), tensor)) << what << ' ' << name << " differs";
  }
}

struct Case {
  const char* name;
  Strategy strategy;
  ScheduleKind schedule;
  int split_size;
  std::map<std::string, int> placement;  ///< first block of each stage -> lane
};

/// Spells a placement out, block by block.
inline VariantConfig variantOf(const Experiment& experiment, const Case& c) {
  VariantConfig variant;
  variant.name = c.name;
  variant.strategy = c.strategy;
  variant.schedule = c.schedule;
  variant.split_size = c.split_size;
  std::map<std::string, int> lanes;
  int lane = 0;
  const ModelSpec spec = test::modelIn(experiment);
  for (const BlockSpec& block : spec.blocks) {
    if (const auto found = c.placement.find(block.name); found != c.placement.end()) lane = found->second;
    lanes[block.name] = lane;
  }
  variant.placement = lanes;
  return variant;
}

}  // namespace lanelab
