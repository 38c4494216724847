// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/data/image_file.h"

#include <ATen/ops/from_blob.h>

#include "engine/files/image_check.h"
#include "engine/files/image_pixels.h"

namespace lanelab {

namespace {

Error unreadable(const std::string& path, const std::string& why) {
  return Error::badInput(path + " cannot be read: " + why +
                         ". Take the image out of the folder, or save it again as PNG or JPEG.");
}

}  // namespace

Result<at::Tensor> readImage(const std::string& path) {
  const Result<std::string> bytes = imageBytes(path);
  if (!bytes.ok()) return unreadable(path, bytes.error().message);
  const Result<Pixels> image = decodeImage(*bytes);
  if (!image.ok()) return unreadable(path, image.error().message);
  const auto release = [held = image->bytes](void*) {};
  return at::from_blob(image->bytes.get(), {image->height, image->width, 3}, release,
                       at::TensorOptions().dtype(at::kByte))
      .permute({2, 0, 1});
}

}  // namespace lanelab
