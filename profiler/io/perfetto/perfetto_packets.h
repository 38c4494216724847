// SPDX-License-Identifier: GPL-3.0-only
// The packets of a trace in Perfetto's format, read from the file one by one, and those that lie compressed in one of
// them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "profiler/io/source/text_window.h"

namespace lanelab {

/// Holds the packet that it returned last and what was read with it. One thread.
class PerfettoPackets {
 public:
  /// Longer packets are passed over: a whole ring buffer of a producer has less.
  static constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20U;

  explicit PerfettoPackets(ByteSource& source) : m_window(source, 0) {}
  /// The next packet that is not empty, a view until the next call. Nothing at the end, and where damage ends the
  /// packets.
  std::optional<std::string_view> next();
  /// After the end: whether it is not the end of a packet.
  bool cut() const { return m_cut; }
  /// How many packets were too long.
  std::int64_t skipped() const { return m_skipped; }

 private:
  void passEmpty();
  bool pass(std::uint64_t bytes);

  TextWindow m_window;
  std::int64_t m_skipped = 0;
  bool m_cut = false;
};

enum class UnpackedPackets { Whole, Damaged, TooLong };

/// Puts the packets, with their heads, into `out`, whose memory is used again; `most` bytes of them. Whole only if
/// their check sum holds.
UnpackedPackets unpackPackets(std::string_view packed, std::size_t most, std::string& out);

/// Whether these may be the first bytes of such packets.
bool seemsPacked(std::string_view front);

}  // namespace lanelab
