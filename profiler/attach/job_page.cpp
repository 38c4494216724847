// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/attach/job_page.h"

#include <charconv>
#include <utility>

namespace lanelab {
namespace {

constexpr std::string_view kKey = "debug_server/rank";
constexpr std::string_view kValue = ": b'http://";
constexpr std::size_t kLongestValue = 300;
constexpr int kLargestRank = 1'000'000;

}  // namespace

bool isJobPage(std::string_view html) { return html.find("Torch Distributed Debug Server") != std::string_view::npos; }

bool isRankServer(std::string_view html) {
  return html.find("torch.distributed.WorkerServer") != std::string_view::npos;
}

std::map<int, ServerAddress> ranksOnPage(std::string_view html) {
  std::map<int, ServerAddress> ranks;
  for (std::size_t at = html.find(kKey); at != std::string_view::npos; at = html.find(kKey)) {
    html.remove_prefix(at + kKey.size());
    int rank = -1;
    const auto [after, error] = std::from_chars(html.data(), html.data() + html.size(), rank);
    if (error != std::errc() || rank < 0 || rank > kLargestRank) continue;
    html.remove_prefix(static_cast<std::size_t>(after - html.data()));
    if (!html.starts_with(kValue)) continue;
    html.remove_prefix(kValue.size());
    const std::string_view value = html.substr(0, kLongestValue);
    Result<ServerAddress> address = readServerAddress(value.substr(0, value.find('\'')));
    if (address.ok()) ranks.try_emplace(rank, std::move(*address));
  }
  return ranks;
}

}  // namespace lanelab
