// SPDX-License-Identifier: GPL-3.0-only
// One image from a file, as a tensor.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>

#include "base/result.h"

namespace lanelab {

/// [3, height, width] bytes, as decodeImage makes them. Any thread. Errors (BadInput) name the file and the fix.
Result<at::Tensor> readImage(const std::string& path);

}  // namespace lanelab
