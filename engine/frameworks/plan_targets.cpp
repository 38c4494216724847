// SPDX-License-Identifier: GPL-3.0-only
#include "engine/frameworks/plan_targets.h"

#include <algorithm>
#include <array>

#include "engine/frameworks/framework_plans.h"
#include "engine/frameworks/pytorch_script.h"

namespace lanelab {
namespace {

constexpr std::array kTargets = {PlanTarget{"pytorch", pytorchScript}, PlanTarget{"torchtitan", torchtitanPlan},
                                 PlanTarget{"deepspeed", deepspeedPlan}, PlanTarget{"megatron", megatronPlan},
                                 PlanTarget{"accelerate", acceleratePlan}};

}  // namespace

std::span<const PlanTarget> planTargets() { return kTargets; }

const PlanTarget* findPlanTarget(std::string_view word) {
  const auto* const found = std::ranges::find(kTargets, word, &PlanTarget::word);
  return found == kTargets.end() ? nullptr : found;
}

}  // namespace lanelab
