// SPDX-License-Identifier: GPL-3.0-only
// Files that are no traces but hold some, or are kept beside them, known by their first bytes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lanelab {

/// What the file is and what to do, as the rest of a sentence that begins with its name: "is an archive (zip). Unpack
/// it ...". `head` is the front of the file, unzipped if it is gzipped, a kilobyte or more where there is so much.
/// Nothing for all other files. Any thread.
std::optional<std::string> otherFormat(std::string_view head);

}  // namespace lanelab
