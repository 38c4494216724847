// One picture from a file: PNG through libpng, JPEG through libjpeg, told apart by their first bytes.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>

#include "engine/base/result.h"

namespace lanelab {

/// [3, height, width] bytes, red green blue; grey is spread over the three, transparency is laid on black. Any thread. Errors (BadInput) name file
/// and mend. A build without the two libraries says so.
Result<at::Tensor> readImage(const std::string& path);

/// Whether the name ends as readImage's formats do.
bool isImageName(const std::string& name);

}  // namespace lanelab
