// SPDX-License-Identifier: GPL-3.0-only
// The commands of a program with their options, as values: what completions are made from.
#pragma once

#include <string>
#include <vector>

namespace lanelab {

struct OptionEntry {
  std::vector<std::string> names = {};  ///< "--help" and "-h"; empty for an argument
  std::string value = {};               ///< what --help shows for it, such as "FILE"; empty for a flag
  std::vector<std::string> words = {};  ///< that the value may be; empty: any
  std::string description = {};
  bool repeatable = false;
};

struct CommandTree {
  std::string name;
  std::string description = {};
  std::vector<OptionEntry> options = {};  ///< and arguments, in the order of --help
  std::vector<CommandTree> commands = {};
};

}  // namespace lanelab
