// SPDX-License-Identifier: GPL-3.0-only
// What one lane can do, as the generic lane loop sees it. The loop knows no schedule by name and no torch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/ids.h"
#include "engine/schedule/schedule.h"
#include "profiler/trace/trace.h"

namespace lanelab {

/// What a step loop tells its lanes and links before each step.
struct StepCommand {
  int step = 0;
  bool recorded = true;  ///< where a trace was given
};

/// What crosses a stage boundary: an activation or a gradient, with whatever its device needs to wait for it. Null at
/// the model's ends.
using Packet = std::shared_ptr<void>;

/// The times of a lane's actions by its own device, which works asynchronously. The loop marks each action of a
/// recorded step, and asks after endStep(). `index` is the action's number within the lane's step, updates included.
class ActionClock {
 public:
  virtual ~ActionClock() = default;
  virtual void begin(std::size_t index) = 0;
  virtual void end(std::size_t index) = 0;
  virtual TimeRange time(std::size_t index) const = 0;
};

/// Called only on the lane's own host thread. A step that fails or is cancelled has no endStep(): the next beginStep()
/// starts again. Exceptions are caught by the loop and become an Error that names lane, stage, micro-batch and
/// operation.
class LaneWorker {
 public:
  virtual ~LaneWorker() = default;

  /// Before the step's first action. Not inside its window, but for the time that comes back: a wait for the step's
  /// data; empty where these were ready. `recorded` is of the spans that the worker itself records.
  virtual TimeRange beginStep(const StepCommand& command) = 0;
  /// Where the input's sender still works on it and this lane's device cannot wait for that itself: waits. Whether
  /// there was anything to wait for.
  virtual bool awaitInput(const Packet&) { return false; }
  /// Before an action that needs something of the stage's other replicas: gets it. Whether there was anything to get.
  virtual bool awaitOthers(const Action&) { return false; }
  /// A forward takes an activation and gives one, a backward (whole, or its input part) likewise gradients; weight
  /// parts, which follow any time before the update, and updates take and give null.
  virtual Packet perform(const Action& action, Packet input) = 0;
  /// After each action, its result handed on: time to hand over what was recorded within it.
  virtual void betweenActions() {}
  /// Instead of endStep(), where the step is left early: no other lane may continue to wait for this one.
  virtual void abandonStep(const std::string& /*why*/) {}
  /// The part of the step's loss that this lane holds (0 if none). Waits for the device.
  virtual double endStep() = 0;

  /// Bytes of the tensors that the lane holds now; empty where nobody counts them. Asked between actions, so it must be
  /// quick; any thread while the lane is idle.
  virtual std::optional<std::int64_t> heldBytes() const { return {}; }
  /// Null: the device works while the host waits, whose times are its own.
  virtual ActionClock* deviceClock() { return nullptr; }
};

}  // namespace lanelab
