// SPDX-License-Identifier: GPL-3.0-only
// By what spans are grouped: a key for each span, and the name of each key. No text is copied for a span.
//
// Pure; any thread. Keys mean something for the trace that they were made of only.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/words.h"
#include "profiler/trace/imported_trace.h"

namespace lanelab {

/// Block: the block that a span is or is in. Module: what contains that block, "layer3" of "layer3.0"; of PyTorch's
/// profiler the innermost "nn.Module: ..." around the span. Operation: forward, backward, update, a transfer of such a
/// result; of anything else its category, with communication apart from kernels. Rank: that of the process, as
/// merged files name it. Group: the process group of a collective, send or receive. Spans have none of what they
/// lack: a kernel has no stage.
enum class Grouping : std::uint8_t { Name, Block, Module, Category, Operation, Stage, Lane, Rank, Group };
constexpr std::array<Word<Grouping>, 9> wordTable(Grouping) {
  return {{{Grouping::Name, "name"},
           {Grouping::Block, "block"},
           {Grouping::Module, "module"},
           {Grouping::Category, "category"},
           {Grouping::Operation, "operation"},
           {Grouping::Stage, "stage"},
           {Grouping::Lane, "lane"},
           {Grouping::Rank, "rank"},
           {Grouping::Group, "group"}}};
}

/// Those by which spans of the trace can be grouped, in the order of the words: always by name, category, operation and
/// lane. `imported` may be null.
std::vector<Grouping> groupingsOf(const Trace& trace, const ImportedTrace* imported);

class SpanKeys {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  /// The trace must outlive it; `imported`, which may be null, need not.
  SpanKeys(const Trace& trace, const ImportedTrace* imported, Grouping by);

  /// `index`: the span's place on its track; `enclosing`: the key of the span around it on its row, kNone without one.
  std::uint32_t keyOf(const Span& span, std::size_t track, std::size_t index, std::uint32_t enclosing) const {
    switch (m_by) {
      case Grouping::Name: return span.name;
      case Grouping::Block:
      case Grouping::Module: return m_of_name[span.name] == kNone ? enclosing : m_of_name[span.name];
      case Grouping::Category: return categoryKey(span);
      case Grouping::Operation: return operationKey(span);
      case Grouping::Stage: return span.stage < 0 ? kNone : static_cast<std::uint32_t>(span.stage);
      case Grouping::Lane:
      case Grouping::Rank: return m_of_track[track];
      case Grouping::Group: return index < m_of_span[track].size() ? m_of_span[track][index] : kNone;
    }
    return kNone;
  }
  /// "aten::add", "layer3.0", "kernel", "forward", "0" of a stage, the lane's name.
  std::string nameOf(std::uint32_t key) const;

 private:
  static std::uint32_t categoryKey(const Span& span);
  static std::uint32_t operationKey(const Span& span);
  void readBlocks();
  void readModules();
  void readRanks(const ImportedTrace* imported);
  void readGroups(const ImportedTrace* imported);

  const Trace& m_trace;
  Grouping m_by;
  std::vector<std::uint32_t> m_of_name;               ///< by place in Trace::names
  std::vector<std::uint32_t> m_of_track;              ///< by track
  std::vector<std::vector<std::uint32_t>> m_of_span;  ///< by track, up to its last span with a process group
  std::vector<std::string> m_names;                   ///< of modules, ranks and process groups
};

}  // namespace lanelab
