// SPDX-License-Identifier: GPL-3.0-only
#include "ui/statistics/statistics_table.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QStyledItemDelegate>
#include <algorithm>

#include "ui/look/parts.h"
#include "ui/look/theme.h"

namespace lanelab {

namespace {

constexpr int kLeastStretched = 40 * look::kGrid;

/// Words beside a column of numbers, which end where the words begin, keep away from them.
class WordsDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    if (index.column() > 0 && option->displayAlignment.testFlag(Qt::AlignLeft)) option->text.prepend(QChar(0x2002));
  }
};

}  // namespace

StatisticsTable::StatisticsTable(const QString& name, const QString& accessible_name, QWidget* parent)
    : QTableView(parent) {
  look::setUpTable(*this, name, accessible_name);
  setItemDelegate(new WordsDelegate(this));
  setSelectionMode(SingleSelection);
  setAlternatingRowColors(true);
  setTextElideMode(Qt::ElideMiddle);  // kernels of one library differ at the end of their names
  verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
  horizontalHeader()->setMinimumSectionSize(5 * look::kGrid);
  connect(this, &QTableView::doubleClicked, this, [this](const QModelIndex& index) { Q_EMIT rowOpened(index.row()); });
  // A click on the row that is current already is meant, too.
  connect(this, &QTableView::clicked, this, [this](const QModelIndex& index) { Q_EMIT rowChosen(index.row()); });
}

void StatisticsTable::setUpColumns(const std::vector<QString>& samples, int stretched) {
  const QFontMetrics metrics(look::textFont());
  for (int column = 0; column < static_cast<int>(samples.size()); ++column) {
    const QString title = model()->headerData(column, Qt::Horizontal).toString();
    const int sort_mark = 4 * look::kGrid;
    setColumnWidth(column, std::max(metrics.horizontalAdvance(samples[static_cast<std::size_t>(column)]),
                                    metrics.horizontalAdvance(title) + sort_mark) +
                               4 * look::kGrid);
  }
  m_stretched = stretched;
}

/// A stretched section of Qt has no least width.
void StatisticsTable::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  const int others = horizontalHeader()->length() - columnWidth(m_stretched);
  setColumnWidth(m_stretched, std::max(kLeastStretched, viewport()->width() - others));
}

void StatisticsTable::selectQuietly(int row) {
  m_quiet = true;
  if (row < 0) {
    clearSelection();
    setCurrentIndex({});
  } else {
    setCurrentIndex(model()->index(row, 0));
  }
  m_quiet = false;
}

void StatisticsTable::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
  QTableView::currentChanged(current, previous);
  const bool by_key = !m_quiet && current.isValid() && QApplication::mouseButtons() == Qt::NoButton;
  if (by_key && current.row() != previous.row()) Q_EMIT rowChosen(current.row());
}

/// Qt makes the first row current when the keyboard comes; nobody chose it.
void StatisticsTable::focusInEvent(QFocusEvent* event) {
  m_quiet = true;
  QTableView::focusInEvent(event);
  m_quiet = false;
}

/// Tab-separated below the header line, so that a spreadsheet takes it as cells.
QString StatisticsTable::currentRowText() const {
  QStringList header, cells;
  for (int column = 0; column < model()->columnCount(); ++column) {
    header << model()->headerData(column, Qt::Horizontal).toString();
    cells << model()->index(currentIndex().row(), column).data().toString();
  }
  return header.join(QLatin1Char('\t')) + QLatin1Char('\n') + cells.join(QLatin1Char('\t'));
}

void StatisticsTable::keyPressEvent(QKeyEvent* event) {
  const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (event->key() == Qt::Key_Escape) return Q_EMIT choiceDropped();
  if (!currentIndex().isValid()) return QTableView::keyPressEvent(event);
  if (event->matches(QKeySequence::Copy)) return QApplication::clipboard()->setText(currentRowText());
  if (enter) return Q_EMIT rowOpened(currentIndex().row());
  QTableView::keyPressEvent(event);
}

}  // namespace lanelab
