// SPDX-License-Identifier: GPL-3.0-only
// Reads .pt2 archives of torch.export.save(), written by PyTorch 2.9 to 2.15: a zip of JSON and of raw bytes. Pickles
// are never read, and no weight is.
#pragma once

#include <string>

#include "base/result.h"
#include "engine/exported/graph/exported_graph.h"
#include "engine/files/readable_bytes.h"

namespace lanelab {

/// Any thread; linear in the file's size, with limits on the JSON. Errors (BadInput) begin with the path and say what,
/// where and what to do: no zip, no exported program or several, another schema, big endian, pickled weights, tensors
/// beyond their records, values that do not exist or are used before they are made, kinds of arguments that no
/// operator needs, several inputs of the user, sizes that depend on data or on more than the batch.
Result<ExportedProgram> readExportedProgram(const std::string& path);
/// From bytes; `place` names them in errors.
Result<ExportedProgram> readExportedProgram(ReadableBytes source, const std::string& place);

}  // namespace lanelab
