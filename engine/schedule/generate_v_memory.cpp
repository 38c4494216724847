// SPDX-License-Identifier: GPL-3.0-only
// v-half and v-min (Qi et al. 2024, "Pipeline Parallelism with Controllable Memory"): two stages per lane in a V, with
// a half and a third of 1F1B's activations. Orders are those of sail-sg/zero-bubble-pipeline-parallelism,
// megatron/core/pipeline_parallel/zerobubble/scheduler/zbv_greedy.py, for every number of lanes and micro-batches.
//
// A pattern says in which slot each lane does what for a micro-batch, and is repeated every six slots. Warm-up and
// drain are then filled: an action moves to the first free slot before its own in which its inputs are there and its
// lane holds no more than before. Once with weight parts, which are then dropped, once without; at last the weight
// parts go into the slots that are left. A slot is the time of F, I or W: like zb-v, they know nothing of times.
#include <algorithm>
#include <array>

#include "engine/schedule/generate_parts.h"

namespace lanelab {
namespace {

/// What a lane may hold at most, of 1F1B's activations.
enum class VMemory { Half, Third };

constexpr int kPeriod = 6;  // F, I and W of two stages
constexpr int kFree = -1;

/// What a lane does for a micro-batch; up to DownInput each waits for the one before. In the first passes the weight
/// parts of both stages are one list.
enum VPart : int { DownForward, UpForward, UpInput, DownInput, UpWeight, DownWeight };
constexpr std::size_t kPartsWithoutWeights = 4;

using VSlots = std::vector<std::vector<int>>;  ///< of a lane: [part][micro-batch], ascending
using VRow = std::vector<int>;                 ///< of a lane: by slot its part, or kFree

std::array<int, kPartsWithoutWeights> patternOf(VMemory memory, int position, int lanes) {
  if (memory == VMemory::Third) {
    const int pause = lanes % 3 == 0 ? 2 : 0;
    return {position, 2 * lanes - position - 1, 2 * lanes + pause + position, 4 * lanes + pause - position - 1};
  }
  const int pause = lanes % 2 == 0 ? 3 : 0;
  return {2 * position, 3 * lanes - position - 2, 3 * lanes + pause + 2 * position - 1,
          6 * lanes + pause - position - 2};
}

VRow rowOf(const VSlots& slots) {
  int last = 0;
  for (const std::vector<int>& part : slots) last = std::max(last, part.back());
  VRow row(static_cast<std::size_t>(last) + 1, kFree);
  for (std::size_t part = 0; part < slots.size(); ++part) {
    for (const int slot : slots[part]) row[static_cast<std::size_t>(slot)] = static_cast<int>(part);
  }
  return row;
}

/// Weight parts in the free slots behind their I; `apart`: of each stage a list of its own, those of the way up first.
void addWeights(VSlots& slots, bool apart) {
  const VRow row = rowOf(slots);
  slots.resize(kPartsWithoutWeights + (apart ? 2 : 1));
  std::array<int, 2> waiting = {};
  for (std::size_t slot = 0; slot < row.size() || waiting[0] + waiting[1] > 0; ++slot) {
    const int part = slot < row.size() ? row[slot] : kFree;
    if (part == UpInput || part == DownInput) ++waiting[apart && part == DownInput ? 1 : 0];
    const std::size_t list = waiting[0] > 0 ? 0 : 1;
    if (part != kFree || waiting[list] == 0) continue;
    slots[UpWeight + list].push_back(static_cast<int>(slot));
    --waiting[list];
  }
}

/// The n-th of two ascending lists together, from 0.
int nthOf(const std::vector<int>& a, const std::vector<int>& b, std::size_t n) {
  std::size_t low = n + 1 > b.size() ? n + 1 - b.size() : 0, high = std::min(n + 1, a.size());
  while (low < high) {  // how many of the first n + 1 are of `a`
    const std::size_t of_a = (low + high) / 2;
    if (a[of_a] < b[n - of_a])
      low = of_a + 1;
    else
      high = of_a;
  }
  const int last_of_a = low > 0 ? a[low - 1] : kFree, last_of_b = low <= n ? b[n - low] : kFree;
  return std::max(last_of_a, last_of_b);
}

/// What a lane holds after each of its slots: stages' activations from F to W. If there are no weight parts in the
/// row, each free slot stands for one that waits.
class HeldByLane {
 public:
  HeldByLane(VRow row, bool with_weights) : m_row(std::move(row)), m_with_weights(with_weights) {
    State state;
    for (const int part : m_row) m_after.push_back(state = next(state, part));
  }

  const VRow& row() const { return m_row; }
  int most() const { return std::ranges::max_element(m_after, {}, &State::held)->held; }

  /// Moves what is in slot `from` to the free slot `to` before it, unless the lane would then hold more than `most`.
  bool move(int from, int to, int most) {
    std::swap(m_row[at(from)], m_row[at(to)]);
    State state = to > 0 ? m_after[at(to) - 1] : State{};
    std::vector<State> moved;
    for (std::size_t slot = at(to); slot < m_row.size(); ++slot) {
      state = next(state, m_row[slot]);
      if (state.held > most) {
        std::swap(m_row[at(from)], m_row[at(to)]);
        return false;
      }
      if (slot >= at(from) && state == m_after[slot]) break;
      moved.push_back(state);
    }
    std::ranges::copy(moved, m_after.begin() + to);
    return true;
  }

 private:
  struct State {
    int held = 0, waiting = 0;
    bool operator==(const State&) const = default;
  };

  static std::size_t at(int slot) { return static_cast<std::size_t>(slot); }

  State next(State state, int part) const {
    const bool implied = part == kFree && !m_with_weights && state.waiting > 0;
    if (part == DownForward || part == UpForward) ++state.held;
    if (part == UpInput || part == DownInput) ++state.waiting;
    if (part == UpWeight || implied) --state.held;
    if (implied) --state.waiting;
    if (m_with_weights) state.waiting = 0;
    return state;
  }

  VRow m_row;
  bool m_with_weights;
  std::vector<State> m_after;
};

/// Calls `visit(lane, part, micro_batch)` of all lanes' actions by slot, then by lane.
template <class Visit>
void inOrderOfSlots(const std::vector<VRow>& rows, Visit visit) {
  std::size_t end = 0;
  for (const VRow& row : rows) end = std::max(end, row.size());
  std::vector<std::array<int, 6>> next(rows.size(), {0, 0, 0, 0, 0, 0});
  for (std::size_t slot = 0; slot < end; ++slot) {
    for (std::size_t lane = 0; lane < rows.size(); ++lane) {
      const int part = slot < rows[lane].size() ? rows[lane][slot] : kFree;
      if (part != kFree) visit(lane, part, next[lane][static_cast<std::size_t>(part)]++);
    }
  }
}

std::vector<VRow> rowsOf(const std::vector<VSlots>& lanes) {
  std::vector<VRow> rows;
  for (const VSlots& slots : lanes) rows.push_back(rowOf(slots));
  return rows;
}

/// The first slot after the action's inputs; of weight parts, which take none of other lanes, 0.
int afterInputs(const std::vector<VSlots>& lanes, std::size_t lane, int part, int k) {
  int after = kFree;
  const auto waitFor = [&](std::size_t other, int of) {
    after = std::max(after, lanes[other][static_cast<std::size_t>(of)][static_cast<std::size_t>(k)]);
  };
  if ((part == DownForward || part == UpInput) && lane > 0) waitFor(lane - 1, part);  // towards the last lane
  if ((part == UpForward || part == DownInput) && lane + 1 < lanes.size()) waitFor(lane + 1, part);
  if (part > DownForward && part < UpWeight) waitFor(lane, part - 1);
  return after + 1;
}

/// Fills the gaps of warm-up and drain; without weight parts only those of the drain.
class GapFilling {
 public:
  GapFilling(std::vector<VSlots>& lanes, bool with_weights) : m_lanes(lanes), m_with_weights(with_weights) {
    for (const VRow& row : rowsOf(lanes)) {
      m_held.emplace_back(row, with_weights);
      m_most = std::max(m_most, m_held.back().most());
    }
  }

  void run() {
    inOrderOfSlots(rowsOf(m_lanes), [this](std::size_t lane, int part, int k) {
      if (m_phase == Phase::WarmUp && lane == 0 && part == DownInput) m_phase = Phase::Steady;
      if (m_phase == Phase::Drain || (m_phase == Phase::WarmUp && m_with_weights)) advance(lane, part, k);
      const bool last_forward = part == DownForward && at(k) + 1 == m_lanes[0][DownForward].size();
      if (m_phase == Phase::Steady && last_forward) m_phase = Phase::Drain;
    });
  }

 private:
  enum class Phase { WarmUp, Steady, Drain };

  static std::size_t at(int index) { return static_cast<std::size_t>(index); }

  int earliest(std::size_t lane, int part, int k) const {
    const VSlots& slots = m_lanes[lane];
    const int after_last = k > 0 ? slots[at(part)][at(k - 1)] + 1 : 0;
    return std::max(after_last, part == UpWeight ? nthOf(slots[UpInput], slots[DownInput], at(k)) + 1
                                                 : afterInputs(m_lanes, lane, part, k));
  }

  void advance(std::size_t lane, int part, int k) {
    int& slot = m_lanes[lane][at(part)][at(k)];
    for (int free = earliest(lane, part, k); free < slot; ++free) {
      if (m_held[lane].row()[at(free)] != kFree || !m_held[lane].move(slot, free, m_most)) continue;
      slot = free;
      return;
    }
  }

  std::vector<VSlots>& m_lanes;
  bool m_with_weights;
  std::vector<HeldByLane> m_held;
  int m_most = 0;
  Phase m_phase = Phase::WarmUp;
};

/// The slots in which the lanes do the same orders if each action begins as soon as it can.
void squeeze(std::vector<VSlots>& lanes) {
  std::vector<VSlots> squeezed = lanes;
  std::vector<int> free_from(lanes.size(), 0);
  inOrderOfSlots(rowsOf(lanes), [&](std::size_t lane, int part, int k) {
    const int start = std::max(free_from[lane], afterInputs(squeezed, lane, part, k));
    squeezed[lane][static_cast<std::size_t>(part)][static_cast<std::size_t>(k)] = start;
    free_from[lane] = start + 1;
  });
  lanes = std::move(squeezed);
}

std::vector<VSlots> patternLanes(VMemory memory, int lanes, int micro_batches) {
  std::vector<VSlots> all;
  for (int position = 0; position < lanes; ++position) {
    VSlots slots;
    for (const int first : patternOf(memory, position, lanes)) {
      slots.emplace_back();
      for (int k = 0; k < micro_batches; ++k) slots.back().push_back(first + kPeriod * k);
    }
    all.push_back(std::move(slots));
  }
  return all;
}

void dropWeights(std::vector<VSlots>& lanes) {
  for (VSlots& slots : lanes) slots.resize(kPartsWithoutWeights);
}

std::vector<VSlots> filledLanes(VMemory memory, int lanes, int micro_batches) {
  std::vector<VSlots> all = patternLanes(memory, lanes, micro_batches);
  for (VSlots& slots : all) addWeights(slots, /*apart=*/false);
  GapFilling(all, /*with_weights=*/true).run();
  squeeze(all);
  dropWeights(all);
  GapFilling(all, /*with_weights=*/false).run();
  for (VSlots& slots : all) addWeights(slots, /*apart=*/false);
  squeeze(all);
  dropWeights(all);
  for (VSlots& slots : all) addWeights(slots, /*apart=*/true);
  return all;
}

ActionRows memoryVRows(const ScheduleRequest& request, VMemory memory) {
  constexpr std::array<ActionKind, 6> kKinds = {ActionKind::Forward,        ActionKind::Forward,
                                                ActionKind::BackwardInput,  ActionKind::BackwardInput,
                                                ActionKind::BackwardWeight, ActionKind::BackwardWeight};
  const int depth = *lanesLaidOut(StageLayout::V, request.lane_of_stage);
  ActionRows rows(static_cast<std::size_t>(request.lanes));
  inOrderOfSlots(rowsOf(filledLanes(memory, depth, request.micro_batches)), [&](std::size_t position, int part, int k) {
    const bool down = part == DownForward || part == DownInput || part == DownWeight;
    const StageId stage(down ? static_cast<int>(position) : 2 * depth - 1 - static_cast<int>(position));
    rows[request.lane_of_stage[position].index()].push_back(
        {stage, kKinds[static_cast<std::size_t>(part)], MicroBatchId(k)});
  });
  return rows;
}

}  // namespace

ActionRows halfMemoryVRows(const ScheduleRequest& request) { return memoryVRows(request, VMemory::Half); }

ActionRows thirdMemoryVRows(const ScheduleRequest& request) { return memoryVRows(request, VMemory::Third); }

}  // namespace lanelab
