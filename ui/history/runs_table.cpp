// SPDX-License-Identifier: GPL-3.0-only
#include "ui/history/runs_table.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStyleOption>
#include <QStyledItemDelegate>
#include <algorithm>

#include "ui/history/group_menu.h"
#include "ui/history/run_words.h"
#include "ui/look/parts.h"
#include "ui/look/settings.h"
#include "ui/look/theme.h"

namespace lanelab {

namespace {

constexpr const char* kColumnsKey = "runs/columns";
constexpr const char* kGroupingKey = "runs/groupBy";
constexpr const char* kFoldedKey = "runs/folded";
constexpr int kFoldWidth = 6 * look::kGrid;  ///< of the arrow at the left of a group's row

/// What a narrow pane shows comes first.
constexpr std::array kShown = {RunColumn::Star,
                               RunColumn::Name,
                               RunColumn::SpeedUp,
                               RunColumn::Model,
                               RunColumn::Date,
                               RunColumn::Status,
                               RunColumn::SamplesPerSecond,
                               RunColumn::Strategy,
                               RunColumn::MicroBatchSize,
                               RunColumn::Accuracy,
                               RunColumn::Tags,
                               RunColumn::Note};

QString sampleOf(RunColumn column) {
  switch (column) {
    case RunColumn::Star: return QStringLiteral("m");
    case RunColumn::Name: return QStringLiteral("experiment");
    case RunColumn::Strategy: return QStringLiteral("pipeline (1F1B)");
    case RunColumn::Date: return QStringLiteral("21 Nov 09:12");
    case RunColumn::Status: return QStringLiteral("cancelled");
    case RunColumn::SpeedUp: return QStringLiteral("too few repeats");  // the rest of an interval is in the tip
    case RunColumn::Model: return QStringLiteral("resnet18");
    case RunColumn::Tags: return QStringLiteral("two, short tags");
    case RunColumn::Note: return QStringLiteral("a note of some words");
    case RunColumn::Id: return QStringLiteral("experiment-20261123-214712");
    default: return QStringLiteral("1234.5");
  }
}

int widthOf(RunColumn column) {
  const QFontMetrics metrics(look::textFont());
  const int title = metrics.horizontalAdvance(run_words::header(column));
  return std::max(metrics.horizontalAdvance(sampleOf(column)), title) + 3 * look::kGrid;
}

/// Runs of a selected group are selected, too.
class RunsDelegate : public QStyledItemDelegate {
 public:
  RunsDelegate(const RunsModel* model, QTableView* table)
      : QStyledItemDelegate(table), m_model(model), m_table(table) {}

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    const int group = m_model->rowOfGroup(index.row());
    if (group >= 0 && m_table->selectionModel()->isRowSelected(group, {})) option->state |= QStyle::State_Selected;
  }

 private:
  const RunsModel* m_model;
  QTableView* m_table;
};

}  // namespace

RunsTable::RunsTable(RunsModel* model, QWidget* parent)
    : QTableView(parent), m_model(model), m_columns(new QMenu(tr("Co&lumns"), this)), m_grouping(new GroupMenu(this)) {
  setModel(model);
  look::setUpTable(*this, "runs", tr("Runs"));
  setSelectionMode(ExtendedSelection);
  setUpHeader();
  makeColumnMenu();
  restoreColumns();
  setSortingEnabled(true);
  setUpGroups();
  connect(model, &QAbstractItemModel::modelAboutToBeReset, this, [this] {
    m_selected.clear();
    for (const QModelIndex& row : selectionModel()->selectedRows()) m_selected.append(m_model->keyOf(row.row()));
    m_current = currentIndex().isValid() ? m_model->keyOf(currentIndex().row()) : QString();
  });
  connect(model, &QAbstractItemModel::modelReset, this, &RunsTable::restoreSelection);
  connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, &RunsTable::chosen);
  connect(selectionModel(), &QItemSelectionModel::selectionChanged, viewport(), qOverload<>(&QWidget::update));
  connect(selectionModel(), &QItemSelectionModel::currentChanged, this, &RunsTable::chosen);
  connect(this, &QTableView::clicked, this, [this](const QModelIndex& index) {
    if (index.column() == RunsModel::columnOf(RunColumn::Star) && !m_model->isGroup(index.row()))
      Q_EMIT starClicked(QString::fromStdString(m_model->run(index.row()).folder));
  });
}

void RunsTable::setUpHeader() {
  QHeaderView* const header = horizontalHeader();
  header->setSectionResizeMode(QHeaderView::Interactive);
  header->setMinimumSectionSize(5 * look::kGrid);
  header->setSectionsMovable(true);
  header->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(header, &QHeaderView::customContextMenuRequested, this,
          [this, header](QPoint at) { m_columns->popup(header->mapToGlobal(at)); });
}

void RunsTable::makeColumnMenu() {
  m_columns->setObjectName("runColumns");
  m_columns->setToolTipsVisible(true);
  m_columns->menuAction()->setObjectName("chooseRunColumns");
  m_columns->menuAction()->setToolTip(tr("Choose the columns of the table of runs"));
  for (int column = 0; column < m_model->columnCount(); ++column) {
    const auto shown = static_cast<RunColumn>(column);
    if (shown == RunColumn::Name) continue;
    QAction* const action = m_columns->addAction(run_words::title(shown));
    action->setObjectName("runColumn-" + QString::fromStdString(toWord(shown)));
    action->setToolTip(run_words::tip(shown));
    action->setCheckable(true);
    connect(action, &QAction::triggered, this, [this, column](bool on) {
      setColumnHidden(column, !on);
      storeColumns();
    });
    connect(m_columns, &QMenu::aboutToShow, action,
            [this, action, column] { action->setChecked(!isColumnHidden(column)); });
  }
}

void RunsTable::restoreColumns() {
  QHeaderView* const header = horizontalHeader();
  for (int column = 0; column < m_model->columnCount(); ++column) {
    setColumnWidth(column, widthOf(static_cast<RunColumn>(column)));
    setColumnHidden(column, std::ranges::find(kShown, static_cast<RunColumn>(column)) == kShown.end());
  }
  for (std::size_t place = 0; place < kShown.size(); ++place)
    header->moveSection(header->visualIndex(RunsModel::columnOf(kShown[place])), static_cast<int>(place));
  header->setSortIndicator(RunsModel::columnOf(RunColumn::Date), Qt::DescendingOrder);
  header->restoreState(look::Settings().value(kColumnsKey).toByteArray());
  setColumnHidden(RunsModel::columnOf(RunColumn::Name), false);
  connect(header, &QHeaderView::sectionMoved, this, &RunsTable::storeColumns);
  connect(header, &QHeaderView::sectionResized, this, &RunsTable::storeColumns);
  connect(header, &QHeaderView::sortIndicatorChanged, this, &RunsTable::storeColumns);
}

void RunsTable::storeColumns() const { look::Settings().setValue(kColumnsKey, horizontalHeader()->saveState()); }

void RunsTable::restoreSelection() {
  QItemSelection selection;
  std::vector<int> rows = m_model->rowsOf(m_selected + QStringList{m_current});
  const int current = rows.back();
  rows.pop_back();
  for (const int row : rows)
    if (row >= 0) selection.select(m_model->index(row, 0), m_model->index(row, m_model->columnCount() - 1));
  if (current >= 0)
    selectionModel()->setCurrentIndex(m_model->index(current, RunsModel::columnOf(RunColumn::Name)),
                                      QItemSelectionModel::NoUpdate);
  selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
  Q_EMIT chosen();
}

QStringList RunsTable::selectedFolders() const {
  QStringList folders;
  QModelIndexList rows = selectionModel()->selectedRows();
  std::ranges::sort(rows, {}, &QModelIndex::row);
  for (const QModelIndex& row : rows) folders += m_model->folders(row.row());
  folders.removeDuplicates();
  return folders;
}

QString RunsTable::currentFolder() const {
  const int row = currentIndex().row();
  if (row < 0 || row >= m_model->rowCount()) return {};
  const QStringList folders = m_model->folders(row);
  return folders.size() == 1 ? folders.front() : QString();
}

bool RunsTable::selectRun(const QString& folder) {
  const int row = m_model->reveal(folder);
  if (row < 0) return false;
  const QModelIndex index = m_model->index(row, RunsModel::columnOf(RunColumn::Name));
  selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
  scrollTo(index);
  return true;
}

void RunsTable::rename() {
  if (currentIndex().isValid() && !isOnGroup())
    edit(m_model->index(currentIndex().row(), RunsModel::columnOf(RunColumn::Name)));
}

void RunsTable::closeEditor(QWidget* editor, QAbstractItemDelegate::EndEditHint hint) {
  QTableView::closeEditor(editor, hint);
  Q_EMIT edited();
}

void RunsTable::setUpGroups() {
  setItemDelegate(new RunsDelegate(m_model, this));
  const look::Settings settings;
  const auto stored = fromWord<RunGrouping>(settings.value(kGroupingKey).toString().toStdString());
  const QStringList folded = settings.value(kFoldedKey).toStringList();
  setGrouping(stored.value_or(RunGrouping::None));
  connect(m_grouping, &GroupMenu::chosen, this, &RunsTable::setGrouping);
  connect(m_grouping, &GroupMenu::foldRequested, m_model, &RunsModel::foldAll);
  connect(m_model, &RunsModel::foldedChanged, this,
          [this] { look::Settings().setValue(kFoldedKey, m_model->folded()); });
  m_model->setFolded(folded);
  // What is written across a row does not move with the columns.
  connect(horizontalScrollBar(), &QScrollBar::valueChanged, viewport(), qOverload<>(&QWidget::update));
}

void RunsTable::setGrouping(RunGrouping grouping) {
  look::Settings settings;
  settings.setValue(kGroupingKey, QString::fromStdString(toWord(grouping)));
  settings.remove(kFoldedKey);
  m_model->setGrouping(grouping);
  m_grouping->setGrouping(grouping);
}

void RunsTable::fold(int row, bool folded) {
  const int group = m_model->rowOfGroup(row);
  if (group < 0) return;
  m_model->fold(group, folded);
  selectionModel()->setCurrentIndex(m_model->index(group, RunsModel::columnOf(RunColumn::Name)),
                                    QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

void RunsTable::foldCurrent(bool folded) {
  if (currentIndex().isValid()) fold(currentIndex().row(), folded);
}

/// As in a tree: Left goes from a run to its group.
void RunsTable::keyPressEvent(QKeyEvent* event) {
  const int group = currentIndex().isValid() ? m_model->rowOfGroup(currentIndex().row()) : -1;
  const bool left = event->key() == Qt::Key_Left, right = event->key() == Qt::Key_Right;
  if (group < 0 || event->modifiers() != Qt::NoModifier || !(left || (right && isOnGroup())))
    return QTableView::keyPressEvent(event);
  if (isOnGroup()) return foldCurrent(left);
  selectionModel()->setCurrentIndex(m_model->index(group, RunsModel::columnOf(RunColumn::Name)),
                                    QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

void RunsTable::mousePressEvent(QMouseEvent* event) {
  const int row = rowAt(event->pos().y());
  const bool on_arrow = row >= 0 && m_model->isGroup(row) && event->pos().x() < kFoldWidth;
  if (on_arrow && event->button() == Qt::LeftButton) return fold(row, !m_model->isFolded(row));
  QTableView::mousePressEvent(event);
}

void RunsTable::mouseDoubleClickEvent(QMouseEvent* event) {
  const int row = rowAt(event->pos().y());
  if (row < 0 || !m_model->isGroup(row) || event->pos().x() >= kFoldWidth)
    return QTableView::mouseDoubleClickEvent(event);
  fold(row, !m_model->isFolded(row));  // the second press on the arrow
}

QRect RunsTable::lineOf(int row) const { return {0, rowViewportPosition(row), viewport()->width(), rowHeight(row)}; }

void RunsTable::paintEvent(QPaintEvent* event) {
  QTableView::paintEvent(event);
  if (m_model->grouping() == RunGrouping::None || m_model->rowCount() == 0) return;
  QPainter painter(viewport());
  for (int row = std::max(rowAt(0), 0); row < m_model->rowCount(); ++row) {
    const QRect line = lineOf(row);
    if (line.top() > viewport()->height()) break;
    if (m_model->isGroup(row)) paintGroup(painter, row, line);
  }
}

void RunsTable::paintGroup(QPainter& painter, int row, const QRect& line) const {
  const RunGroup& group = *m_model->group(row);
  const bool selected = selectionModel()->isRowSelected(row, {});
  painter.fillRect(line, palette().color(selected ? QPalette::Highlight : QPalette::AlternateBase));
  const QColor ink = palette().color(selected ? QPalette::HighlightedText : QPalette::Text);
  QStyleOption arrow;
  arrow.initFrom(this);
  arrow.palette.setColor(QPalette::ButtonText, ink);
  arrow.palette.setColor(QPalette::WindowText, ink);
  arrow.rect = QRect(line.left() + look::kGrid, line.center().y() - 2 * look::kGrid, 4 * look::kGrid, 4 * look::kGrid);
  style()->drawPrimitive(m_model->isFolded(row) ? QStyle::PE_IndicatorArrowRight : QStyle::PE_IndicatorArrowDown,
                         &arrow, &painter, this);
  const QRect room = line.adjusted(kFoldWidth, 0, -look::kGrid, 0);
  painter.setPen(ink);
  painter.setFont(look::bold(font()));
  const QString title = run_words::groupTitle(group, m_model->grouping(), m_model->all()[group.runs.front()]);
  const QString name = painter.fontMetrics().elidedText(title, Qt::ElideRight, room.width());
  painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, name);
  const int after = painter.fontMetrics().horizontalAdvance(name) + 2 * look::kGrid;
  painter.setFont(font());
  if (!selected) painter.setPen(palette().color(QPalette::PlaceholderText));
  const QRect rest = room.adjusted(after, 0, 0, 0);
  painter.drawText(rest, Qt::AlignLeft | Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(run_words::groupFacts(group), Qt::ElideRight, rest.width()));
  if (hasFocus() && currentIndex().row() == row) {
    painter.setPen(look::current().focusRing());
    painter.drawRect(line.adjusted(0, 0, -1, -1));
  }
}

}  // namespace lanelab
