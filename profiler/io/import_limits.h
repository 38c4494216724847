// What the import of a trace may take: a file from somebody else must neither fill the memory nor run for ever.
#pragma once

#include <cstdint>
#include <stop_token>

namespace lanelab {

struct ImportLimits {
  /// Bytes after gunzip; more is refused with a sentence that names the override.
  std::int64_t unpacked_bytes = std::int64_t{8} << 30;
  /// Ends the import within a fraction of a second; its error then says that it was cancelled.
  std::stop_token stop;
};

}  // namespace lanelab
