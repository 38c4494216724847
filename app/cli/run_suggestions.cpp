// SPDX-License-Identifier: GPL-3.0-only
#include "app/cli/run_suggestions.h"

#include <filesystem>
#include <iostream>

#include "base/atomic_file.h"
#include "base/json_text.h"
#include "engine/record/run_store.h"

namespace lanelab {
namespace {

/// As the experiment file says them.
Json variantJson(const Experiment& experiment, const VariantConfig& variant) {
  Experiment alone = experiment;
  alone.variants = {variant};
  return Json::parse(toJson(alone))["variants"][0];
}

/// The keys that the suggestion sets to something else; null for one that it takes away.
Json changeOf(const Experiment& experiment, const Suggestion& suggestion) {
  Json change = Json::object();
  for (const VariantConfig& present : experiment.variants) {
    if (present.name != suggestion.variant.suggested_from->of) continue;
    const Json before = variantJson(experiment, present), after = variantJson(experiment, suggestion.variant);
    for (const auto& [key, value] : after.items())
      if (key != "name" && key != "suggested_from" && (!before.contains(key) || before[key] != value))
        change[key] = value;
    for (const auto& [key, value] : before.items())
      if (key != "suggested_from" && !after.contains(key)) change[key] = nullptr;
  }
  return change;
}

}  // namespace

std::string suggestionsMember(const Experiment& experiment, const Suggestions& suggestions) {
  Json list = Json::array();
  for (const Suggestion& suggestion : suggestions.best)
    list.push_back({{"text", suggestion.text},
                    {"predicted_ratio", suggestion.ratio},
                    {"change", changeOf(experiment, suggestion)}});
  return "\"mends\": " + jsonText(list);
}

Status writeSuggested(const Experiment& experiment, const Suggestions& suggestions, const std::string& path) {
  if (suggestions.best.empty()) return Error::failed(suggestions.sentence + " So " + path + " is not written.");
  std::error_code ignored;  // what is wrong with the path shows when it is written
  if (std::filesystem::exists(path, ignored))
    return Error::badInput(path + " is there already. Choose another name for --apply-mend.");
  const Suggestion& suggestion = suggestions.best.front();
  if (const Status written = writeFileAtomically(path, toJson(withSuggestion(experiment, suggestion))); !written.ok())
    return written;
  std::cerr << "Written to " << path << ": \"" << suggestion.variant.name << "\" beside \""
            << suggestion.variant.suggested_from->of << "\". lanelab-cli run " << path
            << " measures what it is worth.\n";
  return {};
}

}  // namespace lanelab
