// SPDX-License-Identifier: GPL-3.0-only
// What the wheel of the mouse does in the timeline; with Ctrl it does the other. Thread: any.
#pragma once

#include <array>

#include "base/words.h"

namespace lanelab::look {

enum class WheelUse { Zooms, Scrolls };
constexpr std::array<Word<WheelUse>, 2> wordTable(WheelUse) {
  return {{{WheelUse::Zooms, "zooms"}, {WheelUse::Scrolls, "scrolls"}}};
}

}  // namespace lanelab::look
