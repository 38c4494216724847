// SPDX-License-Identifier: GPL-3.0-only
// Ranks as threads that meet at one store: they agree, or all end with one sentence, and strangers leave without the
// run noticing.
#include "engine/dist/rendezvous/rank_meeting.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/distributed/c10d/HashStore.hpp>

#include <future>

#include "engine/dist/rendezvous/rank_refused.h"

namespace lanelab {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;

const char* const kBegan = "began";

/// What a rank's meeting came to: "began", or the sentence.
struct Outcome {
  std::string said;
  bool refused = false;
};

struct Room {
  c10::intrusive_ptr<c10d::Store> store = c10::make_intrusive<c10d::HashStore>();
  bool of_agent = false;

  static RankCard card(int size, int process, const std::string& agreement = R"({"repeats":5})",
                       const std::string& token = "") {
    return {size,
            token,
            {"host", "machine " + std::to_string(process), process, "1"},
            agreement};  // each of its own machine, so that nobody looks for it here
  }

  std::future<Outcome> enter(int rank, const RankCard& card, std::chrono::milliseconds timeout = 30s) {
    return std::async(std::launch::async, [=, this] {
      const WorldPlace place{"torchrun", rank, card.size, rank, "127.0.0.1", 29500, of_agent};
      const ReportWait silent = [](const std::string&) {};
      try {
        return meetRanks(store, place, card, {timeout, 30s, 1s}, silent) ? Outcome{kBegan} : Outcome{};
      } catch (const RankRefused& refused) {
        return Outcome{refused.what(), true};
      } catch (const std::exception& error) {
        return Outcome{error.what()};
      }
    });
  }
};

TEST(RankMeeting, BeginsWhenAllAreThereAndAgree) {
  Room room;
  auto second = room.enter(2, Room::card(3, 12)), first = room.enter(1, Room::card(3, 11)),
       zero = room.enter(0, Room::card(3, 10));
  for (auto* const rank : {&zero, &first, &second}) EXPECT_EQ(rank->get().said, kBegan);
}

TEST(RankMeeting, RefusesADifferenceOnAllRanksWithOneSentence) {
  Room room;
  auto zero = room.enter(0, Room::card(3, 10)), first = room.enter(1, Room::card(3, 11)),
       second = room.enter(2, Room::card(3, 12, R"({"repeats":6})"));
  for (auto* const rank : {&zero, &first, &second}) {
    const Outcome outcome = rank->get();
    EXPECT_TRUE(outcome.refused);
    EXPECT_EQ(outcome.said,
              "Rank 2 has another experiment than rank 0: repeats is 5 on rank 0 and 6 on rank 2. Start all ranks with "
              "the same file and options.");
  }
}

TEST(RankMeeting, RefusesAProcessTooManyWithoutHarmToTheRun) {
  Room room;
  auto zero = room.enter(0, Room::card(2, 10)), first = room.enter(1, Room::card(2, 11));
  EXPECT_EQ(zero.get().said, kBegan);
  EXPECT_EQ(first.get().said, kBegan);
  const Outcome twin = room.enter(1, Room::card(2, 12)).get();
  EXPECT_TRUE(twin.refused);
  EXPECT_THAT(twin.said, AllOf(HasSubstr("Rank 1 of the run at 127.0.0.1:29500 is already host, process 11"),
                               HasSubstr("RANK"), HasSubstr("MASTER_PORT")));
  const Outcome third = room.enter(2, Room::card(3, 13)).get();
  EXPECT_TRUE(third.refused);
  EXPECT_THAT(third.said, AllOf(HasSubstr("Rank 2 was started as one of 3 processes"), HasSubstr("as one of 2"),
                                HasSubstr("WORLD_SIZE")));
}

TEST(RankMeeting, TwiceTheSameRankEndsARunThatIsNotComplete) {
  Room room;
  auto zero = room.enter(0, Room::card(3, 10)), first = room.enter(1, Room::card(3, 11)),
       twin = room.enter(1, Room::card(3, 12));
  for (auto* const rank : {&zero, &first, &twin}) {  // rank 2 never comes
    const Outcome outcome = rank->get();
    EXPECT_TRUE(outcome.refused);
    EXPECT_THAT(outcome.said, HasSubstr("Rank 1 of the run at 127.0.0.1:29500 is already host, process 1"));
  }
}

TEST(RankMeeting, ATokenTellsRunsApart) {
  Room room;
  auto zero = room.enter(0, Room::card(2, 10, "", "day"));
  const Outcome stranger = room.enter(1, Room::card(2, 21, "", "night")).get();
  EXPECT_TRUE(stranger.refused);
  EXPECT_THAT(stranger.said,
              AllOf(HasSubstr("Another run"), HasSubstr("\"day\""), HasSubstr("\"night\""), HasSubstr("MASTER_PORT")));
  EXPECT_EQ(room.enter(1, Room::card(2, 11, "", "day")).get().said, kBegan);
  EXPECT_EQ(zero.get().said, kBegan);
}

TEST(RankMeeting, NamesRanksThatDoNotCome) {
  Room room;
  auto zero = room.enter(0, Room::card(3, 10), 1s), second = room.enter(2, Room::card(3, 12));
  for (auto* const rank : {&zero, &second}) {
    const Outcome outcome = rank->get();
    EXPECT_FALSE(outcome.refused);
    EXPECT_THAT(outcome.said, AllOf(HasSubstr("After 1 s, of 3 processes these had not come: rank 1."),
                                    HasSubstr("LANELAB_DIST_TIMEOUT")));
  }
}

/// Two runs one after the other under one torchrun.
TEST(RankMeeting, ASecondRunFindsTheAgentsStoreFree) {
  Room room;
  room.of_agent = true;
  const WorldPlace place{"torchrun", 0, 2, 0, "127.0.0.1", 29500, true};
  for (int run = 0; run < 2; ++run) {
    auto zero = room.enter(0, Room::card(2, 10 + 10 * run)), first = room.enter(1, Room::card(2, 11 + 10 * run));
    EXPECT_EQ(zero.get().said, kBegan);
    EXPECT_EQ(first.get().said, kBegan);
    endMeeting(room.store, place);
  }
}

TEST(RankMeeting, SaysThatAStoreIsNotOfARun) {
  Room room;
  const Outcome outcome = room.enter(1, Room::card(2, 11), 300ms).get();
  EXPECT_THAT(outcome.said, HasSubstr("The store at 127.0.0.1:29500 is not of a LaneLab run"));
}

TEST(RankCard, GoesThroughTheStoreAsText) {
  const RankCard card{3, "a b", {"host", "machine", 7, "99"}, "{\n}"};
  const RankCard back = RankCard::fromText(card.text());
  EXPECT_EQ(back.size, 3);
  EXPECT_EQ(back.token, "a b");
  EXPECT_EQ(back.process.number, 7);
  EXPECT_EQ(back.agreement, "{\n}");
  EXPECT_EQ(RankCard::fromText("nonsense").size, 0);
}

}  // namespace
}  // namespace lanelab
