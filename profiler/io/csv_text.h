// Pieces of CSV text (RFC 4180). C locale always.
#pragma once

#include <string>
#include <string_view>

namespace lanelab {

/// In quotes where the text asks for it.
std::string csvField(std::string_view text);

}  // namespace lanelab
