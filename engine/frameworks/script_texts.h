// SPDX-License-Identifier: GPL-3.0-only
// What CMake puts into the program for exported training scripts: texts of resources/frameworks.
#pragma once

namespace lanelab {

extern const char* const kTrainScript;         ///< train.py
extern const char* const kCheckScript;         ///< check.py
extern const char* const kWeightsScript;       ///< weights.py
extern const char* const kExportStagesScript;  ///< export_stages.py

}  // namespace lanelab
