// SPDX-License-Identifier: GPL-3.0-only
#include "ui/look/name_colors.h"

#include "base/fingerprint.h"

namespace lanelab::look {
namespace {

constexpr double kSaturation = 0.6;
constexpr std::size_t kShadesPerHue = 2;
// Between 0.205, from where on dark ink reads on it (4.5:1), and 0.30, up to where it is seen on white (3:1); on the
// dark surface more light is better.
constexpr std::array<double, kShadesPerHue> kLightShades = {0.21, 0.28};
constexpr std::array<double, kShadesPerHue> kDarkShades = {0.24, 0.42};
constexpr std::array<double, kShadesPerHue> kContrastShades = {0.36, 0.6};  // 7:1 against black

/// The hue as bright as `wanted`, however bright the hue is by itself.
QColor withLuminance(double hue, double wanted) {
  const auto at = [hue](double lightness) {
    return QColor::fromHslF(static_cast<float>(hue), kSaturation, static_cast<float>(lightness));
  };
  double low = 0, high = 1;
  for (int i = 0; i < 20; ++i) {
    const double middle = (low + high) / 2;
    (luminance(at(middle)) < wanted ? low : high) = middle;
  }
  return at((low + high) / 2).toRgb();
}

std::array<QColor, kNameColors> colorsWith(const std::array<double, kShadesPerHue>& shades) {
  std::array<QColor, kNameColors> colors;
  constexpr std::size_t kHues = kNameColors / kShadesPerHue;
  for (std::size_t i = 0; i < kNameColors; ++i)
    colors[i] = withLuminance(static_cast<double>(i % kHues) / kHues, shades[i / kHues]);
  return colors;
}

}  // namespace

const std::array<QColor, kNameColors>& nameColors(const Palette& palette) {
  static const std::array<QColor, kNameColors> light = colorsWith(kLightShades), dark = colorsWith(kDarkShades),
                                               strong = colorsWith(kContrastShades);
  return palette.high_contrast ? strong : palette.dark ? dark : light;
}

/// FNV-1a, whose upper bits differ more than its lower ones.
std::size_t nameColorOf(std::string_view name) {
  return static_cast<std::size_t>((fingerprintOf(name) >> 32) % kNameColors);
}

}  // namespace lanelab::look
