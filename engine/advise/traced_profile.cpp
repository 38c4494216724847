// SPDX-License-Identifier: GPL-3.0-only
#include "engine/advise/traced_profile.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "profiler/trace/core_time.h"

namespace lanelab {
namespace {

constexpr double kLeastCovered = 0.5;

using Samples = std::vector<double>;

/// Of one block at one micro-batch size.
struct BlockSamples {
  Samples forward, backward, input, weight;

  Samples* of(Phase phase) {
    switch (phase) {
      case Phase::Forward: return &forward;
      case Phase::Backward: return &backward;
      case Phase::BackwardInput: return &input;
      case Phase::BackwardWeight: return &weight;
      case Phase::Update:
      case Phase::None: break;
    }
    return nullptr;
  }
};

double secondsOf(const Span& span) { return static_cast<double>(span.range().length()) * kNanosecond; }

double medianTime(const Samples& samples) { return timingOf(samples).median; }

/// Every value times `factor`.
Timing scaled(Timing timing, double factor) {
  return {timing.median * factor, timing.low * factor, timing.high * factor, timing.n};
}

Timing sumOf(const Timing& a, const Timing& b) {
  return {a.median + b.median, a.low + b.low, a.high + b.high, std::min(a.n, b.n)};
}

/// Every value and `seconds`, at least 0.
Timing shifted(const Timing& timing, double seconds) {
  const auto moved = [&](double value) { return std::max(0.0, value + seconds); };
  return {moved(timing.median), moved(timing.low), moved(timing.high), timing.n};
}

class TraceReader {
 public:
  TraceReader(const Trace& trace, const ResolvedVariant& variant)
      : m_trace(trace), m_model(variant.model()), m_plan(*variant.plan()) {
    m_updates.resize(m_plan.stages.size());
    m_transfers.resize(m_plan.stages.size());
  }

  std::optional<BlockProfile> read() {
    for (const Track& track : m_trace.tracks) readTrack(track);
    if (m_covered < kLeastCovered * m_computed) return std::nullopt;
    measureRests();
    BlockProfile profile;
    for (const BlockSpec& block : m_model.blocks) profile.block_names.push_back(block.name);
    for (auto& [samples, blocks] : m_blocks) {
      if (auto size = sizeOf(samples, blocks)) profile.sizes.push_back(std::move(*size));
    }
    if (profile.sizes.empty()) return std::nullopt;
    if (const auto least = leastCoreShare(coreShares(m_trace)))
      for (BlockProfile::Size& size : profile.sizes) size.core_share = least->share;
    profile.action_overhead = timingOf(m_overheads);
    profile.updates = updates();
    return profile;
  }

 private:
  /// What an action did, and its blocks.
  struct Work {
    double action = 0;
    double blocks = 0;
  };
  using Key = std::tuple<int, int, int, Phase>;  ///< step, stage, micro-batch, phase

  bool known(const Span& span) const {
    return span.stage >= 0 && static_cast<std::size_t>(span.stage) < m_plan.stages.size() && span.micro_batch >= 0 &&
           span.micro_batch < m_plan.micro_batches.count();
  }
  int samplesOf(int micro_batch) const { return m_plan.micro_batches.size(MicroBatchId(micro_batch)); }

  void readTrack(const Track& track) {
    for (const Span& span : track.spans) {
      if (!known(span)) continue;
      const Key key{span.step, span.stage, span.micro_batch, span.phase};
      if (span.category == Category::Block) readBlock(span, key);
      if (span.category == Category::Transfer) readTransfer(span);
      if (span.category != Category::Action) continue;
      if (span.phase == Phase::Update) {
        m_updates[static_cast<std::size_t>(span.stage)].push_back(secondsOf(span));
      } else {
        m_work[key].action += secondsOf(span);
        m_computed += secondsOf(span);
      }
    }
  }

  void readBlock(const Span& span, const Key& key) {
    const std::optional<BlockId> block = m_model.find(m_trace.nameOf(span));
    if (!block) return;
    auto& blocks = m_blocks[samplesOf(span.micro_batch)];
    blocks.resize(m_model.blocks.size());
    Samples* const samples = blocks[block->index()].of(span.phase);
    if (samples == nullptr) return;
    samples->push_back(secondsOf(span));
    m_work[key].blocks += secondsOf(span);
    m_covered += secondsOf(span);
  }

  void readTransfer(const Span& span) {
    const int boundary = span.phase == Phase::Forward ? span.stage : span.stage - 1;
    if (boundary >= 0) m_transfers[static_cast<std::size_t>(boundary)].push_back(secondsOf(span));
  }

  void measureRests() {
    const int last_stage = static_cast<int>(m_plan.stages.size()) - 1;
    for (const auto& [key, work] : m_work) {
      const auto& [step, stage, micro_batch, phase] = key;
      const double rest = std::max(0.0, work.action - work.blocks);
      if (stage != last_stage) {
        m_overheads.push_back(rest);
      } else {
        m_loss[{samplesOf(micro_batch), phase}].push_back(rest);
      }
    }
  }

  double lossOf(int samples, Phase phase) const {
    const auto found = m_loss.find({samples, phase});
    return found == m_loss.end() ? 0 : std::max(0.0, medianTime(found->second) - medianTime(m_overheads));
  }

  std::optional<BlockProfile::Size> sizeOf(int samples, std::vector<BlockSamples>& blocks) const {
    BlockProfile::Size size;
    size.samples = samples;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      BlockSamples& block = blocks[i];
      if (block.forward.empty() || (block.backward.empty() && block.input.empty())) return std::nullopt;
      const bool last = i + 1 == blocks.size();
      const auto timing = [&](const Samples& seconds, Phase phase) {
        return shifted(timingOf(seconds), last ? lossOf(samples, phase) : 0);
      };
      BlockTiming times;
      times.forward = timing(block.forward, Phase::Forward);
      const double again = m_plan.forward_again[i] * medianTime(block.forward);
      if (!block.input.empty()) times.backward_input = shifted(timing(block.input, Phase::BackwardInput), -again);
      if (!block.weight.empty()) times.backward_weight = timingOf(block.weight);
      times.backward =
          block.backward.empty()
              ? (block.weight.empty() ? times.backward_input : sumOf(times.backward_input, times.backward_weight))
              : shifted(timing(block.backward, Phase::Backward), -again);
      if (!last) times.transfer = transferAfter(i);
      size.blocks.push_back(times);
    }
    return size;
  }

  /// Shared by the whole blocks' bytes, whatever their micro-batch's size: links are rarely what a change hangs on.
  Timing transferAfter(std::size_t block) const {
    double seconds = 0;
    double bytes = 0;
    for (std::size_t s = 0; s + 1 < m_plan.stages.size(); ++s) {
      if (m_transfers[s].empty()) continue;
      const Timing measured = timingOf(m_transfers[s]);
      const std::size_t before = m_plan.stages[s].end.index() - 1;
      if (before == block) return measured;
      seconds += measured.median;
      bytes += static_cast<double>(m_model.blocks[before].output_bytes);
    }
    if (bytes <= 0) return {};
    const double median = seconds / bytes * static_cast<double>(m_model.blocks[block].output_bytes);
    return {median, median, median, 1};
  }

  std::vector<Timing> updates() const {
    std::vector<Timing> shares;
    for (std::size_t s = 0; s < m_plan.stages.size(); ++s) {
      const Stage& stage = m_plan.stages[s];
      const Timing whole = timingOf(m_updates[s]);
      double parameters = 0;
      for (std::size_t i = stage.first.index(); i < stage.end.index(); ++i)
        parameters += static_cast<double>(m_model.blocks[i].parameters);
      for (std::size_t i = stage.first.index(); i < stage.end.index(); ++i)
        shares.push_back(
            scaled(whole, parameters > 0 ? static_cast<double>(m_model.blocks[i].parameters) / parameters : 0));
    }
    return shares;
  }

  const Trace& m_trace;
  const ModelSpec& m_model;
  const VariantPlan& m_plan;
  std::map<int, std::vector<BlockSamples>> m_blocks;  ///< by micro-batch size
  std::map<Key, Work> m_work;
  std::map<std::pair<int, Phase>, Samples> m_loss;  ///< what last stages' actions did beside their blocks, by size
  std::vector<Samples> m_updates;                   ///< by stage
  std::vector<Samples> m_transfers;                 ///< by boundary
  Samples m_overheads;
  double m_computed = 0;
  double m_covered = 0;
};

double ratioOf(const Timing& of, const Timing& to) {
  return of.n > 0 && to.n > 0 && to.median > 0 ? of.median / to.median : 1;
}

/// The parts of a backward in the proportion that was measured apart.
void splitBackward(BlockTiming& block, const BlockTiming& as) {
  if (block.backward_input.n > 0 || as.backward_input.n == 0) return;
  const double factor = ratioOf(block.backward, as.backward);
  block.backward_input = scaled(as.backward_input, factor);
  block.backward_weight = scaled(as.backward_weight, factor);
}

}  // namespace

std::optional<BlockProfile> profileOfTrace(const Trace& trace, const ResolvedVariant& variant) {
  return TraceReader(trace, variant).read();
}

BlockProfile completedBy(BlockProfile traced, const BlockProfile& kept, bool alone) {
  if (traced.block_names != kept.block_names) return traced;
  const auto shared =
      std::ranges::find_if(traced.sizes, [&](const auto& size) { return kept.find(size.samples) != nullptr; });
  if (shared == traced.sizes.end()) return traced;
  BlockProfile::Size base = *shared;
  const BlockProfile::Size& as = *kept.find(base.samples);
  BlockProfile more;
  for (const BlockProfile::Size& size : kept.sizes) {
    BlockProfile::Size made = base;
    made.samples = size.samples;
    made.all_lanes_slowdown = alone ? size.all_lanes_slowdown : 1;
    if (size.core_share > 0 && (base.core_share <= 0 || size.core_share < base.core_share))
      made.core_share = size.core_share;
    for (std::size_t i = 0; i < made.blocks.size(); ++i) {
      BlockTiming& block = made.blocks[i];
      splitBackward(block, as.blocks[i]);
      for (const auto part :
           {&BlockTiming::forward, &BlockTiming::backward, &BlockTiming::backward_input, &BlockTiming::backward_weight})
        block.*part = scaled(block.*part, ratioOf(size.blocks[i].*part, as.blocks[i].*part));
      block.transfer = scaled(block.transfer, static_cast<double>(size.samples) / base.samples);
    }
    more.sizes.push_back(std::move(made));
  }
  // The trace's own sizes stay as they were measured, but for the backward's parts and the slowdown that only the
  // profile knows.
  for (BlockProfile::Size& own : traced.sizes) {
    const BlockProfile::Size* const made = more.find(own.samples);
    if (made == nullptr) continue;
    own.all_lanes_slowdown = made->all_lanes_slowdown;
    for (std::size_t i = 0; i < own.blocks.size(); ++i) splitBackward(own.blocks[i], kept.find(own.samples)->blocks[i]);
  }
  more.block_names = traced.block_names;
  more.updates = traced.updates;
  more.action_overhead = traced.action_overhead;
  BlockProfile all = merged(std::move(more), std::move(traced));
  all.key = kept.key;
  return all;
}

}  // namespace lanelab
