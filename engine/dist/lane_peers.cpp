// SPDX-License-Identifier: GPL-3.0-only
// Peers of a run in one process.
#include <torch/csrc/distributed/c10d/HashStore.hpp>

#include <cstdlib>
#include <mutex>
#include <stdexcept>

#include "engine/dist/gloo_peers.h"
#include "engine/dist/gloo_self_test.h"
#include "engine/dist/rendezvous/connection_text.h"

namespace lanelab {

namespace {

/// As c10d's default; lanes of one process wait for each other as long as they live, and abandon() ends that.
constexpr std::chrono::minutes kLaneTimeout(30);

/// c10d's flight recorder is one for the process and takes no lock for a group's first operation (torch 2.11), so
/// groups that begin on two lanes at once broke its map. Said before main(), where no other thread can be reading the
/// environment.
[[maybe_unused]] const int flight_recorder_off = ::setenv("TORCH_FR_BUFFER_SIZE", "0", 0);

std::shared_ptr<const GlooTransport> waysWithin(const std::shared_ptr<FaultBoard>& board) {
  const auto store = c10::make_intrusive<c10d::HashStore>();
  const auto cause = [board](const std::string& what) {
    // A lane that fails closes its connections, and only then says why.
    if (const auto fault = board->faultWithin(std::chrono::seconds(2))) return *fault;
    logConnectionText(what);
    return std::string("The connection between two lanes of this process broke. Start the run again.");
  };
  return std::make_shared<GlooTransport>(
      GlooTransport{glooDevicesWithin(), kLaneTimeout, board, [store] { return store; }, cause});
}

/// Replicas on lanes of this process, joined by Gloo over the loopback interface. It listens on a port as soon as it is
/// there, so it is made only for lanes that join.
class LanePeers final : public GlooPeers {
 public:
  LanePeers() : GlooPeers(std::make_shared<FaultBoard>()) {}
  int rank() const override { return 0; }
  int size() const override { return 1; }
  std::vector<std::string> exchange(const std::string& mine) override { return {mine}; }
  void abandon(const std::string& why) override { board()->raise(why); }
  void leave() override {}

 private:
  std::shared_ptr<const GlooTransport> transport() override {
    std::call_once(m_once, [this] {
      if (const std::string& fault = glooFault(); !fault.empty()) throw std::runtime_error(fault);
      m_transport = waysWithin(board());
    });
    return m_transport;
  }

  std::once_flag m_once;
  std::shared_ptr<const GlooTransport> m_transport;
};

}  // namespace

std::unique_ptr<RunPeers> lanePeers() { return std::make_unique<LanePeers>(); }

}  // namespace lanelab
