#include "profiler/io/perfetto_writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <sstream>

#include "profiler/io/chrome_writer.h"
#include "profiler/io/import_folder.h"
#include "profiler/io/protobuf_text.h"
#include "profiler/io/span_csv.h"
#include "profiler/io/trace_import.h"
#include "tests/unit/io/import_told.h"
#include "tests/unit/io/perfetto_decoder.h"
#include "tests/unit/io/small_world.h"

namespace lanelab {
namespace {

std::shared_ptr<const ImportedTrace> ownPipeline() { return importJson(toChromeJson(twoLanePipeline())).imported; }
std::shared_ptr<const ImportedTrace> fileNamed(const std::string& name) {
  return importTrace(LANELAB_SOURCE_DIR "/tests/data/traces/" + name).imported;
}

/// "category name start end", sorted.
std::vector<std::string> slicesOf(const PerfettoTrace& trace) {
  std::vector<std::string> told;
  for (const PerfettoSlice& slice : trace.slices)
    told.push_back(slice.category + " " + slice.name + " " + std::to_string(slice.start) + " " + std::to_string(slice.end));
  std::sort(told.begin(), told.end());
  return told;
}
std::vector<std::string> spansOf(const Trace& trace) {
  std::vector<std::string> told;
  for (const Track& track : trace.tracks)
    for (const Span& span : track.spans)
      told.push_back(std::string(trace.categoryNameOf(span)) + " " + trace.nameOf(span) + " " + std::to_string(span.start) + " " +
                     std::to_string(span.end));
  std::sort(told.begin(), told.end());
  return told;
}

TEST(PerfettoWriter, TellsOurOwnLanes) {
  const auto own = ownPipeline();
  const PerfettoTrace trace = decodePerfetto(toPerfetto(*own));
  ASSERT_EQ(trace.fault, "");
  EXPECT_EQ(slicesOf(trace), spansOf(*own->trace));
  const auto found = std::find_if(trace.slices.begin(), trace.slices.end(), [](const PerfettoSlice& slice) { return slice.name == "1B0"; });
  ASSERT_NE(found, trace.slices.end());
  EXPECT_EQ(found->process, "right");
  EXPECT_EQ(found->track, "compute");
  EXPECT_EQ(found->annotations, (std::map<std::string, std::string>{{"stage", "1"}, {"micro_batch", "0"}, {"phase", "B"}, {"step", "0"}}));
  ASSERT_EQ(trace.arrows.size(), 2u);
  EXPECT_EQ(trace.arrows[0].from + ">" + trace.arrows[0].to, "copy>1F0");
  EXPECT_EQ(trace.arrows[1].from + ">" + trace.arrows[1].to, "copy>0B0");
}

TEST(PerfettoWriter, NestsBlocksInTheirAction) {
  const PerfettoTrace trace = decodePerfetto(toPerfetto(*ownPipeline()));
  for (const PerfettoSlice& slice : trace.slices) EXPECT_EQ(slice.depth, slice.category == "block" ? 1 : 0) << slice.name;
}

TEST(PerfettoWriter, TellsOtherProgramsTraces) {
  const auto kineto = fileNamed("kineto.json");
  const PerfettoTrace trace = decodePerfetto(toPerfetto(*kineto));
  ASSERT_EQ(trace.fault, "");
  EXPECT_EQ(slicesOf(trace), spansOf(*kineto->trace));
  ASSERT_EQ(trace.arrows.size(), 1u);
  EXPECT_EQ(trace.arrows[0].from + ">" + trace.arrows[0].to, "cudaLaunchKernel>void cutlass::Kernel<\"conv\">");
  EXPECT_EQ(trace.instants.size(), 3u);
  EXPECT_EQ(trace.instants[0], "[memory] at 1790000000124516914 on thread 4711 (python)");
}

TEST(PerfettoWriter, TellsCounters) {
  const PerfettoTrace trace = decodePerfetto(toPerfetto(*fileNamed("perfetto.json")));
  ASSERT_EQ(trace.fault, "");
  EXPECT_EQ(trace.counters, (std::vector<std::string>{"heap used 500000=1024.500000", "heap used 600000=2048.000000", "heap free 500000=512.000000",
                                                      "heap free 600000=256.000000"}));
}

TEST(PerfettoWriter, ShiftsTimesBeforeZero) {
  const auto imported = importJson(R"([{"ph":"X","name":"a","pid":0,"tid":0,"ts":-5,"dur":2},{"ph":"X","name":"b","pid":0,"tid":0,"ts":1,"dur":2}])");
  const PerfettoTrace trace = decodePerfetto(toPerfetto(*imported.imported));
  ASSERT_EQ(trace.fault, "");
  EXPECT_EQ(slicesOf(trace), (std::vector<std::string>{" a 0 2000", " b 6000 8000"}));
}

TEST(PerfettoWriter, HoldsItsRulesForSpansOfAnyShape) {
  std::mt19937 random(3);
  const auto upTo = [&](unsigned n) { return static_cast<int>(random() % n); };
  for (int round = 0; round < 100; ++round) {
    std::string json = "[";
    for (int i = 0; i < 60; ++i) {
      json += R"({"ph":"X","cat":"c","name":"n)" + std::to_string(i) + R"(","pid":)" + std::to_string(upTo(2)) + R"(,"tid":)" +
              std::to_string(upTo(3)) + R"(,"ts":)" + std::to_string(upTo(50)) + R"(,"dur":)" + std::to_string(upTo(20)) + "},";
      json += R"({"ph":")" + std::string(1, "sf"[upTo(2)]) + R"(","id":)" + std::to_string(upTo(20)) + R"(,"pid":0,"tid":)" +
              std::to_string(upTo(3)) + R"(,"ts":)" + std::to_string(upTo(60)) + "},";
    }
    const auto imported = importJson(json).imported;
    ASSERT_TRUE(imported);
    const PerfettoTrace trace = decodePerfetto(toPerfetto(*imported));
    ASSERT_EQ(trace.fault, "") << json;
    ASSERT_EQ(slicesOf(trace), spansOf(*imported->trace)) << json;
  }
}

/// All that a span says, with the name of its row.
std::vector<std::string> toldSpans(const ImportedTrace& imported) {
  std::vector<std::string> lines;
  for (std::size_t track = 0; track < imported.trace->tracks.size(); ++track) {
    const ImportedRow& row = imported.rows[track];
    for (std::size_t i = 0; i < imported.trace->tracks[track].spans.size(); ++i) {
      const Span span = imported.trace->tracks[track].spans[i];
      std::ostringstream line;
      line << imported.trace->categoryNameOf(span) << ' ' << imported.trace->nameOf(span) << ' ' << span.start << '-' << span.end << " mark " << span.mark
           << " step " << span.step << " stage " << span.stage << " mb " << span.micro_batch << ' ' << letterOf(span.phase) << " correlation "
           << (i < row.correlations.size() ? row.correlations[i] : -1) << " gpu " << row.device << " stream " << row.stream;
      lines.push_back(line.str());
    }
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

ReadImport readBack(const ImportedTrace& imported, const std::string& name) {
  const TemporaryFolder folder;
  EXPECT_EQ(writePerfettoTrace(imported, folder.file(name)), "");
  return importTrace(folder.file(name));
}

TEST(PerfettoImport, GivesBackWhatWasWritten) {
  for (const auto& imported : {ownPipeline(), fileNamed("kineto.json"), fileNamed("kineto_2022.json"), fileNamed("bare_array.json"),
                               fileNamed("perfetto.json"), fileNamed("async.json"), fileNamed("text_micros.json")}) {
    for (const char* name : {"t.pftrace", "t.pftrace.gz"}) {
      const ReadImport read = readBack(*imported, name);
      ASSERT_TRUE(read.imported) << read.error;
      EXPECT_EQ(toldSpans(*read.imported), toldSpans(*imported));
      EXPECT_EQ(read.imported->counts.problems, (std::map<std::string, std::int64_t>{}));
      EXPECT_EQ(read.imported->counts.categories, imported->counts.categories);
      EXPECT_EQ(read.imported->counts.instants, imported->counts.instants);
    }
  }
}

TEST(PerfettoImport, GivesBackCpuTimesAndCounters) {
  const auto counted = importJson(toChromeJson(countedPipeline())).imported;
  const ReadImport read = readBack(*counted, "t.pftrace");
  ASSERT_TRUE(read.imported) << read.error;
  const Trace& trace = *read.imported->trace;
  ASSERT_EQ(trace.counters.size(), 2u);
  EXPECT_EQ(trace.counters[0].name, "memory bytes");
  EXPECT_EQ(trace.counters[0].lane, 1);
  EXPECT_EQ(trace.counters[0].values, countedPipeline().counters[0].values);
  EXPECT_EQ(trace.counters[1].lane, -1);
  std::vector<Nanoseconds> cpu;
  for (const Track& track : trace.tracks)
    for (const Span& span : track.spans)
      if (span.cpu >= 0) cpu.push_back(span.cpu);
  EXPECT_EQ(cpu, (std::vector<Nanoseconds>{9'999, 9'506, 19'999, 0}));
  EXPECT_NE(spanTableCsv(*counted).find("0F0,1.000,10.000,0,0,0,F,9.999\r\n"), std::string::npos);
}

TEST(PerfettoImport, KnowsLanesAndArrowsOfOurOwnRuns) {
  const ReadImport read = readBack(*ownPipeline(), "t.pftrace");
  ASSERT_TRUE(read.imported) << read.error;
  EXPECT_EQ(read.imported->format, "lanelab");
  EXPECT_EQ(read.imported->counts.flows, 2);
  ASSERT_EQ(read.imported->trace->lanes.size(), 2u);
  EXPECT_EQ(read.imported->trace->lanes[0].name, "left");
  EXPECT_EQ(read.imported->trace->lanes[1].name, "right");
}

/// A packet with these fields.
std::string packet(const std::function<void(ProtobufText&)>& put) {
  std::string inner, out;
  ProtobufText fields(inner);
  put(fields);
  ProtobufText(out).bytes(1, inner);
  return out;
}
std::string message(const std::function<void(ProtobufText&)>& put) {
  std::string out;
  ProtobufText fields(out);
  put(fields);
  return out;
}

TEST(PerfettoImport, ReadsWhatTheSdkWrites) {
  // A thread's track as default, names in place, an incremental clock in microseconds, and a track that is described late.
  const auto event = [](std::uint64_t time, std::uint64_t type, const std::string& name, std::uint64_t flow = 0) {
    return packet([&](ProtobufText& p) {
      p.varint(8, time);
      p.varint(10, 7);
      p.bytes(11, message([&](ProtobufText& e) {
                e.varint(9, type);
                if (!name.empty()) e.bytes(23, name);
                if (!name.empty()) e.bytes(22, "rendering");
                if (flow != 0) e.fixed64(47, flow);
              }));
    });
  };
  const std::string bytes =
      packet([](ProtobufText& p) {
        p.varint(10, 7);
        p.varint(13, 1);
        p.bytes(59, message([](ProtobufText& d) {
                  d.varint(58, 64);
                  d.bytes(11, message([](ProtobufText& e) { e.varint(11, 99); }));
                }));
        p.bytes(6, message([](ProtobufText& s) {
                  s.bytes(1, message([](ProtobufText& c) {
                            c.varint(1, 64);
                            c.varint(2, 5000);
                            c.varint(3, 1);
                            c.varint(4, 1000);
                          }));
                  s.bytes(1, message([](ProtobufText& c) {
                            c.varint(1, 6);
                            c.varint(2, 5'000'123);
                          }));
                }));
      }) +
      event(10, 1, "Draw", 5) + event(10, 1, "Layer", 0) + event(5, 2, "") + event(5, 2, "") + event(20, 1, "Swap", 5) + event(1, 2, "") +
      event(3, 2, "") + packet([](ProtobufText& p) {
        p.varint(10, 7);
        p.bytes(60, message([](ProtobufText& t) {
                  t.varint(1, 99);
                  t.bytes(4, message([](ProtobufText& d) {
                            d.varint(1, 12);
                            d.varint(2, 34);
                            d.bytes(5, "compositor");
                          }));
                }));
      });
  const TemporaryFolder folder;
  writeContent(folder.file("t"), bytes);
  const ReadImport read = importTrace(folder.file("t"));
  ASSERT_TRUE(read.imported) << read.error;
  EXPECT_EQ(importSummaryJson(*read.imported), R"({"format":"perfetto","spans":3,"instants":0,"counters":0,"flows":1,"categories":{"rendering":3},)"
                                               R"("problems":{"unmatched_end":1}})");
  EXPECT_EQ(told(*read.imported), R"(base 0
lane process 12
lane 0 kind 3 "compositor" on 12/34
  [rendering] Draw 5010123+20000
  [rendering] Layer 5020123+5000
  [rendering] Swap 5050123+1000
s [flow] flow 5 at 5010123 on 12/34
f [flow] flow 5 at 5050123 on 12/34
)");
}

TEST(PerfettoImport, SurvivesCutsAndDamage) {
  const TemporaryFolder folder;
  const std::string whole = toPerfetto(*ownPipeline());
  std::mt19937 random(9);
  for (int round = 0; round < 400; ++round) {
    std::string damaged = whole.substr(0, round % 2 == 0 ? whole.size() : random() % whole.size());
    for (unsigned i = 0; i < random() % 8 && !damaged.empty(); ++i) damaged[random() % damaged.size()] = static_cast<char>(random());
    writeContent(folder.file("t"), damaged);
    const ReadImport read = importTrace(folder.file("t"));
    ASSERT_NE(read.imported == nullptr, read.error.empty());
    if (read.imported) toPerfetto(*read.imported);
  }
  writeContent(folder.file("t"), whole.substr(0, whole.size() - 3));
  const ReadImport read = importTrace(folder.file("t"));
  ASSERT_TRUE(read.imported) << read.error;
  EXPECT_EQ(read.imported->counts.problems.at("cut_file"), 1);
  EXPECT_EQ(read.imported->counts.spans, static_cast<std::int64_t>(twoLanePipeline().spanCount()) - 1);
}

TEST(PerfettoImport, DoesNotTakeTextOrNoiseForATrace) {
  const TemporaryFolder folder;
  std::mt19937 random(2);
  for (int round = 0; round < 50; ++round) {
    std::string noise = "\n";
    for (int i = 0; i < 500; ++i) noise += static_cast<char>(random());
    writeContent(folder.file("t"), noise);
    EXPECT_FALSE(importTrace(folder.file("t")).imported);
  }
  writeContent(folder.file("t"), R"(
[{"ph":"X","name":"after a blank line","pid":0,"tid":0,"ts":1,"dur":1},{"ph":"X","name":"another one, so that the text is long enough","pid":0,"tid":0,"ts":3,"dur":1}])");
  EXPECT_EQ(importTrace(folder.file("t")).imported->counts.spans, 2);
}

TEST(SpanTableCsv, HasALineForEachSpan) {
  EXPECT_EQ(spanTableCsv(*importJson(R"([{"ph":"X","cat":"a,b","name":"say \"hi\"","pid":1,"tid":2,"ts":0.001,"dur":1.5},)"
                                     R"({"ph":"M","name":"process_name","pid":1,"args":{"name":"main"}}])")
                              .imported),
            "process,thread,category,name,start_us,duration_us,step,stage,micro_batch,phase,cpu_us\r\n"
            "main,thread 2,\"a,b\",\"say \"\"hi\"\"\",0.001,1.500,,,,,\r\n");
}

TEST(SpanTableCsv, TellsStageAndMicroBatchOfActions) {
  const std::string table = spanTableCsv(*ownPipeline());
  EXPECT_NE(table.find("right,compute,lanelab,1B0,30.000,25.000,0,1,0,B,\r\n"), std::string::npos) << table;
  EXPECT_EQ(static_cast<std::size_t>(std::count(table.begin(), table.end(), '\n')), 1 + twoLanePipeline().spanCount());
}

TEST(SpanTableCsv, AndPerfettoAreWrittenToFiles) {
  const TemporaryFolder folder;
  EXPECT_EQ(writePerfettoTrace(*ownPipeline(), folder.file("t.pftrace")), "");
  EXPECT_EQ(contentOf(folder.file("t.pftrace")), toPerfetto(*ownPipeline()));
  EXPECT_EQ(writeSpanTable(*ownPipeline(), folder.file("t.csv")), "");
  EXPECT_EQ(contentOf(folder.file("t.csv")), spanTableCsv(*ownPipeline()));
  EXPECT_NE(writeSpanTable(*ownPipeline(), folder.file("none/t.csv")), "");
}

}  // namespace
}  // namespace lanelab
