// SPDX-License-Identifier: GPL-3.0-only
// Peers over Gloo: what lanes of one process and many processes have in common.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "engine/dist/gloo_group.h"
#include "engine/dist/run_peers.h"

namespace lanelab {

class GlooPeers : public RunPeers {
 public:
  explicit GlooPeers(std::shared_ptr<FaultBoard> board) : m_board(std::move(board)) {}

  std::unique_ptr<ReplicaLink> joinReplicas(const ReplicaMember& member) override;
  std::unique_ptr<PeerChannel> openSender(int to, const std::string& group) override;
  std::unique_ptr<PeerChannel> openReceiver(int from, const std::string& group) override;
  std::optional<std::string> fault(std::chrono::milliseconds within) const override {
    return m_board->faultWithin(within);
  }

 protected:
  /// Of all groups. Any thread. Throws std::runtime_error with a sentence.
  virtual std::shared_ptr<const GlooTransport> transport() = 0;
  const std::shared_ptr<FaultBoard>& board() const { return m_board; }

 private:
  /// A name that no earlier group had; all members count alike. `member` tells those of this process apart.
  std::string freshName(const std::string& group, int member);
  std::string channelName(int from, int to, const std::string& group);

  const std::shared_ptr<FaultBoard> m_board;
  std::mutex m_mutex;
  std::map<std::pair<std::string, int>, int> m_used;  ///< how often a member took a name
};

}  // namespace lanelab
