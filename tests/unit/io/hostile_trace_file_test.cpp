// SPDX-License-Identifier: GPL-3.0-only
// Trace files that claim more than they hold. What a test here shows is that reading them ends, in little memory:
// ctest's time limit is the measure.
#include <gtest/gtest.h>

#include <bit>
#include <cstring>

#include "profiler/io/lltrace/trace_file.h"
#include "profiler/io/lltrace/trace_file_bytes.h"
#include "tests/unit/io/small_world.h"

namespace lanelab {
namespace {

using Problems = std::map<std::string, std::int64_t>;

std::string record(char kind, const std::string& payload) {
  uLongf size = compressBound(payload.size());
  std::string packed(size, '\0');
  compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(payload.data()),
           payload.size());
  packed.resize(size);
  const RecordHead head = headOf(kind, payload.size(), packed);
  return std::string(reinterpret_cast<const char*>(&head), sizeof head) + packed;
}

std::string numbers(const std::vector<std::uint64_t>& values) {
  std::string bytes;
  for (const std::uint64_t value : values) appendVarint(bytes, value);
  return bytes;
}

std::string fileOf(const std::string& records) { return std::string(trace_file_magic) + records; }

Problems problemsOf(const std::string& records) {
  const ReadImport read = parseTraceFile(fileOf(records), "it");
  EXPECT_TRUE(read.imported) << read.error;
  return read.imported ? read.imported->counts.problems : Problems();
}

TEST(HostileTraceFile, NoRecordIsOfATrackOrCounterThatCannotBe) {
  const std::string unnamed = numbers({0, 0, 0});
  for (const std::string& bad : {record('T', numbers({900'000, 0, 0}) + unnamed), record('S', numbers({900'000, 0, 0})),
                                 record('C', numbers({900'000}) + unnamed + unnamed)}) {
    const ReadImport read = parseTraceFile(fileOf(bad), "it");
    ASSERT_TRUE(read.imported) << read.error;
    EXPECT_LT(read.imported->trace->tracks.size() + read.imported->trace->counters.size(), 10u);
    EXPECT_EQ(read.imported->counts.problems.at("damaged_record"), 1);
  }
}

TEST(HostileTraceFile, ManyHolesAmongNamesTakeNoTime) {
  std::string records;
  for (int i = 0; i < 4000; ++i) records += record('N', numbers({i % 2 == 0 ? 3'900'000U : 0U, 0}));
  EXPECT_GT(problemsOf(records).at("damaged_record"), 1900);
}

TEST(HostileTraceFile, ACounterInManyRecordsTakesNoTime) {
  std::string records;
  const int count = 10'000;
  for (int i = 0; i < count; ++i) {
    std::string payload = numbers({0, 1});
    appendText(payload, "c");
    appendText(payload, "s");
    const auto time = static_cast<std::uint64_t>(i);
    records += record('C', payload + numbers({0, time, 1, time, std::bit_cast<std::uint64_t>(1.5)}));
  }
  const ReadImport read = parseTraceFile(fileOf(records + record('E', numbers({0}))), "it");
  ASSERT_TRUE(read.imported) << read.error;
  EXPECT_EQ(read.imported->counts.problems, Problems{});
  EXPECT_EQ(read.imported->trace->counters[0].times.size(), static_cast<std::size_t>(count));
  EXPECT_EQ(read.imported->trace->counters[0].times.back(), count - 1);
}

TEST(HostileTraceFile, HeadsThatClaimTheRestOfTheFileTakeNoTime) {
  const std::size_t heads = 100'000;
  std::string records;
  for (std::size_t i = 0; i < heads; ++i) {
    const RecordHead head{record_mark, 'S', 1000, static_cast<std::uint32_t>((heads - i - 1) * sizeof(RecordHead)), 1};
    records.append(reinterpret_cast<const char*>(&head), sizeof head);
  }
  const std::string good = fileOf(record('E', numbers({0})) + records);
  const ReadImport read = parseTraceFile(good, "it");
  ASSERT_TRUE(read.imported) << read.error;
  EXPECT_EQ(read.imported->counts.problems, (Problems{{"damaged_record", 1}}));
}

TEST(HostileTraceFile, ARecordUnpacksToNoMoreThanItCan) {
  std::string records;
  for (int i = 0; i < 20'000; ++i) {
    RecordHead head = headOf('S', 200'000'000, "tiny");
    head.crc = crcOf(head, "tiny");
    records += std::string(reinterpret_cast<const char*>(&head), sizeof head) + "tiny";
  }
  const ReadImport read = parseTraceFile(fileOf(records), "it");
  EXPECT_FALSE(read.imported);
  EXPECT_NE(read.error.find("holds no whole record"), std::string::npos);
}

TEST(HostileTraceFile, WhatItUnpacksToCountsAgainstTheLimit) {
  const std::string bytes = fileOf(record('H', std::string(1'000'000, '\0')));
  ImportLimits limits;
  limits.unpacked_bytes = 500'000;
  const ReadImport read = readTraceFile(*memorySource(bytes), "it", limits);
  EXPECT_FALSE(read.imported);
  EXPECT_NE(read.error.find("it unpacks to more than 500000 bytes"), std::string::npos) << read.error;
}

TEST(HostileTraceFile, HasNoMoreLanesThanItsLimit) {
  const std::string header = numbers({0, 0, 0, 0, 200'000}) + std::string(400'000, '\0');
  EXPECT_EQ(problemsOf(record('H', header)).at("damaged_record"), 1);
}

TEST(HostileTraceFile, SpansEndAfterTheyStartAndTimesAreInReach) {
  const auto spans = [](std::uint64_t start, std::uint64_t length) {
    return record('S', numbers({0, 0, 1, zigzag(start), zigzag(length), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  };
  EXPECT_FALSE(problemsOf(spans(5, 7)).contains("damaged_record"));
  EXPECT_EQ(problemsOf(spans(5, static_cast<std::uint64_t>(-7))).at("damaged_record"), 1);
  EXPECT_EQ(problemsOf(spans(std::uint64_t{1} << 62, 7)).at("damaged_record"), 1);
}

TEST(HostileTraceFile, CountersAndTracksBelongToLanesAndLabelsThatAreThere) {
  std::string counter = numbers({0, zigzag(70'000)});
  appendText(counter, "c");
  appendText(counter, "s");
  std::string track = numbers({0, zigzag(70'000), 0});
  appendText(track, "t");
  const ReadImport read =
      parseTraceFile(fileOf(record('T', track) + record('C', counter + numbers({77, 0, 1, 4, 0}))), "it");
  ASSERT_TRUE(read.imported) << read.error;
  EXPECT_EQ(read.imported->trace->tracks[0].lane, -1);
  EXPECT_EQ(read.imported->trace->counters[0].lane, -1);
  EXPECT_EQ(read.imported->trace->counters[0].label, 0);
}

}  // namespace
}  // namespace lanelab
