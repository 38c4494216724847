// SPDX-License-Identifier: GPL-3.0-only
// What would make a measured variant faster: single changes to its placement, split size or schedule, ranked by their
// predicted step.
//
// The times are the run's own (traced_profile.h). A change is compared with the prediction of the variant as it is, so
// that what the prediction leaves out on both sides cancels.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/message.h"
#include "engine/advise/step_predictor.h"
#include "engine/experiment/resolution.h"
#include "engine/lanes/executor.h"
#include "engine/record/run_record.h"
#include "profiler/trace/trace.h"

namespace lanelab {

/// A variant of a run with the times of its blocks.
struct MeasuredVariant {
  std::shared_ptr<const Resolution> resolution;
  const ResolvedVariant* variant = nullptr;  ///< of `resolution`; has a plan
  BlockProfile times;
  double measured_step = 0;   ///< mean of the trace's steps, seconds
  double predicted_step = 0;  ///< of the variant as it is, with `times`
  bool completed = false;     ///< times at other sizes or of backward parts come from a stored profile
  double error = 0;           ///< standard error of a log time of its repeats; 0: not known

  const Experiment& experiment() const { return resolution->experiment(); }
  const VariantConfig& config() const { return variant->config(); }
  const VariantPlan& plan() const { return *variant->plan(); }
  /// From the same times on every lane.
  StepPredictor predictor() const { return {times, experiment().lanes.size()}; }
};

/// `kept`: block times measured on the same machine, for sizes and backward parts that the trace lacks; may be null.
/// Errors (BadInput) are sentences that say why nothing can be predicted: no such variant, no blocks in the trace,
/// times that explain less than half or more than twice the measured step.
Result<MeasuredVariant> measuredVariant(std::shared_ptr<const Resolution> resolution, const std::string& variant,
                                        const Trace& trace, const LaneProfiles* kept);

/// The same of a run, with the block times kept on this machine where the run is of it. `known`: of the open
/// experiment, which mostly has the network of the run.
Result<MeasuredVariant> measuredVariant(const RunRecord& record, const std::string& variant, const Trace& trace,
                                        const Executor& executor, const ProfileStore& store,
                                        const KnownModel& known = {});

struct BlockMove {
  VariantConfig variant;  ///< the present one with other cuts or another placement
  Message words;          ///< "Move layer3.0 to cpu:0"
};

/// One to three blocks over each boundary, either way, by boundary; no stage is left empty. Only between lanes of one
/// kind (device, threads): of another kind nobody has measured how long the blocks take there. None for a variant of
/// one stage.
std::vector<BlockMove> blockMoves(const ResolvedVariant& variant);

struct Suggestion {
  enum class Kind { Move, SplitSize, Schedule, StepBarrier, Memory };
  Kind kind = Kind::Move;
  VariantConfig variant;     ///< the present one with the change, a name of its own, and where it comes from
  double step_seconds = 0;   ///< predicted, in the window that it runs with
  double ratio = 1;          ///< predicted step of the variant as it is over this one: above 1 is faster
  ForecastRange range = {};  ///< of `ratio`
  /// "Move layer3.0 to cpu:0: predicted 11 % faster (90 % range 6 to 16 %).", or "...: no clear gain (predicted 11 %,
  /// 90 % range -5.3 to 29 %)."
  Message text;
};

struct Suggestions {
  /// The best of each kind that is more than 2 % faster, without the step barrier 1 %, the best first. Before them, for
  /// a variant that takes more memory than its lanes may: the fastest change that fits, even if it is slower.
  std::vector<Suggestion> best;
  std::size_t tried = 0;
  Message sentence;              ///< that of the best, or what was tried without any being 2 % faster, and what not
  bool sizes_not_tried = false;  ///< other micro-batch sizes, of which no block times are known
  Message caution;               ///< that its times are of a busy machine (profile_caution.h); mostly empty
  std::vector<Message> notes;    ///< sentences: how well the prediction met the measurement, what was not tried
};

/// Tries up to three blocks across each boundary either way, the divisors of the batch and the neighbours of the split
/// size, all schedules that are legal, and to run without the step barrier where nothing but the file asks for it. Each
/// is compared in the window that it runs with: its step, or its period. A change that will not fit in the memory
/// limits of the lanes, or in the memory of `devices` (empty: not looked at), is passed over. A variant that does not
/// fit itself is also tried with every stage recomputed. Pure; the same answer for the same input.
Suggestions findSuggestions(const MeasuredVariant& measured, const std::vector<DeviceInfo>& devices = {});

/// Both, of a run's variant, within the memory of this machine where the run is of it. Reads the kept block times; any
/// thread.
Result<Suggestions> suggestionsOf(const RunRecord& record, const std::string& variant, const Trace& trace,
                                  const Executor& executor, const ProfileStore& store, const KnownModel& known = {});

/// The experiment with the suggested variant behind the present one, which it is compared with.
Experiment withSuggestion(const Experiment& experiment, const Suggestion& suggestion);

}  // namespace lanelab
