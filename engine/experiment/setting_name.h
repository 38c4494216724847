// SPDX-License-Identifier: GPL-3.0-only
// What people call a value of an experiment that files name by its key.
#pragma once

#include <string>

namespace lanelab {

/// "input size" for "data.shape", "Pipeline: schedule" for "variants.Pipeline.schedule"; the key itself where no row
/// describes it. English; the window translates it (context "fields").
struct SettingName {
  std::string variant;  ///< empty: of the whole experiment
  std::string name;
  bool described = true;  ///< by a row
  bool operator==(const SettingName&) const = default;
};
SettingName settingName(const std::string& key);

}  // namespace lanelab
