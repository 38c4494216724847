// SPDX-License-Identifier: GPL-3.0-only
// A file that says what the names and arguments of a recorder's spans mean (`--actions`; actions.schema.json).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "profiler/io/names/name_rules.h"

namespace lanelab {

struct ActionMap {
  std::string place;               ///< the file, for sentences
  std::vector<std::string> names;  ///< the patterns, in order
  NameRules rules;                 ///< one for each name
  /// By NameNumber, the argument of a span that holds it; "" if none does.
  std::array<std::string, kNameNumbers> arguments;

  bool readsArguments() const;
};

using SharedActionMap = std::shared_ptr<const ActionMap>;

/// JSON with comments; `place` names it in errors. BadInput: no JSON (line, column), unknown keys and words (the place
/// in the file, and what is allowed), patterns that are none, no name at all. Never null.
Result<SharedActionMap> parseActionMap(std::string_view text, const std::string& place);
/// The same of a file of at most 1 MiB.
Result<SharedActionMap> readActionMap(const std::string& path);

/// The JSON Schema of such files: resources/schema/actions.schema.json, as `lanelab-cli schema actions` prints it.
std::string actionMapSchema();

/// By the map, which may be null, else by the built-in rules.
std::optional<NamedWork> namedWorkOf(std::string_view name, const ActionMap* map = nullptr);

}  // namespace lanelab
