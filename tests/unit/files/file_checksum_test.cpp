// SPDX-License-Identifier: GPL-3.0-only
#include "engine/files/file_checksum.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/bytes_in_memory.h"

namespace lanelab {
namespace {

std::string fileWithChecksum() {
  std::string file = std::string("\x40\0\0\0\0\0\0\0", 8) + std::string(kChecksumHead) + std::string(kNoChecksum) +
                     "\"}}" + std::string(100, 'd');
  FileChecksum sum;
  sum.add(file.data(), file.size());
  return file.replace(kChecksumAt, kNoChecksum.size(), sum.text());
}

TEST(FileChecksum, FindsEveryFlippedBit) {
  const std::string whole = fileWithChecksum();
  EXPECT_EQ(checksumProblem(test::bytesInMemory(whole)), "");
  constexpr std::size_t kMetadataEnds =
      8 + 15;  // before, the header no longer says that it has a checksum, and is no legal header either
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    if (bit / 8 >= 8 && bit / 8 < kMetadataEnds) continue;
    std::string damaged = whole;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    EXPECT_NE(checksumProblem(test::bytesInMemory(damaged)), "") << bit;
  }
  for (std::size_t size = kMetadataEnds; size < whole.size(); ++size)
    EXPECT_NE(checksumProblem(test::bytesInMemory(whole.substr(0, size))), "") << size;
}

TEST(FileChecksum, IsNotAskedOfFilesWithoutMetadata) {
  EXPECT_EQ(checksumProblem(test::bytesInMemory(std::string("\x02\0\0\0\0\0\0\0{}", 10))), "");
  EXPECT_NE(checksumProblem(test::bytesInMemory(std::string("\x02\0\0\0\0\0\0\0{\"__metadata__\":{}}", 27))), "");
}

TEST(FileChecksum, IsThatOfZip) {
  FileChecksum sum;
  sum.add("12345", 5);
  sum.add(nullptr, 0);
  sum.add("6789", 4);
  EXPECT_EQ(sum.text(), "cbf43926");
}

}  // namespace
}  // namespace lanelab
