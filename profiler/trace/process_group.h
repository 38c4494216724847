// SPDX-License-Identifier: GPL-3.0-only
// The process group of a collective, send or receive, and which kind of parallelism communicates in it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.h"

namespace lanelab {

enum class GroupKind : std::uint8_t { Unknown, Pipeline, Data, Tensor, Expert, Context, World };
constexpr std::array<Word<GroupKind>, 6> wordTable(GroupKind) {
  return {{{GroupKind::Pipeline, "pipeline"},
           {GroupKind::Data, "data"},
           {GroupKind::Tensor, "tensor"},
           {GroupKind::Expert, "expert"},
           {GroupKind::Context, "context"},
           {GroupKind::World, "world"}}};
}

/// As a file names it for a span. Spans of one group that send or receive have values of their own for each pair.
struct ProcessGroup {
  enum class Moves : std::uint8_t { None, Sends, Receives };
  std::string name;                     ///< "3"
  std::string description;              ///< "mesh_pp"; "" without one
  std::vector<int> ranks;               ///< in the order of the group; empty if the file does not list them
  GroupKind kind = GroupKind::Unknown;  ///< by the description, or derived
  Moves moves = Moves::None;            ///< of a send or receive
  int source = -1;                      ///< ranks of the job; -1 if the file does not say it
  int destination = -1;

  bool operator==(const ProcessGroup&) const = default;
  /// "data"; of an unknown kind the description, else "group 3".
  std::string title() const;
};

/// By the words in the description: those of meshes of PyTorch and torchtitan ("mesh_dp_shard"), of Megatron-LM
/// ("PIPELINE_MODEL_PARALLEL_GROUP", megatron/core/parallel_state.py) and the like. A group of data and context or
/// expert parallelism reduces gradients, so it is Data; other mixtures are Unknown.
GroupKind groupKindOf(std::string_view description);

/// {0, 2} of "[0, 2]", as Kineto writes it; empty of a list that it cut, and of anything else.
std::vector<int> ranksOfText(std::string_view text);

/// Finds kinds that no description says, where they are unambiguous: that of the only kind of group with the same name
/// or the same ranks; World of all ranks of the job; Pipeline where all of a group's spans send or receive. `listed`
/// are groups that the file lists besides.
void deriveKinds(std::vector<ProcessGroup>& groups, const std::vector<ProcessGroup>& listed, int world_size);

}  // namespace lanelab
