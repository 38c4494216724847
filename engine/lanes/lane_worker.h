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

/// What crosses a stage boundary: an activation or a gradient, with whatever its device needs to wait for it. Null at
/// the model's ends.
using Packet = std::shared_ptr<void>;

/// Called only on the lane's own host thread. A step that fails or is cancelled has no endStep(): the next beginStep()
/// starts afresh. Exceptions are caught by the loop and become an Error that names lane, stage, micro-batch and
/// operation.
class LaneWorker {
 public:
  virtual ~LaneWorker() = default;

  virtual void recordStep(bool on) {
    (void)on;
  }  ///< before beginStep(): whether the spans that the worker itself records are wanted
  virtual void beginStep(int step) = 0;  ///< before the step's first action; not inside its window, but for:
  virtual TimeRange waitedForData() const {
    return {};
  }  ///< in the last beginStep(); empty where the step's data lay ready
  virtual bool awaitInput(const Packet& input) {
    (void)input;
    return false;
  }  ///< where its sender's device still works on it and this lane's cannot wait for that itself: waits, and says so
  virtual bool awaitOthers(const Action& action) {
    (void)action;
    return false;
  }  ///< before an action that needs something of the stage's other replicas: gets it, and says so
  virtual Packet forward(StageId stage, MicroBatchId k, Packet input) = 0;  ///< null input for stage 0: the data
  virtual Packet backward(StageId stage, MicroBatchId k,
                          Packet gradient) = 0;  ///< null gradient for the last stage: the loss
  virtual Packet backwardInput(StageId stage, MicroBatchId k,
                               Packet gradient) = 0;  ///< backward without the weights' gradients ...
  virtual void backwardWeight(StageId stage,
                              MicroBatchId k) = 0;  ///< ... which follow here, any time before the update
  virtual void update(StageId stage) = 0;           ///< after the stage's last whole backward or weight part
  virtual void betweenActions() {
  }  ///< after each action, its result handed on: time to hand over what was recorded within it
  virtual void abandonStep(const std::string& why) {
    (void)why;
  }  ///< instead of endStep(), where the step is left early: no other lane may go on waiting for this one
  virtual double endStep() = 0;  ///< the part of the step's loss this lane holds (0 if none); waits for the device

  /// Bytes of the tensors that the lane holds now; empty where nobody counts them. Asked between actions, so it must be
  /// quick; any thread while the lane is idle.
  virtual std::optional<std::int64_t> heldBytes() const { return {}; }

  /// Devices that work asynchronously time their actions themselves: the loop calls these around each action and asks
  /// for the device's own times after endStep(). `index` is the action's number within the lane's step, updates
  /// included.
  virtual bool asynchronous() const { return false; }
  virtual void actionBegins(std::size_t index) { (void)index; }
  virtual void actionEnds(std::size_t index) { (void)index; }
  virtual TimeRange deviceTime(std::size_t index) const {
    (void)index;
    return {};
  }
};

}  // namespace lanelab
