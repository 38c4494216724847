// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/device_work.h"

#include <algorithm>
#include <unordered_map>

namespace lanelab {

namespace {

/// What tells an action of a trace from the others; an update has no micro-batch.
template <class Action>
std::uint64_t keyOf(const Action& span) {
  const auto part = [](auto number) { return static_cast<std::uint64_t>(static_cast<std::uint16_t>(number)); };
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(span.step)) << 36U |
         static_cast<std::uint64_t>(span.phase) << 32U | part(span.stage) << 16U |
         part(span.phase == Phase::Update ? 0 : span.micro_batch);
}

bool isOfAction(const Span& span) { return span.stage >= 0 && span.phase != Phase::None; }

class DeviceWork {
 public:
  DeviceWork(const Trace& trace, TracedActions& traced) : m_trace(trace), m_traced(traced) {}

  void refine() {
    for (const Track& track : m_trace.tracks) {
      if (track.kind != Track::Kind::Stream) continue;
      for (const Span& span : track.spans) {
        if (!isOfAction(span)) continue;
        if (span.category == Category::Kernel) takeKernel(span);
        if (span.category == Category::Memcpy) takeCopy(span);
      }
    }
  }

 private:
  /// What is known of an action's work so far.
  struct Work {
    std::uint32_t item = kNoItem;
    bool has_kernel = false;
    bool has_copy = false;
    Nanoseconds first_kernel = 0;
  };

  Work* find(const Span& span) {
    if (m_work.empty()) index();
    const auto found = m_work.find(keyOf(span));
    return found == m_work.end() ? nullptr : &found->second;
  }

  /// Of several actions of one name the first counts, as it does for what others wait for.
  void index() {
    m_work.reserve(m_traced.actions.size());
    for (std::size_t item = 0; item < m_traced.actions.size(); ++item)
      m_work.try_emplace(keyOf(m_traced.actions[item]), Work{static_cast<std::uint32_t>(item), false, false, 0});
  }

  void takeKernel(const Span& kernel) {
    Work* const work = find(kernel);
    if (work == nullptr || kernel.mark == 0 || (work->has_kernel && work->first_kernel <= kernel.start)) return;
    work->has_kernel = true;
    work->first_kernel = kernel.start;
    m_traced.actions[work->item].issued = kernel.mark;
  }

  void takeCopy(const Span& copy) {
    Work* const work = find(copy);
    if (work == nullptr) return;
    TracedAction& action = m_traced.actions[work->item];
    if (action.produced == kNever || copy.start >= action.range.start) return;
    action.sent = work->has_copy ? std::min(action.sent, copy.start) : copy.start;
    action.arrived = work->has_copy ? std::max(action.arrived, copy.end) : copy.end;
    work->has_copy = true;
  }

  const Trace& m_trace;
  TracedActions& m_traced;
  std::unordered_map<std::uint64_t, Work> m_work;  ///< by keyOf
};

}  // namespace

void refineByDeviceWork(const Trace& trace, TracedActions& traced) {
  if (!traced.actions.empty()) DeviceWork(trace, traced).refine();
}

}  // namespace lanelab
