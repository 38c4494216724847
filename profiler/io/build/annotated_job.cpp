// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/build/annotated_job.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "base/json_text.h"
#include "base/parse_number.h"
#include "profiler/io/build/annotated_rank.h"
#include "profiler/io/source/imported_id.h"
#include "profiler/trace/process_rank.h"
#include "profiler/trace/profiler_step.h"

namespace lanelab {

namespace {

class AnnotatedJob {
 public:
  explicit AnnotatedJob(ImportBuilder& builder) : m_builder(builder) {}

  void run() {
    if (hasActions()) return;
    noteUnmatched();
    if (!m_rank && !m_builder.actions()) return;
    readNames();
    if (m_names.empty()) return;
    groupKernels();
    collect();
    std::erase_if(m_processes, [](const auto& one) { return !one.second.hasPasses(); });
    if (m_processes.size() == 1) m_processes.begin()->second.on_gpu = std::move(m_on_gpu);
    if (m_processes.size() == 1 && m_rank) {
      addRank();
    } else if (m_builder.actions()) {
      addRanks();
    }
  }

 private:
  /// Of the only rank that recorded the file, if there are others.
  static std::optional<int> rankOfFile(const ImportBuilder& builder) {
    if (builder.rank().rank && builder.rank().world_size.value_or(1) >= 2) return builder.rank().rank;
    return builder.fileRank();
  }

  bool hasActions() {
    for (std::uint32_t row = 0; row < m_builder.rowCount(); ++row)
      for (const Span& span : m_builder.row(row).spans)
        if (span.category == Category::Action) return true;
    return false;
  }

  void noteUnmatched() {
    const ActionMap* const map = m_builder.actions().get();
    if (map == nullptr) return;
    std::vector<bool> found(map->names.size(), false);
    for (std::uint32_t name = 0; name < m_builder.nameCount(); ++name)
      if (const auto& work = m_builder.namedWork(name); work && work->mapped)
        found[static_cast<std::size_t>(*work->mapped)] = true;
    for (std::size_t i = 0; i < found.size(); ++i)
      if (!found[i])
        m_builder.unmatched().push_back(map->place + ": no span has the name " + jsonText(Json(map->names[i])) + " (" +
                                        indexPath("names", i) + ").");
  }

  void readNames() {
    const std::size_t count = m_builder.nameCount();
    for (std::uint32_t name = 0; name < count; ++name) m_builder.namedWork(name);
    for (std::uint32_t name = 0; name < count; ++name) {
      const std::optional<NamedWork>& work = m_builder.namedWork(name);
      if (work && (m_rank || work->mapped)) m_names.emplace(name, &*work);
      if (const auto step = profilerStepOf(m_builder.nameText(name))) m_step_names.emplace(name, *step);
    }
    leaveOutOuterPasses();
  }

  /// "Forward 0" of GPipe is around "PP:1F0" of an exported script, which leaves out the wait for its input.
  void leaveOutOuterPasses() {
    const auto has_stage = [](const NamedWork& work) { return work.numbers[NameNumber::Stage].has_value(); };
    const auto is_staged = [&](const auto& one) { return one.second->isPass() && has_stage(*one.second); };
    if (std::ranges::none_of(m_names, is_staged)) return;
    std::erase_if(m_names, [&](const auto& one) {
      return one.second->isPass() && !has_stage(*one.second) && !one.second->mapped;
    });
  }

  const NamedWork* workOf(const Span& span) const {
    const auto found = m_names.find(span.name);
    return found == m_names.end() ? nullptr : found->second;
  }

  static bool isOfGpu(const DraftRow& row) {
    return std::ranges::any_of(row.spans, [](const Span& span) { return isGpuWork(span.category); });
  }

  /// Kernels that the map calls collectives of a group, where the file says none.
  void groupKernels() {
    if (!m_builder.actions()) return;
    for (std::uint32_t index = 0; index < m_builder.rowCount(); ++index) {
      DraftRow& row = m_builder.row(index);
      for (std::size_t i = 0; i < row.spans.size(); ++i) {
        const NamedWork* const work = isGpuWork(row.spans[i].category) ? workOf(row.spans[i]) : nullptr;
        if (work == nullptr || !work->mapped || work->first().work == JobWork::Compute) continue;
        row.spans[i].category = Category::Communication;
        if (work->group == GroupKind::Unknown) continue;
        if (row.groups.empty()) row.groups.resize(row.spans.size(), 0);
        if (row.groups[i] == 0) row.groups[i] = m_builder.groupOfKind(work->group);
      }
    }
  }

  void collect() {
    int device = -1;
    for (std::uint32_t index = 0; index < m_builder.rowCount(); ++index) {
      const bool of_gpu = isOfGpu(m_builder.row(index));
      if (of_gpu && m_builder.row(index).device >= 0) device = m_builder.row(index).device;
      collectRow(index, of_gpu);
    }
    for (auto& [process, annotations] : m_processes) {
      annotations.device = device;
      if (annotations.steps.empty()) annotations.steps = m_steps;
    }
  }

  void collectRow(std::uint32_t index, bool of_gpu) {
    DraftRow& row = m_builder.row(index);
    RankAnnotations* own = nullptr;
    for (std::size_t i = 0; i < row.spans.size(); ++i) {
      Span& span = row.spans[i];
      if (const auto step = m_step_names.find(span.name); step != m_step_names.end() && !of_gpu)
        m_steps.push_back({step->second, span.range()});
      const NamedWork* const work = workOf(span);
      if (work == nullptr || isGpuWork(span.category)) continue;
      if (span.category != Category::Other && !work->mapped) continue;
      Annotation one{work, work->first(), span, index, -1, i < row.groups.size() ? row.groups[i] : 0};
      if (i < row.replicas.size()) one.replica = row.replicas[i];
      span.step = -1;
      span.stage = span.micro_batch = -1;
      readNumbers(one);
      if (!of_gpu && own == nullptr) own = &m_processes[row.process];
      add(one, of_gpu ? m_on_gpu : own->on_host, own);
    }
    row.replicas.clear();
  }

  /// `own` is null of a GPU.
  static void add(Annotation& one, std::vector<Annotation>& into, RankAnnotations* own) {
    if (one.part.work == JobWork::Step) {
      if (own != nullptr)
        own->steps.push_back(
            {one.span.step >= 0 ? one.span.step : static_cast<int>(own->steps.size()), one.span.range()});
      return;
    }
    for (const WorkPart& part : one.is->parts) {
      one.part = part;
      into.push_back(one);
    }
  }

  void addRank() {
    const std::uint32_t process = m_builder.processIndex(numberId(*m_rank));
    RankAnnotations annotations = std::move(m_processes.begin()->second);
    const std::string gpu = annotations.device >= 0 ? ", GPU " + std::to_string(annotations.device) : "";
    m_builder.joinProcesses(process);
    m_builder.process(process).setName("rank " + std::to_string(*m_rank) + gpu);
    m_builder.process(process).known.labels.clear();
    m_builder.process(process).known.sort_index = *m_rank;
    addRankRows(m_builder, process, std::move(annotations), placeOfRank(*m_rank, m_builder.toldGroups()));
  }

  /// Each process is a rank: the number in its name, else its place among them.
  void addRanks() {
    if (m_processes.empty()) {
      m_builder.remarks().push_back(
          m_builder.actions()->place +
          " makes no actions of this trace: no process has both forward and backward passes.");
      return;
    }
    int place = 0;
    for (auto& [process, annotations] : m_processes) {
      const ImportedProcess& known = m_builder.process(process).known;
      const std::string rank = rankOf(known);
      const std::size_t digits = rank.find_first_of("0123456789");
      const auto number = digits == std::string::npos ? std::nullopt : parseNumber<int>(rank.substr(digits));
      m_builder.process(process).setName(known.title());
      m_builder.process(process).known.labels.clear();
      addRankRows(m_builder, process, std::move(annotations),
                  placeOfRank(number.value_or(place), m_builder.toldGroups()));
      ++place;
    }
  }

  ImportBuilder& m_builder;
  const std::optional<int> m_rank = rankOfFile(m_builder);
  std::map<std::uint32_t, const NamedWork*> m_names;
  std::map<std::uint32_t, int> m_step_names;
  std::map<std::uint32_t, RankAnnotations> m_processes;  ///< by process, of the host
  std::vector<Annotation> m_on_gpu;
  std::vector<StepWindow> m_steps;  ///< of PyTorch's profiler
};

}  // namespace

void recognizeAnnotations(ImportBuilder& builder) { AnnotatedJob(builder).run(); }

}  // namespace lanelab
