// SPDX-License-Identifier: GPL-3.0-only
#include <gtest/gtest.h>

#include "profiler/io/import/other_format.h"
#include "profiler/io/import/trace_import.h"
#include "tests/unit/io/packet_texts.h"
#include "tests/unit/io/traced_gpus.h"

namespace lanelab {
namespace {

std::int64_t lostIn(const std::string& json) { return lostForGaps(importedFrom(json)->counts); }

const std::string kKernel = R"({"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1,"dur":2})";

TEST(FalseAlarms, NothingIsLostThatGapsNeed) {
  for (const std::string& text :
       {"[" + kKernel + ",{}]", "[ {}\n," + kKernel + "]", "{\"traceEvents\":[" + kKernel + ",{ } ,]}",
        "{\"traceEvents\":[" + kKernel + "],}", "{\"traceEvents\":[" + kKernel + "] , } \n",
        "{\"traceEvents\":[" + kKernel + "],", "[" + kKernel + R"(,{"ph":"C","name":"c","ts":1,"args":{"v":NaN}}])",
        "[" + kKernel + R"(,{"ph":"C","name":"c","ts":"never","args":{"v":1}}])",
        "[" + kKernel +
            R"(,{"ph":"c","name":"s","ts":1},{"ph":"N","id":1,"ts":1},{"ph":"P","ts":1},{"ph":"(","ts":1}])",
        "[" + kKernel + ",{\"ph\":\"X\",\"name\":\"a\n\xFF\\q\",\"pid\":0,\"tid\":1,\"ts\":1,\"dur\":2}]"})
    EXPECT_EQ(lostIn(text), 0) << text;
}

TEST(FalseAlarms, WhatIsLostIsTold) {
  EXPECT_EQ(lostIn("[" + kKernel + R"(,{"ph":"X","name":"a","ts":NaN,"dur":1}])"), 1);
  EXPECT_EQ(lostIn("[" + kKernel + R"(,{"ph":"?","name":"a","ts":1}])"), 1);
  EXPECT_EQ(lostIn("[" + kKernel + R"(,{"ph":"B","name":"a","ts":1}])"), 1);
  EXPECT_EQ(lostIn("{\"traceEvents\":[" + kKernel + "]]}"), 1);
}

TEST(OtherFormat, ArchivesAndProfilesOfOthersAreNamed) {
  std::string tar(1024, '\0');
  tar.replace(0, 10, "trace.json");
  tar.replace(257, 5, "ustar");
  const auto plane = [](const std::string& name) {
    return packet([&](ProtobufText& p) {
      p.varint(1, 3);
      p.bytes(2, name);
      p.bytes(3, message([](ProtobufText& line) { line.varint(1, 7); }));
    });
  };
  const std::pair<std::string, const char*> table[] = {{tar, "archive (tar)"},
                                                       {"PK\x03\x04 and so on", "archive (zip)"},
                                                       {"\x28\xB5\x2F\xFD data", "zstd -d"},
                                                       {"BZh91AY", "bzip2 -d"},
                                                       {plane("/host:CPU"), "XSpace"},
                                                       {plane("/device:GPU:0") + plane("/host:CPU"), "XSpace"}};
  for (const auto& [head, words] : table) {
    const ReadImport read = importBytes(head, "file");
    ASSERT_FALSE(read.ok()) << words;
    EXPECT_NE(read.error().message.find(words), std::string::npos) << read.error().message;
  }
  EXPECT_EQ(otherFormat("[" + kKernel), std::nullopt);
  EXPECT_EQ(otherFormat(plane("steps")), std::nullopt);
}

TEST(OtherFormat, AMessageWithoutAnyPacketOfATraceIsNone) {
  const std::string other = packet([](ProtobufText& p) {
    p.varint(1, 5);
    p.varint(3, 9);
  });
  EXPECT_FALSE(importBytes(other + other + other, "file").ok());
}

}  // namespace
}  // namespace lanelab
