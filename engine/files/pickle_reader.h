// SPDX-License-Identifier: GPL-3.0-only
// Reads the pickle of a state dict into a tree, without running anything that it names.
//
// Protocols 2 to 4, the instructions that dictionaries of tensors need. A call (REDUCE) stays a node that names what
// would be called.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace lanelab {

/// A node; pointers point into the tree that owns it.
struct PickleNode {
  enum class Kind { None, Bool, Int, Float, Text, List, Dict, Global, Call, Persistent };
  Kind kind = Kind::None;
  std::int64_t integer = 0;        ///< Bool, Int
  double number = 0;               ///< Float
  std::string text;                ///< Text; Global as "module name"
  std::vector<PickleNode*> items;  ///< List (tuples too); Call: what, arguments; Persistent: its id
  std::vector<std::pair<PickleNode*, PickleNode*>> entries;  ///< Dict, and a Call filled like one (OrderedDict)
};

struct PickleTree {
  std::deque<PickleNode> nodes;
  PickleNode* root = nullptr;
};

/// A tensor takes about 20 values, so these are 200,000 tensors, in 400 MB.
inline constexpr std::size_t kMostPickleValues = 4'000'000;

/// Time and memory are in proportion to the bytes; nothing recurses. How deep a tree is followed is for its readers to
/// limit: by its memo it may even have cycles. Errors say what is wrong, without the file's name.
Result<PickleTree> readPickle(std::string_view bytes, std::size_t most_values = kMostPickleValues);

}  // namespace lanelab
