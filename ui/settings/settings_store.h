// SPDX-License-Identifier: GPL-3.0-only
// The settings in force, in the window's ini file. A change is written at once, and its key alone: of two windows the
// last one that writes a key has it, and no other key changes by that. What is damaged in the file reads as its
// default.
//
// Thread: the window's.
#pragma once

#include <QObject>
#include <QString>
#include <QVariant>
#include <vector>

#include "ui/settings/setting_rows.h"

namespace lanelab {

/// As they are in the file now.
Settings readSettings();

class SettingsStore : public QObject {
  Q_OBJECT

 public:
  explicit SettingsStore(QObject* parent = nullptr);

  const Settings& values() const { return m_values; }
  const std::vector<SettingRow>& rows() const { return m_rows; }
  /// Of the row with this key, which exists.
  const SettingRow& row(const QString& key) const;

  /// A value that the row's editor takes; others do nothing.
  void set(const SettingRow& row, const QVariant& value);
  void reset(const SettingRow& row);
  /// Other windows may have written since.
  void reread();

 Q_SIGNALS:
  void changed();

 private:
  void use(const Settings& values);

  std::vector<SettingRow> m_rows;
  Settings m_values;
};

}  // namespace lanelab
