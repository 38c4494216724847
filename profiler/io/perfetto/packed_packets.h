// SPDX-License-Identifier: GPL-3.0-only
// Packets of a Perfetto trace that lie compressed in one of its packets.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lanelab {

enum class UnpackedPackets { Whole, Damaged, TooLong };

/// Puts the packets, with their heads, into `out`, whose memory is used again; `most` bytes of them. Whole only if
/// their check sum holds.
UnpackedPackets unpackPackets(std::string_view packed, std::size_t most, std::string& out);

/// Whether these may be the first bytes of such packets.
bool seemsPacked(std::string_view front);

}  // namespace lanelab
