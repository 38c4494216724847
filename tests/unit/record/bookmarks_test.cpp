// SPDX-License-Identifier: GPL-3.0-only
#include "engine/record/bookmarks.h"

#include <gtest/gtest.h>

#include <thread>

#include "engine/record/run_store.h"
#include "profiler/trace/trace_builder.h"
#include "tests/support/temporary_folder.h"

namespace lanelab {
namespace {

const std::vector<Bookmark> kTwo = {
    {"the \"odd\" gap, \xc3\xa4", "Pipeline", {1'000'000'000'000'123, 1'000'000'000'000'456}},
    {"b", "Single", {-5, 7}}};

std::shared_ptr<const Trace> smallTrace() {
  TraceBuilder builder("Pipeline", {{"", "cpu:0"}, {"second, lane", "cpu:1"}});
  const auto steps = builder.addTrack(0, Track::Kind::Step, "steps");
  const auto first = builder.addTrack(0, Track::Kind::Compute, "compute");
  const auto second = builder.addTrack(1, Track::Kind::Compute, "compute");
  builder.append(steps, {.start = 1000, .end = 11'000, .step = 2, .category = Category::Step});
  builder.append(steps, {.start = 21'000, .end = 31'000, .step = 3, .category = Category::Step});
  builder.append(first, {.start = 1000, .end = 9000, .step = 2, .category = Category::Action, .phase = Phase::Forward});
  builder.append(first,
                 {.start = 21'000, .end = 26'000, .step = 3, .category = Category::Action, .phase = Phase::Forward});
  builder.append(second,
                 {.start = 8000, .end = 11'000, .step = 2, .category = Category::Action, .phase = Phase::Forward});
  return builder.snapshot();
}

TEST(Bookmarks, OfAWholeStepAreNamedAfterItWhateverOverlapsIt) {
  TraceBuilder builder("Pipeline", {{"", "cpu:0"}});
  const auto steps = builder.addTrack(0, Track::Kind::Step, "steps");
  builder.addTrack(0, Track::Kind::Compute, "compute");
  for (int step = 0; step < 3; ++step)
    builder.append(steps,
                   {.start = step * 10'000, .end = step * 10'000 + 15'000, .step = step, .category = Category::Step});
  const std::shared_ptr<const Trace> snapshot = builder.snapshot();
  const Trace& trace = *snapshot;
  EXPECT_TRUE(defaultBookmarkName(trace, {10'000, 25'000}).starts_with("step 2, "));
  EXPECT_TRUE(defaultBookmarkName(trace, {12'000, 25'000}).starts_with("steps 1 to 3, "));
}

TEST(Bookmarks, AreWhatTheyWereAfterTheFile) {
  const test::TemporaryFolder place;
  EXPECT_TRUE(readBookmarks(place.path()).value().empty());
  ASSERT_TRUE(changeBookmarks(place.path(), [](auto& all) { all = kTwo; }).ok());
  EXPECT_EQ(readBookmarks(place.path()).value(), kTwo);
  ASSERT_TRUE(changeBookmarks(place.path(), [](auto& all) { all.clear(); }).ok());
  EXPECT_TRUE(readBookmarks(place.path()).value().empty());
}

TEST(Bookmarks, OfSeveralWindowsAreAllStored) {
  const test::TemporaryFolder place;
  std::vector<std::thread> windows;
  for (int i = 0; i < 8; ++i) {
    windows.emplace_back([&place, i] {
      const auto add = [i](std::vector<Bookmark>& all) { all.push_back({std::to_string(i), "", {i, i + 1}}); };
      EXPECT_TRUE(changeBookmarks(place.path(), add).ok());
    });
  }
  for (std::thread& window : windows) window.join();
  EXPECT_EQ(readBookmarks(place.path()).value().size(), 8u);
}

TEST(Bookmarks, AFileThatCannotBeReadIsToldAndKept) {
  const std::vector<std::pair<std::string, std::string>> damaged = {
      {"{\"schema\": 1, \"bookm", "bookmarks.json"},
      {"[]", "object"},
      {"{\"schema\": 2, \"bookmarks\": []}", "schema is 2"},
      {"{\"schema\": 1, \"bookmarks\": [{\"name\": 3}]}", "bookmarks[0].name"},
      {"{\"schema\": 1, \"bookmarks\": [{\"name\": \"a\", \"variant\": \"\", \"start_ns\": 9, \"end_ns\": 9}]}",
       "end_ns must be above"}};
  for (const auto& [text, said] : damaged) {
    const test::TemporaryFolder place;
    place.write("bookmarks.json", text);
    place.write("bookmarks-unread.json", "older");
    const auto read = readBookmarks(place.path());
    ASSERT_FALSE(read.ok()) << text;
    EXPECT_NE(read.error().message.find(said), std::string::npos) << read.error().message;
    ASSERT_TRUE(changeBookmarks(place.path(), [](auto& all) { all = kTwo; }).ok());
    EXPECT_EQ(readBookmarks(place.path()).value(), kTwo);
    EXPECT_EQ(test::contentOf(place.file("bookmarks-unread.json")), "older");
    EXPECT_EQ(test::contentOf(place.file("bookmarks-unread-2.json")), text);
  }
}

TEST(Bookmarks, UnknownKeysDoNoHarm) {
  const auto read = parseBookmarks(
      R"({"schema": 1, "colour": 1, "bookmarks": [{"name": "a", "variant": "v", "start_ns": 1, "end_ns": 2, "note": "later"}]})",
      "x");
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(*read, (std::vector<Bookmark>{{"a", "v", {1, 2}}}));
}

TEST(Bookmarks, TheDefaultNameTellsStepsAndLength) {
  const auto trace = smallTrace();
  const std::vector<std::pair<TimeRange, std::string>> cases = {{{2000, 3234}, "step 3, 1.23 µs"},
                                                                {{10'000, 22'400}, "steps 3 to 4, 12.4 µs"},
                                                                {{12'000, 12'500}, "500 ns"},
                                                                {{25'000, 1'025'000'000'000}, "step 4, 1025 s"},
                                                                {{11'000, 21'000}, "10.0 µs"}};
  for (const auto& [range, name] : cases) EXPECT_EQ(defaultBookmarkName(*trace, range), name);
}

TEST(Bookmarks, TheTableHoldsBusyAndIdleOfEachLane) {
  const std::vector<Bookmark> bookmarks = {
      {"=gap", "Pipeline", {5000, 23'000}}, {"pause", "", {12'000, 20'000}}, {"other", "Single", {0, 1}}};
  EXPECT_EQ(bookmarksCsv(bookmarks, *smallTrace()),
            "name,variant,start_us,length_us,lane,busy_us,idle_us\r\n"
            "'=gap,Pipeline,4.000,18.000,cpu:0,6.000,2.000\r\n"
            "'=gap,Pipeline,4.000,18.000,\"second, lane\",3.000,5.000\r\n"
            "pause,,11.000,8.000,cpu:0,0.000,0.000\r\n"
            "pause,,11.000,8.000,\"second, lane\",0.000,0.000\r\n");
}

}  // namespace
}  // namespace lanelab
