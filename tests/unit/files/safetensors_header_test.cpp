// SPDX-License-Identifier: GPL-3.0-only
// Headers that are large, deep or say a thing twice.
#include "engine/files/safetensors_header.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanelab {
namespace {

using ::testing::HasSubstr;

std::string headerRefusal(const std::string& header, std::uint64_t data_bytes = 0) {
  const Result<SafetensorsHeader> read = parseSafetensorsHeader(header, data_bytes);
  return read.ok() ? "" : read.error().message;
}

std::string emptyTensors(int count) {
  std::string text = "{";
  for (int i = 0; i < count; ++i)
    text += (i ? ",\"t" : "\"t") + std::to_string(i) + R"(":{"dtype":"F32","shape":[0],"data_offsets":[0,0]})";
  return text + "}";
}

TEST(SafetensorsHeader, MayHoldManyTensors) {
  const Result<SafetensorsHeader> header = parseSafetensorsHeader(emptyTensors(5000), 0);
  ASSERT_TRUE(header.ok()) << header.error().message;
  EXPECT_EQ(header->size(), 5000u);
}

TEST(SafetensorsHeader, MayNotBeNestedDeeply) {
  const std::string deep(1 << 20, '[');
  EXPECT_THAT(headerRefusal("{\"a\":" + deep), HasSubstr("tensor \"a\" has no dtype"));
  EXPECT_THAT(headerRefusal("{\"a\":{\"x\":" + deep), HasSubstr("nested deeper than 4 levels"));
  EXPECT_THAT(headerRefusal("{\"__metadata__\":{\"x\":" + deep), HasSubstr("nested deeper than 4 levels"));
  EXPECT_THAT(headerRefusal("{\"a\":{\"shape\":" + deep), HasSubstr("no legal shape"));
}

TEST(SafetensorsHeader, MayHoldMetadataAndUnknownFields) {
  const auto header = parseSafetensorsHeader(
      R"({"__metadata__":{"format":"pt","data_offsets":"x"},"a":{"dtype":"U8","note":{"shape":[1]},"shape":[2,1],"data_offsets":[0,2]}}   )",
      2);
  ASSERT_TRUE(header.ok()) << header.error().message;
  ASSERT_EQ(header->size(), 1u);
  EXPECT_EQ(header->at("a").shape, (std::vector<std::int64_t>{2, 1}));
  EXPECT_EQ(header->at("a").end, 2u);
}

TEST(SafetensorsHeader, SaysEverythingOnce) {
  EXPECT_THAT(headerRefusal(R"({"a":{"dtype":"U8","shape":[0],"shape":[0],"data_offsets":[0,0]}})"),
              HasSubstr("gives its shape twice"));
  EXPECT_THAT(headerRefusal(R"({"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0,0]}})"),
              HasSubstr("no legal data_offsets"));
  EXPECT_THAT(headerRefusal(R"({"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}} x)"), HasSubstr("not JSON"));
  EXPECT_THAT(headerRefusal(R"({"a":{"dtype":7,"shape":[0],"data_offsets":[0,0]}})"),
              HasSubstr("dtype that is not text"));
}

TEST(SafetensorsHeader, LongNamesAreCutInMessages) {
  const std::string message = headerRefusal("{\"" + std::string(1 << 20, 'n') + "\":1}");
  EXPECT_THAT(message, HasSubstr("nnn...\" has no dtype"));
  EXPECT_LT(message.size(), 200u);
}

}  // namespace
}  // namespace lanelab
