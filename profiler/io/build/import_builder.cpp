// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/build/import_builder.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "profiler/io/source/imported_id.h"

namespace lanelab {

namespace {

/// A number and a text of the same look are two ids.
std::string keyOf(const ImportedId& id) { return (id.is_text ? 't' : 'n') + id.text; }

/// What older versions of PyTorch and other backends call the same things. Each backend has a runtime and a driver of
/// its own name: cuda_driver, hip_runtime, xpu_driver, privateuse1_runtime.
Category importedCategoryOf(std::string_view text) {
  static const std::map<std::string_view, Category> others = {
      {"Kernel", Category::Kernel},
      {"Memcpy", Category::Memcpy},
      {"Memset", Category::Memset},
      {"mtia_ccp_events", Category::Kernel},
      {"Operator", Category::CpuOp},
      {"Runtime", Category::Runtime},
      {"hpu_op", Category::Runtime},
      {"collective_comm", Category::Communication},
      // Of rocprofv3 and rocprof-sys, of unitrace, and of converters of Nsight's reports.
      {"kernel_dispatch", Category::Kernel},
      {"rocm_kernel_dispatch", Category::Kernel},
      {"memory_copy", Category::Memcpy},
      {"rocm_memory_copy", Category::Memcpy},
      {"hip_api", Category::Runtime},
      {"hsa_api", Category::Runtime},
      {"rocm_hip_api", Category::Runtime},
      {"hip_runtime_api", Category::Runtime},
      {"cuda_api", Category::Runtime},
      {"gpu_op", Category::Kernel},
      {"gpu_render_stage_event", Category::Kernel}};
  if (text.ends_with("_runtime") || text.ends_with("_driver")) return Category::Runtime;
  const auto found = others.find(text);
  return found == others.end() ? categoryOf(text) : found->second;
}

template <class Value>
void applyOrder(std::vector<Value>& values, const std::vector<std::uint32_t>& order) {
  std::vector<Value> sorted;
  sorted.reserve(values.size());
  for (const std::uint32_t place : order) sorted.push_back(values[place]);
  values = std::move(sorted);
}

std::vector<std::uint32_t> iota(std::size_t count) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  return order;
}

/// Values of the same time keep their order.
void sortByTime(Counter& counter) {
  if (std::is_sorted(counter.times.begin(), counter.times.end())) return;
  std::vector<std::uint32_t> order = iota(counter.times.size());
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return counter.times[a] < counter.times[b]; });
  applyOrder(counter.times, order);
  applyOrder(counter.values, order);
}

/// Begins whose ends are still to come, by depth and by name, so that whatever the nesting each takes a constant time.
class OpenSpans {
 public:
  void push(const HalfSpan& begin) {
    m_places[begin.name].push_back(m_open.size());
    m_open.push_back(&begin);
    ++m_count;
  }
  /// The innermost, null if there is none.
  const HalfSpan* popInnermost() { return m_open.empty() ? nullptr : take(m_places[m_open.back()->name]); }
  const HalfSpan* popNamed(std::uint32_t name) {
    const auto found = m_places.find(name);
    return found == m_places.end() || found->second.empty() ? nullptr : take(found->second);
  }
  std::int64_t count() const { return m_count; }

 private:
  /// The last of these; places that were taken out of the middle stay until they are the innermost.
  const HalfSpan* take(std::vector<std::size_t>& places) {
    const HalfSpan* const begin = m_open[places.back()];
    m_open[places.back()] = nullptr;
    places.pop_back();
    --m_count;
    while (!m_open.empty() && m_open.back() == nullptr) m_open.pop_back();
    return begin;
  }

  std::vector<const HalfSpan*> m_open;
  std::unordered_map<std::uint32_t, std::vector<std::size_t>> m_places;
  std::int64_t m_count = 0;
};

const HalfSpan* beginOf(const HalfSpan& end, bool any_name, OpenSpans& open) {
  if (!end.named) return open.popInnermost();
  const HalfSpan* const named = open.popNamed(end.name);
  return named == nullptr && any_name ? open.popInnermost() : named;
}

struct UnmatchedEnds {
  std::int64_t begins = 0;
  std::int64_t ends = 0;
};

/// Goes through the halves of one thread or id by time, equal times in the given order. An end with a name closes the
/// innermost open span of that name, so that one lost end costs no other span; where none has it, the innermost one if
/// `any_name`.
template <class Paired>
UnmatchedEnds pairHalves(std::vector<HalfSpan>& halves, bool any_name, const Paired& paired) {
  if (!std::ranges::is_sorted(halves, {}, &HalfSpan::time)) std::ranges::stable_sort(halves, {}, &HalfSpan::time);
  UnmatchedEnds unmatched;
  OpenSpans open;
  for (const HalfSpan& half : halves) {
    if (half.begins) {
      open.push(half);
    } else if (const HalfSpan* const begin = beginOf(half, any_name, open)) {
      paired(*begin, half.time);
    } else {
      ++unmatched.ends;
    }
  }
  unmatched.begins = open.count();
  return unmatched;
}

}  // namespace

bool isLaunchFlow(std::string_view category) {
  return category == "ac2g" || category == "async_cpu_to_gpu" || category == "async_gpu";
}

std::uint32_t ImportBuilder::processIndex(const ImportedId& pid) {
  const auto [found, fresh] = m_process_index.try_emplace(keyOf(pid), static_cast<std::uint32_t>(m_processes.size()));
  if (fresh) m_processes.push_back({{pid, {}, {}, {}}, false, {}});
  return found->second;
}

std::uint32_t ImportBuilder::rowIndex(std::uint32_t process, const ImportedId& tid, std::int64_t track, bool async) {
  const std::uint32_t tid_index = m_tids.indexOf(keyOf(tid));
  if (tid_index == m_tid_ids.size()) m_tid_ids.push_back(tid);
  const auto [found, fresh] =
      m_row_index.try_emplace({process, tid_index, track, async}, static_cast<std::uint32_t>(m_rows.size()));
  if (fresh) {
    DraftRow& row = m_rows.emplace_back();
    row.process = process;
    row.tid = tid_index;
    row.track = track;
    row.async = async;
  }
  return found->second;
}

std::uint32_t ImportBuilder::gpuRow(std::uint32_t index, const GpuPlace& told, const GpuPlace& otherwise) {
  DraftRow& row = m_rows[index];
  const bool other_device = told.device && row.told_device && *told.device != row.device;
  const bool other_stream = told.stream && row.told_stream && *told.stream != row.stream;
  if (!other_device && !other_stream) {
    if (told.device || row.device < 0) row.device = told.device.value_or(otherwise.device.value_or(-1));
    if (told.stream || row.stream < 0) row.stream = told.stream.value_or(otherwise.stream.value_or(-1));
    row.told_device = row.told_device || told.device;
    row.told_stream = row.told_stream || told.stream;
    return index;
  }
  constexpr int kMostSplits = 1 << 12;
  const std::tuple key(index, told.device.value_or(row.device), told.stream.value_or(row.stream));
  if (const auto known = m_gpu_rows.find(key); known != m_gpu_rows.end()) return known->second;
  if (m_splits[index] >= kMostSplits) return index;
  DraftRow further;
  std::tie(std::ignore, further.device, further.stream) = key;
  further.process = row.process;
  further.tid = row.tid;
  further.split = ++m_splits[index];
  m_rows.push_back(std::move(further));
  return m_gpu_rows.emplace(key, static_cast<std::uint32_t>(m_rows.size() - 1)).first->second;
}

const std::string& ImportBuilder::threadNameOf(const DraftRow& row) const {
  static const std::string none;
  const auto found = m_threads.find({row.process, row.tid});
  return found == m_threads.end() ? none : found->second.name;
}

void ImportBuilder::moveRow(std::uint32_t index, std::uint32_t process, std::string_view thread) {
  m_rows[index].process = process;
  m_threads[{process, m_rows[index].tid}] = {std::string(thread), {}, {}};
}

void ImportBuilder::joinProcesses(std::uint32_t into) {
  for (DraftRow& row : m_rows) {
    if (row.launcher) row.launcher = into;
    if (row.process == into) continue;
    const DraftThread thread = m_threads[{row.process, row.tid}];
    const std::string tid = m_processes[row.process].known.title() + " " + m_tid_ids[row.tid].text;
    row.tid = m_tids.indexOf('t' + tid);
    if (row.tid == m_tid_ids.size()) m_tid_ids.push_back({tid, true});
    row.process = into;
    m_threads[{into, row.tid}] = thread.name.empty() ? DraftThread{tid, thread.sort_index, {}} : thread;
  }
  for (Counter& counter : m_counters) counter.process = into;
  for (std::uint32_t process = 0; process < m_processes.size(); ++process)
    if (process != into) m_processes[process] = {{m_processes[process].known.pid, {}, {}, {}}, false, {}};
}

const std::optional<NamedWork>& ImportBuilder::namedWork(std::uint32_t name) {
  while (m_works.size() <= name)
    m_works.push_back(namedWorkOf(m_names.textOf(static_cast<std::uint32_t>(m_works.size())), m_actions.get()));
  return m_works[name];
}

DraftThread& ImportBuilder::thread(std::uint32_t process, const ImportedId& tid) {
  return m_threads[{process, m_rows[rowIndex(process, tid)].tid}];
}

ImportBuilder::CategoryKey ImportBuilder::categoryKey(std::string_view text) {
  if (const auto found = m_categories.find(text); found != m_categories.end()) return found->second;
  CategoryKey key{importedCategoryOf(text), 0};
  if (toString(key.category) != text) key.label = tableLabelIndex(text);
  return m_categories.emplace(text, key).first->second;
}

std::uint16_t ImportBuilder::labelIndex(std::string_view text) {
  return text.empty() ? std::uint16_t{0} : tableLabelIndex(text);
}

std::uint16_t ImportBuilder::tableLabelIndex(std::string_view text) {
  constexpr std::size_t kMost = 0xFFFF;
  if (m_labels.size() == kMost && !m_labels.contains(text)) {
    ++problems()["too_many_categories"];
    return kMost;
  }
  return static_cast<std::uint16_t>(m_labels.indexOf(text) + 1);
}

Span ImportBuilder::spanOf(Nanoseconds start, Nanoseconds end, std::uint32_t name, CategoryKey key) {
  return {.start = start, .end = end, .mark = kNoMark, .name = name, .category = key.category, .label = key.label};
}

void ImportBuilder::addSpan(std::uint32_t index, const Span& span, std::int64_t correlation) {
  DraftRow& into = m_rows[index];
  into.spans.push_back(span);
  if (correlation <= 0) return;
  into.correlations.resize(into.spans.size(), -1);
  into.correlations.back() = correlation;
}

void ImportBuilder::setGroup(std::uint32_t index, std::uint32_t group) {
  DraftRow& row = m_rows[index];
  row.groups.resize(row.spans.size(), 0);
  row.groups.back() = group;
}

std::uint32_t ImportBuilder::addGroup(std::string_view key, ProcessGroup group) {
  constexpr std::size_t kMost = 1U << 16U;
  if (m_result.groups.size() == kMost) return 0;
  m_result.groups.push_back(std::move(group));
  return m_group_index.emplace(key, static_cast<std::uint32_t>(m_result.groups.size())).first->second;
}

std::uint32_t ImportBuilder::groupOfKind(GroupKind kind) {
  if (kind == GroupKind::Unknown) return 0;
  return groupIndex("kind " + toWord(kind), [kind] {
    ProcessGroup group;
    group.kind = kind;
    return group;
  });
}

void ImportBuilder::setReplica(std::uint32_t index, std::int32_t replica) {
  DraftRow& row = m_rows[index];
  row.replicas.resize(row.spans.size(), -1);
  row.replicas.back() = replica;
}

void ImportBuilder::addAsyncHalf(std::string_view key, const HalfSpan& half) {
  auto found = m_async_halves.find(key);
  if (found == m_async_halves.end()) found = m_async_halves.emplace(key, std::vector<HalfSpan>()).first;
  found->second.push_back(half);
}

std::optional<std::uint32_t> ImportBuilder::counterIndex(std::uint32_t process, std::string_view name,
                                                         std::string_view series, std::uint16_t label) {
  constexpr std::size_t kMost = 1U << 16U;
  std::string key = std::to_string(process);
  key.append(1, '\0').append(name).append(1, '\0').append(series);
  if (m_counters.size() == kMost && m_counter_index.find(key) == m_counter_index.end()) {
    ++problems()["too_many_counters"];
    return std::nullopt;
  }
  const auto [found, fresh] =
      m_counter_index.try_emplace(std::move(key), static_cast<std::uint32_t>(m_counters.size()));
  if (fresh) m_counters.push_back({-1, process, std::string(name), std::string(series), label, {}, {}});
  return found->second;
}

void ImportBuilder::addCounterValue(std::uint32_t counter, Nanoseconds time, double value) {
  m_counters[counter].times.push_back(time);
  m_counters[counter].values.push_back(value);
}

void ImportBuilder::addCounterValue(std::uint32_t process, std::string_view name, std::string_view series,
                                    std::uint16_t label, Nanoseconds time, double value) {
  if (const auto counter = counterIndex(process, name, series, label)) addCounterValue(*counter, time, value);
}

/// Makes spans of the halves.
void ImportBuilder::pairAll() {
  const auto complete = [this](std::uint32_t row, const HalfSpan& begin, Nanoseconds end) {
    addSpan(row, spanOf(begin.time, end, begin.name, {begin.category, begin.label}));
  };
  const auto note = [this](const UnmatchedEnds& unmatched, const std::string& suffix) {
    if (unmatched.begins > 0) problems()["unmatched_" + suffix + "begin"] += unmatched.begins;
    if (unmatched.ends > 0) problems()["unmatched_" + suffix + "end"] += unmatched.ends;
  };
  for (std::uint32_t row = 0; row < m_rows.size(); ++row) {
    m_stop.now();
    std::vector<HalfSpan> halves = std::move(m_rows[row].halves);
    note(pairHalves(halves, false, [&](const HalfSpan& begin, Nanoseconds end) { complete(row, begin, end); }), "");
  }
  for (auto& [key, halves] : m_async_halves) {
    m_stop();
    note(pairHalves(halves, true,
                    [&](const HalfSpan& begin, Nanoseconds end) {
                      const DraftRow& thread = m_rows[begin.row];
                      complete(rowIndex(thread.process, m_tid_ids[thread.tid], -1, true), begin, end);
                    }),
         "async_");
  }
  m_async_halves.clear();
}

void ImportBuilder::sortRow(DraftRow& row) {
  m_stop();
  if (!row.correlations.empty()) row.correlations.resize(row.spans.size(), -1);
  if (!row.groups.empty()) row.groups.resize(row.spans.size(), 0);
  if (!row.replicas.empty()) row.replicas.resize(row.spans.size(), -1);
  if (std::is_sorted(row.spans.begin(), row.spans.end(), kParentsFirst)) return;
  const auto before = [this](const Span& a, const Span& b) {
    m_stop();
    return kParentsFirst(a, b);
  };
  if (row.correlations.empty() && row.groups.empty() && row.replicas.empty()) {
    std::stable_sort(row.spans.begin(), row.spans.end(), before);
    return;
  }
  std::vector<std::uint32_t> order = iota(row.spans.size());
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return before(row.spans[a], row.spans[b]); });
  applyOrder(row.spans, order);
  if (!row.correlations.empty()) applyOrder(row.correlations, order);
  if (!row.groups.empty()) applyOrder(row.groups, order);
  if (!row.replicas.empty()) applyOrder(row.replicas, order);
}

ImportedTrace ImportBuilder::finish(std::string_view format, Nanoseconds base, std::optional<DeclaredTrace> declared) {
  pairAll();
  for (DraftRow& row : m_rows) sortRow(row);
  for (Counter& counter : m_counters) {
    m_stop();
    sortByTime(counter);
  }
  m_stop.now();
  deriveKinds(m_result.groups, m_told_groups, m_result.rank.world_size.value_or(0));
  m_result.format = format;
  m_result.base = base;
  m_result.counts.instants = static_cast<std::int64_t>(m_result.instants.size());
  m_flows.finish(m_result,
                 [this](std::uint16_t label) { return label > 0 && isLaunchFlow(m_labels.textOf(label - 1U)); });
  m_stop.now();
  layOut(std::move(declared));
  ImportedTrace finished = std::move(m_result);
  *this = ImportBuilder();
  return finished;
}

}  // namespace lanelab
