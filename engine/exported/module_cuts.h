// SPDX-License-Identifier: GPL-3.0-only
// Which modules of an exported network become blocks; a part of blocksOf(). Pure functions.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/exported/exported_blocks.h"

namespace lanelab {

/// A module that is called, with the calls in it.
struct CalledModule {
  std::string class_name;
  std::string parent;
  int level = 0;                      ///< 0 for the root
  std::vector<std::string> children;  ///< in the order of the first call
  std::size_t first = 0, end = 0;     ///< of its calls, among `cuttable` ones
  std::size_t calls = 0;
};
using CalledModules = std::map<std::string, CalledModule>;

/// Modules of the calls `nodes`. A module whose path is that of one before it, but in another parent, is counted there.
CalledModules calledModules(const ExportedGraph& graph, const std::vector<std::size_t>& nodes);

/// Modules whose children are blocks rather than themselves, for a choice by depth.
std::set<std::string> openedToDepth(const CalledModules& modules, int depth);

/// The same, automatically. `crossing`: how many values cross behind each of `nodes`.
std::set<std::string> openedByCrossing(const CalledModules& modules, const std::vector<std::size_t>& crossing);

}  // namespace lanelab
