// SPDX-License-Identifier: GPL-3.0-only
// Channels between rank 0 and every other process for what is no part of training: readings of their clocks, and what
// they recorded.
//
// Rank 0 asks one process after the other and for one piece after the other, so it never holds more than it asked for.
// No torch header is needed to use it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "profiler/trace/clock_alignment.h"

namespace lanelab {

class PeerChannel;
class Peers;

/// All processes make the same calls in the same order, each from one thread. Everything throws std::runtime_error with
/// a sentence; one about a lost process names it as "rank N".
class RankChannels {
 public:
  struct Channel {
    std::unique_ptr<PeerChannel> out, in;
  };

  explicit RankChannels(std::shared_ptr<Peers> peers);
  ~RankChannels();

  /// In rank 0 of all clocks by rank, against its own; in the others empty.
  std::vector<ClockReading> readClocks();
  /// Rank 0 takes the bytes of rank 1, then those of rank 2, and so on.
  void gather(const std::string& mine, const std::function<void(int rank, std::string bytes)>& take);

 private:
  std::shared_ptr<Peers> m_peers;
  std::vector<Channel> m_channels;  ///< in rank 0 to ranks 1, 2 ...; in the others one, to rank 0
};

}  // namespace lanelab
