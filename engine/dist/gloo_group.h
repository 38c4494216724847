// SPDX-License-Identifier: GPL-3.0-only
// Groups of processes or lanes that pass tensors by Gloo, c10d's transport over TCP, and what all groups share.
//
// Connecting waits for all members, so it happens on a thread of its own, and the one that needs the group waits for it
// or for a fault.
#pragma once

#include <torch/csrc/distributed/c10d/Backend.hpp>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/dist/rendezvous/fault_board.h"

namespace gloo::transport {
class Device;
}  // namespace gloo::transport

namespace lanelab {

using GlooDevices = std::vector<std::shared_ptr<::gloo::transport::Device>>;

/// The network interfaces that Gloo uses: those of GLOO_SOCKET_IFNAME (names with commas between), else the one by
/// which `host` is reached, since a machine's own name often stands for its loopback. Throws std::runtime_error.
GlooDevices glooDevicesToward(const std::string& host);
/// For the lanes of one process.
GlooDevices glooDevicesWithin();

/// Ends groups on threads of their own: NCCL's communicators on one machine are destroyed by all members together,
/// while lanes let go of theirs one after another. Thread: all functions from any thread.
class RetiredGroups {
 public:
  RetiredGroups() : m_state(std::make_shared<State>()) {}
  ~RetiredGroups();  ///< waits some seconds for those that have not ended
  RetiredGroups(const RetiredGroups&) = delete;
  RetiredGroups& operator=(const RetiredGroups&) = delete;

  /// Calls `end` on a new thread and drops it there with all that it holds; what it throws is ignored.
  void retire(std::function<void()> end);
  /// Whether all have ended within so long.
  bool await(std::chrono::milliseconds limit);

 private:
  struct State {
    std::mutex mutex;
    std::condition_variable changed;
    int open = 0;
  };
  std::shared_ptr<State> m_state;  ///< shared with threads that may hang
};

/// What all groups of a process share.
struct GlooTransport {
  GlooDevices devices;
  std::chrono::milliseconds timeout;
  std::shared_ptr<FaultBoard> board;
  /// A connection to the store of the run that nobody else uses, since a call that waits blocks all others on the same
  /// one.
  std::function<c10::intrusive_ptr<c10d::Store>()> store;
  /// The sentence to throw for what a broken connection said; never empty.
  std::function<std::string(const std::string& what)> cause;
  /// Where groups end that cannot simply be let go.
  std::shared_ptr<RetiredGroups> retired = std::make_shared<RetiredGroups>();
};

/// Calls `work`; its exceptions leave as std::runtime_error with the fault of the board, or what `transport` finds to
/// be the cause.
template <class Work>
auto namingLostPeers(const GlooTransport& transport, const Work& work) -> decltype(work()) {
  transport.board->check();
  try {
    return work();
  } catch (const std::exception& error) {
    throw std::runtime_error(transport.cause(error.what()));
  }
}

/// A group on its way, of Gloo or of what `make` makes.
class GroupConnection {
 public:
  using Maker = std::function<c10::intrusive_ptr<c10d::Backend>(c10::intrusive_ptr<c10d::Store> store)>;
  /// Starts at once. `name` is the same for all members, and no other group's. `make` is called on the connection's
  /// thread, with a store of the group's own.
  GroupConnection(std::shared_ptr<const GlooTransport> transport, const std::string& name, Maker make);
  GroupConnection(std::shared_ptr<const GlooTransport> transport, const std::string& name, int rank, int size);

  /// Waits for all members. Throws std::runtime_error with a sentence; after a fault or giveUp() at once.
  c10::intrusive_ptr<c10d::Backend> group();
  /// Ends the waiting of another thread.
  void giveUp();

 private:
  struct State {
    std::mutex mutex;
    std::condition_variable changed;
    c10::intrusive_ptr<c10d::Backend> group;
    std::string error;
    bool done = false, given_up = false;
  };
  std::shared_ptr<const GlooTransport> m_transport;
  std::string m_name;
  std::shared_ptr<State> m_state;  ///< shared with its thread, which after a fault may wait on
};

}  // namespace lanelab
