// SPDX-License-Identifier: GPL-3.0-only
#include "ui/history/runs_comparison.h"

#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QSplitter>
#include <QTableWidget>
#include <QVBoxLayout>

#include "engine/experiment/setting_name.h"
#include "ui/charts/comparison_view.h"
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
      return RunsComparison::tr(
          "Both runs train the same model on the same data, so a step does the same work in both.");
    case Comparability::Kind::PerSample: return RunsComparison::tr("The runs compare per sample only: %1.").arg(differ);
    case Comparability::Kind::No: return RunsComparison::tr("These runs cannot be compared: %1.").arg(differ);
  }
  return {};
}

/// Losses of other data, or by another loss function, would be curves that mean different things on one axis.
QString whyLossesAreApart(const RunRecord& a, const RunRecord& b) {
  const TrainingConfig &of_a = a.experiment.training, &of_b = b.experiment.training;
  if (of_a.loss != of_b.loss || of_a.loss_shift != of_b.loss_shift || of_a.label_smoothing != of_b.label_smoothing)
    return RunsComparison::tr("Losses are not compared: the runs use different loss functions.");
  if (a.experiment.data.source != b.experiment.data.source || a.experiment.data.path != b.experiment.data.path)
    return RunsComparison::tr("Losses are not compared: the runs train on different data.");
  return {};
}

QString nameOfSetting(const std::string& key) {
  const SettingName name = settingName(key);
  if (!name.described) return look::shownName(name.name);
  const QString words = QCoreApplication::translate("fields", name.name.c_str());
  return name.variant.empty() ? look::capitalised(words)
                              : RunsComparison::tr("%1: %2").arg(look::shownName(name.variant), words);
}

QString valueText(const std::string& value) {
  return value.empty() ? RunsComparison::tr("not set") : look::shownName(value);
}

void addRow(QTableWidget& table, const SettingDifference& setting) {
  const int row = table.rowCount();
  table.insertRow(row);
  const QStringList cells = {nameOfSetting(setting.key), valueText(setting.a), valueText(setting.b)};
  for (int column = 0; column < cells.size(); ++column) {
    auto* item = new QTableWidgetItem(cells[column]);
    item->setToolTip(cells[column]);
    table.setItem(row, column, item);
  }
}

QTableWidget* settingsTable(const RunDifference& difference, const QString& a, const QString& b) {
  auto* table = new QTableWidget(0, 3);
  table->setHorizontalHeaderLabels({RunsComparison::tr("Setting"), a, b});
  look::setUpTable(*table, "differingSettings", RunsComparison::tr("Settings that differ"));
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

/// Runs of one name are distinguished by the times at which they began.
QStringList namesOf(const NamedRun& a, const NamedRun& b) {
  std::vector<RunEntry> entries;
  for (const NamedRun* run : {&a, &b}) {
    entries.push_back(entryOf({}, run->record, {}));
    entries.back().id = run->record.id;
    entries.back().labels.name = run->name;
  }
  const std::vector<std::string> names = shortNames(entries);
  return {look::briefName(names[0]), look::briefName(names[1])};
}

/// The charts call a run as the list does.
std::shared_ptr<const RunRecord> named(RunRecord record, const QString& name) {
  record.experiment.name = name.toStdString();
  return std::make_shared<const RunRecord>(std::move(record));
}

/// Null where nothing of the runs compares.
QSplitter* chartsOf(const NamedRun& a, const NamedRun& b, const QStringList& names,
                    const Comparability& comparability) {
  const QString apart = whyLossesAreApart(a.record, b.record);
  const bool compare = comparability.kind != Comparability::Kind::No;
  if (!compare && !apart.isEmpty()) return nullptr;
  auto* charts = new QSplitter(Qt::Vertical);
  if (compare) {
    auto* times = new ComparisonView;
    times->setRuns({named(a.record, names[0]), named(b.record, names[1])});
    charts->addWidget(times);
  }
  if (apart.isEmpty())
    charts->addWidget(lossesOf(a, b, names));
  else
    charts->addWidget(look::wrappedLabel("lossesApart", apart));
  charts->setSizes({3 * kComparisonSize.height() / 5, 2 * kComparisonSize.height() / 5});
  return charts;
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
  auto* both = new QSplitter(Qt::Horizontal);
  both->addWidget(settingsTable(difference, names[0], names[1]));
  if (auto* charts = chartsOf(a, b, names, difference.comparability)) both->addWidget(charts);
  both->setSizes({kComparisonSize.width() / 3, 2 * kComparisonSize.width() / 3});
  column->addWidget(both, 1);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  column->addWidget(buttons);
  resize(kComparisonSize.boundedTo(parent ? parent->window()->size() : kComparisonSize));
}

}  // namespace lanelab
