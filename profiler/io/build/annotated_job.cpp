// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/build/annotated_job.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "profiler/io/source/imported_id.h"
#include "profiler/trace/profiler_step.h"

namespace lanelab {

namespace {

using Did = AnnotationName::Work;

struct Annotation {
  AnnotationName is;
  Span span;
  std::uint32_t row = 0;
};

/// What distinguishes passes and transfers of a rank within a step.
using PassKey = std::tuple<int, Phase, int, int>;  // step, phase, stage, micro-batch

class AnnotatedJob {
 public:
  explicit AnnotatedJob(ImportBuilder& builder) : m_builder(builder) {}

  void run() {
    if (m_builder.rank().world_size.value_or(1) < 2 || !m_builder.rank().rank || hasActions()) return;
    readNames();
    if (m_names.empty()) return;
    collect();
    if (m_processes.size() != 1 || !hasPasses()) return;
    chooseDevice();
    setSteps();
    setStages();
    matchMoves();
    addRows();
  }

 private:
  bool hasActions() {
    for (std::uint32_t row = 0; row < m_builder.rowCount(); ++row)
      for (const Span& span : m_builder.row(row).spans)
        if (span.category == Category::Action) return true;
    return false;
  }

  void readNames() {
    for (std::uint32_t name = 0; name < m_builder.nameCount(); ++name) {
      const std::string& text = m_builder.nameText(name);
      if (const auto is = annotationNameOf(text)) m_names.emplace(name, *is);
      if (const auto step = profilerStepOf(text)) m_step_names.emplace(name, *step);
    }
  }

  void collect() {
    for (std::uint32_t index = 0; index < m_builder.rowCount(); ++index) {
      const DraftRow& row = m_builder.row(index);
      const bool of_gpu = std::ranges::any_of(row.spans, [](const Span& span) { return isGpuWork(span.category); });
      if (of_gpu && row.device >= 0) m_device = row.device;
      for (const Span& span : row.spans) {
        if (span.category != Category::Other) continue;
        if (const auto step = m_step_names.find(span.name); step != m_step_names.end() && !of_gpu)
          m_steps.push_back({step->second, span.range()});
        const auto is = m_names.find(span.name);
        if (is == m_names.end()) continue;
        (of_gpu ? m_on_gpu : m_on_host).push_back({is->second, span, index});
        if (!of_gpu && isPass(is->second)) m_processes.insert(row.process);
      }
    }
    const auto by_start = [](const Annotation& one) { return one.span.start; };
    std::ranges::stable_sort(m_on_host, {}, by_start);
    std::ranges::stable_sort(m_on_gpu, {}, by_start);
    std::ranges::stable_sort(m_steps, {}, [](const StepWindow& step) { return step.range.start; });
  }

  static bool isPass(const AnnotationName& is) { return is.work == Did::Compute && is.phase != Phase::Update; }

  bool hasPasses() const {
    const auto has = [this](bool backward) {
      return std::ranges::any_of(m_on_host, [&](const Annotation& one) {
        return isPass(one.is) && (one.is.phase != Phase::Forward) == backward;
      });
    };
    return has(false) && has(true);
  }

  /// The steps of the host's annotations hold for those of the GPU with the same name, one after the other.
  void setSteps() {
    std::map<std::uint32_t, std::vector<int>> of_name;
    for (Annotation& one : m_on_host) {
      std::vector<int>& steps = of_name[one.span.name];
      one.span.step = m_steps.empty() ? static_cast<int>(steps.size()) : markedStepAt(m_steps, one.span.start);
      steps.push_back(one.span.step);
    }
    std::map<std::uint32_t, std::size_t> next;
    for (Annotation& one : m_on_gpu) {
      const std::vector<int>& steps = of_name[one.span.name];
      const std::size_t place = next[one.span.name]++;
      one.span.step = place < steps.size() ? steps[place] : -1;
    }
  }

  void chooseDevice() {
    m_uses_gpu = std::ranges::any_of(m_on_gpu, [](const Annotation& one) { return isPass(one.is); });
  }
  std::vector<Annotation>& chosen() { return m_uses_gpu ? m_on_gpu : m_on_host; }

  void setStages() {
    std::optional<int> first;
    for (const Annotation& one : chosen())
      if (isPass(one.is) && one.is.stage >= 0) first = std::min(first.value_or(one.is.stage), one.is.stage);
    m_first_stage = first.value_or(*m_builder.rank().rank);
    for (std::vector<Annotation>* const all : {&m_on_host, &m_on_gpu})
      for (Annotation& one : *all)
        if (one.is.stage < 0) one.is.stage = m_first_stage;
  }

  static int senderOf(const AnnotationName& is) {
    if (is.work == Did::Send) return is.stage;
    return is.phase == Phase::Forward ? is.stage - 1 : is.stage + 1;
  }

  /// A call of gloo that begins within an annotation is what that one asked for, and lasts until the data is there.
  void matchMoves() {
    const Annotation* asked = nullptr;
    bool called = false;
    for (Annotation& one : m_on_host) {
      const bool moves = one.is.work == Did::Send || one.is.work == Did::Receive;
      if (!moves) continue;
      if (one.is.phase != Phase::None) {
        m_moves.push_back(one);
        asked = &one;
        called = false;
      } else if (asked != nullptr && asked->is.work == one.is.work && one.span.start < asked->span.end) {
        Span& move = m_moves.back().span;
        move.start = std::exchange(called, true) ? std::min(move.start, one.span.start) : one.span.start;
        move.end = std::max(move.end, one.span.end);
      }
    }
    for (const Annotation& move : m_moves)
      if (move.is.work == Did::Receive)
        m_arrived[{move.span.step, move.is.phase, move.is.stage, move.is.micro_batch}] = move.span.end;
  }

  Nanoseconds arrivalOf(const Annotation& pass) const {
    const Phase phase = isBackward(pass.is.phase) ? Phase::Backward : pass.is.phase;
    const auto arrived = m_arrived.find({pass.span.step, phase, pass.is.stage, pass.is.micro_batch});
    return arrived == m_arrived.end() ? pass.span.start : arrived->second;
  }

  Span actionOf(const Annotation& pass) const {
    Span span = pass.span;
    if (!m_uses_gpu) span.start = std::clamp(arrivalOf(pass), span.start, span.end);
    span.category = Category::Action;
    span.label = 0;
    span.phase = pass.is.phase;
    span.stage = static_cast<std::int16_t>(pass.is.stage);
    span.micro_batch = static_cast<std::int16_t>(pass.is.micro_batch);
    return span;
  }

  /// Of a send only the begin counts: its call ends whenever the host looks.
  Span transferOf(const Annotation& move) const {
    Span span = move.span;
    if (move.is.work == Did::Send) span.end = span.start;
    span.category = Category::Transfer;
    span.label = 0;
    span.phase = move.is.phase;
    span.stage = static_cast<std::int16_t>(senderOf(move.is));
    span.micro_batch = static_cast<std::int16_t>(move.is.micro_batch);
    return span;
  }

  Span hostOf(const Annotation& one) const {
    Span span = one.span;
    span.category = one.is.work == Did::Data ? Category::Data : Category::Communication;
    span.label = 0;
    span.stage = static_cast<std::int16_t>(m_first_stage);
    return span;
  }

  void addRows() {
    const int rank = *m_builder.rank().rank;
    const std::uint32_t process = m_builder.processIndex(numberId(rank));
    m_builder.joinProcesses(process);
    const std::string gpu = m_device >= 0 ? ", GPU " + std::to_string(m_device) : "";
    m_builder.process(process).setName("rank " + std::to_string(rank) + gpu);
    m_builder.process(process).known.labels.clear();
    m_builder.process(process).known.sort_index = rank;
    std::vector<Span> actions, transfers, data, collectives;
    for (const Annotation& one : chosen())
      if (one.is.work == Did::Compute && one.span.step >= 0) actions.push_back(actionOf(one));
    for (const Annotation& one : m_moves)
      if (one.span.step >= 0) transfers.push_back(transferOf(one));
    for (const Annotation& one : m_on_host) {
      if (one.is.work == Did::Data) data.push_back(hostOf(one));
      if (one.is.work == Did::Collective && one.span.step >= 0) collectives.push_back(hostOf(one));
    }
    addRow(process, "actions", actions);
    addRow(process, "transfers", transfers);
    addRow(process, "data", data);
    addRow(process, "collectives", collectives);
  }

  void addRow(std::uint32_t process, const char* name, std::vector<Span>& spans) {
    if (spans.empty()) return;
    std::ranges::stable_sort(spans, kParentsFirst);
    const ImportedId tid{name, true};
    const std::uint32_t row = m_builder.rowIndex(process, tid);
    m_builder.thread(process, tid).name = name;
    m_builder.row(row).device = m_device;
    for (const Span& span : spans) m_builder.addSpan(row, span);
  }

  ImportBuilder& m_builder;
  std::map<std::uint32_t, AnnotationName> m_names;
  std::map<std::uint32_t, int> m_step_names;
  std::set<std::uint32_t> m_processes;  ///< of the host, with passes
  std::vector<Annotation> m_on_host, m_on_gpu;
  std::vector<StepWindow> m_steps;
  std::vector<Annotation> m_moves;
  std::map<PassKey, Nanoseconds> m_arrived;
  int m_device = -1;
  int m_first_stage = 0;
  bool m_uses_gpu = false;
};

}  // namespace

void recognizeAnnotations(ImportBuilder& builder) { AnnotatedJob(builder).run(); }

}  // namespace lanelab
