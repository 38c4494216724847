// SPDX-License-Identifier: GPL-3.0-only
// Fuzz target: PNG and JPEG images, looked at and decoded.
#include "engine/files/image_check.h"
#include "engine/files/image_pixels.h"
#include "tests/fuzz/fuzz_result.h"
#include "tests/support/bytes_in_memory.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lanelab;
  const std::string_view bytes = textOf(data, size);
  const Result<Pixels> image = decodeImage(bytes);
  requireOutcome(image);
  require(!image.ok() || sizeProblem(image->height, image->width).empty(), "a size within the limits");
  require(!image.ok() || imageProblem(test::bytesInMemory(bytes)).empty(),
          "an image that decodes is not called unreadable");
  return 0;
}
