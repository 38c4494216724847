// SPDX-License-Identifier: GPL-3.0-only
#include "engine/experiment/setting_name.h"

#include <string_view>

#include "engine/experiment/experiment.h"

namespace lanelab {

namespace {

template <Described S>
std::string nameIn(std::string_view key) {
  std::string name;
  forEachField<S>([&](const auto& field) {
    if (field.key == key) name = field.name;
  });
  return name;
}

std::string nameOf(std::string_view key) {
  const auto part = [&](std::string_view prefix) { return key.substr(prefix.size()); };
  if (key.starts_with("model.")) return nameIn<ModelConfig>(part("model."));
  if (key.starts_with("data.")) return nameIn<DataConfig>(part("data."));
  if (key.starts_with("training.")) return nameIn<TrainingConfig>(part("training."));
  return nameIn<Experiment>(key);
}

}  // namespace

SettingName settingName(const std::string& key) {
  constexpr std::string_view kVariants = "variants.";
  const std::size_t last = key.rfind('.');
  if (key.starts_with(kVariants) && last > kVariants.size()) {
    const std::string name = nameIn<VariantConfig>(std::string_view(key).substr(last + 1));
    if (!name.empty()) return {key.substr(kVariants.size(), last - kVariants.size()), name};
  }
  const std::string name = nameOf(key);
  return {"", name.empty() ? key : name, !name.empty()};
}

}  // namespace lanelab
