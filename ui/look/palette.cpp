// SPDX-License-Identifier: GPL-3.0-only
// The colours. Actions are Okabe-Ito's (safe for the colour blind); everything else stays grey, pale or the one accent,
// so that actions stand out.
#include <QHash>
#include <array>
#include <cmath>

#include "ui/look/theme.h"

namespace lanelab::look {
namespace {

struct Shade {
  QColor Palette::*color;
  QRgb light, dark;
};
constexpr Shade kShades[] = {
    {&Palette::window, 0xf4f5f7, 0x20242a},     {&Palette::surface, 0xffffff, 0x171a1f},
    {&Palette::text, 0x1d232b, 0xe6e9ee},       {&Palette::muted_text, 0x5c6673, 0x9da7b4},
    {&Palette::line, 0xcdd2d9, 0x3a414b},       {&Palette::grid, 0xe6e9ed, 0x2a2f37},
    {&Palette::accent, 0x3f51b5, 0x8c9eff},     {&Palette::error, 0xb3261e, 0xff8a80},
    {&Palette::warning, 0x8f5a00, 0xf5c710},    {&Palette::idle_background, 0xf3f4f6, 0x1d2127},
    {&Palette::idle_hatch, 0xc6ccd4, 0x3d4550}, {&Palette::forward, 0x0072b2, 0x2b8fd0},
    {&Palette::backward, 0xd55e00, 0xe06f1c},   {&Palette::update, 0x009e73, 0x14a87c},
    {&Palette::transfer, 0xcc79a7, 0xd587b3},   {&Palette::wait, 0x9aa3ae, 0x7a8491},
    {&Palette::detail, 0xb9c9da, 0x5d7188},     {&Palette::outline, 0x1b2027, 0x0b0d10},
};

Palette makePalette(bool dark) {
  Palette palette;
  for (const Shade& shade : kShades) palette.*shade.color = QColor(dark ? shade.dark : shade.light);
  palette.dark = dark;
  return palette;
}

Palette makePrint() {
  Palette p = makePalette(false);
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
  static const Palette palette = makePalette(false);
  return palette;
}

const Palette& darkPalette() {
  static const Palette palette = makePalette(true);
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
    case Category::Communication: return mix(transfer, surface, 0.35);
    case Category::Evaluation: return mix(forward, surface, 0.6);
    case Category::Wait:
    case Category::Sync: return wait;
    case Category::Kernel:
    case Category::Memset: return phaseOfSpan == Phase::None ? detail : mix(phase(phaseOfSpan), surface, 0.35);
    case Category::Block:
    case Category::CpuOp: return phaseOfSpan == Phase::None ? detail : mix(phase(phaseOfSpan), surface, 0.6);
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
/// grey.
QColor Palette::series(int index) const {
  constexpr QRgb kGreyOnLight = 0x545c68, kGreyOnDark = 0xc9d0d9;  // as far from the blue as the surface allows
  const std::array<QRgb, 6> colors = {
      dark ? kGreyOnDark : kGreyOnLight, 0x56b4e9, 0xe69f00, 0x665ab8, 0x44aa99, 0xa84a6e};
  const auto size = static_cast<int>(colors.size());
  return QColor(colors[static_cast<std::size_t>(((index % size) + size) % size)]);
}

double luminance(const QColor& color) {
  const auto linear = [](double channel) {
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
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
