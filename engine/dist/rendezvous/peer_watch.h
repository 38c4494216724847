// SPDX-License-Identifier: GPL-3.0-only
// Finds lost processes and names them. Each process gives signs of life through the store of the run, and looks at
// those of the others.
//
// A broken connection only says "closed by peer", and the peer may have closed it because it lost a third. So what
// fails asks here for the cause. The first cause that anyone finds is sent to all through the store. Processes of one
// machine are looked up in its process table too, which is quicker. Thread: a thread of its own works with the store;
// the functions may be called from any.
#pragma once

#include <c10/util/intrusive_ptr.h>
#include <torch/csrc/distributed/c10d/Store.hpp>

#include <chrono>
#include <memory>
#include <string>

#include "engine/dist/rendezvous/fault_board.h"
#include "engine/dist/rendezvous/world_place.h"

namespace lanelab {

class PeerWatch {
 public:
  /// Starts giving signs of life. `store` is a connection that nobody else uses; faults go to `board`.
  PeerWatch(c10::intrusive_ptr<c10d::Store> store, const WorldPlace& place, std::shared_ptr<FaultBoard> board,
            std::chrono::milliseconds timeout);
  ~PeerWatch();
  PeerWatch(const PeerWatch&) = delete;
  PeerWatch& operator=(const PeerWatch&) = delete;

  /// Returns when all processes of the run have been seen. Throws std::runtime_error that names those which did not
  /// come.
  void awaitAll();

  /// "The run failed on rank 1: ..." to all, and to the board of this process. Nothing where a fault is known already.
  /// Returns when it is notified, or after some seconds.
  void reportFailure(const std::string& why);

  /// The cause of a broken connection as a sentence: waits some seconds for a fault that names a process; when none is
  /// found, what `what` means for ranks, which is then sent to all others too.
  std::string causeOf(const std::string& what);

  /// Says goodbye. The process that keeps the store stays until all others have said it or are lost; after a fault for
  /// some seconds only. No faults from now on.
  void leave();

 private:
  struct State;
  std::shared_ptr<State> m_state;  ///< shared with the threads, which may hang in the store of a machine that is gone
};

}  // namespace lanelab
