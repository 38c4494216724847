// SPDX-License-Identifier: GPL-3.0-only
// A message is a template with values: in English at once, in other words by its code.
#include "base/message.h"

#include <gtest/gtest.h>

#include "base/result.h"

namespace lanelab {
namespace {

TEST(Message, IsItsTemplateWithTheValues) {
  const Message message = sentence("{}: there is no lane {} of {}.", "pipeline.json", 7, std::string("demo"));
  EXPECT_EQ(message.message, "pipeline.json: there is no lane 7 of demo.");
  EXPECT_STREQ(message.code, "{}: there is no lane {} of {}.");
  ASSERT_EQ(message.values.size(), 3u);
  EXPECT_EQ(message.values[1].message, "7");
}

TEST(Message, WordsOfOthersHaveNoCode) {
  const Message message = verbatim("CUDA error: {} out of memory");
  EXPECT_EQ(message.message, "CUDA error: {} out of memory");
  EXPECT_EQ(message.code, nullptr);
}

TEST(Message, KeepsTheCodesOfMessagesWithinIt) {
  const Error inner = Error::badInput("{} is empty.", "rows.csv");
  const Error outer = Error::badInput("data.path: {} Check the path.", inner);
  EXPECT_EQ(outer.message, "data.path: rows.csv is empty. Check the path.");
  ASSERT_EQ(outer.values.size(), 1u);
  EXPECT_STREQ(outer.values[0].code, "{} is empty.");
}

TEST(FilledIn, PutsValuesInOrderOrByNumberAndLeavesOtherBraces) {
  EXPECT_EQ(filledIn("{} then {}", {"a", "b"}), "a then b");
  EXPECT_EQ(filledIn("{1} before {0}", {"a", "b"}), "b before a");
  EXPECT_EQ(filledIn("{ \"device\": \"cpu:0\" } {}", {"a"}), "{ \"device\": \"cpu:0\" } a");
  EXPECT_EQ(filledIn("{} {} {2}", {"a"}), "a {} {2}") << "more places than values";
  EXPECT_EQ(filledIn("{}", {"{}"}), "{}") << "a value is not read again";
  EXPECT_EQ(filledIn("open {", {"a"}), "open {");
}

}  // namespace
}  // namespace lanelab
