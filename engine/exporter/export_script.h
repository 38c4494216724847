// SPDX-License-Identifier: GPL-3.0-only
// What CMake puts into the program for the export of networks.
#pragma once

namespace lanelab {

extern const char* const kExportScript;  ///< text of resources/exporter/lanelab_export.py

}  // namespace lanelab
