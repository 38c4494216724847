// SPDX-License-Identifier: GPL-3.0-only
// A module tree laid out flat, with the bytes of every module and tensor, as accelerate's compute_module_sizes counts
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/module_tree.h"

namespace lanelab {

/// A module, parameter or buffer. What lies below a module follows it: [its place, end).
struct TreeNode {
  enum class Kind : unsigned char { Module, Parameter, Buffer };
  Kind kind = Kind::Module;
  std::string path;                     ///< "" for the root
  std::string_view class_name;          ///< "Parameter" and "Tensor" for tensors; lives as long as the tree
  const TreeTensor* tensor = nullptr;   ///< likewise; null for a module
  std::int64_t bytes = 0;               ///< a tied tensor counts at its first name only, and 0 elsewhere
  bool counted = false;                 ///< some tensor counts here: accelerate's table has the name
  std::size_t parent = 0;               ///< the root's is the root
  std::size_t end = 0;                  ///< behind its last descendant
  std::vector<std::size_t> parameters;  ///< own ones, each tensor once
  std::vector<std::size_t> buffers;
  std::vector<std::size_t> children;  ///< modules
};

/// Names of parameters that are one tensor, sorted.
using TieGroup = std::vector<std::string>;

class TreeSizes {
 public:
  /// `tree` must outlive it.
  explicit TreeSizes(const ModuleTree& tree);

  const std::vector<TreeNode>& nodes() const { return m_nodes; }
  const TreeNode& node(std::size_t place) const { return m_nodes[place]; }
  std::int64_t total() const { return m_nodes.front().bytes; }
  /// Groups of two names or more, in the order of their first names.
  const std::vector<TieGroup>& ties() const { return m_ties; }
  /// Places in the order in which accelerate's table was filled: parameters first, then buffers, each after the modules
  /// above it.
  const std::vector<std::size_t>& tableOrder() const { return m_order; }

 private:
  std::size_t add(const ModuleTree& module, std::size_t parent, std::string path);
  std::size_t addTensor(const TreeTensor& tensor, TreeNode::Kind kind, std::size_t parent);
  void count();
  void countAt(std::size_t at);

  std::vector<TreeNode> m_nodes;
  std::vector<TieGroup> m_ties;
  std::vector<std::size_t> m_order;
};

}  // namespace lanelab
