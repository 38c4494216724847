// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/build/named_gpus.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "profiler/io/build/gpu_names.h"

namespace lanelab {

namespace {

bool holdsGpuWork(const DraftRow& row) {
  return std::ranges::any_of(row.spans, [](const Span& span) { return isGpuWork(span.category); });
}

std::string_view nameOf(const DraftProcess& process) {
  if (!process.named) return process.known.pid.text;
  std::string_view name = process.known.name;
  constexpr std::string_view kWord = "process ";  // as our own files call one without a name
  if (name.starts_with(kWord)) name.remove_prefix(kWord.size());
  return name;
}

class NamedGpus {
 public:
  NamedGpus(const std::vector<DraftProcess>& processes, std::vector<DraftRow>& rows, const NameTable& names,
            const RowTitles& titles)
      : m_processes(processes), m_rows(rows), m_names(names), m_titles(titles) {}

  void run() {
    findDevices();
    if (m_devices.empty()) return;
    findThreads();
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
      const auto device = m_devices.find(m_rows[row].process);
      if (device == m_devices.end()) {
        makeCalls(m_rows[row]);
      } else if (isShown(row)) {
        makeWork(row, device->second);
      }
    }
  }

 private:
  void findDevices() {
    std::set<int> with_all;
    constexpr std::string_view kAll = "/stream:all";
    for (std::uint32_t process = 0; process < m_processes.size(); ++process) {
      const std::string_view name = nameOf(m_processes[process]);
      const auto device = deviceOfProcess(name);
      if (!device) continue;
      m_devices.emplace(process, *device);
      if (name.find(kAll) != std::string_view::npos) with_all.insert(*device);
    }
    // Older TensorFlow has a process for each stream and one for all of them.
    std::erase_if(m_devices, [&](const auto& one) {
      return with_all.contains(one.second) && nameOf(m_processes[one.first]).find(kAll) == std::string_view::npos;
    });
  }

  void findThreads() {
    for (std::size_t row = 0; row < m_rows.size(); ++row)
      if (m_devices.contains(m_rows[row].process) && !m_rows[row].spans.empty())
        m_kinds[m_rows[row].process].insert(deviceThreadOf(m_titles.threads[row]));
  }

  /// Whether the work of the process is that of this row, and not one that shows the same time again.
  bool isShown(std::size_t row) {
    const std::set<DeviceThread>& kinds = m_kinds[m_rows[row].process];
    const DeviceThread best = kinds.contains(DeviceThread::Stream)      ? DeviceThread::Stream
                              : kinds.contains(DeviceThread::Operators) ? DeviceThread::Operators
                                                                        : DeviceThread::Other;
    return deviceThreadOf(m_titles.threads[row]) == best;
  }

  /// On a host what has a correlation id launched the work with that id.
  void makeCalls(DraftRow& row) {
    for (std::size_t i = 0; i < row.correlations.size(); ++i) {
      Span& span = row.spans[i];
      if (row.correlations[i] <= 0 || span.category != Category::Other) continue;
      span.category = Category::Runtime;
      if (span.label == 0) span.label = m_titles.none;
    }
  }

  void makeWork(std::size_t index, int device) {
    DraftRow& row = m_rows[index];
    for (Span& span : row.spans) {
      if (span.category != Category::Other) continue;
      if (span.label != 0 && isBesideWork(m_titles.labels[span.label - 1U])) continue;
      span.category = deviceWorkOf(m_names.textOf(span.name));
      if (span.label == 0) span.label = m_titles.none;
    }
    if (!holdsGpuWork(row)) return;
    row.device = device;
    row.stream = streamOfThread(m_titles.threads[index]).value_or(-1);
  }

  const std::vector<DraftProcess>& m_processes;
  std::vector<DraftRow>& m_rows;
  const NameTable& m_names;
  const RowTitles& m_titles;
  std::map<std::uint32_t, int> m_devices;                   ///< by process
  std::map<std::uint32_t, std::set<DeviceThread>> m_kinds;  ///< by process
};

}  // namespace

void recognizeNamedGpus(const std::vector<DraftProcess>& processes, std::vector<DraftRow>& rows, const NameTable& names,
                        const RowTitles& titles) {
  if (std::ranges::none_of(rows, holdsGpuWork)) NamedGpus(processes, rows, names, titles).run();
}

void recognizeAgents(std::vector<DraftRow>& rows, const RowTitles& titles) {
  for (std::size_t row = 0; row < rows.size(); ++row)
    if (rows[row].device < 0 && holdsGpuWork(rows[row]))
      if (const auto agent = agentOfTrack(titles.threads[row])) rows[row].device = *agent;
}

}  // namespace lanelab
