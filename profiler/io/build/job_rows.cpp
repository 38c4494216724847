// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/build/job_rows.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/parse_number.h"
#include "base/text.h"
#include "profiler/io/build/job_transfers.h"
#include "profiler/io/source/imported_id.h"

namespace lanelab {

namespace {

constexpr std::int64_t kKindsOfStream = 5;  ///< StragglerAnalysis: compute, pp-comm, tp-comm, dp-comm, misc
constexpr std::int64_t kMostRanks = 1 << 14;

/// 3 of "PP rank 3, TP rank 0, compute" for "pp rank".
std::optional<int> numberBehind(std::string_view text, std::string_view word) {
  const std::string small = smallLetters(std::string(text));
  const std::size_t at = small.find(word);
  if (at == std::string::npos) return std::nullopt;
  const std::size_t first = small.find_first_not_of(" :#=", at + word.size());
  if (first == std::string::npos) return std::nullopt;
  return parseNumber<int>(std::string_view(small).substr(first, small.find_first_not_of("0123456789", first) - first));
}

std::string_view behindLastComma(std::string_view text) {
  const std::size_t comma = text.rfind(", ");
  return comma == std::string_view::npos ? text : text.substr(comma + 2);
}

/// What distinguishes the ranks of a job in the order of their numbers: stage, replica, tensor-parallel rank.
struct RankKey {
  int stage = 0;
  std::uint32_t process = 0;  ///< a replica each
  int tensor = 0;
  auto operator<=>(const RankKey&) const = default;
};

struct JobRank {
  std::vector<std::uint32_t> rows;
  std::int64_t number = -1;
};

class JobRows {
 public:
  explicit JobRows(ImportBuilder& builder) : m_builder(builder) {}

  void run() {
    for (std::uint32_t row = 0; row < m_builder.rowCount(); ++row)
      if (holdsActions(m_builder.row(row))) return;
    findRows();
    if (m_rows.empty() || !hasPasses()) return;
    findRanks();
    numberRanks();
    countReplicas();
    for (auto& [key, rank] : m_ranks) {
      splitCombined(rank);
      readRank(key, rank);
    }
    moveRows();
    addSteps();
  }

 private:
  static bool holdsActions(const DraftRow& row) {
    return std::ranges::any_of(row.spans, [](const Span& span) { return span.category == Category::Action; });
  }
  const std::optional<NamedWork>& workOf(const Span& span) { return m_builder.namedWork(span.name); }
  bool isOfJob(const Span& span) {
    return span.category == Category::Other && span.step >= 0 && workOf(span) && workOf(span)->timeline;
  }

  void findRows() {
    for (std::uint32_t row = 0; row < m_builder.rowCount(); ++row)
      if (std::ranges::any_of(m_builder.row(row).spans, [&](const Span& span) { return isOfJob(span); }))
        m_rows.push_back(row);
  }

  bool hasPasses() {
    std::set<Phase> found;
    for (const std::uint32_t row : m_rows)
      for (const Span& span : m_builder.row(row).spans)
        if (isOfJob(span) && workOf(span)->first().work == JobWork::Compute) found.insert(workOf(span)->first().phase);
    return found.contains(Phase::Forward) && found.contains(Phase::Backward);
  }

  std::int64_t numberOfThread(std::uint32_t row) const {
    const auto tid = lanelab::numberOf(m_builder.tidOf(m_builder.row(row)));
    return tid && *tid >= 0 && *tid < kMostRanks * kKindsOfStream ? *tid / kKindsOfStream : -1;
  }

  /// By the names of the threads; where these say nothing, by their ids: ranks of one stage follow each other.
  void findRanks() {
    std::set<std::uint32_t> processes;
    for (const std::uint32_t row : m_rows) processes.insert(m_builder.row(row).process);
    const auto replicas = static_cast<std::int64_t>(processes.size());
    for (const std::uint32_t row : m_rows) {
      const DraftRow& draft = m_builder.row(row);
      const std::string& thread = m_builder.threadNameOf(draft);
      const std::optional<int> stage = numberBehind(thread, "pp rank");
      const int otherwise = static_cast<int>(std::max<std::int64_t>(0, numberOfThread(row)) / replicas);
      const RankKey key{stage.value_or(otherwise), draft.process, numberBehind(thread, "tp rank").value_or(0)};
      m_ranks[key].rows.push_back(row);
    }
    for (const std::uint32_t process : processes) m_replica_of.emplace(process, static_cast<int>(m_replica_of.size()));
    std::map<int, int> stages;
    for (const auto& [key, rank] : m_ranks) stages.emplace(key.stage, 0);
    m_stages = static_cast<int>(stages.size());
  }

  /// That of the thread ids where these are as described, else by their order.
  void numberRanks() {
    std::set<std::int64_t> numbers;
    for (auto& [key, rank] : m_ranks) {
      rank.number = numberOfThread(rank.rows.front());
      for (const std::uint32_t row : rank.rows)
        if (numberOfThread(row) != rank.number) rank.number = -1;
      numbers.insert(rank.number);
    }
    if (numbers.size() == m_ranks.size() && !numbers.contains(-1)) return;
    std::int64_t next = 0;
    for (auto& [key, rank] : m_ranks) rank.number = next++;
  }

  void countReplicas() {
    for (const std::uint32_t row : m_rows)
      for (const Span& span : m_builder.row(row).spans)
        if (isOfJob(span)) m_micro_batches = std::max(m_micro_batches, span.micro_batch + 1);
  }

  /// Of calls that send and receive: each further part gets a copy, on a row of its own.
  void splitCombined(JobRank& rank) {
    std::map<std::pair<std::uint32_t, std::size_t>, std::vector<Span>> copies;
    for (const std::uint32_t row : rank.rows)
      for (const Span& span : m_builder.row(row).spans)
        for (std::size_t part = 1; isOfJob(span) && part < workOf(span)->parts.size(); ++part)
          copies[{row, part}].push_back(span);
    for (const auto& [place, spans] : copies) {
      const auto& [row, part] = place;
      const std::uint32_t process = m_builder.row(row).process;
      const std::string thread = m_builder.threadNameOf(m_builder.row(row));
      const ImportedId tid{m_builder.tidOf(m_builder.row(row)).text + " part " + std::to_string(part + 1), true};
      const std::uint32_t further = m_builder.rowIndex(process, tid);
      m_builder.thread(process, tid).name = thread;
      for (const Span& span : spans) m_builder.addSpan(further, span);
      rank.rows.push_back(further);
      m_rows.push_back(further);
      m_part_of_row.emplace(further, part);
    }
  }

  void readRank(const RankKey& key, const JobRank& rank) {
    std::map<int, std::vector<JobPass>> steps;
    for (const std::uint32_t row : rank.rows) {
      const auto further = m_part_of_row.find(row);
      const std::size_t part = further == m_part_of_row.end() ? 0 : further->second;
      std::vector<std::pair<std::size_t, GroupKind>> groups;
      std::vector<Span>& spans = m_builder.row(row).spans;
      for (std::size_t i = 0; i < spans.size(); ++i) {
        if (!isOfJob(spans[i])) continue;
        const WorkPart is = workOf(spans[i])->parts[part];
        groups.emplace_back(i, workOf(spans[i])->group);
        readSpan(key, is, spans[i]);
        noteStep(spans[i]);
        if (is.work == JobWork::Collective) m_builder.row(row).device = static_cast<int>(rank.number);
        if (is.work == JobWork::Compute || is.moves()) steps[spans[i].step].push_back({&spans[i], is});
      }
      setGroups(m_builder.row(row), groups);
    }
    for (auto& [step, passes] : steps) {
      std::ranges::stable_sort(passes, {}, [](const JobPass& pass) { return pass.span->start; });
      matchTransfers(passes);
    }
  }

  void setGroups(DraftRow& row, const std::vector<std::pair<std::size_t, GroupKind>>& groups) {
    for (const auto& [place, kind] : groups) {
      if (kind == GroupKind::Unknown) continue;
      if (row.groups.empty()) row.groups.resize(row.spans.size(), 0);
      if (row.groups[place] == 0) row.groups[place] = m_builder.groupOfKind(kind);
    }
  }

  void readSpan(const RankKey& key, const WorkPart& is, Span& span) const {
    constexpr Category kCategories[] = {Category::Action,        Category::Transfer, Category::Transfer,
                                        Category::Communication, Category::Data,     Category::Host,
                                        Category::Host};
    const bool moves = is.moves();
    const std::int64_t chunk = std::max<int>(0, span.stage);
    span.category = kCategories[static_cast<std::size_t>(is.work)];
    span.label = 0;
    span.phase = is.phase;
    span.stage = static_cast<std::int16_t>(moves ? -1 : chunk * m_stages + key.stage);
    const bool counts = is.isPass() && span.micro_batch >= 0;
    span.micro_batch = static_cast<std::int16_t>(
        counts ? std::int64_t{m_replica_of.at(key.process)} * m_micro_batches + span.micro_batch : -1);
  }

  void noteStep(const Span& span) {
    const auto [step, is_new] = m_steps.try_emplace(span.step, span.range());
    if (!is_new) step->second = hullOf(step->second, span.range());
  }

  /// A row's own process may be that of another rank afterwards, so all names are read before.
  void moveRows() {
    std::map<std::uint32_t, std::string> threads;
    for (const std::uint32_t row : m_rows) threads[row] = behindLastComma(m_builder.threadNameOf(m_builder.row(row)));
    for (const auto& [process, replica] : m_replica_of) {
      DraftProcess& emptied = m_builder.process(process);
      emptied = {{emptied.known.pid, {}, {}, {}}, false, {}};
    }
    for (const auto& [key, rank] : m_ranks) {
      const std::uint32_t process = m_builder.processIndex(numberId(rank.number));
      m_builder.process(process).setName("rank " + std::to_string(rank.number));
      for (const std::uint32_t row : rank.rows) m_builder.moveRow(row, process, threads[row]);
    }
  }

  /// From the first start to the last end of all ranks, on the first of them.
  void addSteps() {
    const std::uint32_t process = m_builder.processIndex(numberId(m_ranks.begin()->second.number));
    const std::uint32_t row = m_builder.rowIndex(process, numberId(-1));
    m_builder.thread(process, numberId(-1)).name = "steps";
    for (const auto& [step, range] : m_steps) {
      Span span = ImportBuilder::spanOf(range.start, range.end, m_builder.nameIndex("step " + std::to_string(step)),
                                        {Category::Step, 0});
      span.step = step;
      m_builder.addSpan(row, span);
    }
  }

  ImportBuilder& m_builder;
  std::vector<std::uint32_t> m_rows;  ///< with spans of the job
  std::map<RankKey, JobRank> m_ranks;
  std::map<std::uint32_t, int> m_replica_of;           ///< by process
  std::map<std::uint32_t, std::size_t> m_part_of_row;  ///< of rows with further parts of calls
  std::map<int, TimeRange> m_steps;
  int m_stages = 1;         ///< of a replica, one per rank at least
  int m_micro_batches = 0;  ///< of a replica
};

}  // namespace

void recognizeJob(ImportBuilder& builder) { JobRows(builder).run(); }

}  // namespace lanelab
