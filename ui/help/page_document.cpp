// SPDX-License-Identifier: GPL-3.0-only
#include "ui/help/page_document.h"

#include <QFontDatabase>
#include <QImage>
#include <QPixmap>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextFrame>
#include <QTextList>
#include <QTextTable>
#include <algorithm>
#include <array>
#include <optional>

#include "ui/help/help_search.h"
#include "ui/look/icons.h"
#include "ui/look/plain_text.h"
#include "ui/look/theme.h"

namespace lanelab {
namespace {

constexpr auto kScheme = "help";
constexpr auto kExternalMark = "external-link";  ///< name of its image
constexpr int kMarkSize = 3 * look::kGrid;
constexpr int kReadingPixels = 14;
constexpr int kCodePixels = 12;
constexpr std::array kHeadingPixels{22, 18, 15, 14};
constexpr int kLineHeight = 122;  // percent
constexpr int kFigureMargin = 3 * look::kGrid;
constexpr int kParagraphGap = 2 * look::kGrid, kItemGap = look::kGrid;

QFont readingFont() {
  QFont font = look::textFont();
  font.setPixelSize(kReadingPixels);
  return font;
}

QFont codeFont() {
  QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  font.setPixelSize(kCodePixels);
  return font;
}

bool isCode(const QTextBlock& block) { return block.blockFormat().hasProperty(QTextFormat::BlockCodeLanguage); }

bool isMono(const QTextCharFormat& format) { return format.fontFixedPitch(); }

QUrl urlOf(const HelpPlace& place) {
  QUrl url;
  url.setScheme(kScheme);
  url.setPath(place.page);
  if (!place.section.isEmpty()) url.setFragment(place.section);
  return url;
}

bool isFigure(const QTextBlock& block) {
  return block.length() == 2 && block.begin().fragment().charFormat().isImageFormat();
}

QTextBlockFormat textBlock(const QTextBlock& block) {
  QTextBlockFormat format = block.blockFormat();
  if (isFigure(block)) {  // a proportion of its height would be a gap
    format.setTopMargin(kFigureMargin);
    format.setBottomMargin(kFigureMargin);
    return format;
  }
  const bool in_table = QTextCursor(block).currentTable() != nullptr;
  const bool follows_list = block.previous().isValid() && block.previous().textList() && !block.textList();
  format.setTopMargin(!in_table && follows_list ? kParagraphGap : 0);
  format.setBottomMargin(in_table ? 0 : block.textList() ? kItemGap : kParagraphGap);
  format.setLineHeight(kLineHeight, QTextBlockFormat::ProportionalHeight);
  return format;
}

QTextBlockFormat headingBlock(QTextBlockFormat format, bool first) {
  format.setTopMargin(first ? 0 : (format.headingLevel() <= 2 ? 6 : 4) * look::kGrid);
  format.setBottomMargin(2 * look::kGrid);
  return format;
}

QTextBlockFormat codeBlock(const QTextBlock& block) {
  QTextBlockFormat format = block.blockFormat();
  const auto ends = [](const QTextBlock& other) { return !other.isValid() || !isCode(other); };
  format.setNonBreakableLines(false);  // a long command wraps rather than leaves the window
  format.setTopMargin(ends(block.previous()) ? 2 * kCodePadding : 0);
  format.setBottomMargin(ends(block.next()) ? 2 * kCodePadding : 0);
  format.setLeftMargin(format.leftMargin() + kCodePadding);
  format.setRightMargin(kCodePadding);
  format.setLineHeight(kLineHeight, QTextBlockFormat::ProportionalHeight);
  return format;
}

QTextCharFormat headingText(const QTextCharFormat& old, int level) {
  QTextCharFormat format = old;
  QFont font = look::bold(readingFont());
  font.setPixelSize(kHeadingPixels[static_cast<std::size_t>(std::clamp(level, 1, 4) - 1)]);
  format.clearProperty(QTextFormat::FontSizeAdjustment);
  format.setFont(font, QTextCharFormat::FontPropertiesSpecifiedOnly);
  return format;
}

QTextCharFormat codeText(const QTextCharFormat& old, bool within_text) {
  QTextCharFormat format = old;
  format.setFont(codeFont(), QTextCharFormat::FontPropertiesSpecifiedOnly);
  format.setFontFixedPitch(true);
  if (within_text) format.setBackground(look::mix(look::current().surface, look::current().text, 0.07));
  return format;
}

}  // namespace

HelpPlace placeOfUrl(const QUrl& url) {
  return url.scheme() == QLatin1String(kScheme) ? HelpPlace{url.path(), url.fragment()} : HelpPlace{};
}

PageDocument::PageDocument(const HelpPage& page, int width, qreal ratio, QObject* parent)
    : QTextDocument(parent), m_page(page.path), m_width(width), m_ratio(ratio) {
  setUndoRedoEnabled(false);
  setDefaultFont(readingFont());
  setDocumentMargin(4 * look::kGrid);
  setMarkdown(page.markdown, MarkdownFeatures(MarkdownDialectGitHub) | MarkdownNoHTML);
  dressTables();
  dressFragments(page);
  dressBlocks(page);
}

int PageDocument::positionOf(const QString& section, const QString& words) const {
  const int heading = positionOf(section);
  std::optional<int> one;
  const auto ends = [heading](const QTextBlock& block) {
    return !block.isValid() || (block.position() != heading && block.blockFormat().headingLevel() > 0);
  };
  for (QTextBlock block = findBlock(heading); !ends(block); block = block.next()) {
    const QList<TextRange> found = wordsIn(block.text(), words);
    if (found.isEmpty()) continue;
    if (look::hasWords(block.text(), words)) return block.position() + found.front().start;
    if (!one) one = block.position() + found.front().start;
  }
  return one.value_or(heading);
}

void PageDocument::dressBlocks(const HelpPage& page) {
  qsizetype heading = 0;
  for (QTextBlock block = begin(); block.isValid(); block = block.next()) {
    QTextCursor cursor(block);
    if (isCode(block)) {
      cursor.setBlockFormat(codeBlock(block));
      if (block.previous().isValid() && isCode(block.previous()) && !m_code.isEmpty())
        m_code.last().last = block.position();
      else
        m_code.append({block.position(), block.position()});
    } else if (block.blockFormat().headingLevel() > 0) {
      if (heading < page.sections.size()) m_headings[page.sections[heading].anchor] = block.position();
      cursor.setBlockFormat(headingBlock(block.blockFormat(), heading++ == 0));
    } else {
      cursor.setBlockFormat(textBlock(block));
    }
  }
}

void PageDocument::dressTables() {
  const look::Palette& palette = look::current();
  for (QTextFrame* const frame : rootFrame()->childFrames()) {
    auto* const table = qobject_cast<QTextTable*>(frame);
    if (!table) continue;
    QTextTableFormat format = table->format();
    format.setBorder(1);
    format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
    format.setBorderBrush(palette.line);
    format.setBorderCollapse(true);
    format.setCellPadding(1.5 * look::kGrid);
    format.setCellSpacing(0);
    format.setTopMargin(2 * look::kGrid);
    format.setBottomMargin(3 * look::kGrid);
    format.setWidth(QTextLength(QTextLength::PercentageLength, 100));
    table->setFormat(format);
    for (int column = 0; column < table->columns(); ++column) {
      QTextTableCell cell = table->cellAt(0, column);
      QTextCharFormat head = cell.format();
      head.setBackground(look::mix(palette.surface, palette.text, 0.05));
      cell.setFormat(head);
    }
  }
}

/// From the end to the beginning, as marks are put behind links.
void PageDocument::dressFragments(const HelpPage& page) {
  struct Piece {
    int start, end;
    QTextCharFormat format;
  };
  QList<Piece> pieces;
  QList<int> ends_of_links;
  for (QTextBlock block = begin(); block.isValid(); block = block.next()) {
    const int level = block.blockFormat().headingLevel();
    for (auto it = block.begin(); !it.atEnd(); ++it) {
      const QTextFragment text = it.fragment();
      QTextCharFormat format = text.charFormat();
      if (level > 0) format = headingText(format, level);
      if (isCode(block) || isMono(format)) format = codeText(format, !isCode(block));
      if (format.isAnchor() && !format.isImageFormat()) {
        const HelpPlace place = linkedPlace(page.path, format.anchorHref());
        if (place.page.isEmpty())
          ends_of_links << text.position() + text.length();
        else
          format.setAnchorHref(urlOf(place).toString());
        format.setForeground(look::current().accent);
        format.setFontUnderline(true);
        format.setToolTip(place.page.isEmpty() ? format.anchorHref() : QString());
      }
      if (format != text.charFormat()) pieces.append({text.position(), text.position() + text.length(), format});
    }
  }
  for (const Piece& piece : std::as_const(pieces)) {
    QTextCursor cursor(this);
    cursor.setPosition(piece.start);
    cursor.setPosition(piece.end, QTextCursor::KeepAnchor);
    cursor.setCharFormat(piece.format);
  }
  for (const int end : QList<int>(ends_of_links.rbegin(), ends_of_links.rend())) {
    QTextImageFormat mark;
    mark.setName(QLatin1String(kExternalMark));
    mark.setVerticalAlignment(QTextCharFormat::AlignMiddle);
    QTextCursor cursor(this);
    cursor.setPosition(end);
    cursor.insertImage(mark);
  }
}

QVariant PageDocument::loadResource(int type, const QUrl& name) {
  if (type != ImageResource) return {};
  if (name.toString() == QLatin1String(kExternalMark)) {
    QPixmap mark = look::icon(QLatin1String("external")).pixmap(QSize(kMarkSize, kMarkSize), m_ratio);
    return mark;
  }
  QImage figure(helpResource(linkedPlace(m_page, name.toString()).page));
  if (figure.isNull()) return {};
  const int shown = std::min(figure.width(), m_width);
  figure = figure.scaledToWidth(static_cast<int>(shown * m_ratio), Qt::SmoothTransformation);
  figure.setDevicePixelRatio(m_ratio);
  return figure;
}

}  // namespace lanelab
