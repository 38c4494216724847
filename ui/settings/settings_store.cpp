// SPDX-License-Identifier: GPL-3.0-only
#include "ui/settings/settings_store.h"

#include <algorithm>

#include "ui/look/settings.h"

namespace lanelab {

namespace {

Settings readRows(const std::vector<SettingRow>& rows) {
  look::Settings file;
  file.sync();
  Settings values;
  for (const SettingRow& row : rows)
    if (const QVariant value = row.read(file.value(row.key)); value.isValid()) row.put(values, value);
  return values;
}

}  // namespace

Settings readSettings() { return readRows(settingRows()); }

SettingsStore::SettingsStore(QObject* parent) : QObject(parent), m_rows(settingRows()), m_values(readRows(m_rows)) {}

const SettingRow& SettingsStore::row(const QString& key) const {
  const auto found = std::ranges::find(m_rows, key, &SettingRow::key);
  Q_ASSERT(found != m_rows.end());
  return *found;
}

void SettingsStore::set(const SettingRow& row, const QVariant& value) {
  const QVariant taken = row.read(value);
  if (!taken.isValid() || taken == row.value(m_values)) return;
  look::Settings().setValue(row.key, taken);  // its end writes the file
  reread();
}

void SettingsStore::reset(const SettingRow& row) {
  look::Settings().remove(row.key);
  reread();
}

void SettingsStore::reread() { use(readRows(m_rows)); }

void SettingsStore::use(const Settings& values) {
  if (m_values == values) return;
  m_values = values;
  Q_EMIT changed();
}

}  // namespace lanelab
