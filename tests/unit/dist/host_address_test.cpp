// SPDX-License-Identifier: GPL-3.0-only
// Rank 0's machine: names that are not found, look-ups that hang, ports that are taken, and one address alone that is
// listened at.
#include "engine/dist/rendezvous/host_address.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netdb.h>
#include <netinet/in.h>
#include <unistd.h>

#include <future>

namespace lanelab {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;

std::vector<HostAddress> found(const std::string& host, std::uint16_t port) {
  auto addresses = addressesOf("MASTER_ADDR", host, port, 30s);
  EXPECT_TRUE(addresses.ok());
  return addresses.ok() ? *addresses : std::vector<HostAddress>();
}

std::uint16_t portOf(const ListeningSocket& socket) {
  sockaddr_in address{};
  socklen_t length = sizeof address;
  getsockname(socket.descriptor, reinterpret_cast<sockaddr*>(&address), &length);
  return ntohs(address.sin_port);
}

TEST(HostAddress, OfAnUnknownMachineIsASentence) {
  const auto unknown =
      addressesOf("MASTER_ADDR", "nohost", 1, 30s,
                  [](const std::string&, std::uint16_t, std::vector<HostAddress>&) { return EAI_NONAME; });
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().kind, Error::Kind::BadInput);
  EXPECT_EQ(unknown.error().message,
            "MASTER_ADDR: cannot find the machine \"nohost\" (Name or service not known). Set it to the name or "
            "address of rank 0's machine.");
}

TEST(HostAddress, OfALookUpThatHangsIsASentenceWithinTheLimit) {
  std::promise<int> never;
  const auto hung =
      addressesOf("MASTER_ADDR", "slow", 1, 100ms,
                  [answer = never.get_future().share()](const std::string&, std::uint16_t, std::vector<HostAddress>&) {
                    return answer.get();
                  });
  ASSERT_FALSE(hung.ok());
  EXPECT_THAT(hung.error().message, AllOf(HasSubstr("\"slow\" (no answer within 0 s)")));
  never.set_value(0);
}

TEST(HostAddress, IsListenedAtAlone) {
  const auto socket = listenAt(found("127.0.0.1", 0), "127.0.0.1", 0);
  ASSERT_TRUE(socket.ok()) << socket.error().message;
  EXPECT_EQ(socket->address.text(), "127.0.0.1");
  EXPECT_TRUE(accepts(found("127.0.0.1", portOf(*socket)).front(), 10s));
  EXPECT_FALSE(accepts(found("127.0.0.2", portOf(*socket)).front(), 10s)) << "another address of this machine";
  close(socket->descriptor);
}

TEST(HostAddress, OfAPortThatIsTakenIsASentence) {
  const auto first = listenAt(found("127.0.0.1", 0), "127.0.0.1", 0);
  ASSERT_TRUE(first.ok());
  const std::uint16_t port = portOf(*first);
  const auto second = listenAt(found("127.0.0.1", port), "127.0.0.1", port);
  ASSERT_FALSE(second.ok());
  EXPECT_THAT(second.error().message, AllOf(HasSubstr("127.0.0.1:" + std::to_string(port)),
                                            HasSubstr("another program uses the port"), HasSubstr("MASTER_PORT")));
  close(first->descriptor);
  EXPECT_FALSE(accepts(found("127.0.0.1", port).front(), 10s)) << "nobody listens now";
}

TEST(HostAddress, OfAnotherMachineCannotBeListenedAt) {
  const auto socket =
      listenAt(found("192.0.2.1", 0), "192.0.2.1", 0);  // an address for documentation, which no machine has
  ASSERT_FALSE(socket.ok());
  EXPECT_EQ(socket.error().kind, Error::Kind::BadInput);
  EXPECT_THAT(socket.error().message,
              AllOf(HasSubstr("no such address"), HasSubstr("MASTER_ADDR"), HasSubstr("LANELAB_LISTEN_ADDR")));
}

}  // namespace
}  // namespace lanelab
