// SPDX-License-Identifier: GPL-3.0-only
#include "ui/history/runs_table.h"

#include <QHeaderView>
#include <QMenu>
#include <algorithm>

#include "ui/history/run_words.h"
#include "ui/look/parts.h"
#include "ui/look/settings.h"
#include "ui/look/theme.h"

namespace lanelab {

namespace {

constexpr const char* kColumnsKey = "runs/columns";

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

}  // namespace

RunsTable::RunsTable(RunsModel* model, QWidget* parent)
    : QTableView(parent), m_model(model), m_columns(new QMenu(tr("Co&lumns"), this)) {
  setModel(model);
  look::setUpTable(*this, "runs", tr("Runs"));
  setSelectionMode(ExtendedSelection);
  setUpHeader();
  makeColumnMenu();
  restoreColumns();
  setSortingEnabled(true);
  connect(model, &QAbstractItemModel::modelAboutToBeReset, this, [this] {
    m_selected = selectedFolders();
    m_current = currentFolder();
  });
  connect(model, &QAbstractItemModel::modelReset, this, &RunsTable::restoreSelection);
  connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, &RunsTable::chosen);
  connect(selectionModel(), &QItemSelectionModel::currentChanged, this, &RunsTable::chosen);
  connect(this, &QTableView::clicked, this, [this](const QModelIndex& index) {
    if (index.column() == RunsModel::columnOf(RunColumn::Star))
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
  for (const QString& folder : std::as_const(m_selected))
    if (const int row = m_model->rowOf(folder); row >= 0)
      selection.select(m_model->index(row, 0), m_model->index(row, m_model->columnCount() - 1));
  if (const int row = m_model->rowOf(m_current); row >= 0)
    selectionModel()->setCurrentIndex(m_model->index(row, RunsModel::columnOf(RunColumn::Name)),
                                      QItemSelectionModel::NoUpdate);
  selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
  Q_EMIT chosen();
}

QStringList RunsTable::selectedFolders() const {
  QStringList folders;
  QModelIndexList rows = selectionModel()->selectedRows();
  std::ranges::sort(rows, {}, &QModelIndex::row);
  for (const QModelIndex& row : rows) folders.append(QString::fromStdString(m_model->run(row.row()).folder));
  return folders;
}

QString RunsTable::currentFolder() const {
  const int row = currentIndex().row();
  return row < 0 || row >= m_model->rowCount() ? QString() : QString::fromStdString(m_model->run(row).folder);
}

bool RunsTable::selectRun(const QString& folder) {
  const int row = m_model->rowOf(folder);
  if (row < 0) return false;
  const QModelIndex index = m_model->index(row, RunsModel::columnOf(RunColumn::Name));
  selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
  scrollTo(index);
  return true;
}

void RunsTable::rename() {
  if (currentIndex().isValid()) edit(m_model->index(currentIndex().row(), RunsModel::columnOf(RunColumn::Name)));
}

void RunsTable::closeEditor(QWidget* editor, QAbstractItemDelegate::EndEditHint hint) {
  QTableView::closeEditor(editor, hint);
  Q_EMIT edited();
}

}  // namespace lanelab
