// SPDX-License-Identifier: GPL-3.0-only
// Finds images that cannot be read before anybody trains on them, by the beginning and the end of each file.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/files/readable_bytes.h"

namespace lanelab {

/// All bytes of an image's file, if it is a regular file of at most 1 GiB. The error is the reason alone.
Result<std::string> imageBytes(const std::string& path);

/// Why this is no image that can be read; empty if it seems to be one. A file with a sound header whose last bytes are
/// those that end an image is taken for whole; any other is decoded to find out.
std::string imageProblem(const ReadableBytes& source);

struct UnreadableImage {
  std::size_t index = 0;  ///< into the paths
  std::string reason;
};

/// In the order of the paths, each looked at by one of a few threads.
std::vector<UnreadableImage> findUnreadableImages(const std::vector<std::string>& paths);

}  // namespace lanelab
