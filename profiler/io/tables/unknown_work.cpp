// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/tables/unknown_work.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/terminal_text.h"
#include "base/text.h"
#include "base/utf8.h"

namespace lanelab {

namespace {

using Counts = std::vector<std::pair<std::string, std::int64_t>>;

std::string shortName(const std::string& name) {
  constexpr std::size_t kMost = 60;
  return onOneTerminalLine(cutInMiddle(name, kMost));
}

void sortBySize(Counts& counts) {
  std::ranges::stable_sort(counts, std::greater(), [](const auto& one) { return one.second; });
}

struct FileShape {
  Counts processes;  ///< spans by name, the largest first
  std::size_t threads = 0;
};

FileShape shapeOf(const ImportedTrace& imported) {
  std::map<std::uint32_t, std::int64_t> spans;
  std::set<std::pair<std::uint32_t, std::string>> threads;
  for (std::size_t track = 0; track < imported.trace->tracks.size(); ++track) {
    const ImportedRow& row = imported.rows[track];
    if (imported.trace->tracks[track].spans.empty()) continue;
    spans[row.process] += static_cast<std::int64_t>(imported.trace->tracks[track].spans.size());
    threads.emplace(row.process, row.part_of.text);
  }
  FileShape shape;
  shape.threads = threads.size();
  for (const auto& [process, count] : spans) shape.processes.emplace_back(imported.processes[process].title(), count);
  sortBySize(shape.processes);
  return shape;
}

/// The first of them by name, and how many more.
std::string someOf(const Counts& counts, bool with_count) {
  constexpr std::size_t kMost = 3;
  std::vector<std::string> words;
  for (std::size_t i = 0; i < std::min(kMost, counts.size()); ++i) {
    const std::string name = counts[i].first.empty() ? "none" : shortName(counts[i].first);
    words.push_back(with_count ? name + " (" + groupedDigits(counts[i].second) + ")" : name);
  }
  if (counts.size() > kMost) words.push_back(groupedDigits(static_cast<std::int64_t>(counts.size() - kMost)) + " more");
  return joinAnd(words);
}

std::string notRead(const ImportedTrace& imported) {
  if (imported.counts.notes.empty()) return {};
  Counts notes(imported.counts.notes.begin(), imported.counts.notes.end());
  sortBySize(notes);
  return " Events that are not read: " + someOf(notes, true) + ".";
}

}  // namespace

std::string unknownWorkSentence(const ImportedTrace& imported) {
  const ImportCounts& counts = imported.counts;
  const FileShape shape = shapeOf(imported);
  if (shape.processes.empty())
    return "The trace has no spans, so there is nothing to explain: " + counted(counts.instants, "instant") + ", " +
           counted(counts.counters, "counter value") + "." + notRead(imported);
  std::int64_t spans = 0;
  for (const auto& [name, count] : shape.processes) spans += count;
  Counts categories(counts.categories.begin(), counts.categories.end());
  sortBySize(categories);
  return "The trace has " + counted(spans, "span") + " on " +
         counted(static_cast<std::int64_t>(shape.threads), "thread") + " of " + someOf(shape.processes, false) +
         ", without work in a category that LaneLab knows (kernel for GPUs, cpu_op for threads). Categories: " +
         someOf(categories, true) + ". " +
         (imported.format == "nsight"
              ? "No kernel was recorded: record again with nsys profile --trace=cuda, while kernels run."
              : "Record with PyTorch's profiler, Nsight Systems or rocprofv3, or give the spans of GPUs the category "
                "kernel or gpu_memcpy and those of threads cpu_op.") +
         notRead(imported);
}

}  // namespace lanelab
