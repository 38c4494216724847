// SPDX-License-Identifier: GPL-3.0-only
#include "engine/dist/gloo_peers.h"

#include <stdexcept>

#include "engine/dist/gloo_channel.h"
#include "engine/dist/reducer_link.h"

namespace lanelab {

std::string GlooPeers::freshName(const std::string& group, int member) {
  const std::lock_guard lock(m_mutex);
  return group + "#" + std::to_string(m_used[{group, member}]++);
}

std::unique_ptr<ReplicaLink> GlooPeers::joinReplicas(const ReplicaMember& member) {
  if (member.replicas == 1) return std::make_unique<ReplicaLink>();
  ReplicaMember named = member;
  named.group = freshName(member.group, member.replica);
  return joinByReducer(named, transport());
}

std::string GlooPeers::channelName(int from, int to, const std::string& group) {
  const int other = from == rank() ? to : from;
  if (other < 0 || other >= size() || from == to) {
    throw std::runtime_error("There is no way from rank " + std::to_string(from) + " to rank " + std::to_string(to) +
                             " among " + std::to_string(size()) + " processes.");
  }
  return freshName("channel/" + group + "/" + std::to_string(from) + "-" + std::to_string(to), rank());
}

std::unique_ptr<PeerChannel> GlooPeers::openSender(int to, const std::string& group) {
  return openGlooSender(transport(), channelName(rank(), to, group), to);
}

std::unique_ptr<PeerChannel> GlooPeers::openReceiver(int from, const std::string& group) {
  return openGlooReceiver(transport(), channelName(from, rank(), group), from);
}

}  // namespace lanelab
