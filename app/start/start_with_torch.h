// SPDX-License-Identifier: GPL-3.0-only
// Starts the programs that are linked with LibTorch. In a build folder they are beside the one that starts them, and
// know their LibTorch. Installed ones are in a folder of their own and know none: the loader gets the folders of the
// user's LibTorch by LD_LIBRARY_PATH, which the started program puts back, since programs that it starts itself, such
// as Python, have libraries of their own.
#pragma once

#include <string>

#include "base/result.h"

namespace lanelab {

/// Replaces this process by the program `name`, with the same arguments, environment and process number. Returns only
/// if that fails, with the reason. `arguments` as main() has them. Signals are as by default in the new program.
Error startWithTorch(const std::string& name, char** arguments);

/// In place of the window, if it would open: the page that installs PyTorch. Returns `missing` if none is to open.
Error offerTorch(const Error& missing, char** arguments);

/// Puts LD_LIBRARY_PATH back. To be called first in main(), before there are threads.
void restoreLibraryPath();

}  // namespace lanelab
