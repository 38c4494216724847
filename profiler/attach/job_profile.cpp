// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/attach/job_profile.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <utility>

#include "base/text.h"
#include "base/utf8.h"
#include "profiler/attach/http/http_session.h"
#include "profiler/attach/job_page.h"
#include "profiler/attach/rank_fault.h"

namespace lanelab {
namespace {

constexpr double kLongest_s = 3600;
constexpr std::int64_t kLargestPage = std::int64_t{64} << 20;  // a store lists a hundred bytes for each of its keys
constexpr double kPageLimit_s = 15, kGreetingLimit_s = 10;
constexpr std::size_t kGreetingsAtOnce = 64;  // each looks up a host, on a thread of its own

Result<HttpAnswer> got(HttpSession& session, const ServerAddress& address, std::string_view path,
                       const std::stop_token& stop) {
  const HttpRequest request{.url = address.url(path), .most_bytes = kLargestPage, .limit_s = kPageLimit_s};
  Result<std::vector<HttpAnswer>> answers = session.ask({request}, 1, {}, stop);
  if (!answers.ok()) return answers.error();
  return std::move(answers->front());
}

Error noPage(const ServerAddress& page, const HttpAnswer& answer) {
  switch (answer.end) {
    case HttpEnd::UnknownHost:
      return Error::badInput(
          "The host of {} is not known here. Check the name, or forward the port with ssh -L and "
          "name localhost.",
          page.text());
    case HttpEnd::Refused:
      return Error::badInput(
          "Nothing listens at {}. Call torch.distributed.debug.start_debug_server() in the job, after "
          "init_process_group(); its page is on the machine of rank 0, at port 25999 unless another "
          "one was given.",
          page.text());
    case HttpEnd::Unreachable:
      return Error::badInput("{} cannot be reached ({}). Check the address, or forward the port with ssh -L.",
                             page.text(), answer.words);
    case HttpEnd::Silent:
      return Error::failed(
          "{} does not answer. The job may hang, or the port is that of another server, such as the job's store.",
          page.text());
    default:
      return Error::badInput(
          "{} is not the page of a job. Name the page of start_debug_server(), at port 25999 of rank "
          "0 unless another one was given.",
          page.text());
  }
}

/// What is at the address, if not the page of a job with a list of its ranks.
Error otherPage(const ServerAddress& page, const HttpAnswer& listing, const HttpAnswer& home) {
  if (isRankServer(home.body))
    return Error::badInput(
        "{} is the server of one rank. Name the page of the job, at port 25999 of rank 0 unless "
        "start_debug_server() was given another one.",
        page.text());
  if (!isJobPage(home.body)) return noPage(page, home);
  return Error::failed(
      "The page at {} does not list the ranks (HTTP status {}). PyTorch 2.11 or later does; at the end "
      "of a job its store is gone.",
      page.text(), listing.status);
}

std::vector<int> absentOf(const std::map<int, ServerAddress>& ranks) {
  std::vector<int> absent;
  for (int rank = 0; rank < ranks.rbegin()->first && absent.size() < kMostRanks; ++rank)
    if (!ranks.contains(rank)) absent.push_back(rank);
  return absent;
}

JobRank rankOf(int rank, const ServerAddress& named, const std::string& host_of_page, const AttachRequest& request) {
  if (const auto given = request.rank_addresses.find(rank); given != request.rank_addresses.end())
    return {rank, given->second};
  const std::string& host = named.host == host_of_page ? request.page.host : named.host;
  return {rank, {host, named.port}, named.host};
}

/// PyTorch's profiler ends a process that is asked for two recordings at a time.
Status checkDistinct(const std::vector<JobRank>& ranks) {
  std::map<std::string, int> first;
  for (const JobRank& rank : ranks)
    if (const auto [other, is_new] = first.try_emplace(rank.address.text(), rank.rank); !is_new)
      return Error::badInput(
          "Ranks {} and {} have the same address, {}. Two recordings at a time would end its process. "
          "Check the addresses of the ranks.",
          other->second, rank.rank, rank.address.text());
  return {};
}

Result<RunningJob> jobOf(std::map<int, ServerAddress> named, const AttachRequest& request) {
  const std::string host_of_page = named.contains(0) ? named.at(0).host : std::string();
  for (const auto& [rank, address] : request.rank_addresses) named.try_emplace(rank, address);
  if (named.empty())
    return Error::failed(
        "The page at {} names no rank yet. Each rank calls start_debug_server(); try again once the "
        "job has started.",
        request.page.text());
  if (named.size() > kMostRanks)
    return Error::badInput("The job has {} ranks. At most {} are asked.", named.size(), kMostRanks);
  RunningJob job{{}, absentOf(named)};
  for (const auto& [rank, address] : named) job.ranks.push_back(rankOf(rank, address, host_of_page, request));
  if (const Status distinct = checkDistinct(job.ranks); !distinct.ok()) return distinct.error();
  return job;
}

std::vector<HttpRequest> greetings(const RunningJob& job) {
  std::vector<HttpRequest> requests;
  for (const JobRank& rank : job.ranks)
    requests.push_back({.url = rank.address.url("/handler/"), .limit_s = kGreetingLimit_s});
  return requests;
}

std::string fileOf(const std::string& folder, int rank) {
  return (std::filesystem::path(folder) / ("rank" + std::to_string(rank) + ".json")).string();
}

std::vector<HttpRequest> recordings(const std::vector<JobRank>& ranks, const AttachRequest& request,
                                    const std::string& folder) {
  const std::string path = "/handler/torch_profile?duration=" + exactNumber(request.seconds);
  std::vector<HttpRequest> requests;
  for (const JobRank& rank : ranks)
    requests.push_back({HttpRequest::Method::Post, rank.address.url(path), fileOf(folder, rank.rank),
                        request.most_bytes, request.seconds + request.grace_s});
  return requests;
}

/// The time of the recording, then how many ranks have answered.
HttpSession::Answered progressOf(std::size_t ranks, double seconds, const ReportProgress& report) {
  if (!report) return {};
  using Clock = std::chrono::steady_clock;
  const auto total = static_cast<std::int64_t>(std::ceil(seconds * 1000));
  return [=, start = Clock::now()](std::size_t answered) {
    const auto passed = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start).count();
    if (passed < total && answered == 0)
      report({"Recording on " + counted(static_cast<std::int64_t>(ranks), "rank"), passed, total});
    else
      report({"Receiving traces, " + std::to_string(answered) + " of " + std::to_string(ranks) + " ranks",
              static_cast<std::int64_t>(answered), static_cast<std::int64_t>(ranks)});
  };
}

/// Takes the ranks that do not respond out of the job.
Result<RunningJob> responding(HttpSession& session, const RunningJob& job, JobProfile& profile,
                              const WorkControl& control) {
  if (control.report) control.report({"Asking " + counted(static_cast<std::int64_t>(job.ranks.size()), "rank"), 0, 0});
  const auto answers = session.ask(greetings(job), kGreetingsAtOnce, {}, control.stop);
  if (!answers.ok()) return answers.error();
  RunningJob rest;
  for (std::size_t i = 0; i < job.ranks.size(); ++i) {
    if (const auto reason = whyNotAsked(job.ranks[i], (*answers)[i]))
      profile.missing.push_back({job.ranks[i].rank, *reason});
    else
      rest.ranks.push_back(job.ranks[i]);
  }
  return rest;
}

}  // namespace

Status checkAttach(const AttachRequest& request) {
  if (!(request.seconds > 0) || request.seconds > kLongest_s)
    return Error::badInput("The number of seconds to record must be above 0 and at most 3600, not {}.",
                           exactNumber(request.seconds));
  if (!(request.grace_s >= 1) || request.grace_s > kLongest_s)
    return Error::badInput("The grace must be from 1 to 3600 seconds, not {}.", exactNumber(request.grace_s));
  return {};
}

Result<RunningJob> findRanks(const AttachRequest& request, const WorkControl& control) {
  if (control.report) control.report({"Finding the ranks", 0, 0});
  Result<HttpSession> session = HttpSession::open();
  if (!session.ok()) return session.error();
  const Result<HttpAnswer> listing = got(*session, request.page, kStorePath, control.stop);
  if (!listing.ok()) return listing.error();
  if (listing->ok() && isJobPage(listing->body)) return jobOf(ranksOnPage(listing->body), request);
  if (listing->end != HttpEnd::Answered) return noPage(request.page, *listing);
  const Result<HttpAnswer> home = got(*session, request.page, "/", control.stop);
  if (!home.ok()) return home.error();
  return otherPage(request.page, *listing, *home);
}

std::string addressesOf(const RunningJob& job, const ServerAddress& page) {
  std::string text = page.text() + " (page of the job)";
  for (const JobRank& rank : job.ranks)
    text += ", " + rank.address.text() + " (rank " + std::to_string(rank.rank) + ")";
  return text;
}

Result<JobProfile> recordRanks(const RunningJob& job, const AttachRequest& request, const std::string& folder,
                               const WorkControl& control) {
  Result<HttpSession> session = HttpSession::open();
  if (!session.ok()) return session.error();
  JobProfile profile;
  for (const int rank : job.absent)
    profile.missing.push_back({rank, sentence("It has no server. Call start_debug_server() on every rank.")});
  const Result<RunningJob> asked = responding(*session, job, profile, control);
  if (!asked.ok()) return asked.error();
  const std::vector<JobRank>& ranks = asked->ranks;
  const auto answers = session->ask(recordings(ranks, request, folder), ranks.size(),
                                    progressOf(ranks.size(), request.seconds, control.report), control.stop);
  if (!answers.ok() && answers.error().kind == Error::Kind::Cancelled)
    return Error::cancelled(
        "The recording was cancelled. The ranks still record until their {} s are over; ask them "
        "again only after that, since two recordings at a time end a process.",
        exactNumber(request.seconds));
  if (!answers.ok()) return answers.error();
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (const auto reason = whyNoTrace(ranks[i], (*answers)[i], request))
      profile.missing.push_back({ranks[i].rank, *reason});
    else
      profile.traces.push_back({ranks[i].rank, fileOf(folder, ranks[i].rank)});
  }
  std::ranges::sort(profile.missing, {}, &MissingRank::rank);
  return profile;
}

}  // namespace lanelab
