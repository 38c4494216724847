// SPDX-License-Identifier: GPL-3.0-only
// One row of the settings: its title, what edits it, what it is for, and the button that resets it. Thread: GUI.
#pragma once

#include <QWidget>
#include <functional>

#include "ui/settings/setting_rows.h"

class QToolButton;

namespace lanelab {

class SettingsStore;

namespace look {
class PlainLabel;
}

class SettingField : public QWidget {
  Q_OBJECT

 public:
  /// `row` is one of the store's rows; both outlive this.
  SettingField(const SettingRow& row, SettingsStore* store, QWidget* parent = nullptr);

  /// Whether title, tip or group have all words of the text.
  bool matches(const QString& words) const;
  const SettingRow& row() const { return m_row; }

 private:
  void refresh();
  void setBeside();
  void showBeside();

  const SettingRow& m_row;
  SettingsStore* m_store;
  std::function<void(const QVariant&)> m_show;
  QToolButton* m_reset;
  look::PlainLabel* m_also;  ///< says that another row was set, as long as that holds
  QVariant m_set_beside;     ///< by this one
};

}  // namespace lanelab
