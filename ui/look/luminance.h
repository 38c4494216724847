// SPDX-License-Identifier: GPL-3.0-only
// How bright a colour is to the eye, 0 to 1, from which contrasts follow: the relative luminance of WCAG 2.
#pragma once

#include <QColor>
#include <cmath>

namespace lanelab::look {

inline double luminance(const QColor& color) {
  const auto linear = [](double channel) {
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

}  // namespace lanelab::look
