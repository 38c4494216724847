// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/record/operator_track.h"

#include <algorithm>
#include <cstring>
#include <tuple>

#include "engine/lanes/action_span.h"

namespace lanelab {

void OperatorTrack::ends(const char* name, const NodeOwner& owner, Phase phase) {
  if (m_open.empty()) return;
  const Nanoseconds start = m_open.back();
  m_open.pop_back();
  m_last_end = std::max(m_open.empty() ? monotonicNow() : m_clock.now(), std::max(start, m_last_end));
  Span span = actionSpan(owner.action, Category::CpuOp, owner.step, {start, m_last_end}, nameOf(name));
  span.phase = phase;
  if (m_blocks == Blocks::Enclose && m_open.empty()) enclose(span, owner.block);
  m_trace.append(m_track, span);
}

void OperatorTrack::enclose(const Span& span, std::uint32_t block) {
  const auto what = [](const Span& one, std::uint32_t name) {
    return std::tuple(name, one.step, one.stage, one.micro_batch, one.phase);
  };
  if (what(m_block, m_block.name) != what(span, block)) {
    closeBlock();
    m_block = span;
    m_block.name = block;
  }
  m_block.end = span.end;
}

void OperatorTrack::closeBlock() {
  m_open.clear();
  if (m_block.step >= 0 && m_block.name != kNoBlock) m_trace.append(m_track, m_block);
  m_block = {};
  m_block.name = kNoBlock;
}

// Names live as long as their operator runs, so another one may come to the same place: they are distinguished by
// what they say.
std::uint32_t OperatorTrack::nameOf(const char* name) {
  Recent& recent = m_recent[(reinterpret_cast<std::uintptr_t>(name) >> 4) % m_recent.size()];
  if (recent.place == name && std::strncmp(recent.text.data(), name, recent.text.size()) == 0) return recent.number;
  const std::uint32_t number = numberOf(name);
  const std::size_t length = std::strlen(name);
  if (length < recent.text.size()) {
    recent.place = name;
    recent.number = number;
    std::memcpy(recent.text.data(), name, length + 1);
  }
  return number;
}

std::uint32_t OperatorTrack::numberOf(std::string_view name) {
  if (const auto known = m_names.find(name); known != m_names.end()) return known->second;
  return m_names.emplace(std::string(name), m_trace.intern(name)).first->second;
}

}  // namespace lanelab
