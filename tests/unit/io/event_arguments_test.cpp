// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/chrome/event_arguments.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace lanelab {
namespace {

/// A file of its own that goes with the test.
class EventArgumentsTest : public ::testing::Test {
 protected:
  EventArgumentsTest() {
    std::ofstream(m_path) << R"({"traceEvents":[
{"ph":"X","name":"gemm","pid":0,"tid":7,"ts":1.5,"dur":2,"args":{"stream":7,"shape":[[2,3],"x"],"text":"a \"b\"","ok":true}},
{"ph":"X","name":"gemm","pid":0,"tid":8,"ts":1.5,"dur":2,"args":{"stream":8}},
{"ph":"X","name":"gemm","pid":0,"tid":7,"ts":9,"dur":4,"args":{"stream":1}},
{"ph":"X","name":"gemm","pid":0,"tid":7,"ts":9,"dur":2,"args":{"stream":2}},
{"ph":"B","name":"half","pid":"p","tid":"t","ts":20,"args":{"long":")"
                          << std::string(10'000, 'z') << R"("}},
{"ph":"E","pid":"p","tid":"t","ts":21}]})";
  }
  ~EventArgumentsTest() override { std::filesystem::remove(m_path); }

  EventArguments of(const SoughtEvent& event) const {
    const Result<EventArguments> read = readChromeArguments(m_path, event);
    EXPECT_TRUE(read.ok());
    return read.ok() ? *read : EventArguments();
  }

  std::string m_path = std::filesystem::temp_directory_path() /
                       ("event-arguments-" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()) + "-" +
                        ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".json");
};

TEST_F(EventArgumentsTest, AreThoseOfTheEventInItsOwnRow) {
  const EventArguments expected = {{"stream", "7"}, {"shape", R"([[2,3],"x"])"}, {"text", "a \"b\""}, {"ok", "true"}};
  EXPECT_EQ(of({"gemm", "0", "7", 1500, 2000}), expected);
  EXPECT_EQ(of({"gemm", "0", "8", 1500, 2000}), (EventArguments{{"stream", "8"}}));
}

TEST_F(EventArgumentsTest, TheLengthDecidesAmongEventsThatStartTogether) {
  EXPECT_EQ(of({"gemm", "0", "7", 9000, 2000}), (EventArguments{{"stream", "2"}}));
  EXPECT_EQ(of({"gemm", "0", "7", 9000, 3000}), (EventArguments{{"stream", "1"}})) << "cut in the import";
}

TEST_F(EventArgumentsTest, OfABeginEventAreFoundAndLongTextsAreCut) {
  const EventArguments found = of({"half", "p", "t", 20'000, 1000});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_LT(found[0].second.size(), 5000U);
}

TEST_F(EventArgumentsTest, AreEmptyWithoutSuchAnEvent) { EXPECT_TRUE(of({"other", "0", "7", 1500, 2000}).empty()); }

TEST_F(EventArgumentsTest, AFileThatIsGoneIsAnErrorThatNamesIt) {
  const auto read = readChromeArguments(m_path + ".gone", {"gemm", "0", "7", 1500, 2000});
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.error().message.find(".gone"), std::string::npos);
}

}  // namespace
}  // namespace lanelab
