// SPDX-License-Identifier: GPL-3.0-only
// The packets of a trace in Perfetto's format, read from the file one by one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "profiler/io/source/byte_source.h"

namespace lanelab {

/// Holds the packet that it returned last and what was read with it, a quarter of a megabyte. One thread.
class PerfettoPackets {
 public:
  /// Longer packets are passed over: a whole ring buffer of a producer has less.
  static constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20U;

  explicit PerfettoPackets(ByteSource& source) : m_source(source) {}
  /// The next packet that is not empty, a view until the next call. Nothing at the end, and where damage ends the
  /// packets.
  std::optional<std::string_view> next();
  /// After the end: whether it is not the end of a packet.
  bool cut() const { return m_cut; }
  /// How many packets were too long.
  std::int64_t skipped() const { return m_skipped; }

 private:
  std::string_view here() const { return std::string_view(m_buffer).substr(m_at, m_end - m_at); }
  void passEmpty();
  bool have(std::size_t bytes);
  bool pass(std::uint64_t bytes);

  ByteSource& m_source;
  std::string m_buffer;  ///< what was read and not yet used lies from m_at to m_end
  std::size_t m_at = 0;
  std::size_t m_end = 0;
  std::int64_t m_skipped = 0;
  bool m_cut = false;
};

}  // namespace lanelab
