// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/attach/job_profile.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <stop_token>

#include "tests/support/file_content.h"
#include "tests/support/server/fake_server.h"
#include "tests/support/temporary_folder.h"

namespace lanelab {
namespace {

using test::FakeReply;
using test::FakeServer;

FakeServer::Answer rankServer(const FakeReply& profile) {
  return [profile](const std::string& request) {
    return request.starts_with("POST /handler/torch_profile?") ? profile : FakeReply::ok(test::kHandlers);
  };
}

FakeServer::Answer page(const std::string& listing) {
  return [listing](const std::string& request) {
    return request.starts_with("GET /tcpstore ") ? FakeReply::ok(listing) : FakeReply::status(404, "");
  };
}

AttachRequest requestAt(int port) { return {.page = {"127.0.0.1", port}, .seconds = 0.05, .grace_s = 1}; }

/// A job of rank 0, whose server is sound, and of rank 1.
JobProfile recorded(const std::string& rank1, AttachRequest request, const std::string& folder) {
  const FakeServer sound(rankServer(FakeReply::ok(test::rankTrace(0, 2))));
  const FakeServer job(page(test::jobPage({"http://" + sound.address(), "http://" + rank1})));
  request.page.port = job.port();
  const Result<RunningJob> found = findRanks(request);
  EXPECT_TRUE(found.ok()) << found.error().message;
  const Result<JobProfile> profile = recordRanks(*found, request, folder);
  EXPECT_TRUE(profile.ok()) << profile.error().message;
  return *profile;
}

TEST(JobProfile, AsksAllRanksWithTheSameDuration) {
  const test::TemporaryFolder folder;
  const FakeServer zero(rankServer(FakeReply::ok(test::rankTrace(0, 2))));
  const FakeServer one(rankServer(FakeReply::ok(test::rankTrace(1, 2))));
  const FakeServer job(page(test::jobPage({"http://" + zero.address(), "http://" + one.address()})));
  AttachRequest request = requestAt(job.port());
  request.seconds = 0.25;
  const Result<RunningJob> found = findRanks(request);
  ASSERT_TRUE(found.ok()) << found.error().message;
  const Result<JobProfile> profile = recordRanks(*found, request, folder.path());
  ASSERT_TRUE(profile.ok()) << profile.error().message;
  EXPECT_TRUE(profile->missing.empty());
  ASSERT_EQ(profile->traces.size(), 2U);
  EXPECT_EQ(test::contentOf(folder.file("rank1.json")), test::rankTrace(1, 2));
  const std::vector<std::string> asked = {"GET /handler/ HTTP/1.1",
                                          "POST /handler/torch_profile?duration=0.25 HTTP/1.1"};
  EXPECT_EQ(zero.requests(), asked);
  EXPECT_EQ(one.requests(), asked);
}

TEST(JobProfile, KeepsTheOtherRanksOfOneThatFails) {
  struct Case {
    const char* name;
    FakeServer::Answer answer;
    const char* reason;
  };
  const std::string trace = test::rankTrace(1, 2);
  const Case cases[] = {
      {"silent", rankServer(FakeReply::silence()), "It gave no whole trace within 1.05 s."},
      {"slow", rankServer(FakeReply::half(trace, FakeReply::Then::Hold)), "It gave no whole trace within 1.05 s."},
      {"dies in the middle", rankServer(FakeReply::half(trace, FakeReply::Then::Close)), "The connection ended"},
      {"dies at once", rankServer({}), "The connection ended"},
      {"does not know the handler", rankServer(FakeReply::status(404, "Handler torch_profile not found")),
       "PyTorch 2.11 or later"},
      {"has no such handler", [](const std::string&) { return FakeReply::ok(R"(["ping"])"); }, "PyTorch 2.11 or later"},
      {"is profiled by another", rankServer(FakeReply::status(500, "Handler failed:\x1b[31m busy\nmore")),
       "It refused with HTTP status 500: Handler failed:\\x1b[31m busy"},
      {"redirects", rankServer({"HTTP/1.1 302 x\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"}),
       "It refused with HTTP status 302: no text"},
      {"is not HTTP", [](const std::string&) { return FakeReply{"SSH-2.0-OpenSSH_9.2\r\n"}; },
       "is not a server of start_debug_server()"},
      {"is too large", rankServer(FakeReply::ok(std::string(5000, ' '))), "Its trace is larger than 4000 bytes."},
      {"is too large without a length", rankServer({"HTTP/1.1 200 x\r\n\r\n" + std::string(5000, ' ')}),
       "Its trace is larger than 4000 bytes."},
  };
  for (const Case& given : cases) {
    SCOPED_TRACE(given.name);
    const test::TemporaryFolder folder;
    const FakeServer one(given.answer);
    AttachRequest request = requestAt(0);
    request.most_bytes = 4000;
    const JobProfile profile = recorded(one.address(), request, folder.path());
    ASSERT_EQ(profile.traces.size(), 1U);
    EXPECT_EQ(profile.traces.front().rank, 0);
    ASSERT_EQ(profile.missing.size(), 1U);
    EXPECT_EQ(profile.missing.front().rank, 1);
    EXPECT_NE(profile.missing.front().reason.message.find(given.reason), std::string::npos)
        << profile.missing.front().reason.message;
    EXPECT_FALSE(std::filesystem::exists(folder.file("rank1.json")));
  }
}

TEST(JobProfile, NamesARankThatCannotBeReached) {
  const test::TemporaryFolder folder, other;
  const std::string nobody = "127.0.0.1:" + std::to_string(test::unusedPort());
  JobProfile profile = recorded(nobody, requestAt(0), folder.path());
  ASSERT_EQ(profile.missing.size(), 1U);
  EXPECT_EQ(profile.missing.front().reason.message, "Nothing listens at " + nobody + ". Its process may have ended.");
  profile = recorded("no-such-host.invalid:80", requestAt(0), other.path());
  ASSERT_EQ(profile.missing.size(), 1U);
  EXPECT_NE(profile.missing.front().reason.message.find("name the address as 1=HOST:PORT (--rank-address)"),
            std::string::npos);
}

TEST(JobProfile, ConnectsOnlyToThePageAndTheRanks) {
  AttachRequest request = requestAt(0);
  const FakeServer job(page(test::jobPage({"http://head:1", "http://head:2", "http://other:3", "http://other:4"})));
  request.page.port = job.port();
  request.rank_addresses = {{3, {"localhost", 5}}};
  const Result<RunningJob> found = findRanks(request);
  ASSERT_TRUE(found.ok()) << found.error().message;
  EXPECT_EQ(addressesOf(*found, {"page", 9}),
            "page:9 (page of the job), 127.0.0.1:1 (rank 0), 127.0.0.1:2 (rank 1), other:3 (rank 2), localhost:5 (rank "
            "3)");
  EXPECT_EQ(job.requests(), (std::vector<std::string>{"GET /tcpstore HTTP/1.1"}));
}

TEST(JobProfile, NamesRanksWithoutAServer) {
  const test::TemporaryFolder folder;
  const FakeServer two(rankServer(FakeReply::ok(test::rankTrace(2, 3))));
  const FakeServer zero(rankServer(FakeReply::ok(test::rankTrace(0, 3))));
  const FakeServer job(page(test::jobPage({"http://" + zero.address(), "", "http://" + two.address()})));
  const AttachRequest request = requestAt(job.port());
  const Result<RunningJob> found = findRanks(request);
  ASSERT_TRUE(found.ok());
  const Result<JobProfile> profile = recordRanks(*found, request, folder.path());
  ASSERT_TRUE(profile.ok());
  ASSERT_EQ(profile->missing.size(), 1U);
  EXPECT_EQ(profile->missing.front().rank, 1);
}

TEST(JobProfile, RefusesWhatIsNotThePageOfAJob) {
  struct Case {
    const char* name;
    FakeServer::Answer answer;
    const char* sentence;
  };
  const auto always = [](const std::string& body) {
    return [body](const std::string&) { return FakeReply::ok(body); };
  };
  std::vector<std::string> many(513, "http://a:1");
  const Case cases[] = {
      {"another site", always("<html>hello</html>"), "is not the page of a job. Name the page"},
      {"a rank", always("<h1>torch.distributed.WorkerServer</h1>"), "is the server of one rank. Name the page"},
      {"not HTTP", [](const std::string&) { return FakeReply{"\x01\x02"}; }, "is not the page of a job"},
      {"a job without ranks", page(test::jobPage({})), "names no rank yet"},
      {"too many ranks", page(test::jobPage(many)), "has 513 ranks. At most 512"},
      {"an old page",
       [](const std::string& request) {
         return request.starts_with("GET / ") ? FakeReply::ok(test::jobPage({})) : FakeReply::status(404, "");
       },
       "PyTorch 2.11 or later"},
  };
  for (const Case& given : cases) {
    const FakeServer server(given.answer);
    const Result<RunningJob> found = findRanks(requestAt(server.port()));
    ASSERT_FALSE(found.ok()) << given.name;
    EXPECT_NE(found.error().message.find(given.sentence), std::string::npos) << found.error().message;
  }
  const Result<RunningJob> found = findRanks(requestAt(test::unusedPort()));
  ASSERT_FALSE(found.ok());
  EXPECT_NE(found.error().message.find("Call torch.distributed.debug.start_debug_server()"), std::string::npos);
}

TEST(JobProfile, IsCancelledWhileRanksRecord) {
  const test::TemporaryFolder folder;
  std::stop_source stop;
  const FakeServer silent([&stop](const std::string& request) {
    if (request.starts_with("GET")) return FakeReply::ok(test::kHandlers);
    stop.request_stop();
    return FakeReply::silence();
  });
  const FakeServer job(page(test::jobPage({"http://" + silent.address()})));
  AttachRequest request = requestAt(job.port());
  request.grace_s = 3600;
  const Result<RunningJob> found = findRanks(request);
  ASSERT_TRUE(found.ok());
  const Result<JobProfile> profile = recordRanks(*found, request, folder.path(), {{}, stop.get_token()});
  ASSERT_FALSE(profile.ok());
  EXPECT_EQ(profile.error().kind, Error::Kind::Cancelled);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(JobProfile, RefusesTwoRanksOfOneAddress) {
  const FakeServer job(page(test::jobPage({"http://a:1", "http://a:2"})));
  AttachRequest request = requestAt(job.port());
  request.rank_addresses = {{1, {"127.0.0.1", 1}}};
  const Result<RunningJob> found = findRanks(request);
  ASSERT_FALSE(found.ok());
  EXPECT_NE(found.error().message.find("Ranks 0 and 1 have the same address, 127.0.0.1:1."), std::string::npos);
}

TEST(JobProfile, Asks512RanksAtATime) {
  const test::TemporaryFolder folder;
  const FakeServer all(rankServer(FakeReply::ok(test::rankTrace(0, 512))));
  RunningJob job;
  for (int rank = 0; rank < 512; ++rank) job.ranks.push_back({rank, {"127.0.0.1", all.port()}});
  AttachRequest request = requestAt(1);
  request.grace_s = 60;
  const Result<JobProfile> profile = recordRanks(job, request, folder.path());
  ASSERT_TRUE(profile.ok());
  EXPECT_EQ(profile->traces.size(), 512U);
}

TEST(JobProfile, TellsRecordingFromReceiving) {
  const test::TemporaryFolder folder;
  const FakeServer zero(rankServer(FakeReply::ok(test::rankTrace(0, 1))));
  const FakeServer job(page(test::jobPage({"http://" + zero.address()})));
  std::vector<Progress> seen;
  const WorkControl control{[&seen](const Progress& progress) { seen.push_back(progress); }};
  const AttachRequest request = requestAt(job.port());
  const Result<RunningJob> found = findRanks(request, control);
  ASSERT_TRUE(found.ok());
  ASSERT_TRUE(recordRanks(*found, request, folder.path(), control).ok());
  ASSERT_GE(seen.size(), 3U);
  EXPECT_EQ(seen.front().phase, "Finding the ranks");
  EXPECT_EQ(seen[1].phase, "Asking 1 rank");
  EXPECT_EQ(seen.back(), (Progress{"Receiving traces, 1 of 1 ranks", 1, 1}));
}

TEST(JobProfile, RefusesDurationsThatAreNone) {
  for (const double seconds : {0.0, -1.0, 3601.0, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_FALSE(checkAttach({.page = {"a", 1}, .seconds = seconds}).ok()) << seconds;
  for (const double grace : {0.0, 3601.0})
    EXPECT_FALSE(checkAttach({.page = {"a", 1}, .grace_s = grace}).ok()) << grace;
  EXPECT_TRUE(checkAttach({.page = {"a", 1}}).ok());
}

}  // namespace
}  // namespace lanelab
