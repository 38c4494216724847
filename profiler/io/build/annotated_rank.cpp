// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/build/annotated_rank.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "profiler/io/build/job_transfers.h"
#include "profiler/io/build/launched_work.h"

namespace lanelab {

namespace {

/// What distinguishes passes and transfers of a rank within a step.
using PassKey = std::tuple<int, Phase, int, int>;  // step, phase, stage, micro-batch

/// Of what is within a span of the same part on its row, the outer one counts: wrappers have the names of what they
/// call.
void removeInner(std::vector<Annotation>& annotations) {
  std::map<std::tuple<std::uint32_t, JobWork, Phase>, Nanoseconds> open;
  std::erase_if(annotations, [&](const Annotation& one) {
    if (one.part.work != JobWork::Compute) return false;
    Nanoseconds& end = open[{one.row, one.part.work, one.part.phase}];
    if (end > one.span.start) return true;
    end = one.span.end;
    return false;
  });
}

class RankRows {
 public:
  RankRows(ImportBuilder& builder, std::uint32_t process, RankAnnotations annotations, const RankPlace& place)
      : m_builder(builder), m_process(process), m_is(std::move(annotations)), m_place(place) {}

  void run() {
    const auto by_start = [](const Annotation& a, const Annotation& b) { return kParentsFirst(a.span, b.span); };
    std::ranges::stable_sort(m_is.on_host, by_start);
    std::ranges::stable_sort(m_is.on_gpu, by_start);
    std::ranges::stable_sort(m_is.steps, {}, [](const StepWindow& step) { return step.range.start; });
    removeInner(m_is.on_host);
    removeInner(m_is.on_gpu);
    setSteps(m_is.on_host, m_is.steps);
    setFirstStage();
    setPasses(m_is.on_host, m_first_stage);
    numberOverReplicas(m_is.on_host, m_place.replica);
    for (const Annotation& one : m_is.on_host)
      if (one.part.work == JobWork::Collective) m_collectives.push_back(one.span.range());
    findMoves();
    numberMoves();
    choosePasses();
    addRows();
  }

 private:
  void setFirstStage() {
    std::optional<int> first;
    for (const Annotation& one : m_is.on_host)
      if (one.part.isPass() && one.span.stage >= 0)
        first = std::min<int>(first.value_or(one.span.stage), one.span.stage);
    m_first_stage = first.value_or(m_place.stage);
  }

  /// A call of gloo that begins within an annotation is what that one asked for, and lasts until the data is there. Of
  /// a send it begins when the data may be there already.
  void findMoves() {
    const Annotation* asked = nullptr;
    bool called = false;
    std::vector<const Annotation*> calls;
    for (const Annotation& one : m_is.on_host) {
      if (!one.part.moves()) continue;
      if (one.part.phase != Phase::None) {
        m_moves.push_back(one);
        asked = &one;
        called = false;
      } else if (asked != nullptr && asked->part.work == one.part.work && one.span.start < asked->span.end) {
        Span& move = m_moves.back().span;
        if (one.part.work == JobWork::Receive)
          move.start = std::exchange(called, true) ? std::min(move.start, one.span.start) : one.span.start;
        move.end = std::max(move.end, one.span.end);
      } else {
        calls.push_back(&one);
      }
    }
    if (m_moves.empty() && m_is.on_gpu.empty()) matchCalls(calls);
  }

  /// Schedules of one stage per rank annotate no sends and receives (torch/distributed/pipelining/schedules.py): what
  /// is called between two passes sends the result of the one before, and receives the input of the one behind.
  void matchCalls(const std::vector<const Annotation*>& calls) {
    std::vector<const Annotation*> passes;
    for (const Annotation& one : m_is.on_host)
      if (one.part.isPass()) passes.push_back(&one);
    std::map<std::pair<const Annotation*, JobWork>, std::size_t> move_of;  // in m_moves
    for (const Annotation* const call : calls) {
      const Annotation* const pass = passOf(*call, passes);
      if (pass == nullptr || (!m_is.steps.empty() && pass->span.step != call->span.step)) continue;
      const auto [place, is_new] = move_of.try_emplace({pass, call->part.work}, m_moves.size());
      if (!is_new) {
        Span& move = m_moves[place->second].span;
        move.end = std::max(move.end, call->span.end);
        continue;
      }
      Annotation& move = m_moves.emplace_back(*call);
      move.part.phase = isBackward(pass->part.phase) ? Phase::Backward : pass->part.phase;
      move.span.step = pass->span.step;
      move.span.stage = pass->span.stage;
      move.span.micro_batch = pass->span.micro_batch;
    }
  }

  /// Whose result the call sends, or whose input it receives; null where there is none.
  static const Annotation* passOf(const Annotation& call, const std::vector<const Annotation*>& passes) {
    const auto behind =
        std::ranges::upper_bound(passes, call.span.start, {}, [](const Annotation* pass) { return pass->span.start; });
    const bool within = behind != passes.begin() && (*std::prev(behind))->span.end > call.span.start;
    if (within || call.part.work == JobWork::Send) return behind == passes.begin() ? nullptr : *std::prev(behind);
    return behind == passes.end() ? nullptr : *behind;
  }

  static int senderOf(const Annotation& move) {
    if (move.part.work == JobWork::Send) return move.span.stage;
    return move.part.phase == Phase::Forward ? move.span.stage - 1 : move.span.stage + 1;
  }
  static int ownStageOf(const Annotation& move) {
    if (move.part.work == JobWork::Send) return move.span.stage;
    return move.part.phase == Phase::Forward ? move.span.stage + 1 : move.span.stage - 1;
  }

  /// Those that name no micro-batch carry results in the order of the passes. All get the stage that sends.
  void numberMoves() {
    std::map<int, std::vector<JobPass>> steps;
    for (Annotation& pass : m_is.on_host)
      if (pass.part.isPass()) steps[pass.span.step].push_back({&pass.span, pass.part});
    for (Annotation& move : m_moves) {
      if (move.span.micro_batch >= 0) {
        move.span.stage = static_cast<std::int16_t>(senderOf(move));
      } else {
        steps[move.span.step].push_back({&move.span, move.part});
      }
    }
    for (auto& [step, passes] : steps) {
      std::ranges::stable_sort(passes, {}, [](const JobPass& pass) { return pass.span->start; });
      matchTransfers(passes);
    }
    std::erase_if(m_moves, [](const Annotation& move) { return move.span.micro_batch < 0; });
    for (const Annotation& move : m_moves)
      if (move.part.work == JobWork::Receive)
        m_arrived[{move.span.step, move.part.phase, ownStageOf(move), move.span.micro_batch}] = move.span.end;
  }

  /// On the GPU if it did any of the passes.
  void choosePasses() {
    const auto isPass = [](const Annotation& one) { return one.part.isPass(); };
    if (std::ranges::any_of(m_is.on_gpu, isPass)) {
      copyNumbers(m_is.on_host, m_is.on_gpu);
      m_passes = m_is.on_gpu;
      m_uses_gpu = true;
    } else {
      m_passes = m_is.on_host;
      projectPasses();
    }
    std::erase_if(m_passes, [](const Annotation& one) { return one.part.work != JobWork::Compute; });
  }

  void projectPasses() {
    const LaunchedWork launched(m_builder, m_process);
    if (launched.empty()) return;
    for (Annotation& pass : m_passes) {
      if (pass.part.work != JobWork::Compute) continue;
      const std::optional<TimeRange> work = launched.of(pass.span.range());
      if (!work) continue;
      pass.span.start = work->start;
      pass.span.end = work->end;
      m_uses_gpu = true;
    }
  }

  Nanoseconds arrivalOf(const Annotation& pass) const {
    const Phase phase = isBackward(pass.part.phase) ? Phase::Backward : pass.part.phase;
    const auto arrived = m_arrived.find({pass.span.step, phase, pass.span.stage, pass.span.micro_batch});
    return arrived == m_arrived.end() ? pass.span.start : arrived->second;
  }

  /// A backward of DistributedDataParallel waits for the reduction of its gradients, in which it waits for its peers:
  /// where a collective takes up the end of a pass, the pass has ended.
  Nanoseconds workEndOf(const Annotation& pass) const {
    const TimeRange range = pass.span.range();
    const auto behind = std::ranges::upper_bound(m_collectives, range.end, {}, &TimeRange::start);
    if (behind == m_collectives.begin()) return range.end;
    const TimeRange last = *std::prev(behind);
    const bool at_the_end = last.start > range.start && range.end - last.end < range.length() / 10;
    return at_the_end ? last.start : range.end;
  }

  Span actionOf(const Annotation& pass) const {
    Span span = pass.span;
    if (!m_uses_gpu) {
      span.start = std::clamp(arrivalOf(pass), span.start, span.end);
      span.end = std::max(span.start, workEndOf(pass));
    }
    span.category = Category::Action;
    span.label = 0;
    span.phase = pass.part.phase;
    return span;
  }

  /// Of a send only the begin counts: its call ends whenever the host looks.
  static Span transferOf(const Annotation& move) {
    Span span = move.span;
    if (move.part.work == JobWork::Send) span.end = span.start;
    span.category = Category::Transfer;
    span.label = 0;
    span.phase = move.part.phase;
    return span;
  }

  Span hostOf(const Annotation& one, Category category) const {
    Span span = one.span;
    span.category = category;
    span.label = 0;
    span.stage = static_cast<std::int16_t>(m_first_stage);
    span.micro_batch = -1;
    return span;
  }

  struct Placed {
    Span span;
    std::uint32_t group = 0;
  };

  void addRows() {
    std::vector<Placed> actions, transfers, data, collectives, host;
    for (const Annotation& one : m_passes)
      if (one.span.step >= 0) actions.push_back({actionOf(one)});
    for (const Annotation& one : m_moves)
      if (one.span.step >= 0) transfers.push_back({transferOf(one), m_builder.groupOfKind(one.is->group)});
    for (const Annotation& one : m_is.on_host) {
      const bool known = one.span.step >= 0;
      if (one.part.work == JobWork::Data) data.push_back({hostOf(one, Category::Data)});
      if (one.part.work == JobWork::Host && known) host.push_back({hostOf(one, Category::Host)});
      if (one.part.work == JobWork::Collective && known)
        collectives.push_back({hostOf(one, Category::Communication), groupOf(one)});
    }
    addRow("actions", actions);
    addRow("transfers", transfers);
    addRow("data", data);
    addRow("host", host);
    addRow("collectives", collectives);
  }

  /// That which its span has, else that of the rule.
  std::uint32_t groupOf(const Annotation& one) {
    return one.group != 0 ? one.group : m_builder.groupOfKind(one.is->group);
  }

  void addRow(const char* name, std::vector<Placed>& placed) {
    if (placed.empty()) return;
    std::ranges::stable_sort(placed, [](const Placed& a, const Placed& b) { return kParentsFirst(a.span, b.span); });
    const ImportedId tid{name, true};
    const std::uint32_t row = m_builder.rowIndex(m_process, tid);
    m_builder.thread(m_process, tid).name = name;
    m_builder.row(row).device = m_is.device;
    for (const auto& [span, group] : placed) {
      m_builder.addSpan(row, span);
      if (group != 0) m_builder.setGroup(row, group);
    }
    DraftRow& filled = m_builder.row(row);
    if (!filled.groups.empty()) filled.groups.resize(filled.spans.size(), 0);
  }

  ImportBuilder& m_builder;
  const std::uint32_t m_process;
  RankAnnotations m_is;
  const RankPlace m_place;
  std::vector<Annotation> m_moves;   ///< by the host
  std::vector<Annotation> m_passes;  ///< and updates
  std::map<PassKey, Nanoseconds> m_arrived;
  std::vector<TimeRange> m_collectives;  ///< of the host, by start
  int m_first_stage = 0;
  bool m_uses_gpu = false;
};

}  // namespace

bool RankAnnotations::hasPasses() const {
  const auto has = [this](bool backward) {
    return std::ranges::any_of(on_host, [backward](const Annotation& one) {
      return one.part.isPass() && (one.part.phase != Phase::Forward) == backward;
    });
  };
  return has(false) && has(true);
}

void addRankRows(ImportBuilder& builder, std::uint32_t process, RankAnnotations annotations, const RankPlace& place) {
  RankRows(builder, process, std::move(annotations), place).run();
}

}  // namespace lanelab
