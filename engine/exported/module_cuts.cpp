// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/module_cuts.h"

#include <algorithm>
#include <deque>
#include <string_view>
#include <tuple>

namespace lanelab {
namespace {

constexpr std::size_t kFewestBlocks = 8, kMostBlocks = 60;

/// "encoder.layers.3" -> "encoder.layers."; "encoder_layer_0" -> "encoder_layer_"; "" if it has no number.
std::string_view withoutNumber(std::string_view path) {
  const std::size_t last = path.find_last_not_of("0123456789");
  const std::size_t length = last == std::string_view::npos ? 0 : last + 1;
  return length == path.size() ? std::string_view() : path.substr(0, length);
}

/// Modules that are opened one after the other.
class ModuleOpening {
 public:
  ModuleOpening(const CalledModules& modules, const std::vector<std::size_t>& crossing)
      : m_modules(modules), m_crossing(crossing) {
    for (const auto& [path, module] : modules)
      if (isNumbered(path)) ++m_alike[kindOf(path)];
  }

  std::set<std::string> open() {
    m_opened.insert("");
    m_blocks = childrenOf("").size();
    openAll([&](const std::string& path) { return leadsToLayers(path) && !isLayer(path); });
    openAll([&](const std::string& path) { return isListOfLayers(path) && fits(path) && isCheap(path); });
    openAll([&](const std::string& path) {
      return (m_blocks < kFewestBlocks || holdsMuch(path)) && fits(path) && isCheap(path);
    });
    // A network of one module would have no place to cut.
    while (m_blocks < 2 && openHeaviest()) {
    }
    return m_opened;
  }

 private:
  const std::vector<std::string>& childrenOf(const std::string& path) const { return m_modules.at(path).children; }

  /// Its name without the number, its class and where it is called.
  using LayerKind = std::tuple<std::string_view, std::string_view, std::string_view>;
  LayerKind kindOf(const std::string& path) const {
    const CalledModule& module = m_modules.at(path);
    return {withoutNumber(path), module.class_name, module.parent};
  }
  bool isNumbered(const std::string& path) const {
    return withoutNumber(path).size() < path.size() && !withoutNumber(path).empty() && !childrenOf(path).empty();
  }

  /// One of several modules of a class that are numbered: "layers.3", "encoder_layer_0", "layer1".
  bool isLayer(const std::string& path) const { return isNumbered(path) && m_alike.at(kindOf(path)) > 1; }

  bool isListOfLayers(const std::string& path) {
    return m_modules.at(path).class_name == "Sequential" && leadsToLayers(path);
  }

  bool holdsMuch(const std::string& path) const { return m_modules.at(path).calls * kFewestBlocks > m_crossing.size(); }
  bool fits(const std::string& path) const { return m_blocks + childrenOf(path).size() <= kMostBlocks; }

  /// Whether it holds layers, also within others. Each module is asked once.
  bool leadsToLayers(const std::string& path) {
    const auto known = m_leads.find(path);
    if (known != m_leads.end()) return known->second;
    const bool leads = std::ranges::any_of(
        childrenOf(path), [&](const std::string& child) { return isLayer(child) || leadsToLayers(child); });
    return m_leads[path] = leads;
  }

  /// Whether no more values cross within it than around it.
  bool isCheap(const std::string& path) const {
    const CalledModule& module = m_modules.at(path);
    const std::size_t before = module.first == 0 ? 1 : m_crossing[module.first - 1];
    const std::size_t around = std::max({before, m_crossing[module.end - 1], std::size_t{1}});
    return std::ranges::all_of(module.children, [&](const std::string& child) {
      const std::size_t end = m_modules.at(child).end;
      return end == module.end || m_crossing[end - 1] <= around;
    });
  }

  /// Opens what is wanted among opened modules' children, from the root down.
  void openAll(const auto& wanted) {
    std::deque<std::string> open(m_opened.begin(), m_opened.end());
    while (!open.empty()) {
      const std::string path = std::move(open.front());
      open.pop_front();
      for (const std::string& child : childrenOf(path)) {
        if (childrenOf(child).empty() || m_opened.contains(child) || !wanted(child)) continue;
        openOne(child);
        open.push_back(child);
      }
    }
  }

  bool openHeaviest() {
    const std::string* heaviest = nullptr;
    for (const std::string& path : m_opened)
      for (const std::string& child : childrenOf(path)) {
        if (childrenOf(child).empty() || m_opened.contains(child)) continue;
        if (!heaviest || m_modules.at(child).calls > m_modules.at(*heaviest).calls) heaviest = &child;
      }
    if (heaviest) openOne(*heaviest);
    return heaviest != nullptr;
  }

  void openOne(const std::string& path) {
    m_opened.insert(path);
    m_blocks += childrenOf(path).size() - 1;
  }

  const CalledModules& m_modules;
  const std::vector<std::size_t>& m_crossing;
  std::set<std::string> m_opened;
  std::map<LayerKind, int> m_alike{};  ///< elements of each list, by class
  std::map<std::string, bool> m_leads;
  std::size_t m_blocks = 0;
};

}  // namespace

CalledModules calledModules(const ExportedGraph& graph, const std::vector<std::size_t>& nodes) {
  CalledModules modules;
  modules.try_emplace("");
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    std::string parent;
    for (const ModuleCall& call : *graph.nodes[nodes[i]].modules) {
      const auto [place, added] = modules.try_emplace(call.path);
      CalledModule& module = place->second;
      if (added) {
        module = {call.class_name, parent, modules.at(parent).level + 1, {}, i, i, 0};
        modules.at(parent).children.push_back(call.path);
      }
      if (call.path.empty()) module.class_name = call.class_name;
      module.end = i + 1;
      ++module.calls;
      parent = call.path;
    }
  }
  return modules;
}

std::set<std::string> openedToDepth(const CalledModules& modules, int depth) {
  std::set<std::string> opened;
  for (const auto& [path, module] : modules)
    if (module.level < depth && !module.children.empty()) opened.insert(path);
  opened.insert("");
  return opened;
}

std::set<std::string> openedByCrossing(const CalledModules& modules, const std::vector<std::size_t>& crossing) {
  return ModuleOpening(modules, crossing).open();
}

}  // namespace lanelab
