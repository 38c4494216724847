#include "app/cli/run_mends.h"

#include <filesystem>
#include <iostream>

#include <nlohmann/json.hpp>

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

/// The keys that the mend sets to something else; null for one that it takes away.
Json changeOf(const Experiment& experiment, const Mend& mend) {
  Json change = Json::object();
  for (const VariantConfig& present : experiment.variants) {
    if (present.name != mend.variant.mend->of) continue;
    const Json before = variantJson(experiment, present), after = variantJson(experiment, mend.variant);
    for (const auto& [key, value] : after.items())
      if (key != "name" && key != "mend" && (!before.contains(key) || before[key] != value)) change[key] = value;
    for (const auto& [key, value] : before.items())
      if (key != "mend" && !after.contains(key)) change[key] = nullptr;
  }
  return change;
}

}  // namespace

std::string mendsMember(const Experiment& experiment, const Mends& mends) {
  Json list = Json::array();
  for (const Mend& mend : mends.best) list.push_back({{"text", mend.text}, {"predicted_ratio", mend.ratio}, {"change", changeOf(experiment, mend)}});
  return "\"mends\": " + jsonText(list);
}

Status writeMended(const Experiment& experiment, const Mends& mends, const std::string& path) {
  if (mends.best.empty()) return Error::failed(mends.sentence + " So " + path + " is not written.");
  std::error_code ignored;  // what is wrong with the path shows when it is written
  if (std::filesystem::exists(path, ignored)) return Error::badInput(path + " is there already. Choose another name for --apply-mend.");
  const Mend& mend = mends.best.front();
  if (const Status written = writeFileAtomically(path, toJson(withMend(experiment, mend))); !written.ok()) return written;
  std::cerr << "Written to " << path << ": \"" << mend.variant.name << "\" beside \"" << mend.variant.mend->of << "\". lanelab-cli run " << path
            << " measures what it is worth.\n";
  return {};
}

}  // namespace lanelab
