// SPDX-License-Identifier: GPL-3.0-only
#include "engine/dist/rendezvous/fault_board.h"

#include <stdexcept>
#include <utility>

namespace lanelab {

void FaultBoard::raise(const std::string& sentence) {
  const std::lock_guard calling(m_calling);
  std::map<std::uint64_t, std::function<void(const std::string&)>> calls;
  {
    const std::lock_guard lock(m_mutex);
    if (m_fault) return;
    m_fault = sentence;
    calls = std::exchange(m_calls, {});
  }
  m_changed.notify_all();
  for (const auto& [number, call] : calls) call(sentence);
}

std::optional<std::string> FaultBoard::fault() const {
  const std::lock_guard lock(m_mutex);
  return m_fault;
}

std::optional<std::string> FaultBoard::faultWithin(std::chrono::milliseconds limit) const {
  std::unique_lock lock(m_mutex);
  m_changed.wait_for(lock, limit, [&] { return m_fault.has_value(); });
  return m_fault;
}

void FaultBoard::check() const {
  if (const auto sentence = fault()) throw std::runtime_error(*sentence);
}

FaultBoard::Call::Call(FaultBoard& board, std::function<void(const std::string&)> call) : m_board(board) {
  std::unique_lock lock(board.m_mutex);
  if (!board.m_fault) {
    m_number = board.m_next++;
    board.m_calls.emplace(m_number, std::move(call));
    return;
  }
  const std::string sentence = *board.m_fault;
  lock.unlock();
  call(sentence);
}

FaultBoard::Call::~Call() {
  if (m_number == 0) return;
  {
    const std::lock_guard lock(m_board.m_mutex);
    if (m_board.m_calls.erase(m_number) > 0) return;
  }
  const std::lock_guard until_called(m_board.m_calling);
}

}  // namespace lanelab
