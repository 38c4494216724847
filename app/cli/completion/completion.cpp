// SPDX-License-Identifier: GPL-3.0-only
// completion: what a shell needs to complete the command line.
#include <iostream>
#include <memory>

#include "app/cli/cli.h"
#include "app/cli/completion/completion_script.h"

namespace lanelab {

void addCompletion(const Command& app, CliContext& context) {
  const Command command = app.subcommand("completion", "Print what a shell needs to complete commands and options");
  command.help(
      {.examples = {"completion bash > ~/.local/share/bash-completion/completions/lanelab-cli",
                    "completion zsh > ~/.zfunc/_lanelab-cli"},
       .notes = "An installed LaneLab has both. For zsh the folder must be in fpath before compinit is called."});
  const auto shell = std::make_shared<std::string>();
  command.option("SHELL", *shell, "bash or zsh").required().oneOf({"bash", "zsh"});
  chosen(command, context, [app, shell] {
    const CommandTree program = app.tree();
    std::cout << (*shell == "bash" ? bashCompletion(program) : zshCompletion(program));
    return Status();
  });
}

}  // namespace lanelab
