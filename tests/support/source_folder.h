// SPDX-License-Identifier: GPL-3.0-only
// Where the files of the repository are that a test program or a benchmark reads.
#pragma once

#include <cstdlib>
#include <string>

namespace lanelab::test {

/// The folder that the program was built from, or the one that the variable LANELAB_SOURCES names: programs that
/// tests/gpu/pack_kit.sh carries to another machine have only the files of the kit there.
inline std::string sourceFolder() {
  const char* const named = std::getenv("LANELAB_SOURCES");
  return named != nullptr ? named : LANELAB_SOURCE_DIR;
}

}  // namespace lanelab::test
