// SPDX-License-Identifier: GPL-3.0-only
// Peers of a run in one process.
#include <torch/csrc/distributed/c10d/HashStore.hpp>

#include <cstdlib>

#include "engine/dist/gloo_peers.h"
#include "engine/dist/rendezvous/connection_text.h"

namespace lanelab {

namespace {

/// As c10d's default; lanes of one process wait for each other as long as they live, and abandon() ends that.
constexpr std::chrono::minutes kLaneTimeout(30);

/// c10d's flight recorder is one for the process and takes no lock for a group's first operation (torch 2.11), so
/// groups that begin on two lanes at once broke its map. Said before main(), where no other thread can be reading the
/// environment.
[[maybe_unused]] const int flight_recorder_off = ::setenv("TORCH_FR_BUFFER_SIZE", "0", 0);

std::shared_ptr<const GlooWays> waysWithin() {
  auto board = std::make_shared<FaultBoard>();
  const auto store = c10::make_intrusive<c10d::HashStore>();
  const auto cause = [board](const std::string& what) {
    // A lane that fails closes its connections, and only then says why.
    if (const auto fault = board->faultWithin(std::chrono::seconds(2))) return *fault;
    logConnectionText(what);
    return std::string("The connection between two lanes of this process broke. Start the run again.");
  };
  return std::make_shared<GlooWays>(
      GlooWays{glooDevicesWithin(), kLaneTimeout, board, [store] { return store; }, cause});
}

class LanePeers final : public GlooPeers {
 public:
  LanePeers() : GlooPeers(waysWithin()) {}
  int rank() const override { return 0; }
  int size() const override { return 1; }
  std::vector<std::string> exchange(const std::string& mine) override { return {mine}; }
  void abandon(const std::string& why) override { ways()->board->raise(why); }
  void leave() override {}
};

}  // namespace

std::unique_ptr<RunPeers> lanePeers() { return std::make_unique<LanePeers>(); }

}  // namespace lanelab
