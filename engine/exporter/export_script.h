// SPDX-License-Identifier: GPL-3.0-only
// The text of resources/exporter/lanelab_export.py, which CMake puts into the program.
#pragma once

namespace lanelab {

extern const char* const kExportScript;

}  // namespace lanelab
