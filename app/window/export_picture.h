// SPDX-License-Identifier: GPL-3.0-only
// --export: one picture or the report of a stored run, with the painters of the window.
#pragma once

#include "app/window/options.h"

namespace lanelab {

Status exportFromFolder(const Options& options);

}  // namespace lanelab
