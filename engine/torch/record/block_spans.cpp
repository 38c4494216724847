// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/record/block_spans.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <vector>

namespace lanelab {
namespace {

/// An action and the block spans inside it, by start.
struct ActionSpans {
  std::optional<Span> action;
  std::vector<Span> blocks;
};

using ActionKey = std::tuple<int, int, int, Phase>;  ///< step, stage, micro-batch, phase

std::map<ActionKey, ActionSpans> actionsOf(const Trace& trace, int lane) {
  std::map<ActionKey, ActionSpans> actions;
  for (const Track& track : trace.tracks) {
    if (lane >= 0 && track.lane != lane) continue;
    for (const Span& span : track.spans) {
      const ActionKey key{span.step, span.stage, span.micro_batch, span.phase};
      if (span.category == Category::Action) actions[key].action = span;
      if (span.category == Category::Block) actions[key].blocks.push_back(span);
    }
  }
  std::erase_if(actions, [](const auto& entry) { return !entry.second.action; });
  for (auto& [key, spans] : actions) {
    std::sort(spans.blocks.begin(), spans.blocks.end(), [](const Span& a, const Span& b) { return a.start < b.start; });
  }
  return actions;
}

double seconds(Nanoseconds from, Nanoseconds to) {
  return static_cast<double>(std::max<Nanoseconds>(0, to - from)) * 1e-9;
}

void add(ChainTimes::Direction& direction, const std::vector<double>& blocks, const Span& action) {
  direction.blocks.resize(blocks.size());
  for (std::size_t i = 0; i < blocks.size(); ++i) direction.blocks[i].push_back(blocks[i]);
  direction.whole.push_back(seconds(action.start, action.end));
}

/// The last block of the model is the last of a forward and the first of a backward: the action's border stands in for
/// its own there.
void addChain(const Trace& trace, const ActionSpans& spans, const std::vector<std::string>& blocks,
              ChainTimes::Direction& direction, bool forward) {
  if (spans.blocks.size() != blocks.size()) return;
  std::vector<double> times;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const Span& span = spans.blocks[forward ? i : blocks.size() - 1 - i];
    if (trace.nameOf(span) != blocks[i]) return;
    const bool last = i + 1 == blocks.size();
    times.push_back(
        seconds(last && !forward ? spans.action->start : span.start, last && forward ? spans.action->end : span.end));
  }
  add(direction, times, *spans.action);
}

void addWeights(const Trace& trace, const ActionSpans& spans, const std::vector<std::string>& blocks,
                ChainTimes::Direction& direction) {
  std::vector<double> times(blocks.size(), 0);
  for (const Span& span : spans.blocks) {
    const auto found = std::find(blocks.begin(), blocks.end(), trace.nameOf(span));
    if (found != blocks.end()) times[static_cast<std::size_t>(found - blocks.begin())] += seconds(span.start, span.end);
  }
  add(direction, times, *spans.action);
}

}  // namespace

void addChainTimes(const Trace& trace, LaneId lane, const std::vector<std::string>& blocks, ChainTimes& times) {
  const auto actions = actionsOf(trace, lane.value);
  const bool several =
      std::any_of(actions.begin(), actions.end(), [](const auto& entry) { return std::get<2>(entry.first) > 0; });
  for (const auto& [key, spans] : actions) {
    const auto& [step, stage, micro_batch, phase] = key;
    if (phase == Phase::Forward) addChain(trace, spans, blocks, times.forward, true);
    if (several && micro_batch == 0) continue;
    if (phase == Phase::Backward) addChain(trace, spans, blocks, times.backward, false);
    if (phase == Phase::BackwardInput) addChain(trace, spans, blocks, times.backward_input, false);
    if (phase == Phase::BackwardWeight) addWeights(trace, spans, blocks, times.backward_weight);
  }
}

void addBlockwiseTimes(const Trace& trace, std::size_t blocks, BlockwiseTimes& times) {
  times.updates.resize(blocks);
  times.transfers.resize(blocks - 1);
  const auto actions = actionsOf(trace, -1);
  for (const auto& [key, spans] : actions) {
    const auto& [step, stage, micro_batch, phase] = key;
    const Span& action = *spans.action;
    const auto index = static_cast<std::size_t>(stage);
    if (phase == Phase::Update) times.updates[index].push_back(seconds(action.start, action.end));
    if (phase != Phase::Forward && phase != Phase::Backward) continue;
    const int sender = phase == Phase::Forward ? stage - 1 : stage + 1;
    if (const auto sent = actions.find({step, sender, micro_batch, phase}); sent != actions.end()) {
      times.transfers[static_cast<std::size_t>(std::min(stage, sender))].push_back(
          seconds(sent->second.action->end, action.start));
    }
    if (index + 1 == blocks) continue;
    Nanoseconds inside = 0;
    for (const Span& block : spans.blocks) inside += block.range().length();
    times.overheads.push_back(seconds(inside, action.range().length()));
  }
}

}  // namespace lanelab
