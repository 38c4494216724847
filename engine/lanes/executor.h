// SPDX-License-Identifier: GPL-3.0-only
// The seam between planning and doing: an Executor turns a plan into Sessions that train.
//
// Implementations: engine/torch (real training), FakeExecutor (tests). Sessions stay alive over all repeats, so that
// threads and caches are warm.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/packages.h"
#include "base/progress.h"
#include "base/result.h"
#include "engine/experiment/device_info.h"
#include "engine/experiment/experiment.h"
#include "engine/experiment/resolution.h"
#include "engine/lanes/epoch_result.h"
#include "engine/lanes/run_observer.h"
#include "engine/placement/block_profile.h"
#include "profiler/trace/gpu_activity.h"
#include "profiler/trace/trace_builder.h"

namespace lanelab {

/// What one repeat gave; complete steps only. When `failure` is set the repeat ended early and the rest is what was
/// measured so far.
struct RepeatOutcome {
  std::vector<double> step_seconds;
  std::vector<double> losses;
  std::vector<EpochResult> epochs;       ///< with data.epochs
  std::vector<std::int64_t> peak_bytes;  ///< a lane of the experiment; 0 for lanes without work
  Status failure;
  std::optional<GpuActivity> gpu = {};  ///< where the work of GPUs was recorded
  std::string notice = {};              ///< a sentence where it should have been and was not, or not wholly
};

/// Stores a repeat's state in a file between two steps, from which it can continue, in another process too, to the same
/// bits on a CPU: weights, buffers, the optimizer's memory, and what was measured so far. Which rows come next follows
/// from the step, and training draws no random numbers.
struct CheckpointPlan {
  std::string path;     ///< empty: none
  int every = 0;        ///< steps from one to the next; with data.epochs whole epochs
  int repeat = 0;       ///< written along: a file of another repeat is not gone on from
  bool resume = false;  ///< continue from the file, if there is one
};

/// How a repeat runs, and who hears of it. All members may stay as they are.
struct RepeatRequest {
  TraceBuilder* trace = nullptr;  ///< spans go there; null: nothing is recorded
  /// After each step, on a thread of the session.
  std::function<void(int step, double seconds, double loss)> on_step = {};
  /// After each epoch (from 0), on the thread that called runRepeat: validation runs between the steps, outside their
  /// times.
  std::function<void(int epoch, const EpochResult& result)> on_epoch = {};
  CheckpointPlan checkpoints = {};
  std::stop_token stop = {};  ///< honoured between actions
};

/// One variant, ready to run. Called from one thread at a time.
class Session {
 public:
  virtual ~Session() = default;

  /// Goes back to the initial model and optimizer state, or to the request's checkpoint, then runs the experiment's
  /// steps. The next call works again, whatever happened.
  virtual RepeatOutcome runRepeat(const RepeatRequest& request) = 0;

  /// Runs the first step `times` over again, from where the last repeat ended, for its times alone: those with
  /// recorded(i) give spans to `trace`. The training it continues with is of no use afterwards. An Error where it was
  /// cancelled, or cannot be done.
  virtual Result<std::vector<double>> repeatStep(int /*times*/, TraceBuilder& /*trace*/,
                                                 const std::function<bool(int)>& /*recorded*/, std::stop_token) {
    return Error::failed("This session has no steps to compare.");
  }

  /// Parameters and buffers after the last repeat's last step, under torchvision's names.
  virtual Status saveWeights(const std::string& path) = 0;
};

/// The initial weights of an experiment, as its check read them: sessions and profiles begin with them, so that large
/// weights are read once. Whoever holds this holds them. Each executor has its own kind.
class CheckedWeights {
 public:
  virtual ~CheckedWeights() = default;
};
using SharedWeights = std::shared_ptr<const CheckedWeights>;

/// Makes the session of a variant. Holds the data and the initial weights that sessions of an experiment share. The
/// Error of a variant without a plan is the plan's. The variant need not outlive the call.
using SessionMaker = std::function<Result<std::unique_ptr<Session>>(const ResolvedVariant& variant)>;

/// Which blocks' times are wanted: those of the experiment's model on one of its lanes.
struct ProfileRequest {
  LaneId lane;
  std::vector<LaneId> peers;   ///< further lanes of the same kind: the first takes transfers, all compute along for
                               ///< Size::all_lanes_slowdown
  std::vector<int> samples;    ///< micro-batch sizes, ascending
  ReportProgress report;       ///< of all passes over all sizes; may be empty
  TrainingModes modes = {};    ///< that the blocks train in; those by stage are not looked at
  SharedWeights weights = {};  ///< those that the experiment's check read; null: the blocks read or draw their own
};

class Executor {
 public:
  virtual ~Executor() = default;

  /// Name and version for run.json's environment, such as {"torch", "2.11.0+cu130"}.
  virtual std::vector<std::pair<std::string, std::string>> describe() const = 0;
  /// The libraries that it computes with.
  virtual Packages packages() const { return {}; }
  /// The devices a lane may name on this machine.
  virtual std::vector<DeviceInfo> devices() const = 0;
  /// What is wrong with the experiment on this machine (missing device: BadInput; unreadable data or weights), else
  /// success. Fills `warnings` with sentences such as "3 CPU lanes share 2 cores: times mean little". Writes nothing.
  /// The weights that it read, for load() or measureBlocks() of the same resolution; null if it read none.
  virtual Result<SharedWeights> checkMachine(const Resolution& resolution,
                                             std::vector<std::string>& warnings) const = 0;
  /// Whether each block of an exported network can be trained; the Error names what cannot. Writes nothing.
  virtual Status checkNetwork(const std::shared_ptr<const ExportedNetwork>&) const { return {}; }
  /// What is wrong with the values in the experiment's data, which checkMachine() does not read where it is enough to
  /// know their shapes, and load() would find: a class that the network does not have.
  virtual Status readData(const Resolution&) const { return {}; }
  /// How many rows an epoch of the experiment's data has.
  virtual Result<std::int64_t> trainingRows(const Experiment&) const {
    return Error::failed("This executor has no data of its own. Use data.steps instead of data.epochs.");
  }
  /// Loads what the sessions of the experiment share. A repeat is `steps` optimizer updates, whatever data.steps says
  /// (see TrainingLength). `weights`: those of its check; null: they are read or drawn now. The result may not outlive
  /// the executor. This, what it returns, checkMachine() and trainingRows() may read large files, and end soon after a
  /// stop was requested in the caller's StopScope.
  virtual Result<SessionMaker> load(const Resolution& resolution, int steps, SharedWeights weights) = 0;

  /// Times every block in training, its transfer and its update. Takes about a minute for a large network; `key` is
  /// left to the caller. The experiment's data are not read: blocks take as long for random images.
  virtual Result<BlockProfile> measureBlocks(const Resolution&, const ProfileRequest&, std::stop_token) {
    return Error::failed("This executor cannot measure blocks.");
  }
};

}  // namespace lanelab
