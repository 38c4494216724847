// SPDX-License-Identifier: GPL-3.0-only
// What a lane's device does differently: where tensors live, how they are handed to another lane, how time is taken.
//
// The CPU's is in cpu_lane.h; the CUDA module (engine/cuda) brings another. Made, used and destroyed on the lane's own
// thread, except where said.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/torch/devices/tensor_list.h"
#include "profiler/trace/trace.h"

namespace lanelab {

/// Work that a device has queued and that whoever takes the tensors must wait for.
class Pending {
 public:
  virtual ~Pending() = default;
  virtual void waitOnHost() = 0;  ///< any thread
};

/// Values on their way to the neighbour's lane.
struct SentTensors {
  TensorList tensors;
  std::shared_ptr<Pending> pending;  ///< of all of them; null when they are ready
};

class DeviceLane {
 public:
  virtual ~DeviceLane() = default;

  virtual at::Device device() const = 0;
  /// True when calls return before the device has done the work.
  virtual bool asynchronous() const = 0;

  /// A tensor of the host on this device.
  virtual at::Tensor fromHost(const at::Tensor& tensor) = 0;
  virtual SentTensors send(TensorList tensors) = 0;
  /// On this device; undefined ones stay undefined.
  virtual TensorList receive(const SentTensors& sent) = 0;
  /// Waits on the host until the tensors are ready, where the device cannot do that itself; whether there was anything
  /// to wait for.
  virtual bool await(const SentTensors&) { return false; }

  /// Waits until everything queued is done.
  virtual void finish() = 0;

  /// A point in the device's order of work; its time is known after finish(), and at once where asynchronous() is
  /// false.
  virtual std::size_t mark() = 0;
  virtual Nanoseconds timeOf(std::size_t mark) const = 0;
  /// How long the lane's own thread had had a core until then; -1 where the thread only issues the work. Other threads
  /// of a lane are not counted.
  virtual Nanoseconds cpuTimeOf(std::size_t /*mark*/) const { return -1; }
  virtual void forgetMarks() = 0;

  /// Bytes of tensors now. Any thread.
  virtual std::int64_t heldBytes() const = 0;
  /// Bytes of tensors at their highest since the last restart. Any thread, while the lane is idle.
  virtual std::int64_t peakBytes() const = 0;
  virtual void restartPeak() = 0;
};

}  // namespace lanelab
