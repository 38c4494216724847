// The text of a file, unzipped where its content says that it is gzipped.
#pragma once

#include <string>

namespace lanelab {

struct FileText {
  std::string text;
  bool damaged_gzip = false;  ///< `text` is what could be unzipped
  std::string error;          ///< one sentence when nothing could be read
};

FileText readFileText(const std::string& path);

}  // namespace lanelab
