// SPDX-License-Identifier: GPL-3.0-only
// schema: the JSON Schema of experiment files, for editors.
#include <iostream>

#include "app/cli/cli.h"
#include "engine/experiment/experiment_schema.h"

namespace lanelab {

void addSchema(const Command& app, CliContext& context) {
  const Command command = app.subcommand("schema", "Print the JSON Schema of experiment files, for editors");
  command.help({.examples = {"schema", "schema > experiment.schema.json"}});
  chosen(command, context, [] {
    std::cout << experimentSchema();
    return Status();
  });
}

}  // namespace lanelab
