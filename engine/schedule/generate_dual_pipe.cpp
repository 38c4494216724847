// SPDX-License-Identifier: GPL-3.0-only
// dualpipe-v: the order of PyTorch's ScheduleDualPipeV (torch/distributed/pipelining/schedules.py, 2.11), after
// deepseek-ai/DualPipe, dualpipe/dualpipev.py (DeepSeek-AI 2025). A forward and a backward that it would overlap go one
// after the other. It is written for at least 2p micro-batches; of fewer, those that do not exist are left out.
#include <algorithm>
#include <deque>

#include "engine/schedule/generate_parts.h"

namespace lanelab {
namespace {

/// One lane of the V: `down` is its stage on the way down, `up` that on the way back.
class DualPipeLane {
 public:
  DualPipeLane(int position, int lanes, int micro_batches)
      : m_position(position), m_before_end(lanes - position - 1), m_real(micro_batches) {
    m_planned = std::max(2 * lanes, micro_batches);
    m_steady = m_planned - 2 * lanes + position + 1;
    m_down.stage = StageId(position);
    m_up.stage = StageId(2 * lanes - 1 - position);
  }

  std::vector<Action> row() {
    warmUp();
    for (int i = 0; i < m_steady; ++i) {
      forward(m_down);
      backward(m_up, false);
      forward(m_up);
      backward(m_down, false);
    }
    for (int i = 0; i < m_before_end; ++i) {
      backward(m_up, false);
      forward(m_up);
      backward(m_down, false);
    }
    coolDown();
    return std::move(m_row);
  }

 private:
  struct OfStage {
    StageId stage;
    int forwards = 0, backwards = 0;
  };

  void add(StageId stage, ActionKind kind, int k) {
    if (k < m_real) m_row.push_back({stage, kind, MicroBatchId(k)});
  }
  void forward(OfStage& of) { add(of.stage, ActionKind::Forward, of.forwards++); }
  void backward(OfStage& of, bool split) {
    if (split) m_waiting.push_back({of.stage, ActionKind::BackwardWeight, MicroBatchId(of.backwards)});
    add(of.stage, split ? ActionKind::BackwardInput : ActionKind::Backward, of.backwards++);
  }
  void oldestWeight() {
    if (m_waiting.empty()) return;
    const Action weight = m_waiting.front();
    m_waiting.pop_front();
    add(weight.stage, weight.kind, weight.micro_batch.value);
  }

  void warmUp() {
    for (int i = 0; i < 2 * m_before_end; ++i) forward(m_down);
    for (int i = 0; i <= m_position; ++i) {
      forward(m_down);
      forward(m_up);
    }
    for (int i = 0; i < m_before_end; ++i) {
      backward(m_up, true);
      oldestWeight();
      forward(m_up);
    }
  }

  /// The later half of the backwards is split, so that its weight parts fill the end.
  void coolDown() {
    const int whole = m_position + 1;  // of 2 (position + 1) backwards, up and down in turn
    for (int i = 0; i < 2 * (m_position + 1); ++i) backward(i % 2 == 0 ? m_up : m_down, i >= whole);
    for (int i = 0; i < m_before_end; ++i) {
      oldestWeight();
      backward(m_down, true);
    }
    while (!m_waiting.empty()) oldestWeight();
  }

  int m_position, m_before_end, m_real;
  int m_planned = 0, m_steady = 0;
  OfStage m_down, m_up;
  std::deque<Action> m_waiting;  ///< weight parts, the oldest first
  std::vector<Action> m_row;
};

}  // namespace

ActionRows dualPipeVRows(const ScheduleRequest& request) {
  const int depth = *lanesLaidOut(StageLayout::V, request.lane_of_stage);
  return rowsByPosition(request, depth,
                        [&](int position) { return DualPipeLane(position, depth, request.micro_batches).row(); });
}

}  // namespace lanelab
