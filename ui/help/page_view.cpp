// SPDX-License-Identifier: GPL-3.0-only
#include "ui/help/page_view.h"

#include <QAbstractTextDocumentLayout>
#include <QDesktopServices>
#include <QEvent>
#include <QPainter>
#include <QScrollBar>
#include <QTextBlock>
#include <algorithm>

#include "ui/help/help_search.h"
#include "ui/help/page_document.h"
#include "ui/look/theme.h"

namespace lanelab {
namespace {

constexpr int kWidestText = 960;  ///< longer lines are hard to read; commands of the command line fit
constexpr double kCodeRound = 4;

}  // namespace

PageView::PageView(QWidget* parent) : QTextBrowser(parent) {
  setObjectName("helpPage");
  setAccessibleName(tr("Page"));
  setOpenLinks(false);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);  // else the page is laid out again where it appears
  setFrameShape(QFrame::NoFrame);
  connect(this, &QTextBrowser::anchorClicked, this, &PageView::follow);
}

void PageView::showPlace(const HelpPlace& place, const QString& words) {
  const bool other = place.page != m_place.page || !m_page;
  m_place = place;
  if (other) render();
  highlight(words);
  scrollTo(words.isEmpty() ? m_page->positionOf(place.section) : m_page->positionOf(place.section, words));
}

void PageView::highlight(const QString& words) {
  m_words = words;
  QList<ExtraSelection> found;
  QTextCharFormat mark;
  mark.setBackground(look::mix(look::current().surface, look::current().warning, 0.35));
  for (QTextBlock block = document()->begin(); block.isValid() && !words.isEmpty(); block = block.next())
    for (const TextRange& range : wordsIn(block.text(), words)) {
      QTextCursor cursor(document());
      cursor.setPosition(block.position() + range.start);
      cursor.setPosition(block.position() + range.start + range.length, QTextCursor::KeepAnchor);
      found.append({cursor, mark});
    }
  setExtraSelections(found);
}

void PageView::follow(const QUrl& url) {
  const HelpPlace place = placeOfUrl(url);
  if (place.page.isEmpty())
    QDesktopServices::openUrl(url);
  else
    Q_EMIT placeRequested(place);
}

void PageView::render() {
  const HelpPage* const page = findPage(m_place.page);
  if (!page) return;
  PageDocument* const old = m_page;
  m_width = viewport()->width() - 10 * look::kGrid;
  m_page = new PageDocument(*page, std::max(m_width, 1), devicePixelRatioF(), this);
  setDocument(m_page);
  delete old;
}

/// The same lines are at the top as before.
void PageView::renderAgain() {
  if (!m_page) return;
  const int top = cursorForPosition(QPoint(1, 1)).position();
  render();
  highlight(m_words);
  scrollTo(top);
}

void PageView::scrollTo(int position) {
  QTextCursor cursor(document());
  cursor.setPosition(position);
  setTextCursor(cursor);
  document()->documentLayout()->documentSize();  // lays all of it out, so that the bar reaches there
  const int top = cursorRect(cursor).top() + verticalScrollBar()->value();
  const bool heading = cursor.blockFormat().headingLevel() > 0;
  verticalScrollBar()->setValue(position == 0 ? 0 : top - (heading ? 2 * look::kGrid : viewport()->height() / 4));
}

/// In a wide window the text is in its middle.
void PageView::fitText() {
  const int beside = std::max(0, (width() - verticalScrollBar()->sizeHint().width() - kWidestText) / 2);
  setViewportMargins(beside, 0, beside, 0);
}

void PageView::resizeEvent(QResizeEvent* event) {
  fitText();
  QTextBrowser::resizeEvent(event);
  if (m_page && viewport()->width() - 10 * look::kGrid != m_width)
    QMetaObject::invokeMethod(
        this, [this] { renderAgain(); }, Qt::QueuedConnection);
}

void PageView::changeEvent(QEvent* event) {
  QTextBrowser::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) renderAgain();
}

/// From the left edge of its lines to the right edge of the text.
QRectF PageView::codeArea(int first, int last) const {
  const QAbstractTextDocumentLayout& layout = *m_page->documentLayout();
  const QTextBlock begin = m_page->findBlock(first);
  const QRectF top = layout.blockBoundingRect(begin), bottom = layout.blockBoundingRect(m_page->findBlock(last));
  const double left = top.left() + begin.layout()->lineAt(0).x();
  return QRectF(QPointF(left, top.top()), QPointF(m_page->textWidth() - m_page->documentMargin(), bottom.bottom()))
      .adjusted(-kCodePadding, -kCodePadding, 0, kCodePadding);
}

/// Code has a background of its own below the text.
void PageView::paintEvent(QPaintEvent* event) {
  if (m_page) {
    const look::Palette& palette = look::current();
    QPainter painter(viewport());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(-horizontalScrollBar()->value(), -verticalScrollBar()->value());
    painter.setPen(palette.line);
    painter.setBrush(look::mix(palette.surface, palette.text, 0.04));
    for (const PageDocument::Code& code : m_page->code())
      painter.drawRoundedRect(codeArea(code.first, code.last).translated(0.5, 0.5), kCodeRound, kCodeRound);
  }
  QTextBrowser::paintEvent(event);
}

}  // namespace lanelab
