// SPDX-License-Identifier: GPL-3.0-only
// The help of one command, and the manual of all of them, written from what the commands declare: neither can name an
// option that is not accepted. Pure; any thread.
#pragma once

#include <string>

namespace CLI {
class App;
}  // namespace CLI

namespace lanelab {

struct CommandHelp;

/// What --help prints of `app`, in lines of at most 100 columns; `name` is how it is called, such as "lanelab-cli run".
std::string helpText(const CLI::App& app, const std::string& name);

/// The help of all commands of `app` as one page of Markdown (docs/command-line.md).
std::string manualPage(const CLI::App& app, const std::string& name);

/// What follows the options of `command` in its help: notes, examples and exit codes.
std::string helpEnd(const CommandHelp& help);

}  // namespace lanelab
