// SPDX-License-Identifier: GPL-3.0-only
// schema: the JSON Schemas of files that users write, for editors.
#include <iostream>
#include <memory>

#include "app/cli/cli.h"
#include "engine/experiment/experiment_schema.h"
#include "profiler/io/names/action_map.h"

namespace lanelab {

void addSchema(const Command& app, CliContext& context) {
  const Command command =
      app.subcommand("schema", "Print the JSON Schema of experiment files or of action maps, for editors");
  command.help({.examples = {"schema", "schema > experiment.schema.json", "schema actions > actions.schema.json"},
                .notes =
                    "An action map (--actions of import, gaps and stats) says which names in the traces of another "
                    "program are passes, sends, receives, collectives and updates."});
  const auto kind = std::make_shared<std::string>("experiment");
  command.option("KIND", *kind, "experiment, or actions for action maps")
      .oneOf({"experiment", "actions"})
      .showDefault();
  chosen(command, context, [kind] {
    std::cout << (*kind == "actions" ? actionMapSchema() : experimentSchema());
    return Status();
  });
}

}  // namespace lanelab
