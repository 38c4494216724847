// SPDX-License-Identifier: GPL-3.0-only
#include "ui/session/differences_dialog.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include "engine/record/comparability.h"
#include "ui/look/parts.h"
#include "ui/look/plain_text.h"

namespace lanelab {

namespace {

void addDifference(QTableWidget& table, const SettingDifference& difference) {
  const int row = table.rowCount();
  table.insertRow(row);
  int column = 0;
  for (const std::string& text : {difference.key, difference.a, difference.b}) {
    const QString shown = text.empty() ? DifferencesDialog::tr("not set") : look::shownName(text);
    auto* item = new QTableWidgetItem(shown);
    item->setToolTip(shown);
    table.setItem(row, column++, item);
  }
}

QTableWidget* differencesTable(const Experiment& saved, const Experiment& edited) {
  auto* table = new QTableWidget(0, 3);
  table->setHorizontalHeaderLabels(
      {DifferencesDialog::tr("Setting"), DifferencesDialog::tr("Saved"), DifferencesDialog::tr("With edits")});
  look::setUpTable(*table, "restoredDifferences", DifferencesDialog::tr("Settings that differ"));
  for (const SettingDifference& difference : settingsThatDiffer(saved, edited)) addDifference(*table, difference);
  table->horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
  table->resizeColumnsToContents();
  table->horizontalHeader()->setStretchLastSection(true);
  return table;
}

}  // namespace

DifferencesDialog::DifferencesDialog(const Experiment& saved, const Experiment& edited, QWidget* parent)
    : QDialog(parent) {
  setObjectName("differencesDialog");
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(tr("Unsaved Edits"));
  QVBoxLayout* const column = look::dialogColumn(this);
  column->addWidget(differencesTable(saved, edited), 1);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  QPushButton* const discard = buttons->addButton(tr("&Discard Edits"), QDialogButtonBox::DestructiveRole);
  discard->setObjectName("discardEdits");
  discard->setToolTip(tr("Go back to the saved experiment; Redo restores the edits"));
  buttons->button(QDialogButtonBox::Close)->setDefault(true);
  connect(discard, &QPushButton::clicked, this, [this] {
    Q_EMIT discardRequested();
    close();
  });
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  column->addWidget(buttons);
  resize(640, 360);
}

}  // namespace lanelab
