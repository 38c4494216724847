// SPDX-License-Identifier: GPL-3.0-only
// The colours. Actions are Okabe-Ito's (safe for the colour blind); everything else stays grey, pale or the one accent,
// so that actions stand out.
#include <QHash>
#include <array>
#include <cmath>

#include "ui/look/theme.h"

namespace lanelab::look {
namespace {

Palette makeLight() {
  Palette p;
  p.window = QColor(0xf4, 0xf5, 0xf7);
  p.surface = QColor(0xff, 0xff, 0xff);
  p.text = QColor(0x1d, 0x23, 0x2b);
  p.muted_text = QColor(0x5c, 0x66, 0x73);
  p.line = QColor(0xcd, 0xd2, 0xd9);
  p.grid = QColor(0xe6, 0xe9, 0xed);
  p.accent = QColor(0x3f, 0x51, 0xb5);
  p.error = QColor(0xb3, 0x26, 0x1e);
  p.warning = QColor(0x8f, 0x5a, 0x00);
  p.idle_background = QColor(0xf3, 0xf4, 0xf6);
  p.idle_hatch = QColor(0xc6, 0xcc, 0xd4);
  p.forward = QColor(0x00, 0x72, 0xb2);
  p.backward = QColor(0xd5, 0x5e, 0x00);
  p.update = QColor(0x00, 0x9e, 0x73);
  p.transfer = QColor(0xcc, 0x79, 0xa7);
  p.wait = QColor(0x9a, 0xa3, 0xae);
  p.detail = QColor(0xb9, 0xc9, 0xda);
  p.outline = QColor(0x1b, 0x20, 0x27);
  return p;
}

Palette makeDark() {
  Palette p;
  p.window = QColor(0x20, 0x24, 0x2a);
  p.surface = QColor(0x17, 0x1a, 0x1f);
  p.text = QColor(0xe6, 0xe9, 0xee);
  p.muted_text = QColor(0x9d, 0xa7, 0xb4);
  p.line = QColor(0x3a, 0x41, 0x4b);
  p.grid = QColor(0x2a, 0x2f, 0x37);
  p.accent = QColor(0x8c, 0x9e, 0xff);
  p.error = QColor(0xff, 0x8a, 0x80);
  p.warning = QColor(0xf5, 0xc7, 0x10);
  p.idle_background = QColor(0x1d, 0x21, 0x27);
  p.idle_hatch = QColor(0x3d, 0x45, 0x50);
  p.forward = QColor(0x2b, 0x8f, 0xd0);
  p.backward = QColor(0xe0, 0x6f, 0x1c);
  p.update = QColor(0x14, 0xa8, 0x7c);
  p.transfer = QColor(0xd5, 0x87, 0xb3);
  p.wait = QColor(0x7a, 0x84, 0x91);
  p.detail = QColor(0x5d, 0x71, 0x88);
  p.outline = QColor(0x0b, 0x0d, 0x10);
  p.dark = true;
  return p;
}

Palette makePrint() {
  Palette p = makeLight();
  p.window = QColor(Qt::white);
  p.surface = QColor(Qt::white);
  return p;
}

using GroupColors = std::array<QColor, 6>;  // stem, layer1..4, head

const GroupColors& groupColors(bool dark) {
  static const GroupColors pale = {QColor(0xcf, 0xd5, 0xdc), QColor(0xbd, 0xd6, 0xea), QColor(0xbe, 0xe0, 0xcf),
                                   QColor(0xf0, 0xdc, 0xb0), QColor(0xec, 0xc7, 0xc0), QColor(0xd6, 0xcc, 0xe9)};
  static const GroupColors deep = {QColor(0x4a, 0x53, 0x5f), QColor(0x2f, 0x53, 0x70), QColor(0x2f, 0x5a, 0x4a),
                                   QColor(0x66, 0x55, 0x2c), QColor(0x6b, 0x42, 0x3c), QColor(0x51, 0x47, 0x70)};
  return dark ? deep : pale;
}

/// A sum over the letters: qHash is seeded anew in each process, and a colour should not change from start to start.
int hashedGroup(const QString& group) {
  unsigned sum = 0;
  for (const QChar letter : group) sum = sum * 31 + letter.unicode();
  return static_cast<int>(sum % std::tuple_size_v<GroupColors>);
}

qreal linear(qreal channel) { return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4); }

/// Relative luminance of WCAG 2.
qreal luminance(const QColor& c) {
  return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
}

}  // namespace

const Palette& lightPalette() {
  static const Palette palette = makeLight();
  return palette;
}

const Palette& darkPalette() {
  static const Palette palette = makeDark();
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
  return groupColors(dark)[static_cast<std::size_t>(index)];
}

/// Not the actions' colours: a blue bar in a chart should not be read as "forward". The first, usually the baseline, is
/// grey.
QColor Palette::series(int index) const {
  static const std::array<QColor, 6> colors = {QColor(0x8a, 0x94, 0xa3), QColor(0x56, 0xb4, 0xe9),
                                               QColor(0xe6, 0x9f, 0x00), QColor(0x66, 0x5a, 0xb8),
                                               QColor(0x44, 0xaa, 0x99), QColor(0xa8, 0x4a, 0x6e)};
  const auto size = static_cast<int>(colors.size());
  return colors[static_cast<std::size_t>(((index % size) + size) % size)];
}

QColor inkOn(const QColor& fill) {
  const qreal l = luminance(fill);
  return 1.05 / (l + 0.05) >= (l + 0.05) / 0.05 ? QColor(Qt::white) : QColor(0x10, 0x12, 0x16);
}

QColor mix(const QColor& from, const QColor& to, qreal share) {
  const auto blend = [share](float a, float b) { return static_cast<float>(a + (b - a) * share); };
  return QColor::fromRgbF(blend(from.redF(), to.redF()), blend(from.greenF(), to.greenF()),
                          blend(from.blueF(), to.blueF()), blend(from.alphaF(), to.alphaF()));
}

}  // namespace lanelab::look
