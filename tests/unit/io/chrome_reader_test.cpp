// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/import/trace_import.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "profiler/io/chrome/chrome_writer.h"
#include "tests/support/sanitized.h"
#include "tests/support/written_trace.h"
#include "tests/unit/io/chrome_validator.h"
#include "tests/unit/io/small_world.h"

namespace lanelab {
namespace {

struct ReadTrace {
  std::shared_ptr<const Trace> trace;
  std::string error;
  std::map<std::string, std::int64_t> problems;
};

ReadTrace readTraceOf(const ReadImport& read) {
  if (!read.ok()) return {nullptr, read.error().message, {}};
  return {(*read)->trace, {}, (*read)->counts.problems};
}

ReadTrace parseChromeTrace(std::string_view json) { return readTraceOf(importBytes(json)); }
ReadTrace readChromeTrace(const std::string& path) { return readTraceOf(importTraceByEnvironment(path)); }

using Problems = std::map<std::string, std::int64_t>;

TEST(ChromeReader, OwnFilesComeBackEqual) {
  const TemporaryFolder folder;
  const Trace trace = twoLanePipeline();
  for (const char* name : {"t.json", "t.json.gz"}) {
    ASSERT_TRUE(writeChromeTrace(trace, folder.file(name)).ok());
    const ReadTrace read = readChromeTrace(folder.file(name));
    ASSERT_TRUE(read.trace) << read.error;
    EXPECT_EQ(told(*read.trace), told(trace));
    EXPECT_EQ(read.problems, Problems{});
    EXPECT_EQ(told(**readTrace(folder.file(name))), told(trace));
  }
}

TEST(ChromeReader, CpuTimesAndCountersComeBack) {
  const std::string text = toChromeJson(countedPipeline());
  EXPECT_EQ(whatIsWrong(text), "");
  EXPECT_NE(
      text.find(
          R"("args":{"lane":0,"stage":0,"micro_batch":0,"phase":"F","step":0,"issued_us":0.900,"device":"cpu:0","cpu_us":9.999}})"),
      std::string::npos);
  EXPECT_NE(text.find(R"({"ph":"C","name":"memory","pid":1,"tid":0,"ts":20.001,"args":{"bytes":1.5e+09}})"),
            std::string::npos);
  EXPECT_NE(text.find(R"({"ph":"C","name":"loss","pid":0,"tid":0,"ts":100.000,"args":{"loss":2.302585}})"),
            std::string::npos)
      << "where the steps are";
  const ReadTrace read = parseChromeTrace(text);
  ASSERT_TRUE(read.trace) << read.error;
  EXPECT_EQ(told(*read.trace), told(countedPipeline()));
  EXPECT_EQ(read.problems, Problems{});
}

TEST(ChromeReader, CountersOfOtherProgramsKnowTheirLane) {
  const auto read = parseChromeTrace(
      R"([{"ph":"X","name":"work","pid":7,"tid":1,"ts":0,"dur":5},{"ph":"C","name":"heap","pid":7,"ts":1,"args":{"used":3}},)"
      R"({"ph":"C","name":"net","pid":9,"ts":1,"args":{"sent":4}}])");
  ASSERT_TRUE(read.trace) << read.error;
  ASSERT_EQ(read.trace->counters.size(), 2u);
  EXPECT_EQ(read.trace->counters[0].lane, 0);
  EXPECT_EQ(read.trace->counters[1].lane, -1) << "nothing else is known of that process";
}

TEST(ChromeReader, ATransferOfUnknownQueueingComesBackAsNotQueued) {
  SmallWorld world;
  world.transfer(world.track(world.lane("a", "cpu:0"), Track::Kind::Transfer, "transfers"), 0, Phase::Forward, 0, 70,
                 80);
  const ReadTrace read = parseChromeTrace(toChromeJson(world.trace));
  ASSERT_TRUE(read.trace);
  EXPECT_EQ(read.trace->tracks.at(0).spans[0].mark, 70);
}

TEST(ChromeReader, GzipIsKnownByContent) {
  const TemporaryFolder folder;
  ASSERT_TRUE(writeChromeTrace(twoLanePipeline(), folder.file("t.json.gz")).ok());
  writeContent(folder.file("no-ending"), contentOf(folder.file("t.json.gz")));
  const ReadTrace read = readChromeTrace(folder.file("no-ending"));
  ASSERT_TRUE(read.trace) << read.error;
  EXPECT_EQ(read.trace->spanCount(), twoLanePipeline().spanCount());
}

TEST(ChromeReader, TracesOfAnyShapeComeBackEqual) {
  std::mt19937_64 random(5);
  const auto upTo = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (int round = 0; round < 100; ++round) {
    SmallWorld world;
    world.trace.title = "round " + std::to_string(round);
    world.trace.origin = static_cast<Origin>(upTo(3));
    world.trace.epoch = static_cast<Nanoseconds>(random() >> 3U);
    world.trace.dropped = upTo(5);
    for (int i = 0; i < 3; ++i) {
      const auto lane = world.lane("lane \"" + std::to_string(i) + "\" 通道", "cpu:" + std::to_string(i));
      for (int kind = 0; kind < 6; ++kind)
        world.track(lane, static_cast<Track::Kind>(kind), "row\t" + std::to_string(kind));
    }
    const Nanoseconds base = static_cast<Nanoseconds>(random() >> 4U) - (Nanoseconds{1} << 59);
    for (int i = upTo(120); i > 0; --i) {
      const Nanoseconds start = base + upTo(2000);
      const EditedSpan made = world.span(static_cast<std::size_t>(upTo(18)), static_cast<Category>(upTo(16)),
                                         "n" + std::to_string(upTo(9)), start, start + upTo(300), upTo(4) - 1);
      auto change = made.operator->();
      Span& span = *change;
      span.stage = static_cast<std::int16_t>(upTo(5) - 1);
      span.micro_batch = static_cast<std::int16_t>(upTo(5) - 1);
      span.phase = static_cast<Phase>(upTo(6));
      if (upTo(2) == 0 || span.category == Category::Transfer) span.mark = start - upTo(500) - 1;
      if (span.category == Category::Step) {  // a step has no more than its number
        span.stage = span.micro_batch = -1;
        span.phase = Phase::None;
        span.mark = 0;
      }
    }
    for (Track& track : world.trace.tracks) track.spans.sort();
    const ReadTrace read = parseChromeTrace(toChromeJson(world.trace));
    ASSERT_TRUE(read.trace) << read.error;
    ASSERT_EQ(told(*read.trace), told(world.trace));
    ASSERT_EQ(read.problems, Problems{});
  }
}

const std::string kDialectEvents =
    R"({"ph":"M","pid":4,"name":"process_name","args":{"name":"left"}},)"
    R"({"ph":"X","cat":"lanelab","name":"0F0","pid":4,"tid":9,"ts":1.5,"dur":"2.25","args":{"lane":0,"stage":0,"micro_batch":0,"phase":"F","step":0,"issued_us":1}},)"
    R"({"ph":"X","cat":"block","name":"stem","pid":4,"tid":9,"ts":1.5,"dur":1},)"
    R"({"ph":"X","cat":"transfer","name":"c","pid":4,"tid":10,"ts":4,"dur":1e0,"args":{"from_stage":0,"micro_batch":0,"phase":"F","step":0,"queued_us":0.25}},)"
    R"({"ph":"X","cat":"lanelab","name":"1F0","pid":7,"tid":1,"ts":5.001,"dur":1,"args":{"stage":1,"micro_batch":0,"phase":"F","step":0,"device":"cuda:0"}},)"
    R"({"ph":"X","cat":"step","name":"step 0","pid":99,"tid":1,"ts":0,"dur":10,"args":{"step":0}})";

TEST(ChromeReader, ReadsTheDialectFromOtherHands) {
  const std::string expected = R"( origin 0 epoch 0 dropped 0
lane left on 
lane lane 1 on cuda:0
track thread 9 of lane 0 kind 0
  lanelab 0F0 1500-3750 mark 1000 step 0 stage 0 mb 0 F
track thread 9 of lane 0 kind 1
  block stem 1500-2500 mark 0 step -1 stage -1 mb -1 -
track thread 10 of lane 0 kind 2
  transfer c 4000-5000 mark 3750 step 0 stage 0 mb 0 F
track thread 1 of lane 1 kind 0
  lanelab 1F0 5001-6001 mark 0 step 0 stage 1 mb 0 F
track thread 1 of lane 0 kind 5
  step step 0 0-10000 mark 0 step 0 stage -1 mb -1 -
)";
  for (const std::string& text : {"{\"traceEvents\":[" + kDialectEvents + "]}", "[" + kDialectEvents + "]",
                                  "[" + kDialectEvents, "[" + kDialectEvents + ",\n",
                                  "\xEF\xBB\xBF [" + kDialectEvents + ",]", "{\"traceEvents\":[" + kDialectEvents + ",",
                                  "{\"other\":{\"a\":[1,\"}\"]},\"traceEvents\":[" + kDialectEvents + "]}"}) {
    const ReadTrace read = parseChromeTrace(text);
    ASSERT_TRUE(read.trace) << read.error;
    EXPECT_EQ(told(*read.trace), expected) << text;
    EXPECT_EQ(read.problems, Problems{});
  }
}

TEST(ChromeReader, TimesCountFromTheBaseWhereverItStands) {
  const ReadTrace read = parseChromeTrace(
      R"({"traceEvents":[{"ph":"X","name":"a","pid":0,"tid":0,"ts":0.001,"dur":0}],"baseTimeNanoseconds":1790000000123456789})");
  ASSERT_TRUE(read.trace);
  EXPECT_EQ(read.trace->range().start, 1'790'000'000'123'456'790);
}

TEST(ChromeReader, OneBadEventNeverCostsTheOthers) {
  const std::string good = R"({"ph":"X","name":"good","pid":0,"tid":0,"ts":1,"dur":1})";
  const std::pair<const char*, const char*> table[] = {
      {R"({"ph":"X","name":"a","pid":0,"tid":0,"ts":NaN,"dur":1})", "bad_number"},
      {R"({"ph":"X","name":"a","pid":0,"tid":0,"ts":1})", "bad_number"},
      {R"({"ph":"X","name":"a","pid":0,"tid":0,"ts":1,"dur":-1})", "bad_number"},
      {R"({"ph":"X","name":"a","pid":0,"tid":0,"ts":1e25,"dur":1})", "bad_number"},
      {R"({"ph":"B","name":"a","pid":0,"tid":0,"ts":1})", "unmatched_begin"},
      {R"({"ph":"E","name":"b","pid":0,"tid":0,"ts":1.5})", "unmatched_end"},
      {R"({"ph":"N","name":"a","pid":0,"tid":0,"ts":1})", "unsupported_phase"},
      {R"({"ph":"Q","name":"a","pid":0,"tid":0,"ts":1})", "unknown_phase"},
      {R"({"name":"no phase"})", "unknown_phase"},
      {R"({"ph":"X" "name":"a"})", "damaged_event"},
      {R"({"ph":})", "damaged_event"},
      {"{\"ph\":\"X\",\"name\":\"a\nb\",\"pid\":0,,}", "damaged_event"},
      {"null", "damaged_text"}};
  for (const auto& [bad, problem] : table) {
    const ReadTrace read = parseChromeTrace("[" + good + "," + bad + "," + good + "]");
    ASSERT_TRUE(read.trace) << bad << read.error;
    EXPECT_EQ(read.trace->spanCount(), 2u) << bad;
    EXPECT_EQ(read.problems, (Problems{{problem, 1}})) << bad;
  }
}

TEST(ChromeReader, RepairsBytesThatAreNoUtf8) {
  const ReadTrace read = parseChromeTrace("[{\"ph\":\"X\",\"name\":\"a\xFF\",\"pid\":0,\"tid\":0,\"ts\":1,\"dur\":1}]");
  ASSERT_TRUE(read.trace);
  EXPECT_EQ(read.trace->names.at(0), "a\xEF\xBF\xBD");
  EXPECT_EQ(read.problems, (Problems{{"invalid_utf8", 1}}));
}

TEST(ChromeReader, ProcessesAndThreadsMayBeTextsOrNegative) {
  const ReadTrace read = parseChromeTrace(
      R"([{"ph":"X","name":"a","pid":"Spans","tid":"","ts":1,"dur":1},{"ph":"X","name":"b","pid":-3,"tid":-9223372036854775808,"ts":1,"dur":1},{"ph":"X","name":"c","pid":"Spans","tid":"","ts":4,"dur":1}])");
  ASSERT_TRUE(read.trace);
  EXPECT_EQ(read.trace->lanes.size(), 2u);
  EXPECT_EQ(read.trace->tracks.size(), 2u);
}

TEST(ChromeReader, SaysWhatAFileIsThatIsNoTrace) {
  const TemporaryFolder folder;
  const std::pair<std::string, const char*> table[] = {{"", "is empty"},
                                                       {" \n\t", "is empty"},
                                                       {"hello", "holds no trace"},
                                                       {std::string("\x7f"
                                                                    "ELF\0\1\2",
                                                                    7),
                                                        "holds no trace"},
                                                       {"{\"a\":1}", "holds no trace"},
                                                       {"{\"traceEvents\":3}", "holds no trace"},
                                                       {"[{\"ph\":\"X\",\"na", "is cut or damaged"},
                                                       {"{\"traceEv", "is cut or damaged"},
                                                       {std::string("\x1f\x8b\x08\x00 damaged", 12), "damaged gzip"}};
  for (const auto& [content, words] : table) {
    writeContent(folder.file("t"), content);
    const ReadTrace read = readChromeTrace(folder.file("t"));
    EXPECT_FALSE(read.trace) << content;
    EXPECT_NE(read.error.find(words), std::string::npos) << content << " -> " << read.error;
    EXPECT_NE(read.error.find(folder.file("t")), std::string::npos) << read.error;
  }
  EXPECT_NE(readChromeTrace(folder.file("missing")).error.find("no such file"), std::string::npos);
  EXPECT_NE(readChromeTrace(folder.path()).error, "");
  EXPECT_FALSE(readTrace(folder.file("missing")).ok());
}

TEST(ChromeReader, AnEmptyListOfEventsIsATrace) {
  for (const char* text : {"[]", "[{}]", "{\"traceEvents\":[]}"}) {
    const ReadTrace read = parseChromeTrace(text);
    ASSERT_TRUE(read.trace) << text;
    EXPECT_EQ(read.trace->spanCount(), 0u);
  }
}

TEST(ChromeReader, AFileCutAnywhereGivesItsWholeEventsOrAnError) {
  const std::string text = toChromeJson(twoLanePipeline());
  const std::size_t all = twoLanePipeline().spanCount();
  std::size_t most = 0;
  for (std::size_t length = 0; length < text.size(); ++length) {
    const ReadTrace read = parseChromeTrace(std::string_view(text).substr(0, length));
    ASSERT_NE(read.trace == nullptr, read.error.empty()) << length;
    if (read.trace) {
      ASSERT_GE(read.trace->spanCount(), most) << length;
      most = read.trace->spanCount();
    }
  }
  EXPECT_EQ(most, all);
}

TEST(ChromeReader, ACutGzipGivesWhatCouldBeUnzipped) {
  const TemporaryFolder folder;
  SmallWorld world;
  const auto track = world.track(world.lane("a", "cpu:0"), Track::Kind::Compute, "compute");
  for (int i = 0; i < 20'000; ++i)
    world.action(track, 0, Phase::Forward, i % 100, i * 1000, i * 1000 + (i * 7919) % 997);
  ASSERT_TRUE(writeChromeTrace(world.trace, folder.file("t.gz")).ok());
  const std::string whole = contentOf(folder.file("t.gz"));
  writeContent(folder.file("cut.gz"), whole.substr(0, whole.size() / 2));
  const ReadTrace read = readChromeTrace(folder.file("cut.gz"));
  ASSERT_TRUE(read.trace) << read.error;
  EXPECT_GT(read.trace->spanCount(), 1000u);
  EXPECT_LT(read.trace->spanCount(), 20'000u);
  EXPECT_EQ(read.problems.at("damaged_gzip"), 1);
}

TEST(ChromeReader, DamagedBytesNeverCrashIt) {
  const std::string text = toChromeJson(twoLanePipeline());
  std::mt19937 random(11);
  for (int round = 0; round < test::casesOf(2000, 2); ++round) {
    std::string damaged = text;
    for (int i = 0; i < 8; ++i) damaged[random() % damaged.size()] = static_cast<char>(random());
    const ReadTrace read = parseChromeTrace(damaged);
    ASSERT_NE(read.trace == nullptr, read.error.empty());
    if (read.trace) toChromeJson(*read.trace);
  }
}

TEST(ChromeReader, DeepNestingIsOneDamagedEvent) {
  const ReadTrace read = parseChromeTrace("[{\"args\":" + std::string(100'000, '[') + std::string(100'000, ']') +
                                          "},{\"ph\":\"X\",\"name\":\"a\",\"pid\":0,\"tid\":0,\"ts\":1,\"dur\":1}]");
  ASSERT_TRUE(read.trace);
  EXPECT_EQ(read.trace->spanCount(), 1u);
}

}  // namespace
}  // namespace lanelab
