// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/attach/job_page.h"

#include <gtest/gtest.h>

#include "tests/support/server/fake_server.h"

namespace lanelab {
namespace {

using Ranks = std::map<int, ServerAddress>;

TEST(JobPage, NamesTheRanks) {
  EXPECT_EQ(ranksOnPage(test::jobPage({"http://vm:46407", "", "http://[fd00::2]:40517"})),
            (Ranks{{0, {"vm", 46407}}, {2, {"fd00::2", 40517}}}));
}

TEST(JobPage, LeavesOutWhatIsNotAnAddress) {
  const char* const cases[] = {"",
                               "debug_server/rank",
                               "debug_server/rank0",
                               "debug_server/rank0: b'",
                               "debug_server/rank0: b'http://",
                               "debug_server/rank0: b'http://a",
                               "debug_server/rank0: b'http://a:1/evil'",
                               "debug_server/rank0: b'ftp://a:1'",
                               "debug_server/rank0: b'http://a:b@c:1'",
                               "debug_server/rank0: 'http://a:1'",
                               "debug_server/rank-1: b'http://a:1'",
                               "debug_server/rank99999999999: b'http://a:1'"};
  for (const char* const page : cases) EXPECT_EQ(ranksOnPage(page), Ranks()) << page;
}

TEST(JobPage, CountsTheFirstAddressOfARank) {
  EXPECT_EQ(ranksOnPage("debug_server/rank1: b'http://a:1' debug_server/rank1: b'http://b:2'"), (Ranks{{1, {"a", 1}}}));
}

TEST(JobPage, IsReadInLinearTime) {
  std::string page;
  for (int i = 0; i < 200'000; ++i) page += "debug_server/rank1: b'http://";
  EXPECT_EQ(ranksOnPage(page), Ranks());
}

}  // namespace
}  // namespace lanelab
