// SPDX-License-Identifier: GPL-3.0-only
// Where the JSON of an experiment may be: in a file, on standard input, in a stored run, or in a PNG that LaneLab
// exported. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace lanelab {

/// The text of an experiment: of the file at `path`, or of standard input for "-". Of a run folder or its run.json it
/// is the experiment that ran, from a PNG the text chunk "lanelab". Errors (BadInput) name the path and what to choose
/// instead: no such file, too large, a picture without an experiment, not a text.
Result<std::string> readExperimentText(const std::string& path);

/// The text that a PNG has under the key "lanelab", as UTF-8; empty if it has none. The error is the reason alone. A
/// build without libpng says so.
Result<std::string> experimentInPng(std::string_view bytes);

}  // namespace lanelab
