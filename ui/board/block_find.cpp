// SPDX-License-Identifier: GPL-3.0-only
#include "ui/board/block_find.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QToolButton>

#include "ui/board/block_names.h"
#include "ui/board/board_view.h"
#include "ui/look/parts.h"
#include "ui/look/plain_label.h"
#include "ui/look/theme.h"

namespace lanelab {

BlockFind::BlockFind(BoardView* board, QWidget* parent)
    : QWidget(parent), m_board(board), m_field(new QLineEdit), m_count(new look::PlainLabel) {
  setObjectName(QStringLiteral("blockFind"));
  m_field->setObjectName(QStringLiteral("blockFindField"));
  m_field->setAccessibleName(tr("Find a block"));
  m_field->setPlaceholderText(tr("Find a block: h.11, encoder attn ..."));
  m_field->setToolTip(tr("Part of a block's name; several words narrow it down. Enter: next, Shift+Enter: previous"));
  m_field->setClearButtonEnabled(true);
  m_field->installEventFilter(this);
  m_count->setObjectName(QStringLiteral("blockFindCount"));
  auto* shut = look::toolButton("blockFindClose", "close", tr("Close"), tr("Close (Esc)"));
  auto* row = look::makeLayout<QHBoxLayout>(this, look::kGrid);
  m_field->setMaximumWidth(60 * look::kGrid);
  row->addWidget(m_field, 1);
  row->addWidget(m_count);
  row->addWidget(shut);
  connect(m_field, &QLineEdit::textChanged, this, &BlockFind::search);
  connect(shut, &QToolButton::clicked, this, &BlockFind::close);
  connect(board, &BoardView::findWanted, this, &BlockFind::open);
  hide();
}

void BlockFind::open() {
  show();
  m_field->setFocus(Qt::ShortcutFocusReason);
  m_field->selectAll();
  search();
}

void BlockFind::close() {
  hide();
  m_board->setFocus(Qt::OtherFocusReason);
}

void BlockFind::search() {
  m_found = blocksNamed(m_board->model(), m_field->text());
  m_place = 0;
  showFound();
}

/// The network may be another one than when the text was typed.
void BlockFind::step(int by) {
  m_found = blocksNamed(m_board->model(), m_field->text());
  const std::size_t count = m_found.size();
  if (count > 0) m_place = (m_place + count + static_cast<std::size_t>(by + static_cast<int>(count))) % count;
  showFound();
}

void BlockFind::showFound() {
  if (!m_found.empty()) m_board->showBlock(m_found[m_place]);
  const bool asked = !m_field->text().trimmed().isEmpty();
  m_count->setText(!asked            ? QString()
                   : m_found.empty() ? tr("none")
                                     : tr("%1 of %2").arg(m_place + 1).arg(m_found.size()));
}

bool BlockFind::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
  const auto& key = *static_cast<QKeyEvent*>(event);
  if (key.key() == Qt::Key_Escape) return close(), true;
  if (key.key() != Qt::Key_Return && key.key() != Qt::Key_Enter) return QWidget::eventFilter(watched, event);
  step(key.modifiers() & Qt::ShiftModifier ? -1 : 1);
  return true;
}

}  // namespace lanelab
