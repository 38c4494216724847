// SPDX-License-Identifier: GPL-3.0-only
// Peers of a run in several processes: the store of the run, the watch over it, and a group of all processes.
#include <c10/util/Logging.h>

#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <utility>

#include "engine/dist/gloo_peers.h"
#include "engine/dist/gloo_self_test.h"
#include "engine/dist/rendezvous/connection_text.h"
#include "engine/dist/rendezvous/peer_watch.h"
#include "engine/dist/rendezvous/rank_meeting.h"
#include "engine/dist/rendezvous/rank_refused.h"
#include "engine/dist/rendezvous/store_connection.h"
#include "engine/dist/rendezvous/text_exchange.h"
#include "engine/dist/watched_backend.h"

namespace lanelab {

namespace {

/// Where the ranks of a run work together.
struct MeetingPlace {
  StoreConnection connection;
  c10::intrusive_ptr<c10d::Store> run;  ///< of this run alone
};

/// A rank may come to the store of an earlier run while it goes away, and then waits for its own.
MeetingPlace meet(const WorldPlace& place, std::chrono::milliseconds timeout, const RankCard& card,
                  const ReportWait& report) {
  const auto limit = std::chrono::steady_clock::now() + timeout;
  for (;;) {
    try {
      StoreConnection connection = connectToStore(place, timeout, report);
      auto run = meetRanks(connection.store, place, card, {timeout}, report);
      return {std::move(connection), std::move(run)};
    } catch (const StoreGone&) {
      if (place.rank == 0 || std::chrono::steady_clock::now() >= limit) throw;
    }
  }
}

/// A connection of its own.
c10::intrusive_ptr<c10d::Store> anotherWayTo(const c10::intrusive_ptr<c10d::Store>& store) {
  try {
    return store->clone();
  } catch (const std::exception& error) {
    logConnectionText(error.what());
    throw std::runtime_error(connectionSentence(error.what()));
  }
}

constexpr std::chrono::seconds kTimeToEnd(5);  ///< of groups that are let go

class ProcessPeers final : public GlooPeers {
 public:
  ProcessPeers(const WorldPlace& place, c10::intrusive_ptr<c10d::Store> store,
               std::shared_ptr<const GlooTransport> its_ways, std::shared_ptr<PeerWatch> watch)
      : GlooPeers(its_ways->board),
        m_transport(std::move(its_ways)),
        m_place(place),
        m_store(std::move(store)),
        m_watch(std::move(watch)),
        m_world(c10::make_intrusive<WatchedBackend>(
            GroupConnection(m_transport, "world", place.rank, place.size).group(), m_transport)) {}

  int rank() const override { return m_place.rank; }
  int size() const override { return m_place.size; }

  std::vector<std::string> exchange(const std::string& mine) override {
    return namingLostPeers(*m_transport, [&] { return exchangeTexts(*m_world, mine); });
  }

  void abandon(const std::string& why) override { m_watch->reportFailure(why); }
  void leave() override {
    m_transport->retired->await(kTimeToEnd);
    endMeeting(m_store, m_place);
    m_watch->leave();
  }

 private:
  std::shared_ptr<const GlooTransport> transport() override { return m_transport; }

  const std::shared_ptr<const GlooTransport> m_transport;
  WorldPlace m_place;
  c10::intrusive_ptr<c10d::Store> m_store;  ///< that all runs at this place share
  std::shared_ptr<PeerWatch> m_watch;
  c10::intrusive_ptr<WatchedBackend> m_world;
};

}  // namespace

std::unique_ptr<RunPeers> joinWorld(const WorldPlace& place, std::chrono::milliseconds timeout,
                                    const Joining& joining) {
  if (place.size == 1) return lanePeers();
  if (const std::string& fault = glooFault(); !fault.empty()) throw RankRefused(fault);
  // c10d warns of each broken connection with a stack trace, and what it warns of is reported in a sentence here.
  constexpr int kFatalOnly = 3;
  if (!std::getenv("TORCH_CPP_LOG_LEVEL")) FLAGS_caffe2_log_level = kFatalOnly;
  // Gloo writes to sockets whose other end may be gone, and the signal for that would end this process before it can
  // name the one that was lost. Python ignores it from its start on.
  std::signal(SIGPIPE, SIG_IGN);
  const RankCard card{place.size, place.token, ProcessId::ofThisProcess(), joining.agreement};
  const MeetingPlace at = meet(
      place, timeout, card, joining.report ? joining.report : [](const std::string&) {});
  const auto store = at.run;
  auto board = std::make_shared<FaultBoard>();
  const auto watch = std::make_shared<PeerWatch>(anotherWayTo(store), place, board, timeout);
  try {
    watch->awaitAll();
    const auto transport = std::make_shared<GlooTransport>(
        GlooTransport{glooDevicesToward(at.connection.address), timeout, board, [store] { return store->clone(); },
                      [watch](const std::string& what) { return watch->causeOf(what); }});
    return std::make_unique<ProcessPeers>(place, at.connection.store, transport, watch);
  } catch (const std::exception& error) {
    watch->reportFailure(error.what());
    watch->leave();
    throw;
  }
}

}  // namespace lanelab
