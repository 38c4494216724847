// SPDX-License-Identifier: GPL-3.0-only
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "engine/files/pickle_reader.h"

namespace lanelab {
namespace {

using std::string_literals::operator""s;
using ::testing::HasSubstr;

// pickle.dumps(collections.OrderedDict(a=[1, -2, 2.5, True, None]), protocol=2), with a BUILD of attributes as
// state_dict() has.
const std::string kOrderedDict =
    "\x80\x02"s
    "ccollections\nOrderedDict\nq\x00)Rq\x01"s
    "X\x01\x00\x00\x00"
    "aq\x02]q\x03("s
    "K\x01J\xfe\xff\xff\xffG\x40\x04\x00\x00\x00\x00\x00\x00\x88N"s
    "es}q\x04"
    "b."s;

TEST(Pickle, AnOrderedDictKeepsItsEntries) {
  const auto tree = readPickle(kOrderedDict);
  ASSERT_TRUE(tree.ok()) << tree.error().message;
  ASSERT_EQ(tree->root->kind, PickleNode::Kind::Call);
  EXPECT_EQ(tree->root->items[0]->text, "collections OrderedDict");
  ASSERT_EQ(tree->root->entries.size(), 1u);
  EXPECT_EQ(tree->root->entries[0].first->text, "a");
  const auto& list = *tree->root->entries[0].second;
  ASSERT_EQ(list.items.size(), 5u);
  EXPECT_EQ(list.items[0]->integer, 1);
  EXPECT_EQ(list.items[1]->integer, -2);
  EXPECT_EQ(list.items[2]->number, 2.5);
  EXPECT_EQ(list.items[3]->kind, PickleNode::Kind::Bool);
  EXPECT_EQ(list.items[4]->kind, PickleNode::Kind::None);
}

TEST(Pickle, AGlobalIsNamedAndNeverCalled) {
  const auto tree = readPickle("cos\nsystem\n(X\x04\x00\x00\x00trueetR."s);
  ASSERT_FALSE(tree.ok());  // "ee" appends to what is no list
  const auto call = readPickle("cos\nsystem\n(X\x04\x00\x00\x00truetR."s);
  ASSERT_TRUE(call.ok());
  EXPECT_EQ(call->root->kind, PickleNode::Kind::Call);
  EXPECT_EQ(call->root->items[0]->text, "os system");
}

struct BadPickle {
  std::string bytes;
  const char* says;
};

class PickleRefuses : public ::testing::TestWithParam<BadPickle> {};

TEST_P(PickleRefuses, WithTheReason) {
  const auto tree = readPickle(GetParam().bytes);
  ASSERT_FALSE(tree.ok());
  EXPECT_THAT(tree.error().message, HasSubstr(GetParam().says));
}

INSTANTIATE_TEST_SUITE_P(Bytes, PickleRefuses,
                         ::testing::Values(BadPickle{"", "ends too early"},
                                           BadPickle{"X\xff\xff\xff\xff"
                                                     "a",
                                                     "ends too early"},
                                           BadPickle{".", "stack runs empty"}, BadPickle{"h\x05.", "never stored"},
                                           BadPickle{"t.", "no mark"}, BadPickle{"NN\x81.", "instruction 129"},
                                           BadPickle{"K\x01K\x02K\x03s.", "not a dictionary"},
                                           BadPickle{"}(K\x01u.", "not a dictionary"},
                                           BadPickle{"\x8a\x09"
                                                     "123456789.",
                                                     "64 bits"},
                                           BadPickle{"K\x01(.", "stack runs"},
                                           BadPickle{std::string(1000, '('), "nested deeper"},
                                           BadPickle{"X\x00\x10\x00\x00"s + std::string(4096, 'a') + "q\x01h\x01\x93."s,
                                                     "more than 256 characters"}));

TEST(Pickle, HoldsALimitedNumberOfValues) {
  EXPECT_TRUE(readPickle(std::string(1000, ')') + ".", 1000).ok());
  EXPECT_THAT(readPickle(std::string(1001, ')') + ".", 1000).error().message, HasSubstr("more than 1,000 values"));
}

TEST(Pickle, RandomDamageIsAnErrorOrATree) {
  std::mt19937 random(11);
  int trees = 0;
  for (int i = 0; i < 5000; ++i) {
    std::string damaged = kOrderedDict;
    for (int hits = 0; hits < 4; ++hits) damaged[random() % damaged.size()] = static_cast<char>(random());
    trees += readPickle(damaged).ok();
  }
  EXPECT_LT(trees, 5000);
}

}  // namespace
}  // namespace lanelab
