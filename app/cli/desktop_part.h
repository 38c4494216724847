// SPDX-License-Identifier: GPL-3.0-only
// The window's program beside this one, which paints pictures: the same painters as on the screen.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace lanelab {

/// The path of `lanelab` in this program's own folder; empty when it is not there.
std::string desktopProgram();

/// Runs it without a display and waits. Its messages go to this program's stderr; its exit code becomes the Status.
Status runDesktop(const std::string& program, const std::vector<std::string>& arguments);

}  // namespace lanelab
