// SPDX-License-Identifier: GPL-3.0-only
// zb-v: the hand-made order of Qi et al. 2024 ("Pipeline Parallelism with Controllable Memory", and section 6 of "Zero
// Bubble"), in the form of PyTorch's ScheduleZBVZeroBubble. It is written for at least 2p-1 micro-batches; of fewer,
// those that do not exist are left out.
#include <algorithm>

#include "engine/schedule/generate_parts.h"

namespace lanelab {
namespace {

// One lane of the V: `down` is its stage on the way down, `up` that on the way back.
class VLane {
 public:
  VLane(int position, int lanes, int micro_batches)
      : m_position(position), m_lanes(lanes), m_real(micro_batches), m_planned(std::max(2 * lanes - 1, micro_batches)) {
    m_down.stage = StageId(position);
    m_up.stage = StageId(2 * lanes - 1 - position);
  }

  std::vector<Action> row() {
    warmUp();
    while (m_up.forwards < m_down.forwards || m_down.forwards < m_planned) {
      if (m_down.forwards < m_planned) forward(m_down);
      backward(m_down);
      forward(m_up);
      backward(m_up);
    }
    coolDown();
    return std::move(m_row);
  }

 private:
  struct Counts {
    StageId stage;
    int forwards = 0, inputs = 0, weights = 0;
  };

  void add(const Counts& at, ActionKind kind, int k) {
    if (k < m_real) m_row.push_back({at.stage, kind, MicroBatchId(k)});
  }
  void forward(Counts& at) { add(at, ActionKind::Forward, at.forwards++); }
  void input(Counts& at) { add(at, ActionKind::BackwardInput, at.inputs++); }
  void weight(Counts& at) { add(at, ActionKind::BackwardWeight, at.weights++); }
  void backward(Counts& at) {
    input(at);
    weight(at);
  }

  void warmUp() {
    for (int i = 0; i < 2 * (m_lanes - m_position) - 1; ++i) forward(m_down);
    for (int i = 0; i < m_position; ++i) {
      forward(m_up);
      forward(m_down);
    }
    for (int i = 0; i < m_lanes - m_position; ++i) {
      forward(m_up);
      backward(m_up);
    }
  }

  void coolDown() {
    for (int i = 0; i < m_position; ++i) {
      input(m_down);
      input(m_up);
    }
    for (int i = 0; i < m_lanes - m_position; ++i) backward(m_down);
    while (m_up.weights < m_up.inputs) weight(m_up);
    while (m_down.weights < m_down.inputs) weight(m_down);
  }

  int m_position, m_lanes, m_real, m_planned;
  Counts m_down, m_up;
  std::vector<Action> m_row;
};

}  // namespace

ActionRows zeroBubbleVRows(const ScheduleRequest& request) {
  const int depth = *lanesLaidOut(StageLayout::V, request.lane_of_stage);
  return rowsByPosition(request, depth,
                        [&](int position) { return VLane(position, depth, request.micro_batches).row(); });
}

}  // namespace lanelab
