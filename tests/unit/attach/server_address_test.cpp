// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/attach/server_address.h"

#include <gtest/gtest.h>

namespace lanelab {
namespace {

TEST(ServerAddress, IsReadAsUsersWriteIt) {
  struct Case {
    const char* text;
    ServerAddress address;
  };
  const Case cases[] = {{"node1:25999", {"node1", 25999}},
                        {"node1", {"node1", 7}},
                        {"http://node1:80/", {"node1", 80}},
                        {"10.0.0.2:1", {"10.0.0.2", 1}},
                        {"[::1]:65535", {"::1", 65535}},
                        {"[fe80::2]", {"fe80::2", 7}},
                        {"gpu_3.cluster-a:9", {"gpu_3.cluster-a", 9}}};
  for (const Case& given : cases) {
    const Result<ServerAddress> read = readServerAddress(given.text, 7);
    ASSERT_TRUE(read.ok()) << given.text;
    EXPECT_EQ(*read, given.address) << given.text;
  }
}

TEST(ServerAddress, IsRefusedUnlessItNamesAHostAndAPort) {
  const char* const cases[] = {"",       ":",      ":80",    "a:",         "a:0",         "a:65536", "a:1x",
                               "a b:80", "a/b:80", "u@a:80", "a:80/path",  "-a:80",       "::1:80",  "[::1",
                               "[::1]x", "[a]:80", "a\n:80", "ftp://a:80", "https://a:80"};
  for (const char* const text : cases) {
    const Result<ServerAddress> read = readServerAddress(text, 7);
    ASSERT_FALSE(read.ok()) << text;
    EXPECT_EQ(read.error().kind, Error::Kind::BadInput) << text;
    EXPECT_NE(read.error().message.find("Write HOST:PORT"), std::string::npos) << read.error().message;
  }
  EXPECT_FALSE(readServerAddress("node1").ok());
}

TEST(ServerAddress, IsWrittenWithBracketsWhereItHasColons) {
  EXPECT_EQ((ServerAddress{"node1", 80}.url("/handler/")), "http://node1:80/handler/");
  EXPECT_EQ((ServerAddress{"::1", 80}.text()), "[::1]:80");
}

}  // namespace
}  // namespace lanelab
