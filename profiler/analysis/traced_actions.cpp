// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/traced_actions.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace lanelab {

namespace {

bool sends(Phase phase) { return phase == Phase::Forward || isBackward(phase); }

/// The place of a step among the windows; spans of a step follow each other, so most find theirs at once.
class StepPlaces {
 public:
  explicit StepPlaces(const std::vector<StepWindow>& windows) : m_windows(windows) {}

  std::uint32_t operator()(int step) {
    if (m_last < m_windows.size() && m_windows[m_last].step == step) return static_cast<std::uint32_t>(m_last);
    const auto found = std::ranges::lower_bound(m_windows, step, {}, &StepWindow::step);
    if (found == m_windows.end() || found->step != step) return kNoItem;
    m_last = static_cast<std::size_t>(found - m_windows.begin());
    return static_cast<std::uint32_t>(m_last);
  }

 private:
  const std::vector<StepWindow>& m_windows;
  std::size_t m_last = 0;
};

/// Numbers of items in groups, each group in the items' own order.
struct Groups {
  std::vector<std::uint32_t> items;
  std::vector<std::size_t> begins;  ///< one a group, and the end
};

/// `group_of[i]` is the group of item i; items of kNoItem are left out.
Groups grouped(const std::vector<std::uint32_t>& group_of, std::size_t groups) {
  Groups result;
  result.begins.assign(groups + 1, 0);
  for (const std::uint32_t group : group_of)
    if (group != kNoItem) ++result.begins[group + 1];
  std::partial_sum(result.begins.begin(), result.begins.end(), result.begins.begin());
  result.items.resize(result.begins.back());
  std::vector<std::size_t> next(result.begins.begin(), result.begins.end() - 1);
  for (std::size_t i = 0; i < group_of.size(); ++i)
    if (group_of[i] != kNoItem) result.items[next[group_of[i]]++] = static_cast<std::uint32_t>(i);
  return result;
}

struct Starting {
  Nanoseconds start;
  std::uint32_t item;
};

bool startsFirst(const Starting& a, const Starting& b) { return a.start < b.start; }

/// A natural merge sort: each lane's actions are a sorted run already, so that is a few passes where a sort would need
/// many.
class RunSort {
 public:
  void sort(std::vector<Starting>& items) {
    findRuns(items);
    while (m_ends.size() > 1) mergePairs(items);
  }

 private:
  void findRuns(const std::vector<Starting>& items) {
    m_ends.clear();
    for (auto from = items.begin(); from != items.end();) {
      from = std::is_sorted_until(from, items.end(), startsFirst);
      m_ends.push_back(from - items.begin());
    }
  }
  void mergePairs(std::vector<Starting>& items) {
    m_merged.resize(items.size());
    std::ptrdiff_t begin = 0;
    std::size_t kept = 0;
    for (std::size_t run = 0; run < m_ends.size(); run += 2) {
      const std::ptrdiff_t middle = m_ends[run];
      const std::ptrdiff_t end = run + 1 < m_ends.size() ? m_ends[run + 1] : middle;
      const auto at = [&](std::ptrdiff_t place) { return items.begin() + place; };
      std::merge(at(begin), at(middle), at(middle), at(end), m_merged.begin() + begin, startsFirst);
      m_ends[kept++] = begin = end;
    }
    m_ends.resize(kept);
    items.swap(m_merged);
  }

  std::vector<std::ptrdiff_t> m_ends;  ///< of the runs
  std::vector<Starting> m_merged;
};

/// What is known of a result that goes to another stage.
struct StageResult {
  std::uint32_t producer = kNoItem;
  Nanoseconds queued = kNever;  ///< when its transfers were queued, began and ended
  Nanoseconds sent = kNever;
  Nanoseconds arrived = kNever;
};

/// An array where stages times micro-batches are few for the step's actions, as in every real one; else a hash table,
/// so that odd numbers cost no memory.
class ResultTable {
 public:
  /// Empties it for a step with stages and micro-batches below these and `spans` actions and transfers.
  void begin(int stages, int micro_batches, std::size_t spans) {
    m_stages = stages;
    m_micro_batches = micro_batches;
    m_results.clear();
    m_sparse_places.clear();
    const std::size_t keys = static_cast<std::size_t>(stages) * static_cast<std::size_t>(micro_batches) * 2;
    m_dense = keys <= 64 + 8 * spans;
    if (m_dense) m_dense_places.assign(keys, kNoItem);
  }

  /// Makes the entry if there is none. Stage and micro-batch lie within begin()'s.
  StageResult& entry(int stage, bool forward, int micro_batch) {
    const std::size_t key = keyOf(stage, forward, micro_batch);
    std::uint32_t& place = m_dense ? m_dense_places[key] : m_sparse_places.try_emplace(key, kNoItem).first->second;
    if (place == kNoItem) {
      place = static_cast<std::uint32_t>(m_results.size());
      m_results.emplace_back();
    }
    return m_results[place];
  }

  /// Null when there is none; any stage and micro-batch.
  const StageResult* find(int stage, bool forward, int micro_batch) const {
    if (stage < 0 || stage >= m_stages || micro_batch < 0 || micro_batch >= m_micro_batches) return nullptr;
    const std::size_t key = keyOf(stage, forward, micro_batch);
    if (m_dense) return m_dense_places[key] == kNoItem ? nullptr : &m_results[m_dense_places[key]];
    const auto found = m_sparse_places.find(key);
    return found == m_sparse_places.end() ? nullptr : &m_results[found->second];
  }

 private:
  std::size_t keyOf(int stage, bool forward, int micro_batch) const {
    return (static_cast<std::size_t>(stage) * static_cast<std::size_t>(m_micro_batches) +
            static_cast<std::size_t>(micro_batch)) *
               2 +
           (forward ? 1 : 0);
  }

  int m_stages = 0;
  int m_micro_batches = 0;
  bool m_dense = true;
  std::vector<std::uint32_t> m_dense_places;
  std::unordered_map<std::size_t, std::uint32_t> m_sparse_places;
  std::vector<StageResult> m_results;
};

class Tracer {
 public:
  explicit Tracer(const Trace& trace) : m_trace(trace) {
    m_result.windows = stepWindows(trace);
    m_result.stretches = stretchesOf(trace, m_result.windows);
  }

  TracedActions trace() {
    collect();
    groupSteps();
    for (std::size_t step = 0; step < m_result.windows.size(); ++step) findInputs(step);
    return std::move(m_result);
  }

 private:
  void collect() {
    std::vector<const Track*> tracks;
    for (const Track& track : m_trace.tracks)
      if (m_trace.laneAt(track.lane) != nullptr) tracks.push_back(&track);
    std::ranges::stable_sort(tracks, {}, &Track::lane);
    m_result.lane_begins.reserve(m_trace.lanes.size() + 1);
    std::size_t actions = 0;
    std::size_t transfers = 0;
    for (const Track* const track : tracks) {
      if (track->kind == Track::Kind::Compute) actions += track->spans.size();
      if (track->kind == Track::Kind::Transfer) transfers += track->spans.size();
    }
    m_result.actions.reserve(actions);
    m_step_of_action.reserve(actions);
    m_transfers.reserve(transfers);
    m_step_of_transfer.reserve(transfers);
    for (const Track* const track : tracks) {
      beginLanes(track->lane);
      collectTrack(*track);
    }
    beginLanes(static_cast<int>(m_trace.lanes.size()));
  }

  void beginLanes(int last) {
    while (static_cast<int>(m_result.lane_begins.size()) <= last)
      m_result.lane_begins.push_back(m_result.actions.size());
  }

  void collectTrack(const Track& track) {
    StepPlaces stepPlace(m_result.windows);
    for (const Span& span : track.spans) {
      if (span.category == Category::Action) {
        m_result.actions.push_back({span.range(), span.mark, span.name, span.step, span.stage, span.micro_batch,
                                    span.phase, track.lane, kNoItem, kNever, kNever, kNever});
        m_step_of_action.push_back(stepPlace(span.step));
      } else if (span.category == Category::Transfer) {
        m_transfers.push_back(span);
        m_step_of_transfer.push_back(stepPlace(span.step));
      }
    }
  }

  void groupSteps() {
    Groups actions = grouped(m_step_of_action, m_result.windows.size());
    m_result.by_step = std::move(actions.items);
    m_result.step_begins = std::move(actions.begins);
    for (std::size_t step = 0; step < m_result.windows.size(); ++step)
      sortByStart(m_result.by_step, m_result.step_begins[step], m_result.step_begins[step + 1]);
    if (m_result.stretches.size() < m_result.windows.size()) orderStretches();
    m_transfers_by_step = grouped(m_step_of_transfer, m_result.windows.size());
  }

  void orderStretches() {
    m_result.by_stretch = m_result.by_step;
    for (const Stretch& stretch : m_result.stretches)
      if (stretch.count > 1)
        sortByStart(m_result.by_stretch, m_result.step_begins[stretch.first],
                    m_result.step_begins[stretch.first + stretch.count]);
  }

  void sortByStart(std::vector<std::uint32_t>& items, std::size_t begin, std::size_t end) {
    m_starting.clear();
    for (std::size_t i = begin; i < end; ++i) m_starting.push_back({m_result.actions[items[i]].range.start, items[i]});
    m_sort.sort(m_starting);
    for (const Starting& starting : m_starting) items[begin++] = starting.item;
  }

  template <class Visit>
  void visitTransfers(std::size_t step, const Visit& visit) {
    const Groups& groups = m_transfers_by_step;
    for (std::size_t i = groups.begins[step]; i < groups.begins[step + 1]; ++i) visit(m_transfers[groups.items[i]]);
  }

  /// Of an action or a transfer.
  template <class Traced>
  static bool isResult(const Traced& traced) {
    return sends(traced.phase) && traced.stage >= 0 && traced.micro_batch >= 0;
  }

  void findInputs(std::size_t step) {
    beginTable(step);
    for (const std::uint32_t item : m_result.itemsOf(step)) {
      const TracedAction& action = m_result.actions[item];
      if (!isResult(action)) continue;
      StageResult& result = m_results.entry(action.stage, action.phase == Phase::Forward, action.micro_batch);
      if (result.producer == kNoItem) result.producer = item;
    }
    visitTransfers(step, [&](const Span& transfer) {
      if (isResult(transfer))
        noteTransfer(m_results.entry(transfer.stage, transfer.phase == Phase::Forward, transfer.micro_batch), transfer);
    });
    for (const std::uint32_t item : m_result.itemsOf(step)) findInput(m_result.actions[item]);
  }

  void beginTable(std::size_t step) {
    int stages = 0;
    int micro_batches = 0;
    std::size_t spans = 0;
    const auto widen = [&](const auto& traced) {
      stages = std::max(stages, traced.stage + 1);
      micro_batches = std::max(micro_batches, traced.micro_batch + 1);
      ++spans;
    };
    for (const std::uint32_t item : m_result.itemsOf(step)) widen(m_result.actions[item]);
    visitTransfers(step, widen);
    m_results.begin(stages, micro_batches, spans);
  }

  static void noteTransfer(StageResult& result, const Span& transfer) {
    const Nanoseconds queued = transfer.mark != 0 ? transfer.mark : transfer.start;
    result.queued = result.sent == kNever ? queued : std::min(result.queued, queued);
    result.sent = result.sent == kNever ? transfer.start : std::min(result.sent, transfer.start);
    result.arrived = std::max(result.arrived, transfer.end);
  }

  void findInput(TracedAction& action) {
    if (!sends(action.phase) || action.stage < 0) return;
    const bool forward = action.phase == Phase::Forward;
    const StageResult* const input =
        m_results.find(forward ? action.stage - 1 : action.stage + 1, forward, action.micro_batch);
    if (input == nullptr) return;
    action.producer = input->producer;
    action.produced = input->producer != kNoItem ? m_result.actions[input->producer].range.end : input->queued;
    action.sent = input->sent;
    action.arrived = input->arrived;
  }

  const Trace& m_trace;
  TracedActions m_result;
  std::vector<std::uint32_t> m_step_of_action;  ///< place in windows
  std::vector<Span> m_transfers;
  std::vector<std::uint32_t> m_step_of_transfer;
  Groups m_transfers_by_step;
  std::vector<Starting> m_starting;
  RunSort m_sort;
  ResultTable m_results;
};

/// What tells an action of a trace from the others; an update has no micro-batch.
template <class Action>
std::uint64_t actionKey(const Action& span) {
  const auto part = [](auto number) { return static_cast<std::uint64_t>(static_cast<std::uint16_t>(number)); };
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(span.step)) << 36U |
         static_cast<std::uint64_t>(span.phase) << 32U | part(span.stage) << 16U |
         part(span.phase == Phase::Update ? 0 : span.micro_batch);
}

bool isOfAction(const Span& span) { return span.stage >= 0 && span.phase != Phase::None; }

/// What the recorded work of GPUs tells of the actions that launched it: kernels and copies with their step, stage,
/// micro-batch and phase, on any lane. An action was issued when the launch call of its first kernel ended, not only
/// when its last one was out; and copies that it launched and that began before it did are the transfer of its input,
/// which the receiving lane launches. Changes nothing in traces without such spans.
class DeviceWork {
 public:
  DeviceWork(const Trace& trace, TracedActions& traced) : m_trace(trace), m_traced(traced) {}

  void refine() {
    for (const Track& track : m_trace.tracks) {
      if (track.kind != Track::Kind::Stream) continue;
      for (const Span& span : track.spans) {
        if (!isOfAction(span)) continue;
        if (span.category == Category::Kernel) addKernel(span);
        if (span.category == Category::Memcpy) addCopy(span);
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
    const auto found = m_work.find(actionKey(span));
    return found == m_work.end() ? nullptr : &found->second;
  }

  /// Of several actions of one name the first counts, as it does for what others wait for.
  void index() {
    m_work.reserve(m_traced.actions.size());
    for (std::size_t item = 0; item < m_traced.actions.size(); ++item)
      m_work.try_emplace(actionKey(m_traced.actions[item]), Work{static_cast<std::uint32_t>(item), false, false, 0});
  }

  void addKernel(const Span& kernel) {
    Work* const work = find(kernel);
    if (work == nullptr || kernel.mark == 0 || (work->has_kernel && work->first_kernel <= kernel.start)) return;
    work->has_kernel = true;
    work->first_kernel = kernel.start;
    m_traced.actions[work->item].issued = kernel.mark;
  }

  void addCopy(const Span& copy) {
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
  std::unordered_map<std::uint64_t, Work> m_work;  ///< by actionKey
};

}  // namespace

TracedActions tracedActions(const Trace& trace) {
  TracedActions traced = Tracer(trace).trace();
  if (!traced.actions.empty()) DeviceWork(trace, traced).refine();
  return traced;
}

}  // namespace lanelab
