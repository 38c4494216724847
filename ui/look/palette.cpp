// SPDX-License-Identifier: GPL-3.0-only
// The colours. Actions are Okabe-Ito's (safe for the colour blind); everything else stays grey, pale or the one accent,
// so that actions stand out.
#include <QHash>
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/look/theme.h"

namespace lanelab::look {
namespace {

struct Shade {
  QColor Palette::*color;
  QRgb light, dark, contrast;
};
constexpr Shade kShades[] = {
    {&Palette::window, 0xf4f5f7, 0x20242a, 0x000000},     {&Palette::surface, 0xffffff, 0x171a1f, 0x000000},
    {&Palette::text, 0x1d232b, 0xe6e9ee, 0xffffff},       {&Palette::muted_text, 0x5c6673, 0x9da7b4, 0xdcdcdc},
    {&Palette::line, 0xcdd2d9, 0x3a414b, 0xb4b4b4},       {&Palette::grid, 0xe6e9ed, 0x2a2f37, 0x4a4a4a},
    {&Palette::accent, 0x3f51b5, 0x8c9eff, 0x00e5ff},     {&Palette::error, 0xb3261e, 0xff8a80, 0xffa8a0},
    {&Palette::warning, 0x8f5a00, 0xf5c710, 0xffd23f},    {&Palette::idle_background, 0xf3f4f6, 0x1d2127, 0x000000},
    {&Palette::idle_hatch, 0xc6ccd4, 0x3d4550, 0x9c9c9c}, {&Palette::forward, 0x0072b2, 0x2b8fd0, 0x7cc4ff},
    {&Palette::backward, 0xd55e00, 0xe06f1c, 0xffaa64},   {&Palette::update, 0x009e73, 0x14a87c, 0x5fe0ae},
    {&Palette::transfer, 0xcc79a7, 0xd587b3, 0xf2b0d6},   {&Palette::wait, 0x9aa3ae, 0x7a8491, 0xc4ccd6},
    {&Palette::detail, 0xb9c9da, 0x5d7188, 0xb4cbe6},     {&Palette::outline, 0x1b2027, 0x0b0d10, 0x000000},
    {&Palette::block_edge, 0x1b2027, 0x0b0d10, 0xffffff},
};

constexpr qreal kContrastPaleness = 0.25;  ///< of what a colour is pale by otherwise
constexpr qreal kHatchShade = 0.22, kContrastHatchShade = 0.4;

Palette makePalette(QRgb Shade::*shade) {
  Palette palette;
  for (const Shade& row : kShades) palette.*row.color = QColor(row.*shade);
  palette.dark = shade != &Shade::light;
  palette.high_contrast = shade == &Shade::contrast;
  return palette;
}

Palette makePrint() {
  Palette p = makePalette(&Shade::light);
  p.window = QColor(Qt::white);
  p.surface = QColor(Qt::white);
  return p;
}

using GroupColors = std::array<QRgb, 6>;  // stem, layer1..4, head
constexpr GroupColors kPaleGroups = {0xcfd5dc, 0xbdd6ea, 0xbee0cf, 0xf0dcb0, 0xecc7c0, 0xd6cce9};
constexpr GroupColors kDeepGroups = {0x4a535f, 0x2f5370, 0x2f5a4a, 0x66552c, 0x6b423c, 0x514770};

/// A sum over the letters: qHash is seeded differently in each process, and a colour should not change from start to
/// start.
int hashedGroup(const QString& group) {
  unsigned sum = 0;
  for (const QChar letter : group) sum = sum * 31 + letter.unicode();
  return static_cast<int>(sum % std::tuple_size_v<GroupColors>);
}

}  // namespace

const Palette& lightPalette() {
  static const Palette palette = makePalette(&Shade::light);
  return palette;
}

const Palette& darkPalette() {
  static const Palette palette = makePalette(&Shade::dark);
  return palette;
}

const Palette& highContrastPalette() {
  static const Palette palette = makePalette(&Shade::contrast);
  return palette;
}

const Palette& printPalette() {
  static const Palette palette = makePrint();
  return palette;
}

QColor Palette::phase(Phase phase) const {
  switch (phase) {
    case Phase::Forward: return forward;
    case Phase::Backward:
    case Phase::BackwardInput:
    case Phase::BackwardWeight: return backward;
    case Phase::Update: return update;
    case Phase::None: break;
  }
  return detail;
}

QColor Palette::span(Category category, Phase phaseOfSpan) const {
  switch (category) {
    case Category::Action: return phase(phaseOfSpan);
    case Category::Transfer:
    case Category::Memcpy: return transfer;
    case Category::Communication: return pale(transfer, 0.35);
    case Category::Evaluation: return pale(forward, 0.6);
    case Category::Wait:
    case Category::Sync: return wait;
    case Category::Kernel:
    case Category::Memset: return phaseOfSpan == Phase::None ? detail : pale(phase(phaseOfSpan), 0.35);
    case Category::Block:
    case Category::CpuOp: return phaseOfSpan == Phase::None ? detail : pale(phase(phaseOfSpan), 0.6);
    default: return detail;
  }
}

QColor Palette::group(const QString& group) const {
  static const QHash<QString, int> known = {{QStringLiteral("stem"), 0},   {QStringLiteral("layer1"), 1},
                                            {QStringLiteral("layer2"), 2}, {QStringLiteral("layer3"), 3},
                                            {QStringLiteral("layer4"), 4}, {QStringLiteral("head"), 5}};
  const int index = known.value(group, hashedGroup(group));
  return QColor((dark ? kDeepGroups : kPaleGroups)[static_cast<std::size_t>(index)]);
}

/// Not the actions' colours: a blue bar in a chart should not be read as "forward". The first, usually the baseline, is
/// grey, as far from the blue as the surface allows.
QColor Palette::series(int index) const {
  using Series = std::array<QRgb, 6>;
  constexpr Series kOnLight = {0x545c68, 0x56b4e9, 0xe69f00, 0x665ab8, 0x44aa99, 0xa84a6e};
  constexpr Series kOnDark = {0xc9d0d9, 0x56b4e9, 0xe69f00, 0x665ab8, 0x44aa99, 0xa84a6e};
  constexpr Series kInContrast = {0xe0e6ee, 0x7ac8f5, 0xffb733, 0xb3a8ff, 0x44d0b0, 0xffa0c8};
  const Series& colors = high_contrast ? kInContrast : dark ? kOnDark : kOnLight;
  const auto size = static_cast<int>(colors.size());
  return QColor(colors[static_cast<std::size_t>(((index % size) + size) % size)]);
}

QColor Palette::pale(const QColor& color, qreal share) const {
  return mix(color, surface, high_contrast ? share * kContrastPaleness : share);
}

QColor Palette::hatchOn(const QColor& fill) const {
  return mix(fill, Qt::black, high_contrast ? kContrastHatchShade : kHatchShade);
}

QPen Palette::focusRing() const { return high_contrast ? QPen(accent, 2) : QPen(accent, 1, Qt::DotLine); }

double luminance(const QColor& color) {
  const auto linear = [](double channel) {
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

double contrast(const QColor& a, const QColor& b) {
  const double of_a = luminance(a), of_b = luminance(b);
  return (std::max(of_a, of_b) + 0.05) / (std::min(of_a, of_b) + 0.05);
}

QColor inkOn(const QColor& fill) {
  const double l = luminance(fill);
  return 1.05 / (l + 0.05) >= (l + 0.05) / 0.05 ? QColor(Qt::white) : QColor(0x10, 0x12, 0x16);
}

QColor mix(const QColor& from, const QColor& to, qreal share) {
  const auto blend = [share](float a, float b) { return static_cast<float>(a + (b - a) * share); };
  return QColor::fromRgbF(blend(from.redF(), to.redF()), blend(from.greenF(), to.greenF()),
                          blend(from.blueF(), to.blueF()), blend(from.alphaF(), to.alphaF()));
}

}  // namespace lanelab::look
