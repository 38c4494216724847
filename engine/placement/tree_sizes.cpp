// SPDX-License-Identifier: GPL-3.0-only
#include "engine/placement/tree_sizes.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

namespace lanelab {

TreeSizes::TreeSizes(const ModuleTree& tree) {
  add(tree, 0, "");
  count();
}

std::size_t TreeSizes::addTensor(const TreeTensor& tensor, TreeNode::Kind kind, std::size_t parent) {
  TreeNode node;
  node.kind = kind;
  node.path = childPath(m_nodes[parent].path, tensor.name);
  node.class_name = kind == TreeNode::Kind::Parameter ? "Parameter" : "Tensor";
  node.tensor = &tensor;
  node.parent = parent;
  node.end = m_nodes.size() + 1;
  m_nodes.push_back(std::move(node));
  return m_nodes.size() - 1;
}

std::size_t TreeSizes::add(const ModuleTree& module, std::size_t parent, std::string path) {
  const std::size_t place = m_nodes.size();
  TreeNode node;
  node.path = std::move(path);
  node.class_name = module.class_name;
  node.parent = parent;
  m_nodes.push_back(std::move(node));
  std::set<std::string_view> seen;
  for (const TreeTensor& tensor : module.parameters) {
    const std::size_t added = addTensor(tensor, TreeNode::Kind::Parameter, place);
    // named_parameters() of a module gives a tensor once, however many names it has there.
    if (tensor.tie.empty() || seen.insert(tensor.tie).second) m_nodes[place].parameters.push_back(added);
  }
  for (const TreeTensor& tensor : module.buffers) {
    const std::size_t added = addTensor(tensor, TreeNode::Kind::Buffer, place);
    m_nodes[place].buffers.push_back(added);
  }
  for (const ModuleTree& child : module.children) {
    const std::size_t added = add(child, place, childPath(m_nodes[place].path, child.name));
    m_nodes[place].children.push_back(added);
  }
  m_nodes[place].end = m_nodes.size();
  return place;
}

void TreeSizes::count() {
  std::unordered_map<std::string_view, std::size_t> group_of_tie;
  std::vector<TieGroup> groups;
  for (const TreeNode::Kind kind : {TreeNode::Kind::Parameter, TreeNode::Kind::Buffer}) {
    for (std::size_t at = 0; at < m_nodes.size(); ++at) {
      const TreeNode& node = m_nodes[at];
      if (node.kind != kind) continue;
      if (kind == TreeNode::Kind::Parameter && !node.tensor->tie.empty()) {
        const auto [group, fresh] = group_of_tie.try_emplace(node.tensor->tie, groups.size());
        if (fresh) groups.emplace_back();
        groups[group->second].push_back(node.path);
        if (!fresh) continue;
      }
      countAt(at);
    }
  }
  for (TieGroup& group : groups) {
    if (group.size() < 2) continue;
    std::sort(group.begin(), group.end());
    m_ties.push_back(std::move(group));
  }
}

/// In the module of a tensor and all above it, from the root down.
void TreeSizes::countAt(std::size_t at) {
  std::vector<std::size_t> above = {at};
  while (above.back() != 0) above.push_back(m_nodes[above.back()].parent);
  for (auto place = above.rbegin(); place != above.rend(); ++place) {
    m_nodes[*place].bytes += m_nodes[at].tensor->bytes();
    if (!std::exchange(m_nodes[*place].counted, true)) m_order.push_back(*place);
  }
}

}  // namespace lanelab
