// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/import/trace_import.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "profiler/io/import/import_folder.h"
#include "tests/support/written_trace.h"
#include "tests/unit/io/import_told.h"
#include "tests/unit/io/small_world.h"
#include "tests/unit/io/whole_import.h"

namespace lanelab {
namespace {

using Problems = std::map<std::string, std::int64_t>;

std::string x(const std::string& name, const std::string& rest = R"("ts":1,"dur":1)") {
  return R"({"ph":"X","name":")" + name + R"(","pid":0,"tid":0,)" + rest + "}";
}

std::vector<std::string> namesOfSpans(const ImportedTrace& imported) {
  std::vector<std::string> names;
  for (const Track& track : imported.trace->tracks)
    for (const Span& span : track.spans) names.push_back(imported.trace->nameOf(span));
  std::sort(names.begin(), names.end());
  return names;
}

/// The spans of that category, by name.
std::vector<std::string> namesOf(const ImportedTrace& imported, Category category) {
  std::vector<std::string> names;
  for (const Track& track : imported.trace->tracks)
    for (const Span& span : track.spans)
      if (span.category == category) names.push_back(imported.trace->nameOf(span));
  std::sort(names.begin(), names.end());
  return names;
}

std::string kernel(const std::string& name, const std::string& args = "", const std::string& cat = "kernel") {
  return R"({"ph":"X","cat":")" + cat + R"(","name":")" + name +
         R"(","pid":0,"tid":7,"ts":1,"dur":1,"args":{"device":0,"stream":7)" + args + "}}";
}

TEST(TraceImport, TellsCommunicationFromComputeByNameAndByArguments) {
  const auto imported = wholeImport(importBytes("[" + kernel("gemm") + "," +
                                                kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*)") + "," +
                                                kernel("our_ring", R"(,"Collective name":"allreduce")") + "]"));
  const std::vector<std::string> communication = {"ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*)", "our_ring"};
  EXPECT_EQ(namesOf(*imported, Category::Communication), communication);
  EXPECT_EQ(namesOf(*imported, Category::Kernel), std::vector<std::string>{"gemm"});
  EXPECT_EQ(imported->counts.categories, (std::map<std::string, std::int64_t>{{"kernel", 3}}));
  for (const std::string& file : {toChromeJson(*imported), toPerfetto(*imported)})
    EXPECT_EQ(namesOf(*wholeImport(importBytes(file)), Category::Communication), communication);
}

TEST(TraceImport, ReadsTheLanesOfMtiaAsThoseOfAGpu) {
  const std::string mtia = "mtia_ccp_events";
  const auto imported = wholeImport(importBytes(
      R"([{"ph":"M","name":"process_labels","pid":17,"args":{"labels":"MTIA 17"}},)"
      R"({"ph":"X","cat":"mtia_runtime","name":"runFunction","pid":1,"tid":1,"ts":0,"dur":1,"args":{"correlation":5}},)"
      R"({"ph":"X","cat":"mtia_ccp_events","name":"fc","pid":17,"tid":4,"ts":3,"dur":2,"args":{"stream":1,"correlation":5}},)" +
      kernel("dma_request", "", mtia) + "," + kernel("event_wait", "", mtia) + "," + kernel("pe_exe", "", mtia) + "," +
      kernel("hccl_all_reduce", "", mtia) + "]"));
  EXPECT_EQ(namesOf(*imported, Category::Kernel), (std::vector<std::string>{"fc", "pe_exe"}));
  EXPECT_EQ(namesOf(*imported, Category::Memcpy), std::vector<std::string>{"dma_request"});
  EXPECT_EQ(namesOf(*imported, Category::Communication), std::vector<std::string>{"hccl_all_reduce"});
  EXPECT_EQ(namesOf(*imported, Category::Other), std::vector<std::string>{"event_wait"});
  EXPECT_EQ(imported->counts.categories.at("mtia_ccp_events"), 5);
  EXPECT_NE(told(*imported).find("lane MTIA 17 on mtia:17"), std::string::npos) << told(*imported);
  EXPECT_NE(told(*imported).find("fc 3000+2000 mark 1000"), std::string::npos) << told(*imported);
}

TEST(TraceImport, CountsLaunchFlowsWithoutGpuWorkApart) {
  const std::string call = R"({"ph":"X","cat":"cuda_runtime","name":"cudaEventQuery","pid":1,"tid":1,"ts":5,"dur":1})";
  const std::string end = R"({"ph":"f","cat":"ac2g","id":4,"name":"ac2g","pid":1,"tid":1,"ts":5,"bp":"e"})";
  const std::string start = R"({"ph":"s","cat":"ac2g","id":6,"name":"ac2g","pid":1,"tid":1,"ts":5})";
  const auto imported = wholeImport(importBytes("[" + call + "," + end + "," + start + "]"));
  EXPECT_EQ(imported->counts.problems, Problems{});
  EXPECT_EQ(imported->counts.notes, (Problems{{"launch_flow_without_partner", 2}}));
  EXPECT_EQ(lostForGaps(imported->counts), 0);
  EXPECT_NE(importSummaryJson(*imported).find(R"("notes":{"launch_flow_without_partner":2})"), std::string::npos);
}

TEST(TraceImport, OnlyWhatChangesGapsIsLostForThem) {
  const std::string flow = R"({"ph":"f","cat":"mine","id":4,"name":"a","pid":1,"tid":1,"ts":5})";
  const std::string begin = R"({"ph":"B","name":"a","pid":1,"tid":1,"ts":5})";
  const auto imported = wholeImport(importBytes("[" + flow + "," + begin + "]"));
  EXPECT_EQ(lostEvents(imported->counts), 2);
  EXPECT_EQ(lostForGaps(imported->counts), 1);
}

TEST(TraceImport, AKeyTraceEventsWithinAnotherValueIsNoDamage) {
  const std::string events = R"("traceEvents":[)" + x("a") + "," + x("b") + "]";
  for (const char* nested :
       {R"("otherData":{"traceEvents":[]},)", R"("otherData":{"note":{"traceEvents":[{"ph":"X","name":"no"}]}},)",
        R"("deviceProperties":[{"id":0,"traceEvents":[1,2]}] , )", R"("a":{"traceEvents":[[]],"b":{}},"c":1,)",
        R"("a":{"traceEvents":[]},"b":{"traceEvents":[]},)"}) {
    const auto imported = wholeImport(importBytes(std::string("{") + nested + events + "}"));
    EXPECT_EQ(namesOfSpans(*imported), (std::vector<std::string>{"a", "b"})) << nested;
    EXPECT_EQ(imported->counts.problems, Problems{}) << nested;
  }
}

TEST(TraceImport, EventsBehindAMissingBracketAreStillFound) {
  const std::string events = R"("traceEvents":[)" + x("a") + "," + x("b") + "]";
  for (const std::string& damaged :
       {R"({"otherData":{"a":1,)" + events + "}", R"({"deviceProperties":[{"id":0},)" + events + "}",
        R"({"wrapper":{)" + events + "}}"}) {
    const auto imported = wholeImport(importBytes(damaged));
    EXPECT_EQ(namesOfSpans(*imported), (std::vector<std::string>{"a", "b"})) << damaged;
    EXPECT_FALSE(imported->counts.problems.empty()) << damaged;
  }
}

TEST(TraceImport, ALargeValueWithAKeyTraceEventsIsPassedInOnePass) {
  const std::string text = R"({"a":{"traceEvents":[)" + std::string(3'000'000, ' ') + R"(]},"b":{"traceEvents":[)" +
                           std::string(3'000'000, ' ') + R"(]},"traceEvents":[)" + x("a") + "]}";
  const auto imported = wholeImport(importBytes(text));
  EXPECT_EQ(namesOfSpans(*imported), std::vector<std::string>{"a"});
  EXPECT_EQ(imported->counts.problems, Problems{});
}

TEST(TraceImport, CountsWhatIsLostAndKeepsTheRest) {
  const std::pair<std::string, Problems> table[] = {
      {R"({"ph":"E","name":"a","pid":0,"tid":0,"ts":1})", {{"unmatched_end", 1}}},
      {R"({"ph":"B","name":"a","pid":0,"tid":0,"ts":1},{"ph":"B","name":"b","pid":0,"tid":0,"ts":2})",
       {{"unmatched_begin", 2}}},
      {R"({"ph":"b","cat":"c","id":1,"name":"a","pid":0,"tid":0,"ts":1},{"ph":"e","cat":"c","id":2,"name":"a","pid":0,"tid":0,"ts":2})",
       {{"unmatched_async_begin", 1}, {"unmatched_async_end", 1}}},
      {R"({"ph":"s","cat":"c","id":1,"name":"a","pid":0,"tid":0,"ts":1},{"ph":"t","cat":"c","id":1,"name":"a","pid":0,"tid":0,"ts":1})",
       {{"unmatched_flow_start", 1}, {"unmatched_flow_step", 1}}},
      {R"({"ph":"f","cat":"c","id":1,"name":"a","pid":0,"tid":0,"ts":1})", {{"unmatched_flow_end", 1}}},
      {R"({"ph":"s","cat":"c","name":"a","pid":0,"tid":0,"ts":1})", {{"missing_id", 1}}},
      {R"({"ph":"?","name":"a","pid":0,"tid":0,"ts":1})", {{"unknown_phase", 1}}},
      {R"({"ph":"","name":"a"},{"ph":"XX","name":"a"},{"ph":7},{}, {"name":"a"})", {{"unknown_phase", 4}}},
      {R"({"ph":"D","name":"a","pid":0,"tid":0,"ts":1})", {{"unsupported_phase", 1}}},
      {x("a", R"("ts":Infinity,"dur":1)") + "," + x("a", R"("dur":1)") + "," + x("a", R"("ts":1,"dur":null)"),
       {{"bad_number", 3}}},
      {R"({"ph":"i","name":"a","ts":"x"},{"ph":"C","name":"a","ts":{},"args":{"v":1}},{"ph":"b","id":1},{"ph":"s","id":1})",
       {{"bad_number", 4}}},
      {R"({"ph":"C","name":"a","pid":0,"ts":1,"args":{"v":"high"}})", {{"bad_number", 1}}},
      {R"({"ph":"X","name":,"ts":1})", {{"damaged_event", 1}}},
      {R"(17, "text with { and ]", [1,[2]], true)", {{"damaged_text", 4}}},
      {x("control \x01 and \n"), {{"control_character", 1}}},
      {x("a \"quoted\" word"), {{"unescaped_quote", 1}}},
      {x("C:\\path"), {{"bad_escape", 1}}},
      {x("\xFF\xFE"), {{"invalid_utf8", 1}}},
      {x("odd \" quote"), {{"unescaped_quote", 1}}},
      {R"({"ph":"X","name":"no end","pid":0,"tid":0,"ts":1,"dur":1)", {{"damaged_event", 1}}},
      {R"({"ph":"X","name":"cut in a text)", {{"damaged_event", 1}}},
      {R"({"ph":"X","name":"brackets","pid":0,"tid":0,"ts":1,"dur":1,"args":{"a":[1,2}})", {{"damaged_event", 1}}},
      {R"({"ph":"X","name":"brackets","pid":0,"tid":0,"ts":1,"dur":1,"args":{"a":1]]}})", {{"damaged_event", 1}}},
  };
  for (const auto& [bad, problems] : table) {
    const auto imported =
        wholeImport(importBytes("[" + x("first") + ",\n" + bad + ",\n" + x("second") + ",\n" + x("third") + "\n]"));
    EXPECT_EQ(imported->counts.problems, problems) << bad;
    const auto names = namesOfSpans(*imported);
    for (const char* good : {"first", "second", "third"})
      EXPECT_EQ(std::count(names.begin(), names.end(), good), 1) << bad;
  }
}

TEST(TraceImport, RecoversQuotesWithinATextBeforeACommaToo) {
  const std::pair<std::string, std::string> table[] = {
      {R"("name":"say "hi", please")", R"(say "hi", please)"},
      {R"("name":"a "b", "c" and "d"")", R"(a "b", "c" and "d")"},
      {R"("name":"aten::to", "cat":"a "b", c")", "aten::to"},
      {R"("args":{"stack":["f "g", h","i"],"k":"v "w", x"},"name":"n")", "n"},
      {R"("args":{"bad":"line
break", "next":"whole"},"name":"after")",
       "after"},
      {R"("args":{"last":"a "b", "},"name":"behind a comma")", "behind a comma"},
  };
  for (const auto& [members, name] : table) {
    const auto imported =
        wholeImport(importBytes("[" + x("first") + R"(,{"ph":"X","pid":1,"tid":2,"ts":9,"dur":1,)" + members + "}]"));
    std::vector<std::string> names = {"first", name};
    std::ranges::sort(names);
    EXPECT_EQ(namesOfSpans(*imported), names) << members;
    EXPECT_EQ(lostForGaps(imported->counts), 0) << members;
  }
}

TEST(TraceImport, OneLostEndCostsNoOtherSpan) {
  const auto half = [](char phase, const std::string& name, int ts) {
    return R"({"ph":")" + std::string(1, phase) + R"(","name":")" + name + R"(","pid":0,"tid":0,"ts":)" +
           std::to_string(ts) + "}";
  };
  const auto imported = wholeImport(importBytes("[" + half('B', "outer", 1) + "," + half('B', "inner", 2) + "," +
                                                half('E', "stray", 3) + "," + half('E', "outer", 9) + "," +
                                                half('B', "next", 10) + "," + half('E', "", 11) + "]"));
  EXPECT_EQ(namesOfSpans(*imported), (std::vector<std::string>{"next", "outer"}));
  EXPECT_EQ(imported->counts.problems, (Problems{{"unmatched_begin", 1}, {"unmatched_end", 1}}));
}

TEST(TraceImport, HalvesMayStandInAnyOrder) {
  const auto imported = wholeImport(
      importBytes(R"([{"ph":"E","name":"a","pid":0,"tid":0,"ts":5},{"ph":"B","name":"a","pid":0,"tid":0,"ts":2},)"
                  R"({"ph":"f","id":7,"pid":0,"tid":0,"ts":4},{"ph":"s","id":7,"pid":0,"tid":0,"ts":3}])"));
  EXPECT_EQ(importSummaryJson(*imported),
            R"({"format":"chrome","spans":1,"instants":0,"counters":0,"flows":1,"categories":{"":1},"problems":{}})");
}

TEST(TraceImport, CategoryAndIdMakeAPairWhateverTheName) {
  const auto imported = wholeImport(importBytes(
      R"([{"ph":"b","cat":"a","id":1,"name":"request","pid":0,"tid":0,"ts":1},{"ph":"e","cat":"a","id":1,"name":"reply","pid":0,"tid":0,"ts":2},)"
      R"({"ph":"s","cat":"a","id":1,"name":"call","pid":0,"tid":0,"ts":1},{"ph":"f","cat":"a","id":1,"name":"work","pid":0,"tid":0,"ts":2},)"
      R"({"ph":"s","cat":"b","id":1,"name":"call","pid":0,"tid":0,"ts":1},{"ph":"f","cat":"b","id":1,"name":"work","pid":0,"tid":0,"ts":2}])"));
  EXPECT_EQ(importSummaryJson(*imported),
            R"({"format":"chrome","spans":1,"instants":0,"counters":0,"flows":2,"categories":{"a":1},"problems":{}})");
}

TEST(TraceImport, IdsOfFlowsAreExactTo64Bits) {
  const auto flow = [](const std::string& start, const std::string& end) {
    return "["
           R"({"ph":"s","id":)" +
           start + R"(,"pid":0,"tid":0,"ts":3},{"ph":"f","id":)" + end + R"(,"pid":0,"tid":0,"ts":4}])";
  };
  const std::tuple<const char*, const char*, int> table[] = {{"9007199254740993", "9007199254740992", 0},
                                                             {"9007199254740993", "9007199254740993", 1},
                                                             {"18446744073709551615", "18446744073709551614", 0},
                                                             {"18446744073709551615", "\"0xffffffffffffffff\"", 1},
                                                             {"\"0x10\"", "16", 1},
                                                             {"\"stream-1\"", "\"stream-1\"", 1},
                                                             {"\"stream-1\"", "\"stream-2\"", 0},
                                                             {"-1", "-1", 1},
                                                             {"5.0", "5", 1}};
  for (const auto& [start, end, flows] : table) {
    const auto imported = wholeImport(importBytes(flow(start, end)));
    EXPECT_EQ(imported->counts.flows, flows) << start << " to " << end;
    EXPECT_EQ(wholeImport(importBytes(toChromeJson(*imported)))->counts.flows, flows) << toChromeJson(*imported);
  }
}

TEST(TraceImport, ReadsWhatIsTooLongForOneLook) {
  const std::string large(5'000'000, 'x');
  const std::string list = "[" + std::string(400'000, '1') + "," + x("no event") + "]";
  for (const std::string& args :
       {R"("ts":1,"dur":1,"args":{"a":")" + large + R"("})", R"("args":{"a":)" + list + R"(},"ts":1,"dur":1)"}) {
    const auto imported = wholeImport(importBytes("[" + x("first") + "," + x("large", args) + "," + x("last") + "]"));
    EXPECT_EQ(namesOfSpans(*imported), (std::vector<std::string>{"first", "large", "last"}));
    EXPECT_EQ(imported->counts.problems, Problems{});
  }
}

TEST(TraceImport, DamageInTheHeadCostsNoEvents) {
  for (const char* head :
       {R"({"deviceProperties": [{"id": 0], "traceEvents": [)", R"({"traceName": "a"b", "traceEvents": [)",
        R"({"schemaVersion" 1, "traceEvents": [)", R"({"otherData": {"a": "b}, "traceEvents": [)"}) {
    const auto imported = wholeImport(importBytes(head + x("a") + "," + x("b") + "]}"));
    EXPECT_EQ(imported->counts.spans, 2) << head;
    EXPECT_EQ(imported->counts.problems, (Problems{{"damaged_text", 1}})) << head;
  }
}

TEST(TraceImport, OverlapsGoToFurtherRowsAndAreNoLoss) {
  const auto imported =
      wholeImport(importBytes("[" + x("a", R"("ts":0,"dur":10)") + "," + x("b", R"("ts":5,"dur":10)") + "," +
                              x("c", R"("ts":6,"dur":4)") + "," + x("d", R"("ts":10,"dur":10)") + "]"));
  EXPECT_EQ(imported->counts.problems, (Problems{{"overlap_to_further_row", 1}}));
  ASSERT_EQ(imported->trace->tracks.size(), 2u);
  EXPECT_EQ(imported->trace->tracks[1].name, "thread 0 (2)");
  EXPECT_EQ(imported->trace->tracks[1].spans.size(), 1u);
}

TEST(TraceImport, ThousandsOfOverlapsTakeNoTime) {
  std::string json = "[";
  for (int i = 0; i < 20'000; ++i) json += x("a", R"("ts":)" + std::to_string(i) + R"(,"dur":1000000)") + ",";
  const auto imported = wholeImport(importBytes(json));
  EXPECT_EQ(imported->trace->tracks.size(), 20'000u);
  EXPECT_EQ(imported->counts.problems, (Problems{{"overlap_to_further_row", 19'999}}));
}

TEST(TraceImport, MuchDamageTakesNoTime) {
  std::string json = "[";
  for (int i = 0; i < 20'000; ++i) json += x("good") + R"(,{"ph":"X","name":"odd " ,"ts":1,"ts":"},)";
  const auto imported = wholeImport(importBytes(json + x("last") + "]"));
  EXPECT_GE(imported->counts.spans, 20'001);
}

TEST(TraceImport, FindsTheLaunchOfEachKernel) {
  const auto call = [](int ts, int correlation) {
    return R"({"ph":"X","cat":"cuda_runtime","name":"launch","pid":9,"tid":9,"ts":)" + std::to_string(ts) +
           R"(,"dur":2,"args":{"correlation":)" + std::to_string(correlation) + "}}";
  };
  const auto kernel = [](const std::string& category, int ts, const std::string& args) {
    return R"({"ph":"X","cat":")" + category + R"(","name":"k","pid":0,"tid":7,"ts":)" + std::to_string(ts) +
           R"(,"dur":1,"args":{)" + args + "}}";
  };
  // Two processes may count alike: the call that began last before the kernel counts.
  const auto imported = wholeImport(importBytes(
      "[" + call(10, 1) + "," + call(50, 1) + "," + call(20, 2) + "," + kernel("kernel", 30, R"("correlation":1)") +
      "," + kernel("kernel", 60, R"("correlation":1)") + "," + kernel("gpu_memcpy", 70, R"("correlation":2)") + "," +
      kernel("kernel", 80, R"("stream":7)") +
      R"(,{"ph":"s","id":5,"pid":9,"tid":9,"ts":20.5},{"ph":"f","id":5,"pid":0,"tid":7,"ts":80,"bp":"e"},)" +
      kernel("kernel", 90, "") + "]"));
  std::vector<Nanoseconds> marks;
  for (const Track& track : imported->trace->tracks)
    if (track.kind == Track::Kind::Stream)
      for (const Span& span : track.spans) marks.push_back(span.mark);
  EXPECT_EQ(marks, (std::vector<Nanoseconds>{12'000, 52'000, 22'000, 22'000, 0}));
}

TEST(TraceImport, SaysWhatAFileIsThatIsNoTrace) {
  const TemporaryFolder folder;
  const std::tuple<const char*, std::string, const char*> table[] = {
      {"t.json", "", "is empty"},
      {"t.json", "\n \t", "is empty"},
      {"t.json", gzipped(""), "is empty"},
      {"t.json", std::string("\x89PNG\r\n\x1a\n\0\0\0", 11), "holds no trace"},
      {"t.json", R"({"model":"resnet50"})", "holds no trace"},
      {"t.json", "\"traceEvents\"", "holds no trace"},
      {"t.json", R"([{"name":"a"},{"name":"b"}])", "holds no trace"},
      {"t.json.gz", gzipped(x("a")).substr(0, 12), "damaged"},
      {"t.nsys-rep", "anything", "nsys export"},
      {"t.sqlite", "SQLite format 3", "nsys export"}};
  for (const auto& [name, content, words] : table) {
    writeContent(folder.file(name), content);
    const ReadImport read = importTrace(folder.file(name));
    EXPECT_FALSE(read.ok()) << content;
    EXPECT_NE(read.error().message.find(words), std::string::npos) << content << " -> " << read.error().message;
    EXPECT_NE(read.error().message.find(folder.file(name)), std::string::npos) << read.error().message;
  }
  EXPECT_FALSE(importTrace(folder.file("missing")).ok());
  EXPECT_FALSE(importTrace(folder.path()).ok());
}

TEST(TraceImport, SaysWhyJsonIsNoTrace) {
  const char* const not_array = "holds no trace: its traceEvents is not an array";
  const char* const neither = "holds no trace: neither an object with an array traceEvents nor an array of events";
  const char* const no_phase = "holds no trace: the objects in its array are not events, which have a phase (\"ph\")";
  const char* const something_else = "its array of events holds something else or is damaged";
  const std::pair<const char*, const char*> table[] = {
      {R"({"traceEvents": -1.5e3)", not_array},
      {R"({"traceEvents": "[]"})", not_array},
      {R"({"schemaVersion": 1, "traceEvents": {"ph": "X"}})", not_array},
      {R"({"traceEvents": null, "name": "a"})", not_array},
      {R"({"data": {"traceEvents": 1}})", neither},
      {R"({"events": []})", neither},
      {R"({"traceEvents": [{"id": 1}, {"id": 2}]})", no_phase},
      {R"({"traceEvents": [12, "a"]})", something_else},
      {R"([true])", something_else},
      {R"({"traceEvents": [)", "is cut or damaged before its first event"},
      {R"({"traceEvents":)", "is cut or damaged before its first event"},
  };
  for (const auto& [text, words] : table) {
    const ReadImport read = importBytes(text, "t");
    ASSERT_FALSE(read.ok()) << text;
    EXPECT_NE(read.error().message.find(words), std::string::npos) << text << " -> " << read.error().message;
  }
}

TEST(TraceImport, NoEventsAreATraceWithZeros) {
  const std::string zeros =
      R"({"format":"chrome","spans":0,"instants":0,"counters":0,"flows":0,"categories":{},"problems":{}})";
  for (const char* text :
       {"[]", "[{}]", R"({"traceEvents":[]})", R"({"traceEvents":[],})", R"({"traceEvents":[],"a":1})"})
    EXPECT_EQ(importSummaryJson(*wholeImport(importBytes(text))), zeros) << text;
}

TEST(TraceImport, AListThatEndsBeforeItsFirstEventIsCut) {
  for (const char* text : {"[", "[\n", R"({"traceEvents":[)", R"({"traceEvents": [ )"}) {
    const ReadImport read = importBytes(text, "trace");
    ASSERT_FALSE(read.ok()) << text;
    EXPECT_EQ(read.error().message, "trace is cut or damaged before its first event. Copy or record it again.");
  }
}

TEST(TraceImport, OurDialectFromOtherHandsKeepsWhatItSays) {
  for (const char* name : {"gaps/two_lanes.json", "gaps/gpipe.json", "gaps/shared_gpu.json"}) {
    const auto imported = wholeImport(importTrace(LANELAB_SOURCE_DIR "/tests/data/" + std::string(name)));
    EXPECT_EQ(imported->format, "lanelab") << name;
    const auto again = wholeImport(importBytes(toChromeJson(*imported)));
    EXPECT_EQ(told(*again->trace), told(*imported->trace)) << name;
    EXPECT_EQ(again->base, imported->base) << name;
  }
}

TEST(TraceImport, FurtherRowsStayWithTheirThread) {
  const auto imported =
      wholeImport(importBytes("[" + x("a", R"("ts":0,"dur":10)") + "," + x("b", R"("ts":5,"dur":10)") +
                              R"(,{"ph":"X","name":"c","pid":0,"tid":3,"ts":1,"dur":1}])"));
  const auto again = wholeImport(importBytes(toChromeJson(*imported)));
  EXPECT_EQ(told(*again), told(*imported));
  ASSERT_EQ(again->rows.size(), 3u);
  EXPECT_EQ(again->rows[1].part, 1);
  EXPECT_EQ(again->rows[1].part_of.text, "0");
  EXPECT_EQ(again->rows[2].tid.text, "3");
}

}  // namespace
}  // namespace lanelab
