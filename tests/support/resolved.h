// SPDX-License-Identifier: GPL-3.0-only
// Parts of a resolution as values of their own, for tests that look at one of them. What is missing fails the test.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "engine/experiment/resolution.h"

namespace lanelab::test {

/// resolve() with the network of the experiment before, if it has the same: tests of plans do not build it each time.
inline std::shared_ptr<const Resolution> resolved(const Experiment& experiment) {
  static std::shared_ptr<const Resolution> before;
  before = resolve(experiment, {nullptr, nullptr, before ? before->network() : nullptr});
  return before;
}

inline ModelSpec modelIn(const Experiment& experiment) {
  const auto resolution = resolved(experiment);
  EXPECT_TRUE(resolution->hasModel());
  return resolution->model();
}

inline std::shared_ptr<const ExportedNetwork> networkIn(const Experiment& experiment) {
  const auto resolution = resolved(experiment);
  EXPECT_NE(resolution->network(), nullptr);
  return resolution->network();
}

inline std::vector<ExperimentProblem> problemsIn(const Experiment& experiment) {
  return resolved(experiment)->problems();
}

/// All plans, or the first problem.
inline Result<std::vector<VariantPlan>> plansIn(const Experiment& experiment) {
  const auto resolution = resolved(experiment);
  if (const Status planned = resolution->planned(); !planned.ok()) return planned.error();
  std::vector<VariantPlan> plans;
  for (const ResolvedVariant& variant : resolution->variants()) plans.push_back(*variant.plan());
  return plans;
}

/// Of a variant that the experiment need not have.
inline VariantPlan planned(const Experiment& experiment, const VariantConfig& variant) {
  const auto resolution = resolved(experiment)->with(variant);
  const Result<VariantPlan>& plan = resolution->variants().front().plan();
  EXPECT_TRUE(plan.ok()) << (plan.ok() ? "" : plan.error().message);
  return plan.ok() ? *plan : VariantPlan{};
}

}  // namespace lanelab::test
