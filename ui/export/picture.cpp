// SPDX-License-Identifier: GPL-3.0-only
#include "ui/export/picture.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFileInfo>
#include <QFontMetricsF>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <algorithm>
#include <cmath>
#include <string>

#include "base/atomic_file.h"
#include "base/escaped_text.h"
#include "base/utf8.h"
#include "ui/look/plain_text.h"

namespace lanelab {
namespace {

constexpr qreal kLogicalDpi = 96;
constexpr qreal kPngScale = 3;
constexpr int kPngDotsPerMeter = 11811;  // 300 dpi
constexpr int kPdfDpi = 1200;
constexpr qreal kMargin = 4 * look::kGrid;
constexpr qreal kSpacing = 2 * look::kGrid;

struct Texts {
  Q_DECLARE_TR_FUNCTIONS(Picture)
};

/// Where title, body and caption lie on the page, in logical pixels.
struct Page {
  QRectF title, body, caption;
  QSizeF size;
};

qreal wrappedHeight(const QString& text, const QFont& font, qreal width) {
  if (text.isEmpty()) return 0;
  return std::ceil(QFontMetricsF(font).boundingRect(QRectF(0, 0, width, 10000), Qt::TextWordWrap, text).height());
}

Page layOut(const Picture& picture) {
  const qreal width = picture.size.width();
  Page page;
  const qreal title_height = wrappedHeight(picture.title, look::headlineFont(), width);
  page.title = QRectF(kMargin, kMargin, width, title_height);
  page.body = QRectF(QPointF(kMargin, page.title.bottom() + (title_height > 0 ? kSpacing : 0)), picture.size);
  const qreal caption_height = wrappedHeight(picture.caption, look::textFont(), width);
  page.caption = QRectF(kMargin, page.body.bottom() + (caption_height > 0 ? kSpacing : 0), width, caption_height);
  page.size = QSizeF(std::ceil(width + 2 * kMargin), std::ceil(page.caption.bottom() + kMargin));
  return page;
}

void paintPage(QPainter& painter, const Picture& picture, const Page& page, const look::Palette& palette) {
  painter.fillRect(QRectF(QPointF(0, 0), page.size), palette.surface);
  painter.setPen(palette.text);
  painter.setFont(look::headlineFont());
  painter.drawText(page.title, Qt::TextWordWrap, picture.title);
  painter.setPen(palette.muted_text);
  painter.setFont(look::textFont());
  painter.drawText(page.caption, Qt::TextWordWrap, picture.caption);
  painter.setPen(palette.text);
  painter.save();
  picture.paint(painter, page.body, palette);
  painter.restore();
}

/// What `write` writes to a device.
template <class Write>
QByteArray bytesBy(Write write) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  write(&buffer);
  return bytes;
}

QByteArray pngBytes(const Picture& picture) {
  QImage image = render(picture, look::printPalette(), kPngScale);
  image.setDevicePixelRatio(1);
  image.setDotsPerMeterX(kPngDotsPerMeter);
  image.setDotsPerMeterY(kPngDotsPerMeter);
  image.setText(QStringLiteral("Software"), QStringLiteral("LaneLab"));
  if (!picture.title.isEmpty()) image.setText(QStringLiteral("Title"), picture.title);
  if (!picture.metadata.isEmpty()) image.setText(QStringLiteral("lanelab"), picture.metadata);
  bool written = false;
  const QByteArray bytes = bytesBy([&](QBuffer* buffer) { written = image.save(buffer, "png"); });
  return written ? bytes : QByteArray();
}

std::string elementOf(const char* name, const QString& text) {
  return text.isEmpty() ? std::string()
                        : std::string("<") + name + ">" + escapedMarkup(text.toStdString()) + "</" + name + ">\n";
}

/// QSvgGenerator escapes drawn text, but titles not in every version, so they are put in here.
void insertTitles(QByteArray& svg, const Picture& picture) {
  svg.insert(svg.indexOf("<defs>"),
             QByteArray::fromStdString(elementOf("title", picture.title) + elementOf("desc", picture.caption)));
}

bool mayStandInXml(const Character& character) {
  if (character.code == '\n' || character.code == '\t' || character.code == '\r') return true;
  return character.valid && !isControl(character.code) && !isNonCharacter(character.code);
}

/// Drawn text may hold characters that XML forbids even escaped.
QByteArray wellFormed(const QByteArray& svg) {
  std::string out;
  out.reserve(static_cast<std::size_t>(svg.size()));
  for (std::string_view rest(svg.constData(), static_cast<std::size_t>(svg.size())); !rest.empty();) {
    const Character character = firstCharacter(rest);
    out += mayStandInXml(character) ? rest.substr(0, character.bytes) : kReplacementCharacter;
    rest.remove_prefix(character.bytes);
  }
  return QByteArray::fromStdString(out);
}

QByteArray svgBytes(const Picture& picture) {
  const Page page = layOut(picture);
  QByteArray bytes = bytesBy([&](QBuffer* buffer) {
    QSvgGenerator generator;
    generator.setOutputDevice(buffer);
    generator.setResolution(static_cast<int>(kLogicalDpi));  // Qt's default of 72 would make the text too large
    generator.setSize(page.size.toSize());
    generator.setViewBox(QRectF(QPointF(0, 0), page.size));
    QPainter painter(&generator);
    paintPage(painter, picture, page, look::printPalette());
  });
  const QByteArray family = QFontInfo(look::textFont()).family().toUtf8();
  bytes.replace("font-family=\"" + family + '"', "font-family=\"" + family + ", Arial, sans-serif\"");
  insertTitles(bytes, picture);
  return wellFormed(bytes);
}

QByteArray pdfBytes(const Picture& picture) {
  const Page page = layOut(picture);
  return bytesBy([&](QBuffer* buffer) {
    QPdfWriter writer(buffer);
    writer.setTitle(picture.title);
    writer.setCreator(QStringLiteral("LaneLab"));
    writer.setResolution(kPdfDpi);
    writer.setPageSize(QPageSize(page.size * 72 / kLogicalDpi, QPageSize::Point, QString(), QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF());
    QPainter painter(&writer);
    painter.scale(kPdfDpi / kLogicalDpi, kPdfDpi / kLogicalDpi);
    paintPage(painter, picture, page, look::printPalette());
  });
}

QByteArray bytesOf(const Picture& picture, PictureFormat format) {
  switch (format) {
    case PictureFormat::Png: return pngBytes(picture);
    case PictureFormat::Svg: return svgBytes(picture);
    case PictureFormat::Pdf: return pdfBytes(picture);
  }
  return {};
}

}  // namespace

Status savePicture(const Picture& picture, PictureFormat format, const QString& path) {
  if (!picture.paint || picture.size.isEmpty()) {
    return look::badInput(
        Texts::tr("There is nothing to draw in %1 yet: run the experiment first, then export again.").arg(path));
  }
  const QByteArray bytes = bytesOf(picture, format);
  if (bytes.isEmpty()) {
    return look::failed(
        Texts::tr("The figure %1 is too large for the memory. Choose a smaller one, or close other programs.")
            .arg(path));
  }
  return writeFileAtomically(path.toStdString(), bytes.toStdString());
}

Result<PictureFormat> pictureFormatOf(const QString& path) {
  const QString ending = QFileInfo(path).suffix().toLower();
  if (ending == QLatin1String("png")) return PictureFormat::Png;
  if (ending == QLatin1String("svg")) return PictureFormat::Svg;
  if (ending == QLatin1String("pdf")) return PictureFormat::Pdf;
  return look::badInput(Texts::tr("The file name %1 has no extension of a figure. Use .png, .svg or .pdf.").arg(path));
}

QString svgElement(const Picture& picture) {
  if (!picture.paint || picture.size.isEmpty()) return {};
  const QString svg = QString::fromUtf8(svgBytes(picture));
  return svg.mid(std::max<qsizetype>(svg.indexOf(QLatin1String("<svg")), 0)).trimmed();
}

QImage render(const Picture& picture, const look::Palette& palette, qreal scale) {
  if (!picture.paint || picture.size.isEmpty() || scale <= 0) return {};
  const Page page = layOut(picture);
  QImage image((page.size * scale).toSize(), QImage::Format_RGB32);
  if (image.isNull()) return {};
  image.setDevicePixelRatio(scale);
  image.fill(palette.surface);
  QPainter painter(&image);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setRenderHint(QPainter::TextAntialiasing);
  paintPage(painter, picture, page, palette);
  return image;
}

}  // namespace lanelab
