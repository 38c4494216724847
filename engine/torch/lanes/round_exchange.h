// SPDX-License-Identifier: GPL-3.0-only
// Where lanes of one process meet in every step: each offers what others wait for.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace lanelab {

/// Shared by the lanes of a variant; any thread. Rounds are steps, counted from 1 by every lane itself. What waits
/// throws std::runtime_error once the room is closed.
template <class Key, class Value>
class RoundExchange {
 public:
  /// `member`: who meets here, "lane" or "replica".
  explicit RoundExchange(std::string member = "lane") : m_member(std::move(member)) {}

  /// Before the lanes begin, and after a round that was not finished.
  void open() {
    const std::lock_guard lock(m_mutex);
    m_closed = false;
    m_offered.clear();
  }
  /// Wakes all that wait: a lane has left its round early.
  void close() {
    change([&] { m_closed = true; });
  }

  void offer(const Key& key, int round, Value value) {
    change([&] { m_offered[key] = {round, std::move(value)}; });
  }

  /// Waits until all of these are offered for this round, and copies them in this order.
  std::vector<Value> await(const std::vector<Key>& keys, int round) {
    return awaited(keys, round, [](const Value& value) { return value; });
  }
  /// The same for their only reader: the room does not retain them.
  std::vector<Value> take(const std::vector<Key>& keys, int round) {
    return awaited(keys, round, [](Value& value) { return std::move(value); });
  }

 private:
  struct Offered {
    int round = 0;
    Value value;
  };

  template <class Change>
  void change(const Change& what) {
    {
      const std::lock_guard lock(m_mutex);
      what();
    }
    m_changed.notify_all();
  }

  template <class Get>
  std::vector<Value> awaited(const std::vector<Key>& keys, int round, const Get& get) {
    const auto isOffered = [&](const Key& key) {
      const auto found = m_offered.find(key);
      return found != m_offered.end() && found->second.round == round;
    };
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [&] { return m_closed || std::ranges::all_of(keys, isOffered); });
    if (m_closed) throw std::runtime_error("another " + m_member + " left the step.");
    std::vector<Value> values;
    for (const Key& key : keys) values.push_back(get(m_offered.at(key).value));
    return values;
  }

  const std::string m_member;
  std::mutex m_mutex;  ///< guards all below
  std::condition_variable m_changed;
  bool m_closed = false;
  std::map<Key, Offered> m_offered;
};

}  // namespace lanelab
