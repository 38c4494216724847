// SPDX-License-Identifier: GPL-3.0-only
#include "engine/dist/rendezvous/rank_meeting.h"

#include <torch/csrc/distributed/c10d/PrefixStore.hpp>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <random>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <utility>

#include "engine/dist/rendezvous/connection_text.h"
#include "engine/dist/rendezvous/limited_call.h"
#include "engine/dist/rendezvous/rank_refused.h"
#include "engine/run/rank_agreement.h"

namespace lanelab {

namespace {

using namespace std::chrono_literals;
using Milliseconds = std::chrono::milliseconds;
using StorePtr = c10::intrusive_ptr<c10d::Store>;

constexpr Milliseconds kLookPause = 20ms;
constexpr Milliseconds kLongestLook = 500ms;
constexpr Milliseconds kReportWaitAfter = 3s;  ///< before the user is reported what is waited for
constexpr Milliseconds kTimeToOpen = 1s;       ///< for a run whose ranks are perhaps all there
const std::string kRunKey = "run";

std::string cardKey(int rank) { return "card/" + std::to_string(rank); }
std::string heardKey(int rank) { return "heard/" + std::to_string(rank); }
std::string nameOf(int rank, const ProcessId& process) {
  return "rank " + std::to_string(rank) + " (" + process.name() + ")";
}

std::string withoutLineBreaks(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

std::string randomWord() {
  std::random_device source;
  std::ostringstream word;
  word << std::hex << source() << source();
  return word.str();
}

std::string rootOf(const WorldPlace& place) { return "lanelab/" + std::to_string(place.attempt); }

/// A store whose calls end: they throw StoreGone where it broke or does not answer.
class LimitedStore {
 public:
  LimitedStore(StorePtr store, std::string address, Milliseconds limit)
      : m_store(std::move(store)), m_address(std::move(address)), m_limit(limit) {}

  void set(const std::string& key, const std::string& text) const {
    ask<bool>([key, text](c10d::Store& store) { return store.set(key, storeBytes(text)), true; });
  }
  /// Nothing if there is no such key.
  std::optional<std::string> find(const std::string& key) const {
    return ask<std::optional<std::string>>([key](c10d::Store& store) {
      return store.check({key}) ? std::optional(storeText(store.get(key))) : std::nullopt;
    });
  }
  /// Sets it where it is `expected`, which may be empty for a key that is not there. What it is afterwards.
  std::string exchange(const std::string& key, const std::string& expected, const std::string& text) const {
    return ask<std::string>(
        [=](c10d::Store& store) { return storeText(store.compareSet(key, storeBytes(expected), storeBytes(text))); });
  }
  LimitedStore under(const std::string& prefix) const {
    return {c10::make_intrusive<c10d::PrefixStore>(prefix, m_store), m_address, m_limit};
  }
  const StorePtr& store() const { return m_store; }

 private:
  template <class Value>
  Value ask(std::function<Value(c10d::Store&)> question) const {
    try {
      if (auto answer = withinLimit<Value>(
              m_limit, [store = m_store, question = std::move(question)] { return question(*store); }))
        return std::move(*answer);
    } catch (const std::exception& error) {
      logConnectionText(error.what());
      throw StoreGone("Rank 0 at " + m_address +
                      " ended before all ranks had met. Read what it reports, then start all ranks again.");
    }
    throw StoreGone(
        "The store of the run at " + m_address + " has not answered for " + std::to_string(m_limit.count() / 1000) +
        " s. Check that rank 0 is running and the network between the machines, then start all ranks again.");
  }

  StorePtr m_store;
  std::string m_address;
  Milliseconds m_limit;
};

/// Why the run does not begin, as it goes through the store.
struct Refusal {
  bool by_choice = true;  ///< of the user, rather than by a process that is missing
  std::string sentence;

  std::string text() const { return (by_choice ? "choice\n" : "loss\n") + sentence; }
  static Refusal fromText(const std::string& text) {
    const auto line = text.find('\n');
    return {text.rfind("choice\n", 0) == 0, line == std::string::npos ? text : text.substr(line + 1)};
  }
  [[noreturn]] void raise() const {
    if (by_choice) throw RankRefused(sentence);
    throw std::runtime_error(sentence);
  }
};

/// What each rank comes with.
class Party {
 public:
  Party(const LimitedStore& root, const WorldPlace& place, const RankCard& card, const MeetingLimits& limits,
        const ReportWait& report)
      : m_root(root), m_place(place), m_card(card), m_limits(limits), m_report(report) {}

 protected:
  const LimitedStore& m_root;
  const WorldPlace& m_place;
  const RankCard& m_card;
  const MeetingLimits& m_limits;
  const ReportWait& m_report;
};

/// Rank 0: names the run, lets the others in, begins it or refuses it.
class Host : Party {
 public:
  using Party::Party;

  StorePtr meet() {
    openRun();
    AwakeTime waited(kLongestLook);
    bool reported = false;
    while (!allAreHere()) {
      const Milliseconds so_far = waited.passed();
      if (so_far >= m_limits.arrival) refuse({false, tooLate()});
      if (so_far >= kReportWaitAfter && !std::exchange(reported, true))
        m_report("Waiting for " + missing() + " of " + std::to_string(m_place.size) + " processes at " +
                 addressOf(m_place) + ".");
      std::this_thread::sleep_for(kLookPause);
    }
    m_run.set("open", "1");
    return m_run.under("world").store();
  }

 private:
  void openRun() {
    m_run.set(cardKey(0), m_card.text());
    const std::string earlier = m_root.exchange(kRunKey, "", m_word);
    if (earlier == m_word) return;
    // Only the store of an agent outlives a run.
    const auto card = m_root.under(earlier).find(cardKey(0));
    const ProcessId process = card ? RankCard::fromText(*card).process : ProcessId();
    if (card && process.machine == m_card.process.machine && !process.hasEnded(m_card.process.machine)) {
      throw RankRefused("Rank 0 of the run at " + addressOf(m_place) + " is already " + process.name() +
                        ". Give each process a RANK of its own, and each run a MASTER_PORT of its own.");
    }
    m_root.set(kRunKey, m_word);
  }

  bool allAreHere() {
    for (int rank = 1; rank < m_place.size; ++rank) lookFor(rank);
    if (const auto complaint = m_run.find("complaint")) refuse(Refusal::fromText(*complaint));
    return static_cast<int>(m_here.size()) + 1 == m_place.size;
  }

  void lookFor(int rank) {
    if (const auto here = m_here.find(rank); here != m_here.end()) {
      if (here->second.hasEnded(m_card.process.machine))
        refuse({false, "Lost " + nameOf(rank, here->second) + ": its process has ended."});
      return;
    }
    const auto text = m_run.find(cardKey(rank));
    if (!text) return;
    const RankCard card = RankCard::fromText(*text);
    m_here.emplace(rank, card.process);
    const std::string difference = disagreement(m_card.agreement, card.agreement, rank);
    if (!difference.empty()) refuse({true, difference});
  }

  std::string missing() const {
    std::string names;
    for (int rank = 1; rank < m_place.size; ++rank) {
      if (!m_here.count(rank)) names += (names.empty() ? "rank " : ", rank ") + std::to_string(rank);
    }
    return names;
  }

  std::string tooLate() const {
    return "After " + std::to_string(m_limits.arrival.count() / 1000) + " s, of " + std::to_string(m_place.size) +
           " processes these had not come: " + missing() +
           ". Start all of them, or set LANELAB_DIST_TIMEOUT to more seconds.";
  }

  /// Stays until the others have heard it, since the store goes with this process. What the user chose, those that are
  /// still on their way shall hear too.
  [[noreturn]] void refuse(const Refusal& refusal) {
    m_run.set("refusal", refusal.text());
    AwakeTime waited(kLongestLook);
    while (!allHeard(refusal.by_choice) && waited.passed() < m_limits.farewell) std::this_thread::sleep_for(kLookPause);
    refusal.raise();
  }

  bool allHeard(bool late_ones_too) const {
    for (int rank = 1; rank < m_place.size; ++rank) {
      const auto here = m_here.find(rank);
      const bool awaited = here == m_here.end() ? late_ones_too : !here->second.hasEnded(m_card.process.machine);
      if (awaited && !m_run.find(heardKey(rank))) return false;
    }
    return true;
  }

  const std::string m_word = randomWord();
  const LimitedStore m_run = m_root.under(m_word);
  std::map<int, ProcessId> m_here;
};

/// Every other rank.
class Guest : Party {
 public:
  using Party::Party;

  StorePtr meet() {
    std::string word = awaitRun("");
    while (!claim(word)) word = awaitRun(word);
    const LimitedStore run = m_root.under(word);
    try {
      awaitBeginning(run);
    } catch (const StoreGone& gone) {
      throw std::runtime_error(gone.what());  // with a place in the run it cannot be another's
    }
    return run.under("world").store();
  }

 private:
  /// The word of a run that is not `ended`.
  std::string awaitRun(const std::string& ended) {
    AwakeTime waited(kLongestLook);
    const Milliseconds limit =
        m_place.hosted_by_agent && ended.empty() ? m_limits.arrival : std::min(m_limits.arrival, m_limits.answer);
    for (bool reported = false;;) {
      const auto word = m_root.find(kRunKey);
      if (word && !word->empty() && *word != ended) return *word;
      const Milliseconds so_far = waited.passed();
      if (so_far >= limit) refuseUnnamed(limit);
      if (so_far >= kReportWaitAfter && !std::exchange(reported, true))
        m_report("Waiting for rank 0 at " + addressOf(m_place) + ".");
      std::this_thread::sleep_for(kLookPause);
    }
  }

  [[noreturn]] void refuseUnnamed(Milliseconds limit) const {
    if (m_holder) throw RankRefused(taken(*m_holder));
    throw std::runtime_error(
        "The store at " + addressOf(m_place) + " is not of a LaneLab run, or rank 0 has not come within " +
        std::to_string(limit.count() / 1000) +
        " s. Start rank 0, and see that MASTER_ADDR and MASTER_PORT are the same for all processes.");
  }

  std::string taken(const ProcessId& holder) const {
    return "Rank " + std::to_string(m_place.rank) + " of the run at " + addressOf(m_place) + " is already " +
           holder.name() + ", so " + m_card.process.name() +
           " cannot be it too. Give each process a RANK of its own, and each run a MASTER_PORT of its own.";
  }

  /// Whether this rank now has its place in the run; false where the run is one that ends.
  bool claim(const std::string& word) {
    const LimitedStore run = m_root.under(word);
    checkHost(run);
    if (m_host.hasEnded(m_card.process.machine)) return false;
    const std::string mine = m_card.text();
    const std::string there = run.exchange(cardKey(m_place.rank), "", mine);
    if (there == mine) return true;
    m_holder = RankCard::fromText(there).process;
    if (m_holder->hasEnded(m_card.process.machine)) return false;
    if (!opensSoon(run)) complain(run, taken(*m_holder));
    throw RankRefused(taken(*m_holder));
  }

  void checkHost(const LimitedStore& run) {
    const auto text = run.find(cardKey(0));
    if (!text)
      throw std::runtime_error("The store at " + addressOf(m_place) +
                               " is not of this version of LaneLab. Start all ranks with the same version.");
    const RankCard host = RankCard::fromText(*text);
    m_host = host.process;
    if (host.token != withoutLineBreaks(m_card.token)) throw RankRefused(anotherRun(host));
    if (host.size == m_card.size) return;
    const std::string sentence = "Rank " + std::to_string(m_place.rank) + " was started as one of " +
                                 std::to_string(m_card.size) + " processes, and rank 0 at " + addressOf(m_place) +
                                 " as one of " + std::to_string(host.size) +
                                 ". Start all ranks of a run with the same WORLD_SIZE.";
    if (m_place.rank < host.size && !opensSoon(run)) complain(run, sentence);
    throw RankRefused(sentence);
  }

  std::string anotherRun(const RankCard& host) const {
    const auto named = [](const std::string& token) {
      return token.empty() ? std::string("has none") : "is \"" + token + "\"";
    };
    return "Another run is at " + addressOf(m_place) + ": its token " + named(host.token) + ", that of this process " +
           named(m_card.token) + ". Give each run a MASTER_PORT of its own.";
  }

  /// A process too many must not end a run whose ranks are all there.
  bool opensSoon(const LimitedStore& run) const {
    AwakeTime waited(kLongestLook);
    while (!run.find("open")) {
      if (waited.passed() >= kTimeToOpen) return false;
      std::this_thread::sleep_for(kLookPause);
    }
    return true;
  }

  static void complain(const LimitedStore& run, const std::string& sentence) {
    run.exchange("complaint", "", Refusal{true, sentence}.text());
  }

  void awaitBeginning(const LimitedStore& run) {
    AwakeTime waited(kLongestLook);
    for (bool reported = false; !run.find("open");) {
      if (const auto refusal = run.find("refusal")) {
        run.set(heardKey(m_place.rank), "1");
        Refusal::fromText(*refusal).raise();
      }
      const Milliseconds so_far = waited.passed();
      if (m_host.hasEnded(m_card.process.machine) || so_far >= m_limits.arrival + m_limits.answer) {
        throw std::runtime_error("Lost " + nameOf(0, m_host) +
                                 " before all ranks had met. Read what it reports, then start all ranks again.");
      }
      if (so_far >= kReportWaitAfter && !std::exchange(reported, true))
        m_report("Waiting for the other ranks of the run at " + addressOf(m_place) + ".");
      std::this_thread::sleep_for(kLookPause);
    }
  }

  ProcessId m_host;
  std::optional<ProcessId> m_holder;  ///< of this rank's place
};

}  // namespace

std::string RankCard::text() const {
  return std::to_string(size) + "\n" + withoutLineBreaks(token) + "\n" + withoutLineBreaks(process.line()) + "\n" +
         agreement;
}

RankCard RankCard::fromText(const std::string& text) {
  std::istringstream lines(text);
  RankCard card;
  std::string size, process;
  std::getline(lines, size);
  std::getline(lines, card.token);
  std::getline(lines, process);
  card.size = std::atoi(size.c_str());
  card.process = ProcessId::fromLine(process);
  std::getline(lines, card.agreement, '\0');
  return card;
}

StorePtr meetRanks(StorePtr store, const WorldPlace& place, const RankCard& card, const MeetingLimits& limits,
                   const ReportWait& report) {
  const LimitedStore root = LimitedStore(std::move(store), addressOf(place), limits.answer).under(rootOf(place));
  return place.rank == 0 ? Host(root, place, card, limits, report).meet()
                         : Guest(root, place, card, limits, report).meet();
}

void endMeeting(StorePtr store, const WorldPlace& place) {
  if (place.rank != 0 || !place.hosted_by_agent) return;
  try {
    LimitedStore(std::move(store), addressOf(place), 1s).under(rootOf(place)).set(kRunKey, "");
  } catch (const StoreGone&) {
    // Then nobody can meet there either.
  }
}

}  // namespace lanelab
