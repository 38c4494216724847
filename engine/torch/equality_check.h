// Proves that every variant of an experiment trains as a single device does, tensor by tensor. No torch header is needed to use it.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/run/experiment.h"

namespace lanelab {

/// The losses, gradients, parameters or buffers of a variant against the reference's.
struct GroupEquality {
  std::string what;  ///< "losses", "gradients", "parameters", "buffers"
  int tensors = 0;
  int bitwise = 0;              ///< how many of them are equal bit for bit
  std::string worst;            ///< the name of the one farthest off; empty when all are bitwise equal
  double worst_difference = 0;  ///< its |a - b| / |b| in the Euclidean norm; infinite where it is missing or not finite on one side
  std::string problem;          ///< a tensor that only one side has, in words; else empty
};

struct VariantEquality {
  std::string name;
  std::string strategy;
  std::string schedule;
  int stages = 1;
  int split_size = 0;
  int micro_batches = 1;
  bool bitwise_wanted = true;  ///< CPU lanes of one thread; else within `tolerance`
  double tolerance = 0;        ///< equalityTolerance, or coarseTolerance for bf16 and tf32
  bool equal = false;
  std::vector<GroupEquality> groups;
};

struct EqualityReport {
  int steps = 0;
  std::vector<VariantEquality> variants;
  std::vector<std::string> notes;  ///< what the reader must know besides, a sentence each
  bool equal() const;
};

/// The largest relative difference of a tensor (Euclidean norms) where operations may round differently: on a GPU, or with several threads a lane.
constexpr double equalityTolerance = 1e-3;
/// The same where products have eight or eleven bits.
constexpr double coarseTolerance = 5e-2;

/// Trains `steps` steps of every variant on its lanes, and, for every split size, precision and batch-norm mode among them, a reference on one thread: a
/// plain loop over all blocks, the micro-batches one after the other with their gradients accumulated (reference_training.h). A variant of one micro-batch is so held
/// against plain single-device training. Where bits may differ, all trainings start from damped residual branches (last batch norm's weight times
/// 0.1) at a learning rate of at most 0.001, since fresh ResNets magnify rounding; a note says so. `progress` is told what is done next. Errors: bad
/// input, missing devices, what a lane throws, cancelled.
Result<EqualityReport> checkEquality(const Experiment& experiment, int steps, const std::function<void(const std::string&)>& progress,
                                     std::stop_token stop);

}  // namespace lanelab
