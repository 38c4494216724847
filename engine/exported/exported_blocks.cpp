// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/exported_blocks.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string_view>

#include "base/text.h"
#include "engine/exported/module_cuts.h"
#include "engine/files/clipped_name.h"

namespace lanelab {
namespace {

constexpr std::size_t kMostAutomaticBlocks = 60;
constexpr std::size_t kMostCrossing = 4 << 20;
constexpr int kBeforeAll = -1;

/// Where each call and value is among the calls of blocks, in their order.
struct BlockOrder {
  std::vector<std::size_t> nodes;  ///< of role Block
  std::vector<int> places;         ///< of each node of the graph in `nodes`, or kBeforeAll
};

BlockOrder orderOf(const ExportedGraph& graph, const ValueFlow& flow) {
  BlockOrder order;
  order.places.assign(graph.nodes.size(), kBeforeAll);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    if (flow.roles[i] != NodeRole::Block) continue;
    order.places[i] = static_cast<int>(order.nodes.size());
    order.nodes.push_back(i);
  }
  return order;
}

/// From which place on a value that crosses is there, and the last that reads it.
struct Life {
  ValueId value;
  int made = kBeforeAll, last = kBeforeAll;
};

std::vector<Life> livesOf(const ExportedGraph& graph, const ValueFlow& flow, const BlockOrder& order) {
  std::vector<Life> lives(graph.values.size());
  for (std::size_t v = 0; v < lives.size(); ++v) {
    lives[v].value = ValueId(v);
    const int maker = flow.makers[v];
    if (maker != ValueFlow::kInput) lives[v].made = order.places[static_cast<std::size_t>(maker)];
  }
  for (std::size_t place = 0; place < order.nodes.size(); ++place)
    for (const ValueId id : valuesRead(graph.nodes[order.nodes[place]]))
      lives[id.index()].last = static_cast<int>(place);
  for (const ValueId id : graph.outputs) lives[id.index()].last = static_cast<int>(order.nodes.size());
  std::erase_if(lives, [&](const Life& life) { return !flow.crosses[life.value.index()] || life.last <= life.made; });
  return lives;
}

/// How many values cross behind each place.
std::vector<std::size_t> crossingCounts(const std::vector<Life>& lives, std::size_t places) {
  std::vector<std::ptrdiff_t> changes(places + 1);
  for (const Life& life : lives) {
    ++changes[static_cast<std::size_t>(std::max(life.made, 0))];
    --changes[static_cast<std::size_t>(std::max(life.last, 0))];
  }
  std::vector<std::size_t> counts;
  std::ptrdiff_t count = 0;
  for (std::size_t i = 0; i < places; ++i) counts.push_back(static_cast<std::size_t>(count += changes[i]));
  return counts;
}

/// A run of calls: places first to end - 1.
struct Run {
  std::string module;
  std::string type;
  std::size_t first = 0, end = 0;
};

/// The module of a call that is a block: the outermost one that is not opened, unless the call is loose.
const ModuleCall* blockModule(const ExportedNode& node, const std::set<std::string>& opened) {
  for (const ModuleCall& call : *node.modules)
    if (!opened.contains(call.path)) return &call;
  return nullptr;
}

/// The innermost that is listed.
const ModuleCall* listedModule(const ExportedNode& node, const std::set<std::string>& listed) {
  const ModuleStack& stack = *node.modules;
  const auto found =
      std::find_if(stack.rbegin(), stack.rend(), [&](const ModuleCall& call) { return listed.contains(call.path); });
  return found == stack.rend() ? nullptr : &*found;
}

/// Loose calls join the run before them, or the first one.
std::vector<Run> runsOf(const ExportedGraph& graph, const BlockOrder& order, const auto& module_of) {
  std::vector<Run> runs;
  for (std::size_t place = 0; place < order.nodes.size(); ++place) {
    const ModuleCall* const module = module_of(graph.nodes[order.nodes[place]]);
    const bool same = !runs.empty() && (!module || runs.back().module == module->path);
    if (!same && module) runs.push_back({module->path, module->class_name, runs.empty() ? 0 : place, place});
    if (!runs.empty()) runs.back().end = place + 1;
  }
  if (runs.empty() && !order.nodes.empty()) runs.push_back({"", "", 0, order.nodes.size()});
  return runs;
}

std::string shownModule(const Run& run) { return run.module.empty() ? "the network" : clippedName(run.module); }

/// Joins the runs of places that must be in one block.
class RunJoiner {
 public:
  RunJoiner(std::vector<Run> runs, std::size_t places) : m_runs(std::move(runs)), m_open(m_runs.size()) {
    m_of.resize(places);
    for (std::size_t r = 0; r < m_runs.size(); ++r) {
      m_open[r] = r;
      for (std::size_t place = m_runs[r].first; place < m_runs[r].end; ++place) m_of[place] = r;
    }
  }

  /// `node` writes at place `to` to what is there since `from`.
  void join(int from, int to, const ExportedNode& node) {
    const std::size_t first = m_of[static_cast<std::size_t>(std::max(from, 0))];
    const std::size_t last = m_of[static_cast<std::size_t>(to)];
    bool news = false;
    for (std::size_t r = openUpTo(last); r > first; r = openUpTo(r)) {
      m_open[r] = r - 1;
      news = true;
    }
    if (news)
      m_notes.push_back(shownModule(m_runs[first]) + " and " + shownModule(m_runs[last]) + " are in one block, since " +
                        clippedName(node.name) + " (" + clippedName(node.target) +
                        ") changes in place what the first one makes.");
  }

  std::vector<Run> runs() const {
    std::vector<Run> joined;
    for (std::size_t r = 0; r < m_runs.size(); ++r) {
      if (m_open[r] == r) {
        joined.push_back(m_runs[r]);
      } else {
        joined.back().end = m_runs[r].end;
      }
    }
    return joined;
  }
  std::vector<std::string> takeNotes() { return std::move(m_notes); }

 private:
  /// The last run up to `r` that is not joined with the one before it. Each cut is closed once.
  std::size_t openUpTo(std::size_t r) {
    while (m_open[r] != r) {
      m_open[r] = m_open[m_open[r]];
      r = m_open[r];
    }
    return r;
  }

  std::vector<Run> m_runs;
  std::vector<std::size_t> m_open;  ///< itself, or one that is nearer to the run that it belongs to
  std::vector<std::size_t> m_of;
  std::vector<std::string> m_notes;
};

/// First and last place at which a storage is made, read or written.
struct StorageUse {
  int first = std::numeric_limits<int>::max(), last = kBeforeAll;
  bool of_weight = false;
};

std::vector<StorageUse> storageUses(const ExportedGraph& graph, const ValueFlow& flow, const BlockOrder& order) {
  std::vector<StorageUse> uses(graph.values.size());
  const auto useOf = [&](ValueId id) -> StorageUse& { return uses[flow.storages[id.index()]]; };
  for (const ExportedInput& input : graph.inputs) {
    StorageUse& use = useOf(input.value);
    if (input.kind == ExportedInput::Kind::User)
      use.first = 0;
    else
      use.of_weight = true;
  }
  for (std::size_t place = 0; place < order.nodes.size(); ++place) {
    const ExportedNode& node = graph.nodes[order.nodes[place]];
    const auto see = [&](ValueId id) {
      StorageUse& use = useOf(id);
      use.first = std::min(use.first, static_cast<int>(place));
      use.last = static_cast<int>(place);
    };
    for (const ValueId id : valuesRead(node)) see(id);
    for (const auto& id : node.outputs)
      if (id) see(*id);
  }
  return uses;
}

/// No cut between a value, or what shares its memory, and a call that writes to it. Buffers that are written stay with
/// all that reads them.
void joinWritten(const ExportedGraph& graph, const ValueFlow& flow, const BlockOrder& order, RunJoiner& joiner) {
  const std::vector<StorageUse> uses = storageUses(graph, flow, order);
  for (std::size_t place = 0; place < order.nodes.size(); ++place) {
    const std::size_t i = order.nodes[place];
    for (const ValueId id : flow.written[i]) {
      const StorageUse& use = uses[flow.storages[id.index()]];
      const auto at = static_cast<int>(place);
      joiner.join(use.first, use.of_weight ? std::max(use.last, at) : at, graph.nodes[i]);
    }
  }
}

/// Neighbours in groups of `size`, where `alike`.
std::vector<Run> groupsOf(const std::vector<Run>& runs, std::size_t size, const auto& alike) {
  std::vector<Run> groups;
  std::size_t held = size;
  for (const Run& run : runs) {
    if (held < size && alike(groups.back(), run)) {
      groups.back().end = run.end;
      ++held;
    } else {
      groups.push_back(run);
      held = 1;
    }
  }
  return groups;
}

/// At most `most` runs: neighbours of one class are grouped, and if these are too few, any neighbours.
std::vector<Run> grouped(std::vector<Run> runs, std::size_t most) {
  const auto grouped_by = [&](const auto& alike) {
    if (runs.size() > most) runs = groupsOf(runs, (runs.size() + most - 1) / most, alike);
  };
  grouped_by([](const Run& a, const Run& b) { return a.type == b.type; });
  grouped_by([](const Run&, const Run&) { return true; });
  return runs;
}

/// Names are unique: "NAME@1" is the second run of NAME.
std::string uniqueName(const std::string& name, std::map<std::string, int>& used) {
  const int before = used[name]++;
  return before == 0 ? name : name + "@" + std::to_string(before);
}

/// Parts of a path that all have, with the dot behind them.
std::size_t commonPrefix(const std::vector<Run>& runs) {
  std::string_view common = runs.front().module;
  for (const Run& run : runs) {
    const auto [end, other] = std::mismatch(common.begin(), common.end(), run.module.begin(), run.module.end());
    common = common.substr(0, static_cast<std::size_t>(end - common.begin()));
  }
  const std::size_t dot = common.rfind('.');
  return dot == std::string_view::npos ? 0 : dot + 1;
}

std::vector<ExportedBlock> blocksOfRuns(const std::vector<Run>& runs, const BlockOrder& order) {
  std::vector<ExportedBlock> blocks;
  if (runs.empty()) return blocks;
  const std::size_t prefix = commonPrefix(runs);
  std::map<std::string, int> used;
  for (const Run& run : runs) {
    const std::string name = run.module.empty() ? "network" : run.module;
    const std::string rest = name.substr(std::min(prefix, name.size()));
    blocks.push_back({uniqueName(name, used), run.type, rest.substr(0, rest.find('.')),
                      std::vector<std::size_t>(order.nodes.begin() + static_cast<std::ptrdiff_t>(run.first),
                                               order.nodes.begin() + static_cast<std::ptrdiff_t>(run.end))});
  }
  return blocks;
}

/// What crosses before each run: lives are in the order in which values are made. Linear in what crosses.
std::vector<std::vector<ValueId>> crossingsOf(const ExportedGraph& graph, const std::vector<Life>& lives,
                                              const std::vector<Run>& runs) {
  std::vector<std::vector<ValueId>> crossing(runs.size() + 1);
  for (const Life& life : lives) {
    // The first run that begins behind the place where it is made.
    auto run = std::ranges::upper_bound(runs, life.made, {}, [](const Run& r) { return static_cast<int>(r.first); });
    for (; run != runs.end() && static_cast<int>(run->first) <= life.last; ++run)
      crossing[static_cast<std::size_t>(run - runs.begin())].push_back(life.value);
  }
  crossing.front() = {userInput(graph).value};
  crossing.back() = graph.outputs;
  return crossing;
}

Status checkSizes(const ExportedGraph& graph) {
  for (const ExportedNode& node : graph.nodes)
    for (const auto& id : node.outputs)
      if (id && graph.value(*id).kind == ExportedValue::Kind::Int && !graph.value(*id).size)
        return Error::badInput(
            "{} ({}) makes an integer that does not follow from the batch. Replace this operation in "
            "the network and export it again.",
            clippedName(node.name), clippedName(node.target));
  return {};
}

Status checkChoice(const ExportedBlockChoice& choice, const CalledModules& modules) {
  if (choice.depth && *choice.depth < 1)
    return Error::badInput("The depth of blocks is {}: choose 1 or more.", *choice.depth);
  std::vector<std::string> known;
  for (const auto& [path, module] : modules)
    if (!path.empty()) known.push_back(path);
  for (const std::string& path : choice.modules)
    if (path.empty() || !modules.contains(path))
      return Error::badInput("The network calls no module \"{}\": {}", clippedName(path), nearestHint(path, known));
  return {};
}

/// A network of many blocks, behind each of which most of its values cross, would fill the memory.
Status checkCrossing(const std::vector<Run>& runs, const std::vector<std::size_t>& counts) {
  std::size_t crossing = 0;
  for (const Run& run : runs) crossing += counts[run.end - 1];
  if (crossing <= kMostCrossing) return {};
  return Error::badInput("{} blocks exchange {} values. Choose fewer blocks.", runs.size(), crossing);
}

std::vector<Run> chosenRuns(const ExportedGraph& graph, const BlockOrder& order, const ExportedBlockChoice& choice,
                            const CalledModules& modules, const std::vector<std::size_t>& counts) {
  if (!choice.modules.empty()) {
    const std::set<std::string> listed(choice.modules.begin(), choice.modules.end());
    return runsOf(graph, order, [&](const ExportedNode& node) { return listedModule(node, listed); });
  }
  const std::set<std::string> opened =
      choice.depth ? openedToDepth(modules, *choice.depth) : openedByCrossing(modules, counts);
  return runsOf(graph, order, [&](const ExportedNode& node) { return blockModule(node, opened); });
}

}  // namespace

Result<ExportedBlocks> blocksOf(const ExportedProgram& program, const ExportedBlockChoice& choice) {
  const ExportedGraph& graph = program.graph;
  if (const Status sizes = checkSizes(graph); !sizes.ok()) return sizes.error();
  ExportedBlocks result;
  result.flow = valueFlowOf(graph);
  const BlockOrder order = orderOf(graph, result.flow);
  if (order.nodes.empty())
    return Error::badInput("The network computes nothing from its input. Export a network that does.");
  const std::vector<Life> lives = livesOf(graph, result.flow, order);
  const CalledModules modules = calledModules(graph, order.nodes);
  if (const Status status = checkChoice(choice, modules); !status.ok()) return status.error();
  const std::vector<std::size_t> counts = crossingCounts(lives, order.nodes.size());
  RunJoiner joiner(chosenRuns(graph, order, choice, modules, counts), order.nodes.size());
  joinWritten(graph, result.flow, order, joiner);
  std::vector<Run> runs = joiner.runs();
  if (!choice.depth && choice.modules.empty()) runs = grouped(std::move(runs), kMostAutomaticBlocks);
  if (const Status status = checkCrossing(runs, counts); !status.ok()) return status.error();
  result.notes = joiner.takeNotes();
  result.blocks = blocksOfRuns(runs, order);
  result.crossing = crossingsOf(graph, lives, runs);
  return result;
}

}  // namespace lanelab
