// SPDX-License-Identifier: GPL-3.0-only
#include "ui/history/runs_comparison.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QSplitter>
#include <QTableWidget>
#include <QVBoxLayout>

#include "ui/charts/loss_chart.h"
#include "ui/export/exhibit.h"
#include "ui/look/parts.h"
#include "ui/look/plain_text.h"
#include "ui/look/theme.h"

namespace lanelab {

namespace {

constexpr QSize kComparisonSize(1240, 820);

QString sentenceOf(const Comparability& comparability) {
  const QString differ = look::shownText(differenceText(comparability));
  switch (comparability.kind) {
    case Comparability::Kind::Same:
      return RunsComparison::tr("Both runs train the same model on the same data, so their times compare.");
    case Comparability::Kind::PerImage: return RunsComparison::tr("The runs compare per image only: %1.").arg(differ);
    case Comparability::Kind::No: return RunsComparison::tr("These runs cannot be compared: %1.").arg(differ);
  }
  return {};
}

QString valueText(const std::string& value) {
  return value.empty() ? RunsComparison::tr("not set") : look::shownName(value);
}

void addRow(QTableWidget& table, const SettingDifference& setting) {
  const int row = table.rowCount();
  table.insertRow(row);
  const QStringList cells = {look::shownName(setting.key), valueText(setting.a), valueText(setting.b)};
  for (int column = 0; column < cells.size(); ++column) {
    auto* item = new QTableWidgetItem(cells[column]);
    item->setToolTip(cells[column]);
    table.setItem(row, column, item);
  }
}

QTableWidget* settingsTable(const RunDifference& difference, const QString& a, const QString& b) {
  auto* table = new QTableWidget(0, 3);
  table->setObjectName("differingSettings");
  table->setAccessibleName(RunsComparison::tr("Settings that differ"));
  table->setHorizontalHeaderLabels({RunsComparison::tr("Setting"), a, b});
  look::styleTable(*table);
  table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  for (const auto& setting : difference.settings) addRow(*table, setting);
  for (const auto& fact : difference.environment) addRow(*table, fact);
  table->horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
  table->resizeColumnsToContents();
  table->horizontalHeader()->setStretchLastSection(true);
  offerTable(table, "settings", RunsComparison::tr("Settings That Differ"));
  return table;
}

std::vector<LossView::Curve> curvesOfRun(const RunRecord& record, const QString& name) {
  std::vector<LossView::Curve> curves = lossCurves(record);
  for (LossView::Curve& curve : curves) curve.name = name + '/' + curve.name;
  return curves;
}

LossView* lossesOf(const NamedRun& a, const NamedRun& b, const QStringList& names) {
  std::vector<LossView::Curve> curves = curvesOfRun(a.record, names[0]);
  for (auto& curve : curvesOfRun(b.record, names[1])) curves.push_back(std::move(curve));
  auto* losses = new LossView;
  losses->setCurves(std::move(curves));
  return losses;
}

/// Runs of one name are distinguished by their ids.
QStringList namesOf(const NamedRun& a, const NamedRun& b) {
  const bool same = a.name == b.name;
  return {look::briefName(same ? a.record.id : a.name), look::briefName(same ? b.record.id : b.name)};
}

/// The charts call a run as the list does.
std::shared_ptr<const RunRecord> named(RunRecord record, const QString& name) {
  record.experiment.name = name.toStdString();
  return std::make_shared<const RunRecord>(std::move(record));
}

}  // namespace

RunsComparison::RunsComparison(const NamedRun& a, const NamedRun& b, QWidget* parent) : QDialog(parent) {
  setObjectName("runsComparison");
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(tr("Compare Runs"));
  const RunDifference difference = differenceOf(a, b);
  const QStringList names = namesOf(a, b);
  auto* column = look::dialogColumn(this);
  column->addWidget(look::wrappedLabel("comparability", sentenceOf(difference.comparability)));
  auto* times = new ComparisonView;
  times->setRuns({named(a.record, names[0]), named(b.record, names[1])});
  auto* charts = new QSplitter(Qt::Vertical);
  charts->addWidget(times);
  charts->addWidget(lossesOf(a, b, names));
  auto* both = new QSplitter(Qt::Horizontal);
  both->addWidget(settingsTable(difference, names[0], names[1]));
  both->addWidget(charts);
  both->setSizes({kComparisonSize.width() / 4, 3 * kComparisonSize.width() / 4});
  charts->setSizes({3 * kComparisonSize.height() / 5, 2 * kComparisonSize.height() / 5});
  column->addWidget(both, 1);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  column->addWidget(buttons);
  resize(kComparisonSize.boundedTo(parent ? parent->window()->size() : kComparisonSize));
}

}  // namespace lanelab
