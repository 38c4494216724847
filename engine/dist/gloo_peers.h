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
  explicit GlooPeers(std::shared_ptr<const GlooTransport> transport) : m_transport(std::move(transport)) {}

  std::unique_ptr<ReplicaLink> joinReplicas(const ReplicaMember& member) override;
  std::unique_ptr<PeerChannel> openSender(int to, const std::string& group) override;
  std::unique_ptr<PeerChannel> openReceiver(int from, const std::string& group) override;
  std::optional<std::string> fault(std::chrono::milliseconds within) const override {
    return m_transport->board->faultWithin(within);
  }

 protected:
  const std::shared_ptr<const GlooTransport>& transport() const { return m_transport; }

 private:
  /// A name that no earlier group had; all members count alike. `member` tells those of this process apart.
  std::string freshName(const std::string& group, int member);
  std::string channelName(int from, int to, const std::string& group);

  std::shared_ptr<const GlooTransport> m_transport;
  std::mutex m_mutex;
  std::map<std::pair<std::string, int>, int> m_used;  ///< how often a member took a name
};

}  // namespace lanelab
