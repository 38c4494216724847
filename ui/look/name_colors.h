// SPDX-License-Identifier: GPL-3.0-only
// Colours of spans by their names, for traces of which nothing else is known: one name has one colour in every trace.
#pragma once

#include <QColor>
#include <array>
#include <string_view>

#include "ui/look/theme.h"

namespace lanelab::look {

/// Twelve hues in two shades.
inline constexpr std::size_t kNameColors = 24;

/// 3:1 against the palette's surface, 4.5:1 against the ink of inkOn().
const std::array<QColor, kNameColors>& nameColors(const Palette& palette);
/// The name's place among them, by a hash that is the same on every machine.
std::size_t nameColorOf(std::string_view name);

}  // namespace lanelab::look
