// SPDX-License-Identifier: GPL-3.0-only
// What the page of PyTorch's debug server (torch/distributed/debug, https://github.com/pytorch/pytorch) says of a job's
// ranks. The page lists the job's TCPStore, in which each rank's server entered its address:
//   debug_server/rank0: b'http://node1:41233'
// Anybody may have made it: what is not understood is left out. Pure; any thread.
#pragma once

#include <map>
#include <string_view>

#include "profiler/attach/server_address.h"

namespace lanelab {

inline constexpr int kDebugServerPort = 25999;  ///< start_debug_server() listens there unless it is given another one
inline constexpr std::string_view kStorePath = "/tcpstore";

bool isJobPage(std::string_view html);
/// The server that each rank has, without a page.
bool isRankServer(std::string_view html);
/// By rank; the first address of each counts.
std::map<int, ServerAddress> ranksOnPage(std::string_view html);

}  // namespace lanelab
