// SPDX-License-Identifier: GPL-3.0-only
#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

#include "engine/torch/files/stored_weights.h"
#include "engine/torch/files/tensor_file.h"
#include "engine/torch/nn/initial_weights.h"
#include "tests/support/temporary_folder.h"

namespace lanelab {
namespace {

using ::testing::HasSubstr;

void writeFile(const std::string& path, const std::string& header, const std::string& data) {
  const std::uint64_t length = header.size();
  std::string bytes(sizeof length, '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  std::ofstream(path, std::ios::binary) << bytes << header << data;
}

TEST(Safetensors, WhatIsWrittenReadsBackEqual) {
  const test::TemporaryFile place("round.safetensors");
  const std::string& path = place.path;
  const at::Tensor matrix = at::arange(12, at::kFloat).view({3, 4}).t();
  const at::Tensor number = at::full({}, 7, at::kLong);
  ASSERT_TRUE(writeSafetensors(path, {{"matrix", matrix}, {"number", number}}).ok());
  const auto read = readSafetensors(path);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_TRUE(at::equal(read->at("matrix"), matrix));
  EXPECT_TRUE(at::equal(read->at("number"), number));
}

TEST(Safetensors, WritingTouchesNoOtherFileOfTheUser) {
  for (const Durable durable : {Durable::No, Durable::Yes}) {
    const test::TemporaryFolder folder;
    const std::string path = folder.file("weights.safetensors");
    test::writeContent(folder.file("precious"), "text");
    test::writeContent(path, "older");
    std::filesystem::create_symlink(folder.file("precious"), path + ".part");
    ASSERT_TRUE(writeSafetensors(path, {{"a", at::arange(3)}}, Checksum::No, durable).ok());
    EXPECT_TRUE(at::equal(readSafetensors(path)->at("a"), at::arange(3)));
    EXPECT_EQ(test::contentOf(folder.file("precious")), "text");
    EXPECT_TRUE(std::filesystem::is_symlink(path + ".part"));
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) files += entry.exists() ? 1 : 0;
    EXPECT_EQ(files, 3u) << "nothing is left beside it";
  }
}

TEST(Safetensors, OnlyTheNamedTensorsAreRead) {
  const test::TemporaryFile place("only.safetensors");
  const std::string& path = place.path;
  ASSERT_TRUE(writeSafetensors(path, {{"a", at::arange(3)}, {"b", at::arange(4)}}).ok());
  const auto read = readSafetensors(path, {"b"});
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->size(), 1u);
  EXPECT_EQ(read->at("b").numel(), 4);
}

struct BadHeader {
  const char* header;
  const char* data;
  const char* says;
};

/// Its name in the list of tests; the bytes of the pointers would differ from run to run.
void PrintTo(const BadHeader& bad, std::ostream* out) { *out << bad.says; }

class SafetensorsRefuses : public ::testing::TestWithParam<BadHeader> {};

TEST_P(SafetensorsRefuses, WithTheReason) {
  const test::TemporaryFile place("bad.safetensors");
  const std::string& path = place.path;
  writeFile(path, GetParam().header, GetParam().data);
  const auto read = readSafetensors(path);
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().kind, Error::Kind::BadInput);
  EXPECT_THAT(read.error().message, HasSubstr(path));
  EXPECT_THAT(read.error().message, HasSubstr(GetParam().says));
}

INSTANTIATE_TEST_SUITE_P(
    Headers, SafetensorsRefuses,
    ::testing::Values(
        BadHeader{"[]", "", "does not begin with {"}, BadHeader{"{\"a\":", "", "not JSON"},
        BadHeader{"{\"a\":1}", "", "has no dtype"},
        BadHeader{R"({"a":{"dtype":"F99","shape":[1],"data_offsets":[0,4]}})", "1234", "unknown type"},
        BadHeader{R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", "1234", "no legal shape"},
        BadHeader{R"({"a":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,0]}})", "",
                  "no legal shape"},
        BadHeader{R"({"a":{"dtype":"F32","shape":[1.5],"data_offsets":[0,4]}})", "1234", "no legal shape"},
        BadHeader{R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}})", "1234", "no legal data_offsets"},
        BadHeader{R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", "1234", "does not fill its bytes"},
        BadHeader{R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})", "12345678", "overlap or leave holes"},
        BadHeader{R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", "1234", "cut off"},
        BadHeader{R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", "12345", "bytes behind"},
        BadHeader{
            R"({"a":{"dtype":"I8","shape":[0],"data_offsets":[0,0]},"a":{"dtype":"I8","shape":[0],"data_offsets":[0,0]}})",
            "", "twice"}));

TEST(Safetensors, AHeaderLongerThanTheFileIsRefused) {
  const test::TemporaryFile place("long.safetensors");
  const std::string& path = place.path;
  std::ofstream(path, std::ios::binary) << std::string(8, '\xff') << "{}";
  const auto read = readSafetensors(path);
  ASSERT_FALSE(read.ok());
  EXPECT_THAT(read.error().message, HasSubstr("header is longer"));
}

TEST(Safetensors, AMissingFileAndAFolderAreSaid) {
  EXPECT_THAT(readSafetensors("/nowhere/x.safetensors").error().message,
              HasSubstr("/nowhere/x.safetensors cannot be read"));
  EXPECT_FALSE(readSafetensors(::testing::TempDir()).ok());
}

TEST(Safetensors, WritingWhereNothingMayBeWrittenSaysSo) {
  const Status written = writeSafetensors("/nowhere/x.safetensors", {{"a", at::arange(3)}});
  ASSERT_FALSE(written.ok());
  EXPECT_THAT(written.error().message, HasSubstr("cannot be written"));
}

/// In quadratic time these would take longer than a test may.
TEST(Safetensors, ReadsHalfAMillionEmptyTensors) {
  const test::TemporaryFile place("many.safetensors");
  std::string header = "{";
  for (int i = 0; i < 500'000; ++i)
    header += (i ? ",\"t" : "\"t") + std::to_string(i) + R"(":{"dtype":"F32","shape":[0],"data_offsets":[0,0]})";
  writeFile(place.path, header + "}", "");
  const auto read = readSafetensors(place.path);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->size(), 500'000u);
}

TEST(Safetensors, AtMostFiveUnexpectedTensorsAreNamed) {
  TensorMap weights;
  for (int i = 0; i < 1000; ++i) weights["t" + std::to_string(1000 + i)] = at::arange(1);
  const auto matched = matchWeights({}, weights, "file");
  ASSERT_FALSE(matched.ok());
  EXPECT_THAT(matched.error().message, HasSubstr("unexpected: t1000, t1001, t1002, t1003, t1004 and 995 more."));
}

TEST(Safetensors, ASparseFileLargerThanTheMemoryIsRefusedAtOnce) {
  const test::TemporaryFile place("sparse.safetensors");
  constexpr std::int64_t kBytes = std::int64_t{1} << 42;
  std::string header = "{";
  for (int i = 0; i < 1024; ++i) {
    header += (i ? ",\"t" : "\"t") + std::to_string(i) + R"(":{"dtype":"U8","shape":[)" +
              std::to_string(kBytes / 1024) + R"(],"data_offsets":[)" + std::to_string(kBytes / 1024 * i) + "," +
              std::to_string(kBytes / 1024 * (i + 1)) + "]}";
  }
  writeFile(place.path, header + "}", "");
  std::error_code no_room;
  std::filesystem::resize_file(place.path, 8 + header.size() + 1 + kBytes, no_room);
  if (no_room) GTEST_SKIP() << "this file system has no sparse files of 4 TiB";
  EXPECT_THAT(readSafetensors(place.path).error().message, HasSubstr("its 4 TiB of tensors do not fit into memory"));
}

TEST(Safetensors, WithAChecksumAreReadAsThoseWithout) {
  const test::TemporaryFile place("sum.safetensors");
  ASSERT_TRUE(writeSafetensors(place.path, {{"a", at::arange(5, at::kFloat)}}, Checksum::Yes).ok());
  const auto read = readSafetensors(place.path);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_TRUE(at::equal(read->at("a"), at::arange(5, at::kFloat)));
}

TEST(Safetensors, OnlyRegularFilesAreOpened) {
  const test::TemporaryFile place("pipe");
  ASSERT_EQ(::mkfifo(place.path.c_str(), 0600), 0);
  EXPECT_THAT(readSafetensors(place.path).error().message, HasSubstr("a named pipe, not a regular file"));
  EXPECT_THAT(readWeights(place.path).error().message, HasSubstr("a named pipe, not a regular file"));
  EXPECT_THAT(readWeights("/dev/zero").error().message, HasSubstr("a device, not a regular file"));
  EXPECT_THAT(mapSafetensors(place.path).error().message, HasSubstr("a named pipe, not a regular file"));
}

TEST(Safetensors, RandomDamageNeverReadsOutsideTheFile) {
  const test::TemporaryFile place("whole.safetensors");
  const std::string& path = place.path;
  ASSERT_TRUE(writeSafetensors(path, {{"a", at::arange(5, at::kFloat)}, {"b", at::arange(2)}}).ok());
  const std::string whole = test::contentOf(path);
  std::mt19937 random(7);
  const test::TemporaryFile damaged_place("damaged.safetensors");
  const std::string& damaged_path = damaged_place.path;
  int refused = 0;
  for (int i = 0; i < 500; ++i) {
    std::string damaged = whole.substr(0, random() % (whole.size() + 1));
    for (int hits = 0; hits < 3 && !damaged.empty(); ++hits)
      damaged[random() % damaged.size()] = static_cast<char>(random());
    std::ofstream(damaged_path, std::ios::binary) << damaged;
    refused += !readSafetensors(damaged_path).ok();
  }
  EXPECT_GT(refused, 300);
}

}  // namespace
}  // namespace lanelab
