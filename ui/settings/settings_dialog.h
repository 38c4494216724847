// SPDX-License-Identifier: GPL-3.0-only
// All settings, a row each, and the keys of commands; a search field leaves those that have its words. Changes count at
// once, or say when. Thread: GUI.
#pragma once

#include <QDialog>
#include <utility>
#include <vector>

class QLineEdit;

namespace lanelab {

class KeyMap;
class KeysPage;
class SettingField;
class SettingsStore;

class SettingsDialog : public QDialog {
  Q_OBJECT

 public:
  /// Both outlive it.
  SettingsDialog(SettingsStore* store, KeyMap* keys, QWidget* parent);

 private:
  QWidget* makeRows(SettingsStore* store);
  void filter(const QString& words);

  struct Group {
    QWidget* heading;
    std::vector<SettingField*> fields;
  };
  std::vector<Group> m_groups;
  QLineEdit* m_search;
  QWidget* m_none;
  KeysPage* m_keys;
};

}  // namespace lanelab
