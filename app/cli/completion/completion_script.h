// SPDX-License-Identifier: GPL-3.0-only
// Completions of a command line as a script of a shell. Pure functions of the commands; any thread.
#pragma once

#include <string>

#include "app/cli/command_tree.h"

namespace lanelab {

/// For bash 4.2 or later, without the package bash-completion.
std::string bashCompletion(const CommandTree& program);
/// A function for zsh's compinit, with descriptions.
std::string zshCompletion(const CommandTree& program);

}  // namespace lanelab
