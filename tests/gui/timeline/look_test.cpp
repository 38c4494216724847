// SPDX-License-Identifier: GPL-3.0-only
#include <gtest/gtest.h>

#include <QApplication>
#include <QDir>
#include <QFontInfo>
#include <QFontMetricsF>
#include <QImage>
#include <QPainter>
#include <QPushButton>
#include <algorithm>
#include <cmath>
#include <set>

#include "ui/look/icons.h"
#include "ui/look/name_colors.h"
#include "ui/look/theme.h"

namespace lanelab {
namespace {

double channel(double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); }
double luminance(const QColor& c) {
  return 0.2126 * channel(c.redF()) + 0.7152 * channel(c.greenF()) + 0.0722 * channel(c.blueF());
}
double contrast(const QColor& a, const QColor& b) {
  const double la = luminance(a), lb = luminance(b);
  return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

const look::Palette* const kPalettes[] = {&look::lightPalette(), &look::darkPalette(), &look::printPalette(),
                                          &look::highContrastPalette()};

TEST(Look, TextReadsOnItsBackground) {
  for (const look::Palette* p : kPalettes) {
    EXPECT_GE(contrast(p->text, p->window), 7);
    EXPECT_GE(contrast(p->text, p->surface), 7);
    EXPECT_GE(contrast(p->muted_text, p->window), 4.5);
    EXPECT_GE(contrast(p->muted_text, p->surface), 4.5);
    EXPECT_GE(contrast(p->error, p->window), 4.5);
    EXPECT_GE(contrast(p->warning, p->window), 4.5);
  }
}

TEST(Look, EveryActionStandsOutFromItsOutlineAndTheBackground) {
  for (const look::Palette* p : kPalettes) {
    for (const Phase phase : {Phase::Forward, Phase::Backward, Phase::Update}) {
      EXPECT_GE(contrast(p->phase(phase), p->outline), 3) << p->phase(phase).name().toStdString();
      EXPECT_GE(contrast(p->phase(phase), p->surface), 3) << p->phase(phase).name().toStdString();
      EXPECT_GE(contrast(look::inkOn(p->phase(phase)), p->phase(phase)), 4.5);
    }
  }
}

TEST(Look, InHighContrastAllTextsAndMarksHaveSevenToOne) {
  const look::Palette& p = look::highContrastPalette();
  const std::pair<const char*, QColor> marks[] = {{"text", p.text},
                                                  {"muted text", p.muted_text},
                                                  {"line", p.line},
                                                  {"accent", p.accent},
                                                  {"error", p.error},
                                                  {"warning", p.warning},
                                                  {"idle hatch", p.idle_hatch},
                                                  {"edge of a block", p.block_edge},
                                                  {"muted text of what is hidden", p.pale(p.muted_text, 0.5)}};
  for (const auto& [name, color] : marks)
    for (const QColor& behind : {p.window, p.surface, p.idle_background}) EXPECT_GE(contrast(color, behind), 7) << name;
  for (int category = 0; category <= static_cast<int>(Category::Other); ++category)
    for (const Phase phase : {Phase::None, Phase::Forward, Phase::Backward, Phase::Update}) {
      const QColor fill = p.span(static_cast<Category>(category), phase);
      EXPECT_GE(contrast(fill, p.surface), 7) << "category " << category << " " << fill.name().toStdString();
      EXPECT_GE(contrast(look::inkOn(fill), fill), 7) << "category " << category;
    }
  for (int series = 0; series < 6; ++series) EXPECT_GE(contrast(p.series(series), p.surface), 7) << series;
  for (const QColor& color : look::nameColors(p))
    EXPECT_GE(contrast(color, p.surface), 7) << color.name().toStdString();
  for (const char* const group : {"stem", "layer1", "layer2", "layer3", "layer4", "head"}) {
    const QColor fill = p.group(QString::fromLatin1(group));
    EXPECT_GE(contrast(look::inkOn(fill), fill), 7) << group;
    EXPECT_GE(contrast(p.block_edge, fill), 7) << group;
  }
  EXPECT_GE(p.focusRing().widthF(), 2);
}

TEST(Look, TheDesktopsPaletteTellsTheScheme) {
  const struct {
    const char* desktop;
    QRgb text, window, base;
    look::Scheme scheme;
  } rows[] = {{"Qt's own", 0x000000, 0xefefef, 0xffffff, look::Scheme::Light},
              {"light", 0x232629, 0xeff0f1, 0xffffff, look::Scheme::Light},
              {"dark", 0xfcfcfc, 0x2a2e32, 0x1b1e20, look::Scheme::Dark},
              {"black on white", 0x000000, 0xffffff, 0xffffff, look::Scheme::HighContrast},
              {"white on black", 0xffffff, 0x000000, 0x000000, look::Scheme::HighContrast}};
  for (const auto& [desktop, text, window, base, scheme] : rows) {
    QPalette palette;
    palette.setColor(QPalette::Window, QColor(window));
    palette.setColor(QPalette::Base, QColor(base));
    for (const auto role : {QPalette::WindowText, QPalette::Text}) palette.setColor(role, QColor(text));
    EXPECT_EQ(look::schemeOf(palette), scheme) << desktop;
  }
}

TEST(Look, ColoursOfNamesReadOnEverySurfaceAndStayTheSame) {
  for (const look::Palette* p : kPalettes) {
    for (const QColor& color : look::nameColors(*p)) {
      EXPECT_GE(contrast(color, p->surface), 3) << color.name().toStdString();
      EXPECT_GE(contrast(look::inkOn(color), color), 4.5) << color.name().toStdString();
    }
  }
  EXPECT_EQ(look::nameColorOf("aten::conv2d"), look::nameColorOf(std::string("aten::conv") + "2d"));
  std::set<std::size_t> different;
  for (const char* name : {"aten::conv2d", "aten::relu", "aten::addmm", "ncclAllReduce", "sgemm", "memcpy"})
    different.insert(look::nameColorOf(name));
  EXPECT_GE(different.size(), 5U);
}

TEST(Look, ActionsHaveTheOkabeItoColours) {
  const look::Palette& p = look::lightPalette();
  EXPECT_EQ(p.phase(Phase::Forward), QColor("#0072b2"));
  EXPECT_EQ(p.phase(Phase::Backward), QColor("#d55e00"));
  EXPECT_EQ(p.phase(Phase::BackwardWeight), p.phase(Phase::Backward));
  EXPECT_EQ(p.phase(Phase::Update), QColor("#009e73"));
  EXPECT_EQ(p.span(Category::Transfer, Phase::Forward), QColor("#cc79a7"));
}

TEST(Look, AGroupHasOneColourAndLabelsReadOnIt) {
  for (const look::Palette* p : kPalettes) {
    for (const char* group : {"stem", "layer1", "layer2", "layer3", "layer4", "head", "something else"}) {
      const QColor color = p->group(QString::fromLatin1(group));
      EXPECT_EQ(color, p->group(QString::fromLatin1(group)));
      EXPECT_GE(contrast(p->text, color), 4.5) << group << (p->dark ? " dark" : " light");
    }
    EXPECT_NE(p->group(QStringLiteral("layer1")), p->group(QStringLiteral("layer2")));
  }
}

TEST(Look, TheBundledFontIsInForceAndItsFiguresAreTabular) {
  EXPECT_EQ(QFontInfo(QApplication::font()).family(), QStringLiteral("Roboto"));
  EXPECT_EQ(QFontInfo(look::textFont()).pixelSize(), 13);
  const QFontMetricsF metrics(look::numberFont());
  for (const char digit : std::string("0123456789")) {
    EXPECT_DOUBLE_EQ(metrics.horizontalAdvance(QLatin1Char(digit)), metrics.horizontalAdvance(QLatin1Char('0')));
  }
}

TEST(Look, SchemesHaveTextsAndSwitchTheWidgets) {
  auto& app = *qobject_cast<QApplication*>(QApplication::instance());
  for (const look::Scheme scheme :
       {look::Scheme::System, look::Scheme::Light, look::Scheme::Dark, look::Scheme::HighContrast}) {
    EXPECT_EQ(fromWord<look::Scheme>(toWord(scheme)), scheme);
  }
  EXPECT_EQ(fromWord<look::Scheme>("nonsense"), std::nullopt);
  QPushButton button;
  button.show();
  look::apply(app, look::Scheme::Dark);
  QApplication::processEvents();
  EXPECT_TRUE(look::current().dark);
  EXPECT_EQ(button.palette().color(QPalette::Window), look::darkPalette().window);
  look::apply(app, look::Scheme::HighContrast);
  QApplication::processEvents();
  EXPECT_TRUE(look::current().high_contrast);
  EXPECT_EQ(button.palette().color(QPalette::Window), look::highContrastPalette().window);
  look::apply(app, look::Scheme::Light);
  QApplication::processEvents();
  EXPECT_FALSE(look::current().dark || look::current().high_contrast);
  EXPECT_EQ(button.palette().color(QPalette::Window), look::lightPalette().window);
}

/// Every name that look::icon() knows.
QStringList iconNames() {
  QStringList names;
  for (const QString& file : QDir(QStringLiteral(":/lanelab/icons")).entryList({QStringLiteral("*.svg")}, QDir::Files))
    names << file.chopped(4);
  return names;
}

TEST(Look, EveryIconDrawsSomethingInTheTextColourOfTheScheme) {
  auto& app = *qobject_cast<QApplication*>(QApplication::instance());
  ASSERT_GE(iconNames().size(), 40);
  for (const look::Scheme scheme : {look::Scheme::Dark, look::Scheme::HighContrast, look::Scheme::Light}) {
    look::apply(app, scheme);
    for (const QString& name : iconNames()) {
      if (name == QLatin1String("lanelab")) continue;
      const QImage image = look::icon(name).pixmap(48, 48).toImage().convertToFormat(QImage::Format_ARGB32);
      int inked = 0;
      for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
          const QColor pixel = image.pixelColor(x, y);
          if (pixel.alpha() < 250) continue;
          ++inked;
          ASSERT_LT(std::abs(pixel.lightness() - look::current().text.lightness()), 12) << name.toStdString();
        }
      }
      EXPECT_GT(inked, 30) << name.toStdString();
    }
  }
  EXPECT_TRUE(look::icon(QStringLiteral("no such icon")).isNull());
}

TEST(Look, AHatchStaysInsideItsRectangle) {
  QImage image(100, 100, QImage::Format_ARGB32);
  image.fill(Qt::white);
  {
    QPainter painter(&image);
    look::hatch(painter, QRectF(20, 30, 50, 40), Qt::black, 8);
  }
  int inside = 0;
  for (int y = 0; y < 100; ++y) {
    for (int x = 0; x < 100; ++x) {
      if (image.pixelColor(x, y) == QColor(Qt::white)) continue;
      const bool near = x >= 19 && x <= 70 && y >= 29 && y <= 70;
      ASSERT_TRUE(near) << x << ", " << y;
      ++inside;
    }
  }
  EXPECT_GT(inside, 200);
}

}  // namespace
}  // namespace lanelab
