// SPDX-License-Identifier: GPL-3.0-only
// What plan, simulate and curve believe that blocks cost: a file of costs, or the profiles stored of an experiment's
// model on this machine.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/json_text.h"
#include "base/result.h"
#include "engine/advise/profile_of.h"
#include "engine/model/model_spec.h"
#include "engine/sim/cost_model.h"
#include "engine/sim/simulate.h"

namespace lanelab {

/// Costs from a file, for the blocks of a model: as many, with its names, in its order. BadInput names the first that
/// differs.
Result<CostModel> readCostsOf(const ModelSpec& model, const std::string& path);

/// The profiles stored for the lanes of the experiment, read from `file`, of blocks that train in `modes`. BadInput
/// says how to make what is missing.
Result<LaneProfiles> profilesFor(const Resolution& resolution, const TrainingModes& modes, const std::string& file,
                                 const Executor& executor);

/// Where a step's costs come from.
struct CostSource {
  std::optional<CostModel> fixed;      ///< of the file, where one was given
  std::unique_ptr<Executor> executor;  ///< else knows which profiles are stored
  std::string words;                   ///< of the last costs
  std::string caution = {};            ///< that they are of a busy machine (profile_caution.h); mostly empty
};

/// Of the costs file, or of stored profiles if its path is empty.
Result<CostSource> costSource(const std::string& costs_file, const ModelSpec& model);
/// Of a variant that has a plan, of the experiment in `file`.
Result<StepCosts> costsFrom(CostSource& source, const ResolvedVariant& variant, const std::string& file);

/// How sure a step of `seconds` is that these costs predict; nothing for a costs file, which has no quartiles.
std::optional<ForecastRange> rangeFrom(const CostSource& source, const ResolvedVariant& variant, double seconds);

/// The schedule `list` is made of times: of a file's costs where they are given. Else it is the one that a run would
/// do, and the resolution comes back as it is.
std::shared_ptr<const Resolution> timedBy(const std::optional<CostModel>& costs,
                                          const std::shared_ptr<const Resolution>& resolution,
                                          const ResolvedVariant& variant);

/// Names on stderr what splits the backward while the costs have no times of weight parts, which would be thought free.
void warnOfMissingWeights(const std::optional<CostModel>& costs, const std::vector<std::string>& split);

/// Seconds in milliseconds, rounded to 15 digits, so that 0.007 s is 7 ms and not 7.000000000000001.
double millisecondsOf(double seconds);
/// "12.3", for tables: three significant digits, four from 1000 on.
std::string millisecondsText(double seconds);
/// "12.3 to 14.5"; "-" for none.
std::string millisecondsText(const std::optional<ForecastRange>& range);
/// [low, high], for JSON; null for none.
Json millisecondsOf(const std::optional<ForecastRange>& range);

}  // namespace lanelab
