// SPDX-License-Identifier: GPL-3.0-only
// Several processes on this machine's loopback: what they compute together, and how they end when one of them is lost.
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <random>
#include <sstream>
#include <thread>

#include "tests/unit/dist/rank_process.h"

namespace lanelab {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;

/// A free port below those that connections are given, so that none takes it before rank 0 listens there.
std::uint16_t freePort() {
  int first_given = 0;
  std::ifstream("/proc/sys/net/ipv4/ip_local_port_range") >> first_given;
  std::random_device dice;
  std::uniform_int_distribution<int> ports(10'000, std::max(first_given, 20'000) - 1);
  for (;;) {
    const int listener = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(ports(dice)));
    const bool is_free = bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    close(listener);
    if (is_free) return ntohs(address.sin_port);
  }
}

/// As torchrun's agent.
c10::intrusive_ptr<c10d::TCPStore> agentStore() {
  c10d::TCPStoreOptions options;
  options.port = 0;
  options.isServer = true;
  options.waitWorkers = false;
  return c10::make_intrusive<c10d::TCPStore>("127.0.0.1", options);
}

struct World {
  std::vector<std::unique_ptr<RankProcess>> ranks;
  c10::intrusive_ptr<c10d::TCPStore> agent;

  /// All ranks but `left_out`. Rank 0 keeps the store, or the test does as torchrun's agent.
  World(int size, const std::vector<std::string>& words, bool with_agent, int left_out = -1,
        const std::string& timeout = "60") {
    if (with_agent) agent = agentStore();
    const std::string port = std::to_string(agent ? agent->getPort() : freePort());
    for (int rank = 0; rank < size; ++rank) {
      if (rank == left_out) continue;
      std::map<std::string, std::string> variables{{"RANK", std::to_string(rank)}, {"WORLD_SIZE", std::to_string(size)},
                                                   {"MASTER_ADDR", "127.0.0.1"},   {"MASTER_PORT", port},
                                                   {"OMP_NUM_THREADS", "1"},       {"LANELAB_DIST_TIMEOUT", timeout}};
      if (agent) variables["TORCHELASTIC_USE_AGENT_STORE"] = "True";
      std::vector<std::string> command{DIST_RANK};
      command.insert(command.end(), words.begin(), words.end());
      ranks.push_back(std::make_unique<RankProcess>(command, variables));
    }
  }
};

class Processes : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Stores, Processes, ::testing::Bool(),
                         [](const auto& test) { return test.param ? "OfTheAgent" : "OfRank0"; });

TEST_P(Processes, ExchangeTexts) {
  World world(3, {"exchange"}, GetParam());
  for (auto& rank : world.ranks) {
    EXPECT_EQ(rank->waitForEnd(60s), 0);
    EXPECT_EQ(rank->output(), "0 3 6 \n");
  }
}

TEST_P(Processes, AverageGradients) {
  World world(3, {"train", "3"}, GetParam());
  for (auto& rank : world.ranks) {
    EXPECT_EQ(rank->waitForEnd(60s), 0);
    EXPECT_EQ(rank->output(), "gradient 2\n");
  }
}

TEST(RanksOfARun, SendAroundARingBeforeTheyReceive) {
  World world(3, {"ring"}, false);
  for (std::size_t rank = 0; rank < 3; ++rank) {
    EXPECT_EQ(world.ranks[rank]->waitForEnd(60s), 0) << world.ranks[rank]->output();
    const std::size_t before = (rank + 2) % 3;
    std::string expected;
    for (std::size_t turn = 0; turn < 3; ++turn)
      expected += std::to_string(16 - turn) + " " + std::to_string(before + 10 * turn) + " 1\n";
    EXPECT_EQ(world.ranks[rank]->output(), expected);
  }
}

TEST(RanksOfARun, NameAPacketThatIsNotAsAgreed) {
  World world(2, {"mixed-shapes"}, false);
  EXPECT_EQ(world.ranks[0]->waitForEnd(60s), 1);
  EXPECT_THAT(world.ranks[0]->output(),
              AllOf(HasSubstr("Packet 1 is Float [2, 4]"), HasSubstr("agreed to be Float [2, 3]")));
  EXPECT_EQ(world.ranks[1]->waitForEnd(60s), 1);
  EXPECT_THAT(world.ranks[1]->output(), AllOf(HasSubstr("rank 0"), HasSubstr("Packet 1 is Float [2, 4]")));
}

TEST(RanksOfARun, SendListsOfSeveralTypes) {
  World world(2, {"lists"}, false);
  EXPECT_EQ(world.ranks[0]->waitForEnd(60s), 0) << world.ranks[0]->output();
  EXPECT_EQ(world.ranks[1]->waitForEnd(60s), 0) << world.ranks[1]->output();
  EXPECT_EQ(world.ranks[1]->output(),
            "Float[4, 2]8 Float[4]4 Long[4]6 Bool[4]2 Float[0, 2]0 \n"
            "Float[2, 2]4 undefined Long[2]1 Bool[2]0 Float[0, 2]0 \n");
}

TEST(RanksOfARun, NameAListThatIsNotAsLongAsAgreed) {
  World world(2, {"mixed-counts"}, false);
  EXPECT_EQ(world.ranks[0]->waitForEnd(60s), 1);
  EXPECT_THAT(world.ranks[0]->output(), HasSubstr("The number of tensors in packet 1 is 1, but was agreed to be 2."));
  EXPECT_EQ(world.ranks[1]->waitForEnd(60s), 1);
}

class StagesOfTwoRanks : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Ways, StagesOfTwoRanks, ::testing::Values("whole", "recompute", "split", "clip"),
                         [](const auto& test) { return std::string(test.param); });

TEST_P(StagesOfTwoRanks, TrainSeveralValuesAtACutAsOneNetwork) {
  World world(2, {"skips", GetParam()}, false);
  EXPECT_EQ(world.ranks[0]->waitForEnd(60s), 0);
  EXPECT_THAT(world.ranks[0]->output(), HasSubstr("losses equal, gradients equal, weights equal\n"));
  EXPECT_EQ(world.ranks[1]->waitForEnd(60s), 0) << world.ranks[1]->output();
}

TEST(RanksOfARun, OfOneMachineHaveOneClock) {
  World world(3, {"clocks"}, false);
  for (auto& rank : world.ranks) ASSERT_EQ(rank->waitForEnd(60s), 0) << rank->output();
  EXPECT_EQ(world.ranks[1]->output(), "\n\n") << "rank 0 alone knows";
  std::istringstream told(world.ranks[0]->output());
  for (int reading = 0; reading < 6; ++reading) {
    long long offset = 0, residual = -1;
    told >> offset >> residual;
    EXPECT_LE(std::abs(offset), residual) << world.ranks[0]->output();
    EXPECT_EQ(residual == 0, reading % 3 == 0) << world.ranks[0]->output();
  }
}

/// In pieces, of which the last may be short, or none may be there.
TEST(RanksOfARun, HandWhatTheyHaveToRank0) {
  for (const char* const bytes : {"0", "1000", "1500000"}) {
    World world(3, {"gather", bytes}, false);
    for (auto& rank : world.ranks) ASSERT_EQ(rank->waitForEnd(60s), 0) << rank->output();
    EXPECT_EQ(world.ranks[0]->output(), "1 right 2 right 1 right 2 right \n") << bytes;
    EXPECT_EQ(world.ranks[2]->output(), "\n");
  }
}

TEST(RanksOfARun, NameARankThatIsLostWhileItHandsOver) {
  World world(3, {"gather-on"}, false);
  for (auto& rank : world.ranks) ASSERT_TRUE(rank->waitFor("gathered", 60s)) << rank->output();
  world.ranks[2]->signal(SIGKILL);
  for (const std::size_t rank : {0, 1}) {
    EXPECT_EQ(world.ranks[rank]->waitForEnd(60s), 1);
    EXPECT_THAT(world.ranks[rank]->output(), HasSubstr("rank 2 ("));
  }
}

TEST(RanksOfARun, SurviveABrokenPipe) {
  World world(2, {"broken-pipe"}, false);
  for (auto& rank : world.ranks) EXPECT_EQ(rank->waitForEnd(60s), 0) << rank->output();
}

struct LostRank {
  const char* what;
  bool with_agent;
  int lost, signal;
};

class KilledRank : public ::testing::TestWithParam<LostRank> {};
INSTANTIATE_TEST_SUITE_P(Ranks, KilledRank,
                         ::testing::Values(LostRank{"One", false, 2, SIGKILL},
                                           LostRank{"ThatKeepsTheStore", false, 0, SIGKILL},
                                           LostRank{"UnderAnAgent", true, 2, SIGKILL},
                                           LostRank{"StoppedWithTheStore", false, 0, SIGSTOP},
                                           LostRank{"StoppedUnderAnAgent", true, 1, SIGSTOP}),
                         [](const auto& test) { return test.param.what; });

TEST_P(KilledRank, IsNamedByAllOthers) {
  const auto [what, with_agent, lost, signal] = GetParam();
  constexpr int kRanks = 3;
  World world(kRanks, {"train", "1000000"}, with_agent);
  for (auto& rank : world.ranks) ASSERT_TRUE(rank->waitFor("gradient", 60s)) << rank->output();
  world.ranks[static_cast<std::size_t>(lost)]->signal(signal);
  for (int rank = 0; rank < kRanks; ++rank) {
    if (rank == lost) continue;
    RankProcess& process = *world.ranks[static_cast<std::size_t>(rank)];
    EXPECT_EQ(process.waitForEnd(60s), 1);
    EXPECT_THAT(process.output(), HasSubstr("rank " + std::to_string(lost) + " ("));
    for (int other = 0; other < kRanks; ++other) {
      if (other == lost) continue;
      EXPECT_THAT(process.output(), ::testing::Not(HasSubstr("rank " + std::to_string(other))));
    }
  }
}

TEST(RanksOfARun, TellWhyOneOfThemFailed) {
  World world(3, {"train-then-fail", "2"}, false);
  for (auto& rank : world.ranks) {
    EXPECT_EQ(rank->waitForEnd(60s), 1);
    EXPECT_THAT(rank->output(), HasSubstr("lane 0 has no memory left"));
  }
  EXPECT_THAT(world.ranks[0]->output(), HasSubstr("failed on rank 1"));
  EXPECT_THAT(world.ranks[2]->output(), HasSubstr("failed on rank 1"));
}

TEST(RanksOfARun, NameARankThatDoesNotCome) {
  World world(3, {"exchange"}, false, /*left_out=*/1, /*timeout=*/"3");
  for (auto& rank : world.ranks) {
    EXPECT_EQ(rank->waitForEnd(60s), 1);
    EXPECT_THAT(rank->output(), AllOf(HasSubstr("had not come: rank 1."), HasSubstr("LANELAB_DIST_TIMEOUT")));
  }
}

TEST(RanksOfARun, SayThatNoStoreAnswers) {
  World world(2, {"exchange"}, false, /*left_out=*/0, /*timeout=*/"2");
  EXPECT_EQ(world.ranks[0]->waitForEnd(60s), 1);
  EXPECT_THAT(world.ranks[0]->output(), AllOf(HasSubstr("does not answer at 127.0.0.1:"), HasSubstr("MASTER_PORT")));
}

TEST(RanksOfARun, ListenAtTheAddressOfTheRunAlone) {
  World world(2, {"listeners"}, false);
  for (auto& rank : world.ranks) {
    EXPECT_EQ(rank->waitForEnd(60s), 0) << rank->output();
    std::istringstream lines(rank->output());
    int listeners = 0;
    for (std::string line; std::getline(lines, line);) {
      if (line.rfind("listens at ", 0) != 0) continue;
      ++listeners;
      EXPECT_EQ(line, "listens at 127.0.0.1");
    }
    EXPECT_GE(listeners, 1) << rank->output();
  }
}

/// It takes the connection and says nothing that a store would.
TEST(RanksOfARun, SayThatAnotherProgramHasThePort) {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  ASSERT_EQ(bind(listener, reinterpret_cast<sockaddr*>(&address), length), 0);
  ASSERT_EQ(listen(listener, 8), 0);
  getsockname(listener, reinterpret_cast<sockaddr*>(&address), &length);
  std::jthread program([listener] {
    for (int connection = 0; (connection = accept(listener, nullptr, nullptr)) >= 0; close(connection)) {
      constexpr char kAnswer[] = "HTTP/1.1 400 Bad Request\r\n\r\n";
      (void)!write(connection, kAnswer, sizeof kAnswer - 1);
    }
  });
  std::vector<std::unique_ptr<RankProcess>> ranks;
  for (const char* const rank : {"0", "1"}) {
    ranks.push_back(std::make_unique<RankProcess>(
        std::vector<std::string>{DIST_RANK, "exchange"},
        std::map<std::string, std::string>{{"RANK", rank},
                                           {"WORLD_SIZE", "2"},
                                           {"MASTER_ADDR", "127.0.0.1"},
                                           {"MASTER_PORT", std::to_string(ntohs(address.sin_port))},
                                           {"LANELAB_DIST_TIMEOUT", "1"}}));
  }
  EXPECT_EQ(ranks[0]->waitForEnd(60s), 1);
  EXPECT_THAT(ranks[0]->output(), AllOf(HasSubstr("another program uses the port"), HasSubstr("MASTER_PORT")));
  EXPECT_EQ(ranks[1]->waitForEnd(60s), 1);
  EXPECT_THAT(ranks[1]->output(), AllOf(HasSubstr("is not rank 0 of a LaneLab run"), HasSubstr("MASTER_PORT")));
  shutdown(listener, SHUT_RDWR);
  close(listener);
}

}  // namespace
}  // namespace lanelab
