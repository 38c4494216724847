// Reads the pickle of a state dict into a tree, without running anything that it names.
//
// Protocols 2 to 4, the instructions that dictionaries of tensors need. A call (REDUCE) stays a node that names what would be called.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/result.h"

namespace lanelab {

/// A node; pointers point into the tree that owns it.
struct PickleNode {
  enum class Kind { None, Bool, Int, Float, Text, List, Dict, Global, Call, Persistent };
  Kind kind = Kind::None;
  std::int64_t integer = 0;                                       ///< Bool, Int
  double number = 0;                                              ///< Float
  std::string text;                                               ///< Text; Global as "module name"
  std::vector<PickleNode*> items;                                 ///< List (tuples too); Call: what, arguments; Persistent: its id
  std::vector<std::pair<PickleNode*, PickleNode*>> entries;       ///< Dict, and a Call that was filled like one (OrderedDict)
};

struct PickleTree {
  std::deque<PickleNode> nodes;
  PickleNode* root = nullptr;
};

/// Errors say what is wrong, without the file's name.
Result<PickleTree> readPickle(std::string_view bytes);

}  // namespace lanelab
