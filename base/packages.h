// SPDX-License-Identifier: GPL-3.0-only
// The libraries that the program runs with, for the record of a run: names and versions.
#pragma once

#include <string>
#include <vector>

namespace lanelab {

struct Package {
  std::string name;
  std::string version;  ///< "2.9.0"; empty if it cannot be known

  bool operator==(const Package&) const = default;
};

using Packages = std::vector<Package>;

/// Those of this room: the C library and nlohmann-json. Any thread.
Packages basePackages();

Packages joined(Packages packages, const Packages& further);

/// "hwloc 2.9.0, SQLite 3.40.1": each once, by name. Packages without a version are left out.
std::string packagesText(const Packages& packages);

}  // namespace lanelab
