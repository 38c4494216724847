// Peers of a run in several processes: the store of the run, the watch over it, and a group of all processes.
#include <c10/util/Logging.h>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include <csignal>
#include <cstdlib>
#include <stdexcept>

#include "engine/dist/gloo_peers.h"
#include "engine/dist/peer_watch.h"
#include "engine/dist/text_exchange.h"
#include "engine/dist/watched_backend.h"
#include "engine/torch/torch_errors.h"

namespace lanelab {

namespace {

/// c10d warns of each broken connection with a stack trace, and what it warns of is told in a sentence here.
void keepC10dQuiet() {
  constexpr int fatal_only = 3;
  if (!std::getenv("TORCH_CPP_LOG_LEVEL")) FLAGS_caffe2_log_level = fatal_only;
}

/// Gloo writes to sockets whose other end may be gone, and the signal for that would end this process before it can name the one that was lost. Python ignores it
/// from its start on.
void surviveBrokenPipes() { std::signal(SIGPIPE, SIG_IGN); }

std::string addressOf(const WorldPlace& place) { return place.host + ":" + std::to_string(place.port); }

/// Rank 0 keeps the store, unless torchrun's agent does.
c10::intrusive_ptr<c10d::Store> storeOf(const WorldPlace& place, std::chrono::milliseconds timeout) {
  c10d::TCPStoreOptions options;
  options.port = place.port;
  options.isServer = place.rank == 0 && !place.hosted_by_agent;
  options.waitWorkers = false;
  options.timeout = timeout;
  try {
    auto store = c10::make_intrusive<c10d::TCPStore>(place.host, options);
    // Attempts of torchrun share its store.
    return c10::make_intrusive<c10d::PrefixStore>("lanelab/" + std::to_string(place.attempt), std::move(store));
  } catch (const std::exception& error) {
    if (options.isServer) {
      throw std::runtime_error("Rank 0 cannot keep the store of the run at " + addressOf(place) + ": " + plainMessage(error) +
                               ". Set MASTER_PORT to a free port of this machine.");
    }
    throw std::runtime_error("The store of the run does not answer at " + addressOf(place) + " within " + std::to_string(timeout.count() / 1000) +
                             " s: start " + (place.hosted_by_agent ? "torchrun" : "rank 0") +
                             " there, and see that MASTER_ADDR and MASTER_PORT are the same for all processes.");
  }
}

constexpr std::chrono::seconds time_to_end(5);  ///< of groups that are let go

class ProcessPeers final : public GlooPeers {
 public:
  ProcessPeers(const WorldPlace& place, std::shared_ptr<const GlooWays> its_ways, std::shared_ptr<PeerWatch> watch)
      : GlooPeers(std::move(its_ways)), m_place(place), m_watch(std::move(watch)),
        m_world(c10::make_intrusive<WatchedBackend>(GroupConnection(sharedWays(), "world", place.rank, place.size).group(), sharedWays())) {}

  int rank() const override { return m_place.rank; }
  int size() const override { return m_place.size; }

  std::vector<std::string> exchange(const std::string& mine) override {
    return namingLostPeers(ways(), [&] { return exchangeTexts(*m_world, mine); });
  }

  void abandon(const std::string& why) override { m_watch->tellFailure(why); }
  void leave() override {
    ways().retired->await(time_to_end);
    m_watch->leave();
  }

 private:
  WorldPlace m_place;
  std::shared_ptr<PeerWatch> m_watch;
  c10::intrusive_ptr<WatchedBackend> m_world;
};

}  // namespace

std::unique_ptr<RunPeers> joinWorld(const WorldPlace& place, std::chrono::milliseconds timeout) {
  if (place.size == 1) return lanePeers();
  keepC10dQuiet();
  surviveBrokenPipes();
  const auto store = storeOf(place, timeout);
  auto board = std::make_shared<FaultBoard>();
  const auto watch = withPlainErrors([&] { return std::make_shared<PeerWatch>(store->clone(), place, board, timeout); });
  try {
    watch->awaitAll();
    const auto ways = std::make_shared<GlooWays>(GlooWays{glooDevicesToward(place.host), timeout, board, [store] { return store->clone(); },
                                                          [watch](const std::string& what) { return watch->causeOf(what); }});
    return std::make_unique<ProcessPeers>(place, ways, watch);
  } catch (const std::exception& error) {
    watch->tellFailure(error.what());
    watch->leave();
    throw;
  }
}

}  // namespace lanelab
