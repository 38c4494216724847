// SPDX-License-Identifier: GPL-3.0-only
// Images that are decoded, and those that are refused before they take memory or time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <random>

#include "engine/files/image_check.h"
#include "engine/files/image_pixels.h"
#include "tests/support/bytes_in_memory.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/files/image_writer.h"

namespace lanelab {
namespace {

using test::jpegOf;
using test::pngOf;
using ::testing::HasSubstr;

const std::vector<unsigned char> kOrange = {255, 128, 0};

std::string decodingRefusal(const std::string& bytes) {
  const Result<Pixels> image = decodeImage(bytes);
  return image.ok() ? "" : image.error().message;
}

std::string foundProblem(const std::string& bytes) { return imageProblem(test::bytesInMemory(bytes)); }

/// Of the first pixel.
std::vector<int> colorOf(const std::string& bytes) {
  const Result<Pixels> image = decodeImage(bytes);
  EXPECT_TRUE(image.ok()) << image.error().message;
  if (!image.ok()) return {};
  return {image->bytes[0], image->bytes[1], image->bytes[2]};
}

void expectColor(const std::string& bytes, const std::vector<int>& wanted) {
  const std::vector<int> color = colorOf(bytes);
  ASSERT_EQ(color.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(color[i], wanted[i], 2) << i;
}

TEST(Images, OfFourInksBecomeRedGreenBlueAsInPillow) {
  // Pillow's convert("RGB") of such files, which hold the inks upside down: each color times black.
  expectColor(jpegOf(8, 8, {200, 100, 50, 255}, {JCS_CMYK, JCS_CMYK}), {200, 100, 50});
  expectColor(jpegOf(8, 8, {255, 128, 0, 128}, {JCS_CMYK, JCS_CMYK}), {128, 64, 0});
  expectColor(jpegOf(8, 8, {200, 100, 50, 255}, {JCS_CMYK, JCS_YCCK}), {200, 100, 50});
  expectColor(jpegOf(8, 8, kOrange), {255, 128, 0});
  expectColor(jpegOf(8, 8, {90}, {JCS_GRAYSCALE, JCS_GRAYSCALE}), {90, 90, 90});
}

TEST(Images, OfTooManyPixelsAreRefusedByTheirHeader) {
  const std::string bomb = test::pngThatClaims(16'000, 16'000);
  EXPECT_EQ(decodingRefusal(bomb), "it is 16000 x 16000 pixels, and at most 89 million are read");
  EXPECT_EQ(foundProblem(bomb), decodingRefusal(bomb));
  EXPECT_THAT(foundProblem(test::pngThatClaims(1, 1'000'000)), HasSubstr("one side more than 100 times the other"));
  std::string jpeg = jpegOf(8, 8, kOrange);
  jpeg.replace(jpeg.find("\xff\xc0") + 5, 4, "\x80\xff\x80\xff");
  EXPECT_THAT(decodingRefusal(jpeg), HasSubstr("it is 33023 x 33023 pixels"));
  EXPECT_EQ(foundProblem(jpeg), decodingRefusal(jpeg));
}

TEST(Images, OfAHundredScansAreRefused) {
  EXPECT_EQ(decodingRefusal(jpegOf(8, 8, kOrange, {JCS_RGB, JCS_YCbCr, true})), "it has more than 100 scans");
}

TEST(ImageCheck, FindsFilesThatAreCutOff) {
  for (const std::string& whole :
       {pngOf(9, 7), jpegOf(9, 7, kOrange), jpegOf(9, 7, {1, 2, 3, 4}, {JCS_CMYK, JCS_YCCK})}) {
    EXPECT_EQ(foundProblem(whole), "");
    EXPECT_EQ(foundProblem(whole + "appended by a camera"), "");
    // A PNG without its last chunk, which is 12 bytes long and empty, still holds all its pixels.
    for (std::size_t size = 0; size + 12 < whole.size(); size += 1 + whole.size() / 50)
      EXPECT_NE(foundProblem(whole.substr(0, size)), "") << size;
  }
  EXPECT_EQ(foundProblem("GIF89a..."), "it is neither PNG nor JPEG");
}

TEST(ImageCheck, RandomDamageIsFoundOrDecoded) {
  std::mt19937 random(3);
  for (const std::string& whole : {pngOf(20, 20), jpegOf(20, 20, kOrange)}) {
    for (int i = 0; i < 500; ++i) {
      std::string damaged = whole;
      for (int hits = 0; hits < 3; ++hits) damaged[random() % damaged.size()] = static_cast<char>(random());
      foundProblem(damaged);
      decodingRefusal(damaged);
    }
  }
}

TEST(ImageCheck, LooksAtManyFilesAndOpensOnlyRegularOnes) {
  const test::TemporaryFolder folder;
  std::vector<std::string> paths;
  for (int i = 0; i < 200; ++i) {
    paths.push_back(folder.file(std::to_string(i) + ".png"));
    if (i == 77) {
      ASSERT_EQ(::mkfifo(paths.back().c_str(), 0600), 0);
    } else if (i != 150) {
      std::ofstream(paths.back(), std::ios::binary) << (i == 33 ? "no image" : pngOf(2, 2));
    }
  }
  const std::vector<UnreadableImage> found = findUnreadableImages(paths);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].index, 33u);
  EXPECT_THAT(found[0].reason, HasSubstr("neither PNG nor JPEG"));
  EXPECT_EQ(found[1].index, 77u);
  EXPECT_EQ(found[1].reason, "a named pipe, not a regular file");
  EXPECT_EQ(found[2].index, 150u);
}

}  // namespace
}  // namespace lanelab
