// SPDX-License-Identifier: GPL-3.0-only
// What happens inside a lane's actions: spans of blocks, of their operators where these are asked for, and ranges for
// NVIDIA's tools.
//
// A block's forward is timed around it, its backward by the moments at which gradients reach the borders of blocks,
// weight parts by the block that left them.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/lanes/lane_worker.h"
#include "engine/schedule/schedule.h"
#include "engine/torch/devices/device_lane.h"
#include "engine/torch/nn/stage_module.h"
#include "engine/torch/record/nvtx_ranges.h"
#include "engine/torch/record/operator_recorder.h"
#include "profiler/trace/trace_builder.h"

namespace lanelab {

/// Lives on one lane's thread; hooks in the autograd graph call it, so it must outlive the graphs that it has seen.
class BlockRecorder final : public BlockListener {
 public:
  explicit BlockRecorder(DeviceLane& device) : m_device(device) {}

  /// From now on spans go to a Detail track of `lane`; null: nothing is recorded, but a tool that listens still gets
  /// its ranges.
  void record(TraceBuilder* trace, LaneId lane, bool operators);
  /// This, where somebody wants to know of forwards; else null, and they cost nothing.
  BlockListener* listener() { return recording() || nvtxListens() ? this : nullptr; }

  /// Closes what a failed step left open.
  void beginStep(const StepCommand& command);
  void beginAction(const Action& action);
  /// A block's forward pass, whose outputs are watched for the backward pass. Within a backward action it is named
  /// "recompute BLOCK".
  void beginForward(const std::string& block) override;
  void endForward(at::ArrayRef<at::Tensor> outputs) override;
  /// In a weight part: the deferred gradients of a block begin, by the number under which they were left
  /// (DeferredWeights).
  void beginWeights(std::uint32_t block) { arrive(block); }
  void endAction();
  /// Between actions: spans that are known go to the trace, out of the time that counts as compute.
  void handOver();
  /// All spans do; an asynchronous device's times are known now.
  void endStep();

 private:
  struct Block {
    std::string name;
    std::uint32_t in_trace = 0;
    std::uint32_t again_in_trace = 0;  ///< "recompute BLOCK"
  };
  struct Piece {
    std::uint32_t name;
    std::size_t begin, end;  ///< marks
    std::int32_t step;
    Action action;
  };
  struct Arrival {
    std::uint32_t block;
    std::size_t mark;
  };

  bool recording() const { return m_trace != nullptr && !m_paused; }
  std::uint32_t numberOf(const std::string& block);
  void internNames(Block& block);
  void watch(const at::Tensor& output);
  /// A gradient of the block has come, or its weights' turn. Further gradients of the same block, which may have
  /// several outputs, say nothing new.
  void arrive(std::uint32_t block);
  Span spanOf(const Piece& piece) const;
  void flush();

  DeviceLane& m_device;
  TraceBuilder* m_trace = nullptr;
  bool m_paused = false;
  TrackIndex m_track;
  std::optional<OperatorRecorder> m_operators;
  std::vector<Block> m_blocks;  ///< numbers are places here, and stay
  std::int32_t m_step = 0;
  Action m_action;
  std::uint32_t m_forward = 0;             ///< the block whose forward runs
  std::size_t m_forward_begin = 0;         ///< mark
  std::optional<std::uint32_t> m_arrived;  ///< the last block that gradients have come to in this action
  std::vector<Arrival>
      m_arrivals;  ///< gradients of block outputs, or weights' turns, in the order they came in this action
  std::vector<Piece> m_pieces;
  std::optional<NvtxRange> m_step_range, m_action_range,
      m_block_range;  ///< open; the later ones within the earlier ones
};

}  // namespace lanelab
