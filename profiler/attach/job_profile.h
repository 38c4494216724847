// SPDX-License-Identifier: GPL-3.0-only
// Asks all ranks of a running job for a profile at the same time. The job runs PyTorch's debug server
// (torch.distributed.debug.start_debug_server, https://github.com/pytorch/pytorch): a page at rank 0 that names the
// ranks, and at each rank a server that records itself with torch.profiler. Connects to the page, and to the ranks, and
// to nothing else. Blocks; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/message.h"
#include "base/progress.h"
#include "base/result.h"
#include "profiler/attach/server_address.h"

namespace lanelab {

inline constexpr std::size_t kMostRanks = 512;

struct AttachRequest {
  ServerAddress page;
  std::map<int, ServerAddress> rank_addresses = {};  ///< in the place of what the page says
  double seconds = 5;                                ///< to record, on each rank
  double grace_s = 60;                               ///< from the end of the recording to the end of the answer
  std::int64_t most_bytes = std::int64_t{2} << 30;   ///< of the answer of a rank
};

/// BadInput for a duration that is none.
Status checkAttach(const AttachRequest& request);

struct JobRank {
  int rank = 0;
  ServerAddress address;
  std::string named_host = {};  ///< in `address` on the page; empty if the user gave the address
};

struct RunningJob {
  std::vector<JobRank> ranks;  ///< by rank
  std::vector<int> absent;     ///< ranks between them that have no server
};

/// The ranks that the page names. Those on the host of rank 0, where the page is, are asked at the host by which the
/// user named the page: its own name need not be known here. BadInput if there is no such page, or if two ranks have
/// one address.
Result<RunningJob> findRanks(const AttachRequest& request, const WorkControl& control = {});

/// "node1:25999 (page of the job), node1:41233 (rank 0), ...", for users to see whom this connects to.
std::string addressesOf(const RunningJob& job, const ServerAddress& page);

struct RankTrace {
  int rank = 0;
  std::string file;
};

struct MissingRank {
  int rank = 0;
  Message reason;  ///< one or two sentences, without the rank
};

struct JobProfile {
  std::vector<RankTrace> traces;     ///< by rank
  std::vector<MissingRank> missing;  ///< by rank
};

/// Writes FOLDER/rank<R>.json for each rank that answers. Ranks that do not respond are found out before anything is
/// recorded. Errors: no libcurl, or cancelled; a rank that fails does not cost the others.
Result<JobProfile> recordRanks(const RunningJob& job, const AttachRequest& request, const std::string& folder,
                               const WorkControl& control = {});

}  // namespace lanelab
