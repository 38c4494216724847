// SPDX-License-Identifier: GPL-3.0-only
#include "engine/dist/rendezvous/peer_watch.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "engine/dist/rendezvous/awake_time.h"
#include "engine/dist/rendezvous/connection_text.h"
#include "engine/dist/rendezvous/process_id.h"
#include "engine/dist/rendezvous/store_connection.h"

namespace lanelab {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::milliseconds;

constexpr Milliseconds kBeatPeriod = 250ms;
constexpr Milliseconds kSilenceLimit = 10s;           ///< without a sign of life
constexpr Milliseconds kSilenceLimitAfterBreak = 3s;  ///< when a connection broke
const std::string kGoodbye = "bye";

std::string asClause(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.pop_back();
  return text;
}

std::string seconds(Milliseconds time) { return std::to_string(time.count() / 1000) + " s"; }

/// What this process knows of another.
struct Peer {
  std::optional<ProcessId> id;  ///< once it was seen
  std::string beat;
  Clock::time_point changed;
  int beats_missed = 0;
  bool gone = false;  ///< said goodbye, or lost
};

}  // namespace

struct PeerWatch::State {
  State(c10::intrusive_ptr<c10d::Store> its_store, const WorldPlace& its_place, std::shared_ptr<FaultBoard> its_board,
        Milliseconds its_timeout)
      : store(std::move(its_store)),
        place(its_place),
        board(std::move(its_board)),
        timeout(its_timeout),
        peers(static_cast<std::size_t>(place.size)) {}

  const c10::intrusive_ptr<c10d::Store> store;
  const WorldPlace place;
  const std::shared_ptr<FaultBoard> board;
  const Milliseconds timeout;
  const ProcessId me = ProcessId::ofThisProcess();

  std::mutex mutex;  ///< of all below
  std::condition_variable changed;
  std::vector<Peer> peers;
  std::vector<std::string> untold;  ///< sentences for the others
  bool all_seen = false, leaving = false, goodbye_said = false, stop = false, ended = false;
  std::atomic<bool> suspicious = false;       ///< a connection broke
  Clock::time_point answered = Clock::now();  ///< when the store did last
  std::int64_t beat = 0;

  bool servesStore() const { return place.rank == 0 && !place.hosted_by_agent; }
  Milliseconds silenceLimitNow() const {
    return std::min({timeout, kSilenceLimit, suspicious ? kSilenceLimitAfterBreak : kSilenceLimit});
  }
  std::string nameOf(std::size_t rank) const {
    const Peer& peer = peers[rank];
    return "rank " + std::to_string(rank) + (peer.id ? " (" + peer.id->name() + ")" : "");
  }

  // The store's calls are made without the lock, since they may block.
  void giveSign(const std::vector<std::string>& sentences, bool leaves) {
    store->set("beat/" + std::to_string(place.rank), storeBytes(leaves ? kGoodbye : std::to_string(++beat)));
    for (const std::string& sentence : sentences) store->append("events", storeBytes(sentence + "\n"));
  }

  void greetNewcomers() {
    for (std::size_t rank = 0; rank < peers.size(); ++rank) {
      const std::string key = "who/" + std::to_string(rank);
      if (peers[rank].id || !store->check({key})) continue;
      const ProcessId id = ProcessId::fromLine(storeText(store->get(key)));
      const std::lock_guard lock(mutex);
      peers[rank].id = id;
      peers[rank].changed = Clock::now();
    }
  }

  std::vector<std::size_t> seen() const {
    std::vector<std::size_t> ranks;
    for (std::size_t rank = 0; rank < peers.size(); ++rank) {
      if (peers[rank].id) ranks.push_back(rank);
    }
    return ranks;
  }

  std::string lossOf(const Peer& peer) const {
    if (peer.id->hasEnded(me.machine)) return "its process has ended";
    const auto silent = std::chrono::duration_cast<Milliseconds>(Clock::now() - peer.changed);
    // Beats of this process are counted too, so that a machine that slept blames nobody.
    const bool lost = silent > silenceLimitNow() && peer.beats_missed > silenceLimitNow() / kBeatPeriod / 2;
    return lost ? "it gave no sign of life for " + seconds(silent) : "";
  }

  void look(std::size_t rank, const std::string& beat_now) {
    Peer& peer = peers[rank];
    if (peer.gone) return;
    ++peer.beats_missed;
    if (beat_now != peer.beat) {
      peer.beat = beat_now;
      peer.beats_missed = 0;
      peer.changed = Clock::now();
    }
    const bool said_goodbye = beat_now == kGoodbye;
    const std::string loss = said_goodbye ? suspicious ? "it left the run before the others" : "" : lossOf(peer);
    peer.gone = (said_goodbye && !suspicious) || !loss.empty();
    if (!loss.empty() && !leaving) untold.push_back("Lost " + nameOf(rank) + ": " + loss + ".");
  }

  /// The first that was reported is the cause.
  void hear(const std::string& events) {
    std::istringstream lines(events);
    for (std::string line; std::getline(lines, line);) {
      if (!line.empty()) return board->raise(line);
    }
  }

  void tick() {
    std::unique_lock lock(mutex);
    const std::vector<std::string> sentences = std::exchange(untold, {});
    const bool leaves = leaving;
    lock.unlock();
    giveSign(sentences, leaves);
    if (leaves && !servesStore()) {
      lock.lock();
      goodbye_said = stop = true;  // the store may go at any time now
      return;
    }
    greetNewcomers();
    const std::vector<std::size_t> ranks = seen();
    std::vector<std::string> keys{"events"};
    for (const std::size_t rank : ranks) keys.push_back("beat/" + std::to_string(rank));
    const auto values = store->multiGet(keys);
    if (!leaves) hear(storeText(values[0]));
    lock.lock();
    answered = Clock::now();
    goodbye_said = leaves;
    all_seen = ranks.size() == peers.size();
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      if (ranks[i] != static_cast<std::size_t>(place.rank)) look(ranks[i], storeText(values[i + 1]));
    }
    changed.notify_all();
  }

  std::string storeLoss(const std::string& what) const {
    const std::string where = addressOf(place);
    if (place.hosted_by_agent) return "Lost the agent of torchrun that keeps the store at " + where + ": " + what + ".";
    if (place.rank == 0) return "The store of the run, which rank 0 keeps at " + where + ", " + what + ".";
    return "Lost " + nameOf(0) + ": the store that it keeps at " + where + " " + what + ".";
  }

  void run() {
    try {
      store->set("who/" + std::to_string(place.rank), storeBytes(me.line()));
      store->append("events", storeBytes("\n"));
      std::unique_lock lock(mutex);
      while (!stop) {
        lock.unlock();
        tick();
        lock.lock();
        if (!untold.empty()) continue;  // what was found goes out at once
        changed.wait_for(lock, kBeatPeriod, [this] { return stop || !untold.empty() || (leaving && !goodbye_said); });
      }
    } catch (const std::exception& error) {
      std::unique_lock lock(mutex);
      const bool expected = leaving || stop;
      logConnectionText(error.what());
      const std::string sentence = storeLoss("does not answer");
      for (Peer& peer : peers) peer.gone = true;
      lock.unlock();
      if (!expected) board->raise(sentence);
    }
    const std::lock_guard lock(mutex);
    ended = true;
    changed.notify_all();
  }

  // A store whose machine is gone does not answer, and the thread that asked it waits.
  void guard() {
    std::unique_lock lock(mutex);
    // Time in which this process slept itself blames nobody.
    AwakeTime awake(2 * kBeatPeriod);
    for (auto last = answered; !changed.wait_for(lock, kBeatPeriod, [this] { return stop || ended; });) {
      if (std::exchange(last, answered) != answered) awake.restart();
      const Milliseconds silent = awake.passed();
      if (leaving || silent < silenceLimitNow() + 1s) continue;
      const std::string sentence = storeLoss("has not answered for " + seconds(silent));
      lock.unlock();
      return board->raise(sentence);
    }
  }
};

PeerWatch::PeerWatch(c10::intrusive_ptr<c10d::Store> store, const WorldPlace& place, std::shared_ptr<FaultBoard> board,
                     Milliseconds timeout)
    : m_state(std::make_shared<State>(std::move(store), place, std::move(board), timeout)) {
  std::thread([state = m_state] { state->run(); }).detach();
  std::thread([state = m_state] { state->guard(); }).detach();
}

PeerWatch::~PeerWatch() {
  std::unique_lock lock(m_state->mutex);
  m_state->stop = true;
  m_state->changed.notify_all();
  m_state->changed.wait_for(lock, 1s, [this] { return m_state->ended; });
}

void PeerWatch::awaitAll() {
  const auto limit = Clock::now() + m_state->timeout;
  std::unique_lock lock(m_state->mutex);
  while (!m_state->all_seen && Clock::now() < limit) {
    m_state->changed.wait_for(lock, kBeatPeriod);
    lock.unlock();
    m_state->board->check();
    lock.lock();
  }
  if (m_state->all_seen) return;
  std::string missing;
  for (std::size_t rank = 0; rank < m_state->peers.size(); ++rank) {
    if (!m_state->peers[rank].id) missing += (missing.empty() ? "rank " : ", rank ") + std::to_string(rank);
  }
  throw std::runtime_error("After " + seconds(m_state->timeout) + ", of " + std::to_string(m_state->peers.size()) +
                           " processes these had not come: " + missing +
                           ". Start all of them, or set LANELAB_DIST_TIMEOUT to more seconds.");
}

void PeerWatch::reportFailure(const std::string& why) {
  if (m_state->board->fault()) return;
  const std::string sentence =
      "The run failed on rank " + std::to_string(m_state->place.rank) + ": " + asClause(why) + ".";
  {
    const std::lock_guard lock(m_state->mutex);
    if (!m_state->leaving) m_state->untold.push_back(sentence);
    m_state->changed.notify_all();
  }
  // The thread hears it back from the store, or what another reported before.
  m_state->board->faultWithin(2s);
  m_state->board->raise(sentence);
}

std::string PeerWatch::causeOf(const std::string& what) {
  m_state->suspicious = true;
  logConnectionText(what);
  if (const auto fault = m_state->board->faultWithin(m_state->silenceLimitNow() + 2s)) return *fault;
  // No process is to blame, so this one tells the others what it met, and all end with one sentence.
  reportFailure(connectionSentence(what));
  return m_state->board->fault().value_or(connectionSentence(what));
}

void PeerWatch::leave() {
  const bool stays = m_state->servesStore() && !m_state->board->fault();
  const auto limit = Clock::now() + (stays ? m_state->timeout : Milliseconds(5s));
  std::unique_lock lock(m_state->mutex);
  m_state->leaving = true;
  m_state->changed.notify_all();
  const auto all_gone = [this] {
    const auto me = static_cast<std::size_t>(m_state->place.rank);
    for (std::size_t rank = 0; rank < m_state->peers.size(); ++rank) {
      if (rank != me && m_state->peers[rank].id && !m_state->peers[rank].gone) return false;
    }
    return m_state->goodbye_said;
  };
  m_state->changed.wait_until(lock, limit, [&] { return m_state->ended || all_gone(); });
}

}  // namespace lanelab
