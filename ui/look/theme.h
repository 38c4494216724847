// SPDX-License-Identifier: GPL-3.0-only
// The one place for colours, fonts and distances. Painters take a Palette, so that the same code draws the screen,
// light, dark or in high contrast, and exports on white.
#pragma once

#include <QColor>
#include <QFont>
#include <QPen>
#include <QString>

#include "base/words.h"
#include "profiler/trace/trace.h"

class QApplication;
class QPainter;
class QPalette;
class QRectF;

namespace lanelab::look {

enum class Scheme { System, Light, Dark, HighContrast };
constexpr std::array<Word<Scheme>, 4> wordTable(Scheme) {
  return {{{Scheme::System, "system"},
           {Scheme::Light, "light"},
           {Scheme::Dark, "dark"},
           {Scheme::HighContrast, "high-contrast"}}};
}

/// Base grid of all distances, in logical pixels.
inline constexpr int kGrid = 4;
/// The column left of a lane with what is written beside it, in logical pixels: lanes of board and timeline begin at
/// one x.
inline constexpr int kLaneColumn = 40 * kGrid;

struct Palette {
  QColor window, surface, text, muted_text, line, grid, accent, error, warning;
  QColor idle_background, idle_hatch;
  QColor forward, backward, update, transfer, wait, detail;  ///< Okabe-Ito: blue, vermillion, green, purple, ...
  QColor outline;     ///< round bars and spans, 3:1 against every fill and, but in high contrast, the background
  QColor block_edge;  ///< round blocks of the board
  bool dark = false;
  bool high_contrast = false;  ///< texts and marks 7:1, causes by patterns; dark, too

  QColor phase(Phase phase) const;
  QColor span(Category category, Phase phase) const;
  QColor group(const QString& group) const;  ///< muted colour of a block group: stem, layer1..4, head; others by hash
  QColor series(int index) const;            ///< charts: variant by variant
  /// `share` of the way from a colour to the surface; in high contrast less, so that it remains a mark.
  QColor pale(const QColor& color, qreal share) const;
  QColor hatchOn(const QColor& fill) const;  ///< the lines of what is hatched, a darker shade
  QPen focusRing() const;                    ///< round what has the keyboard
};

const Palette& lightPalette();
const Palette& darkPalette();
const Palette& highContrastPalette();
/// White background, for exports and reports.
const Palette& printPalette();
/// The palette of the scheme that is applied now.
const Palette& current();

/// Fusion style, palette, bundled font, plain texts (plain_text.h). Call again to switch; widgets hear it as
/// QEvent::PaletteChange.
void apply(QApplication& app, Scheme scheme);
/// What the desktop asks for by its palette, as Qt 6.4 has nothing else: high contrast if text is black on white or
/// white on black. Never System.
Scheme schemeOf(const QPalette& desktop);

/// The base size of all fonts, once, before apply(): 0 follows the font of the desktop.
void setFontSize(int points);

QFont textFont();  ///< the bundled font at the base size
QFont smallFont();
QFont headlineFont();
QFont numberFont();  ///< tabular figures
QFont bold(QFont font);

/// How bright a colour is to the eye, 0 to 1, from which contrasts follow: the relative luminance of WCAG 2.
double luminance(const QColor& color);
/// The contrast ratio of two colours, 1 to 21, by WCAG 2.
double contrast(const QColor& a, const QColor& b);
/// Black or white, whichever reads better on `fill`.
QColor inkOn(const QColor& fill);
/// `share` of the way from `from` to `to`.
QColor mix(const QColor& from, const QColor& to, qreal share);

/// With antialiasing or without until the scope ends; then the painter is as it was before.
class PainterScope {
 public:
  PainterScope(QPainter& painter, bool antialiased);
  ~PainterScope();
  PainterScope(const PainterScope&) = delete;
  PainterScope& operator=(const PainterScope&) = delete;

 private:
  QPainter& m_painter;
};

/// Diagonal hatch over `rect`: idle (light, wide) and backward (in the fill's darker shade, narrow). Vector, so that
/// SVG stays SVG.
void hatch(QPainter& painter, const QRectF& rect, const QColor& color, qreal spacing);

}  // namespace lanelab::look
