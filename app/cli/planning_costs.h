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
#include "engine/advise/step_predictor.h"
#include "engine/model/model_spec.h"

namespace lanelab {

/// Costs from a file, for the blocks of a model: as many, with its names, in its order. BadInput names the first that
/// differs.
Result<CostModel> readCostsOf(const ModelSpec& model, const std::string& path);

/// The profiles stored for the lanes of the experiment, read from `file`, of blocks that train in `modes`. BadInput
/// says how to make what is missing.
Result<LaneProfiles> profilesFor(const Resolution& resolution, const TrainingModes& modes, const std::string& file,
                                 const Executor& executor);

/// What steps are predicted from.
struct CostSource {
  std::optional<CostModel> fixed;      ///< of the file, where one was given
  std::unique_ptr<Executor> executor;  ///< else knows which profiles are stored
  std::string words;                   ///< of the last predictor's costs
  std::string caution = {};            ///< that they are of a busy machine (profile_caution.h); mostly empty
};

/// A costs file, or stored profiles if its path is empty.
Result<CostSource> costSource(const std::string& costs_file, const ModelSpec& model);
/// For variants that train as this one does, of the experiment in `file`.
Result<StepPredictor> predictorFrom(CostSource& source, const ResolvedVariant& variant, const std::string& file);

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
