// SPDX-License-Identifier: GPL-3.0-only
#include "base/packages.h"

#include <gnu/libc-version.h>

#include <map>
#include <nlohmann/json.hpp>

#include "base/text.h"

namespace lanelab {

Packages basePackages() {
  return {{"glibc", ::gnu_get_libc_version()},
          {"nlohmann-json", std::to_string(NLOHMANN_JSON_VERSION_MAJOR) + "." +
                                std::to_string(NLOHMANN_JSON_VERSION_MINOR) + "." +
                                std::to_string(NLOHMANN_JSON_VERSION_PATCH)}};
}

Packages joined(Packages packages, const Packages& further) {
  packages.insert(packages.end(), further.begin(), further.end());
  return packages;
}

std::string packagesText(const Packages& packages) {
  std::map<std::string, const Package*> by_name;
  for (const Package& package : packages)
    if (!package.version.empty()) by_name.try_emplace(smallLetters(package.name), &package);
  std::string text;
  for (const auto& [name, package] : by_name)
    text += (text.empty() ? "" : ", ") + package->name + " " + package->version;
  return text;
}

}  // namespace lanelab
