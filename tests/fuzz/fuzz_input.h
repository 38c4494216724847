// SPDX-License-Identifier: GPL-3.0-only
// What the fuzz targets share: the input as text or as a file, and how a broken promise ends the run.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

namespace lanelab {

inline std::string_view textOf(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Ends the run as a crash; `promise` is what did not hold.
inline void require(bool holds, const char* promise) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s\n", promise);
  std::abort();
}

/// A file of this process that holds one input after the other, for readers that want a path.
class InputFile {
 public:
  InputFile() : m_path(std::filesystem::temp_directory_path() / ("lanelab-fuzz-" + std::to_string(getpid()))) {}
  ~InputFile() { std::remove(m_path.c_str()); }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::string& write(std::string_view bytes) const {
    std::FILE* const file = std::fopen(m_path.c_str(), "wb");
    require(
        file != nullptr && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size() && std::fclose(file) == 0,
        "a temporary file");
    return m_path;
  }

 private:
  std::string m_path;
};

}  // namespace lanelab
