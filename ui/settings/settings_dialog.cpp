// SPDX-License-Identifier: GPL-3.0-only
#include "ui/settings/settings_dialog.h"

#include <QDialogButtonBox>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

#include "ui/look/parts.h"
#include "ui/settings/keys_page.h"
#include "ui/settings/setting_field.h"
#include "ui/settings/settings_store.h"

namespace lanelab {

SettingsDialog::SettingsDialog(SettingsStore* store, KeyMap* keys, QWidget* parent)
    : QDialog(parent), m_search(new QLineEdit), m_keys(new KeysPage(keys)) {
  setObjectName("settingsDialog");
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(tr("Settings"));
  QVBoxLayout* const column = look::dialogColumn(this);
  m_search->setObjectName("settingWords");
  m_search->setAccessibleName(tr("Find a setting"));
  m_search->setPlaceholderText(tr("Find a setting or a command"));
  m_search->setClearButtonEnabled(true);
  column->addWidget(m_search);
  auto* tabs = new QTabWidget;
  tabs->setObjectName("settingTabs");
  tabs->tabBar()->setAccessibleName(tr("Settings and keys"));
  tabs->addTab(makeRows(store), tr("&Settings"));
  tabs->addTab(m_keys, tr("&Keys"));
  column->addWidget(tabs, 1);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);  // Enter belongs to the fields
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  column->addWidget(buttons);
  connect(m_search, &QLineEdit::textChanged, this, &SettingsDialog::filter);
  filter({});
  resize(680, 640);
}

QWidget* SettingsDialog::makeRows(SettingsStore* store) {
  auto* page = new QWidget;
  auto* column = look::makeLayout<QVBoxLayout>(page, 3 * look::kGrid,
                                               {3 * look::kGrid, 3 * look::kGrid, 3 * look::kGrid, 3 * look::kGrid});
  QString group;
  for (const SettingRow& row : store->rows()) {
    if (row.group != group) {
      auto* heading = new look::PlainLabel(row.group);
      heading->setFont(look::bold(look::textFont()));
      column->addWidget(heading);
      m_groups.push_back({heading, {}});
      group = row.group;
    }
    m_groups.back().fields.push_back(new SettingField(row, store));
    column->addWidget(m_groups.back().fields.back());
  }
  m_none = look::emptyLabel("noSetting", tr("No setting has these words. The tab Keys may have a command."));
  column->addWidget(m_none);
  column->addStretch(1);
  auto* area = look::scrollArea(page);
  area->setFocusPolicy(Qt::NoFocus);
  return area;
}

void SettingsDialog::filter(const QString& words) {
  bool any = false;
  for (const Group& group : m_groups) {
    bool in_group = false;
    for (SettingField* const field : group.fields) {
      field->setVisible(field->matches(words));
      in_group = in_group || field->matches(words);
    }
    group.heading->setVisible(in_group);
    any = any || in_group;
  }
  m_none->setVisible(!any);
  m_keys->filter(words);
}

}  // namespace lanelab
