// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/chrome/chrome_writer.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>

#include "profiler/io/import/trace_import.h"
#include "profiler/io/written/trace_rows.h"
#include "tests/support/written_trace.h"
#include "tests/unit/io/chrome_validator.h"
#include "tests/unit/io/small_world.h"

namespace lanelab {
namespace {

const std::string kGoldenFile = LANELAB_SOURCE_DIR "/tests/data/traces/two_lane_pipeline.json";

/// The line that holds `part`.
std::string lineWith(const std::string& text, const std::string& part) {
  const std::size_t at = text.find(part);
  if (at == std::string::npos) return "no line with " + part;
  const std::size_t begin = text.rfind('\n', at) + 1;
  const std::size_t end = text.find('\n', at);
  std::string line = text.substr(begin, end - begin);
  if (line.ends_with(',')) line.pop_back();
  return line;
}

TEST(ChromeWriter, WritesTheGoldenFile) { EXPECT_EQ(toChromeJson(twoLanePipeline()), contentOf(kGoldenFile)); }

TEST(ChromeWriter, SaysWhatDoesNotCount) {
  for (const Extent extent : {Extent::Whole, Extent::Unfinished, Extent::WarmUp}) {
    Trace trace = twoLanePipeline();
    trace.extent = extent;
    const std::string text = toChromeJson(trace);
    EXPECT_EQ(text.find("\"extent\"") != std::string::npos, extent != Extent::Whole);
    EXPECT_EQ((*importBytes(text))->trace->extent, extent);
  }
}

TEST(ChromeWriter, ActionsTransfersAndStepsAreThoseOfTheDialect) {
  const std::string text = toChromeJson(twoLanePipeline());
  EXPECT_EQ(
      lineWith(text, R"("0F0")"),
      R"({"ph":"X","name":"0F0","pid":0,"tid":2,"cat":"lanelab","ts":1.000,"dur":10.000,"args":{"lane":0,"stage":0,"micro_batch":0,"phase":"F","step":0,"issued_us":0.900,"device":"cpu:0"}})");
  EXPECT_EQ(
      lineWith(text, R"("cat":"transfer")"),
      R"({"ph":"X","name":"copy","pid":0,"tid":3,"cat":"transfer","ts":11.000,"dur":1.000,"args":{"from_stage":0,"micro_batch":0,"phase":"F","step":0,"queued_us":0.010}})");
  EXPECT_EQ(
      lineWith(text, R"("name":"step 0")"),
      R"({"ph":"X","name":"step 0","pid":0,"tid":1,"cat":"step","ts":0.000,"dur":100.000,"args":{"step":0,"mark_us":-40.000}})");
  EXPECT_EQ(
      lineWith(text, R"("next batch")"),
      R"({"ph":"X","name":"next batch","pid":1,"tid":3,"cat":"data","ts":56.000,"dur":1.000,"args":{"lane":1,"step":0}})");
  EXPECT_NE(text.find(R"("baseTimeNanoseconds":5000000000001,)"), std::string::npos);
}

TEST(ChromeWriter, BlocksLieOnTheRowOfTheirAction) {
  const std::string text = toChromeJson(twoLanePipeline());
  EXPECT_NE(lineWith(text, R"("stem")").find(R"("pid":0,"tid":2,)"), std::string::npos);
  EXPECT_EQ(text.find(R"("args":{"name":"blocks"})"), std::string::npos) << "no row of their own is left";
}

TEST(ChromeWriter, ABlockThatLeavesItsActionGetsARowOfItsOwn) {
  Trace trace = twoLanePipeline();
  EditedSpan(trace, 2, 1)->end += 1;
  const std::string text = toChromeJson(trace);
  EXPECT_EQ(whatIsWrong(text), "");
  EXPECT_NE(text.find(R"("args":{"name":"blocks"})"), std::string::npos);
}

TEST(ChromeWriter, OperatorsLieInTheirBlocksWhateverTrackRecordedThem) {
  SmallWorld world;
  world.trace = twoLanePipeline();
  const auto operators = world.track(0, Track::Kind::Host, "operators");
  const Nanoseconds base = world.trace.range().start;
  world.span(operators, Category::CpuOp, "aten::conv2d", base + 1'500, base + 3'000);
  world.span(operators, Category::CpuOp, "aten::empty", base + 1'600, base + 1'700);
  const std::string text = toChromeJson(world.trace);
  EXPECT_NE(lineWith(text, "aten::empty").find(R"("pid":0,"tid":2,)"), std::string::npos);
  EXPECT_EQ(whatIsWrong(text), "");
}

TEST(ChromeWriter, ArrowsLeadFromATransferToTheActionThatWaited) {
  const std::string text = toChromeJson(twoLanePipeline());
  EXPECT_EQ(lineWith(text, R"("ph":"s")"),
            R"({"ph":"s","name":"transfer","pid":0,"tid":3,"cat":"flow","ts":11.999,"id":1,"bp":"e"})");
  EXPECT_EQ(lineWith(text, R"("ph":"f")"),
            R"({"ph":"f","name":"transfer","pid":1,"tid":1,"cat":"flow","ts":12.250,"id":1,"bp":"e"})");
  EXPECT_EQ(lineWith(text, R"("tid":1,"cat":"flow","ts":59)").substr(0, 7), "no line")
      << "the backward result comes from lane 1's transfer row";
  EXPECT_EQ(lineWith(text, R"("ts":60.000,"id":2)"),
            R"({"ph":"f","name":"transfer","pid":0,"tid":2,"cat":"flow","ts":60.000,"id":2,"bp":"e"})");
}

TEST(ChromeWriter, SplitBackwardAndStepsKeepTheirArrowsApart) {
  SmallWorld world;
  const auto lane = world.lane("a", "cpu:0");
  const auto compute = world.track(lane, Track::Kind::Compute, "compute");
  const auto copies = world.track(lane, Track::Kind::Transfer, "transfers");
  for (int step = 0; step < 2; ++step) {
    world.transfer(copies, 1, Phase::BackwardInput, 0, step * 100 + 10, step * 100 + 20, step);
    world.action(compute, 0, Phase::BackwardWeight, 0, step * 100 + 20, step * 100 + 25, step);
    world.action(compute, 0, Phase::BackwardInput, 0, step * 100 + 30, step * 100 + 40, step);
  }
  world.transfer(copies, 0, Phase::Forward, 0, 300, 310, 1);
  const auto file = nlohmann::json::parse(toChromeJson(world.trace));
  std::vector<double> arrivals;
  for (const auto& event : file["traceEvents"])
    if (event["ph"] == "f") arrivals.push_back(event["ts"]);
  EXPECT_EQ(arrivals, (std::vector<double>{0.020, 0.120}));
}

TEST(ChromeWriter, OverlapsGoToAFurtherRowThatKeepsTheName) {
  SmallWorld world;
  const auto lane = world.lane("a", "cpu:0");
  const auto copies = world.track(lane, Track::Kind::Transfer, "transfers");
  world.transfer(copies, 0, Phase::Forward, 0, 0, 10);
  world.transfer(copies, 0, Phase::Forward, 1, 5, 15);
  world.transfer(copies, 0, Phase::Forward, 2, 10, 20);
  const auto rows = layOutRows(world.trace);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].name, "transfers");
  EXPECT_EQ(rows[1].name, "transfers (2)");
  EXPECT_EQ(rows[0].spans.size(), 2u);
  EXPECT_EQ(whatIsWrong(toChromeJson(world.trace)), "");
}

TEST(ChromeWriter, NamesMayHoldAnything) {
  SmallWorld world;
  const auto lane = world.lane("\"lane\"\n\x01\xFF", "cpu:0\\");
  world.span(world.track(lane, Track::Kind::Host, "</script>\xC3"), Category::Host, std::string("\0x", 2), 0, 1);
  world.trace.title = "\xED\xA0\x80";
  const std::string text = toChromeJson(world.trace);
  EXPECT_EQ(whatIsWrong(text), "");
}

TEST(ChromeWriter, AnEmptyTraceIsAFileWithoutSpans) {
  EXPECT_EQ(whatIsWrong(toChromeJson(Trace{})), "");
  SmallWorld world;
  world.lane("a", "cpu:0");
  EXPECT_EQ(whatIsWrong(toChromeJson(world.trace)), "");
}

TEST(ChromeWriter, RandomTracesAlwaysNest) {
  std::mt19937 random(99);
  const auto upTo = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (int round = 0; round < 150; ++round) {
    SmallWorld world;
    for (int i = 0; i < 2; ++i) {
      const auto lane = world.lane("lane", "cpu");
      world.track(lane, Track::Kind::Compute, "compute");
      world.track(lane, Track::Kind::Detail, "blocks");
      world.track(lane, Track::Kind::Transfer, "transfers");
    }
    for (int i = upTo(60); i > 0; --i) {
      const Nanoseconds start = upTo(200);
      const Nanoseconds end = start + upTo(50);
      const auto track = static_cast<std::size_t>(upTo(6));
      if (track % 3 == 0)
        world.action(track, upTo(2), upTo(2) == 0 ? Phase::Forward : Phase::Backward, upTo(3), start, end);
      if (track % 3 == 1) world.span(track, Category::Block, "b", start, end);
      if (track % 3 == 2)
        world.transfer(track, upTo(2), upTo(2) == 0 ? Phase::Forward : Phase::Backward, upTo(3), start, end);
    }
    std::size_t placed = 0;
    for (const TraceRow& row : layOutRows(world.trace)) placed += row.spans.size();
    ASSERT_EQ(placed, world.trace.spanCount());
    ASSERT_EQ(whatIsWrong(toChromeJson(world.trace)), "") << "round " << round;
  }
}

TEST(ChromeWriter, TheNameSaysWhetherTheFileIsGzipped) {
  const TemporaryFolder folder;
  const Trace trace = twoLanePipeline();
  ASSERT_TRUE(writeChromeTrace(trace, folder.file("t.json")).ok());
  ASSERT_TRUE(writeChromeTrace(trace, folder.file("t.json.gz")).ok());
  const std::string golden = contentOf(kGoldenFile);
  EXPECT_EQ(contentOf(folder.file("t.json")), golden);
  EXPECT_EQ(contentOf(folder.file("t.json.gz")).substr(0, 2), "\x1f\x8b");

  std::string unzipped(golden.size() + 1, '\0');
  const gzFile file = gzopen(folder.file("t.json.gz").c_str(), "rb");
  unzipped.resize(static_cast<std::size_t>(gzread(file, unzipped.data(), static_cast<unsigned>(unzipped.size()))));
  gzclose(file);
  EXPECT_EQ(unzipped, golden);
}

TEST(ChromeWriter, AFailureIsASentenceAndLeavesNothingBehind) {
  const TemporaryFolder folder;
  const std::string nowhere = folder.file("no/such/folder/t.json");
  EXPECT_NE(writeChromeTrace(Trace{}, nowhere).error().message.find(nowhere), std::string::npos);
  EXPECT_NE(writeChromeTrace(Trace{}, nowhere + ".gz").error().message.find("its folder does not exist"),
            std::string::npos);

  std::filesystem::create_directory(folder.file("taken"));
  writeContent(folder.file("taken/file"), "x");
  EXPECT_FALSE(writeChromeTrace(Trace{}, folder.file("taken")).ok());
  std::size_t entries = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) entries += entry.exists() ? 1 : 0;
  EXPECT_EQ(entries, 1u);
}

TEST(ChromeWriter, ReplacesAnOlderFile) {
  const TemporaryFolder folder;
  writeContent(folder.file("t.json"), std::string(100'000, 'x'));
  ASSERT_TRUE(writeChromeTrace(twoLanePipeline(), folder.file("t.json")).ok());
  EXPECT_EQ(contentOf(folder.file("t.json")), contentOf(kGoldenFile));
}

#ifdef LANELAB_PYTHON
TEST(ChromeWriter, PythonReadsTheFile) {
  const TemporaryFolder folder;
  ASSERT_TRUE(writeChromeTrace(twoLanePipeline(), folder.file("t.json.gz")).ok());
  writeContent(folder.file("check.py"),
               "import gzip, json, sys\n"
               "from decimal import Decimal\n"
               "trace = json.loads(gzip.open(sys.argv[1]).read().decode('utf-8'), parse_float=Decimal)\n"
               "spans = [e for e in trace['traceEvents'] if e['ph'] == 'X']\n"
               "actions = [e for e in spans if e['cat'] == 'lanelab']\n"
               "assert len(spans) == 12, len(spans)\n"
               "assert [a['name'] for a in actions if a['pid'] == 0] == ['0F0', '0F1', '0B0', '0U']\n"
               "assert actions[1]['dur'] == Decimal('9.507'), actions[1]\n"
               "assert all(a['args']['lane'] == a['pid'] for a in actions)\n");
  const std::string command =
      std::string(LANELAB_PYTHON) + " " + folder.file("check.py") + " " + folder.file("t.json.gz");
  EXPECT_EQ(std::system(command.c_str()), 0);
}
#endif

}  // namespace
}  // namespace lanelab
