// SPDX-License-Identifier: GPL-3.0-only
#include <gtest/gtest.h>

#include <QFile>
#include <QFileInfo>
#include <QFontMetricsF>
#include <QImage>
#include <QPainter>
#include <QSvgRenderer>
#include <QTemporaryDir>

#include "ui/export/picture.h"

namespace lanelab {
namespace {

const QString kMetadata = QStringLiteral("{\n  \"name\": \"tiny\", \"note\": \"±2 %, 中\"\n}");

/// A blue square with a word in a body of 200 x 100.
Picture tinyPicture() {
  Picture picture;
  picture.title = QStringLiteral("A title");
  picture.caption = QStringLiteral(
      "A long caption that says what this is, n = 10, 95 % CI, measured, and which has to wrap to the next line");
  picture.size = QSizeF(200, 100);
  picture.metadata = kMetadata;
  picture.paint = [](QPainter& painter, const QRectF& body, const look::Palette& palette) {
    painter.fillRect(QRectF(body.topLeft(), QSizeF(50, 50)), palette.forward);
    painter.setFont(look::textFont());
    painter.drawText(body.bottomLeft() - QPointF(0, 5), QStringLiteral("word"));
  };
  return picture;
}

QByteArray bytesOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

TEST(Picture, APngHas300DotsAnInchThreePixelsAPixelAndItsMetadata) {
  QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("a.png"));
  ASSERT_TRUE(savePicture(tinyPicture(), PictureFormat::Png, path).ok());
  const QImage image(path);
  ASSERT_FALSE(image.isNull());
  EXPECT_EQ(image.dotsPerMeterX(), 11811);
  EXPECT_EQ(image.dotsPerMeterY(), 11811);
  EXPECT_EQ(image.text(QStringLiteral("lanelab")), kMetadata);
  EXPECT_EQ(image.width(), 3 * (200 + 2 * 16));
  EXPECT_EQ(image.pixelColor(2, 2), QColor(Qt::white));
}

TEST(Picture, TheBodyLiesBelowTheTitleAndTheCaptionBelowTheBody) {
  const Picture picture = tinyPicture();
  const QImage image = render(picture, look::printPalette());
  int top = image.height(), bottom = 0;
  for (int y = 0; y < image.height(); ++y) {
    if (image.pixelColor(18, y) != look::printPalette().forward) continue;
    top = std::min(top, y);
    bottom = std::max(bottom, y);
  }
  EXPECT_EQ(bottom - top + 1, 50);
  EXPECT_GE(top, 16 + QFontMetricsF(look::headlineFont()).height());
  EXPECT_GE(image.height() - (top + 100), 3 * QFontMetricsF(look::textFont()).height())
      << "the caption wraps to several lines";
}

TEST(Picture, AnSvgKeepsTextAndLinesAndHoldsNoImage) {
  QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("a.svg"));
  ASSERT_TRUE(savePicture(tinyPicture(), PictureFormat::Svg, path).ok());
  const QByteArray svg = bytesOf(path);
  EXPECT_TRUE(QSvgRenderer(svg).isValid());
  EXPECT_TRUE(svg.contains(">word</text>")) << svg.toStdString();
  EXPECT_TRUE(svg.contains("sans-serif"));
  EXPECT_FALSE(svg.contains("<image"));
}

TEST(Picture, TheSvgElementGoesIntoHtmlAsItIs) {
  const QString svg = svgElement(tinyPicture());
  EXPECT_TRUE(svg.startsWith(QLatin1String("<svg")));
  EXPECT_TRUE(svg.endsWith(QLatin1String("</svg>")));
  EXPECT_FALSE(svg.contains(QLatin1String("<?xml")));
}

TEST(Picture, APdfIsOne) {
  QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("a.pdf"));
  ASSERT_TRUE(savePicture(tinyPicture(), PictureFormat::Pdf, path).ok());
  const QByteArray pdf = bytesOf(path);
  EXPECT_TRUE(pdf.startsWith("%PDF-"));
  EXPECT_TRUE(pdf.trimmed().endsWith("%%EOF"));
  EXPECT_FALSE(pdf.contains("/Subtype /Image"));
}

TEST(Picture, TheEndingChoosesTheFormat) {
  const struct {
    const char* path;
    PictureFormat format;
  } kRows[] = {{"a.png", PictureFormat::Png}, {"b.c.SVG", PictureFormat::Svg}, {"/x/y.pdf", PictureFormat::Pdf}};
  for (const auto& row : kRows) {
    const auto format = pictureFormatOf(QString::fromLatin1(row.path));
    ASSERT_TRUE(format.ok()) << row.path;
    EXPECT_EQ(*format, row.format) << row.path;
  }
  for (const char* path : {"a", "a.jpeg", "png", ""}) {
    const auto format = pictureFormatOf(QString::fromLatin1(path));
    ASSERT_FALSE(format.ok()) << path;
    EXPECT_EQ(format.error().kind, Error::Kind::BadInput);
    EXPECT_NE(format.error().message.find(".png"), std::string::npos);
  }
}

TEST(Picture, AFolderThatIsMissingIsToldWithItsNameAndLeavesNothing) {
  QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("missing/a.png"));
  const Status status = savePicture(tinyPicture(), PictureFormat::Png, path);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().message.find(path.toStdString()), std::string::npos) << status.error().message;
  EXPECT_FALSE(QFileInfo::exists(path));
}

TEST(Picture, AnEmptyPictureIsRefusedAndTheOldFileStays) {
  QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("a.png"));
  ASSERT_TRUE(savePicture(tinyPicture(), PictureFormat::Png, path).ok());
  const QByteArray before = bytesOf(path);
  EXPECT_FALSE(savePicture(Picture{}, PictureFormat::Png, path).ok());
  EXPECT_EQ(bytesOf(path), before);
  EXPECT_TRUE(render(Picture{}, look::printPalette()).isNull());
  EXPECT_TRUE(svgElement(Picture{}).isEmpty());
}

}  // namespace
}  // namespace lanelab
