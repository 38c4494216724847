// SPDX-License-Identifier: GPL-3.0-only
// State dicts as torch.save() writes them, and archives that try to take more than they hold.
#include "engine/files/state_dict_archive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <random>

#include "tests/support/bytes_in_memory.h"
#include "tests/unit/files/state_dict_writer.h"

namespace lanelab {
namespace {

using std::string_literals::operator""s;
using test::pickledDict;
using test::pickledTensor;
using test::stateDict;
using test::stored;
using test::zipOf;
using ::testing::HasSubstr;

const std::string kSixFloats(24, '\1');

std::string dictRefusal(const std::string& file) {
  const Result<StateDictArchive> dict = openStateDict(test::bytesInMemory(file));
  return dict.ok() ? "" : dict.error().message;
}

TEST(StateDictArchive, NamesThePlacesOfItsTensors) {
  const std::string file = stateDict(pickledDict("module.weight", pickledTensor({2, 3}, {1, 2})), kSixFloats);
  const Result<StateDictArchive> dict = openStateDict(test::bytesInMemory(file));
  ASSERT_TRUE(dict.ok()) << dict.error().message;
  ASSERT_EQ(dict->tensors.size(), 1u);
  const StoredTensor& tensor = dict->tensors.at("weight");
  EXPECT_EQ(tensor.dtype, "F32");
  EXPECT_EQ(tensor.shape, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(tensor.strides, (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(dict->bytes, 48u) << "the storage, and a copy in the order of rows";
  EXPECT_EQ(*dict->archive.text(*dict->archive.find(tensor.record), 100), kSixFloats);
}

TEST(StateDictArchive, ParametersWithinParametersAreNotFollowedFar) {
  const std::string global = "ctorch._utils\n_rebuild_parameter\n";
  const auto nested = [&](int levels) {
    std::string value = global + "q\x07";
    for (int i = 1; i < levels; ++i) value += "h\x07";
    value += pickledTensor({6}, {1});
    for (int i = 0; i < levels; ++i) value += "\x85R";
    return stateDict(pickledDict("a", value), kSixFloats);
  };
  EXPECT_EQ(dictRefusal(nested(1)), "");
  EXPECT_THAT(dictRefusal(nested(20'000)), HasSubstr("nested deeper than 4 levels"));
  const std::string cycle = global + "]q\x01Rq\x02h\x01h\x02" + "a0";
  EXPECT_THAT(dictRefusal(stateDict(pickledDict("a", cycle), kSixFloats)), HasSubstr("nested deeper than 4 levels"));
}

TEST(StateDictArchive, TensorsTakeNoMoreThanTheirStorage) {
  const auto with = [](const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& strides) {
    return dictRefusal(stateDict(pickledDict("a", pickledTensor(shape, strides)), kSixFloats));
  };
  EXPECT_THAT(with({700'000'000}, {0}), HasSubstr("more elements than its storage"));
  EXPECT_THAT(with({1 << 30, 1 << 30, 1 << 30}, {0, 0, 0}), HasSubstr("more elements than its storage"));
  EXPECT_THAT(with({2, 3}, {1, 3}), HasSubstr("beyond its storage"));
  EXPECT_THAT(with({-1}, {1}), HasSubstr("impossible shape"));
  EXPECT_EQ(with({0, 1 << 30}, {1, 1}), "");
  EXPECT_EQ(with({6}, {0}), "") << "no larger than what is stored";
}

TEST(StateDictArchive, CopiesOfOneStorageAreLimited) {
  std::string items;
  for (int i = 0; i < 100; ++i) items += test::pickledText("t" + std::to_string(i)) + pickledTensor({2, 3}, {1, 2});
  EXPECT_THAT(dictRefusal(stateDict("}(" + items + "u.", kSixFloats)), HasSubstr("far larger than the file"));
}

TEST(StateDictArchive, DeflatedRecordsAreReadToTheirSize) {
  std::string packed(200, '\0');
  z_stream stream{};
  ASSERT_EQ(::deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
  stream.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(kSixFloats.data()));
  stream.avail_in = static_cast<unsigned>(kSixFloats.size());
  stream.next_out = reinterpret_cast<unsigned char*>(packed.data());
  stream.avail_out = static_cast<unsigned>(packed.size());
  ASSERT_EQ(::deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  ::deflateEnd(&stream);
  const auto unpacked = [&](std::uint32_t size) {
    const std::string file = zipOf({{"x/data", packed, size, 8}});
    const Result<ZipArchive> archive = ZipArchive::open(test::bytesInMemory(file));
    if (!archive.ok()) return archive.error().message;
    const Result<std::string> text = archive->text(*archive->find("x/data"), 1 << 20);
    return text.ok() ? *text : text.error().message;
  };
  EXPECT_EQ(unpacked(24), kSixFloats);
  EXPECT_THAT(unpacked(23), HasSubstr("does not unpack to its size"));
  EXPECT_THAT(unpacked(25), HasSubstr("does not unpack to its size"));
  EXPECT_THAT(unpacked(4'000'000'000), HasSubstr("claims to unpack to more than it can"));
}

TEST(StateDictArchive, ASoundDirectoryIsNeeded) {
  EXPECT_THAT(dictRefusal("PK\3\4 and no more"), HasSubstr("no zip directory"));
  const std::string file = zipOf({stored("a/x", "123"), stored("a/x", "456")});
  EXPECT_THAT(dictRefusal(file), HasSubstr("is there twice"));
  EXPECT_THAT(dictRefusal(zipOf({{"a/x", "123", 4, 0}})), HasSubstr("two sizes"));
  EXPECT_THAT(dictRefusal(zipOf({{"a/x", "123", 3, 99}})), HasSubstr("packed by method 99"));
  EXPECT_THAT(dictRefusal(zipOf({stored("a/x", "123")})), HasSubstr("no data.pkl"));
  std::string overlapping = zipOf({stored("a/x", "123"), stored("a/y", "456")});
  const std::size_t second = overlapping.rfind("a/y") - 4;  // where the directory has the place of the record
  overlapping.replace(second, 4, std::string(4, '\0'));
  EXPECT_THAT(dictRefusal(overlapping), HasSubstr("overlaps"));
}

TEST(StateDictArchive, MissingStoragesAndOtherTypesAreNamed) {
  EXPECT_THAT(dictRefusal(stateDict(pickledDict("a", pickledTensor({6}, {1}, "7")), kSixFloats)),
              HasSubstr("storage 7 is missing"));
  EXPECT_THAT(dictRefusal(stateDict(std::string("]."), kSixFloats)), HasSubstr("no dictionary of tensors"));
}

TEST(StateDictArchive, RandomDamageIsAnErrorOrTensorsInsideTheirStorages) {
  const std::string whole = stateDict(pickledDict("a", pickledTensor({2, 3}, {3, 1})), kSixFloats);
  std::mt19937 random(5);
  int refused = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string damaged = i % 3 ? whole : whole.substr(0, random() % whole.size());
    for (int hits = 0; hits < 2 && !damaged.empty(); ++hits)
      damaged[random() % damaged.size()] = static_cast<char>(random());
    const Result<StateDictArchive> dict = openStateDict(test::bytesInMemory(damaged));
    refused += !dict.ok();
    if (!dict.ok()) continue;
    for (const auto& [name, tensor] : dict->tensors)
      EXPECT_LE(tensor.storage_elements * 4, static_cast<std::int64_t>(whole.size()));
  }
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace lanelab
