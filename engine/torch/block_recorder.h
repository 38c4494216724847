// Spans of the blocks inside an action: forward by time stamps, backward by the moments at which gradients reach the block boundaries, weight parts by
// the block that left them.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

#include "engine/plan/schedule.h"
#include "engine/torch/device_lane.h"
#include "profiler/trace/trace_builder.h"

namespace lanelab {

/// Lives on one lane's thread; hooks in the autograd graph call it, so it must outlive the graphs that it has seen.
class BlockRecorder {
 public:
  explicit BlockRecorder(DeviceLane& device) : m_device(device) {}

  /// From now on spans go to a Detail track of `lane`; null: nothing is recorded.
  void record(TraceBuilder* trace, int lane);
  bool on() const { return m_trace != nullptr && !m_paused; }
  /// Leaves steps out; between steps.
  void pause(bool paused) { m_paused = paused; }

  void beginAction(int step, const Action& action);
  /// A block's forward pass, from the mark that forwardBegins() gave; watches its output for the backward pass. Within a backward action it is named "recompute BLOCK".
  std::size_t forwardBegins() { return m_device.mark(); }
  void forwardEnds(const std::string& block, std::size_t begin, const at::Tensor& output);
  /// In a weight part: the deferred gradients of a block begin, by the name under which they were left (DeferredWeights).
  void weightsBegin(std::uint32_t block) { m_arrivals.push_back({block, m_device.mark()}); }
  void endAction();
  /// Spans of asynchronous devices, once their times are known.
  void endStep();

 private:
  struct Piece {
    std::uint32_t name;
    std::size_t begin, end;  ///< marks
    std::int32_t step;
    Action action;
  };
  struct Arrival {
    std::uint32_t name;
    std::size_t mark;
  };
  std::uint32_t nameOf(const std::string& block);
  void flush();

  DeviceLane& m_device;
  TraceBuilder* m_trace = nullptr;
  bool m_paused = false;
  TrackIndex m_track;
  std::vector<std::pair<std::string, std::uint32_t>> m_names;
  std::int32_t m_step = 0;
  Action m_action;
  std::vector<Arrival> m_arrivals;  ///< gradients of block outputs, or weights' turns, in the order they came in this action
  std::vector<Piece> m_pieces;
};

/// The phase of an action as traces name it.
Phase phaseOf(ActionKind kind);

}  // namespace lanelab
