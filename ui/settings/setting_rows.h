// SPDX-License-Identifier: GPL-3.0-only
// The table of settings: key in the ini file, title, tip, what edits it. Reading, writing, the dialog and its search
// follow from a row. Thread: the window's, since texts are in its language.
#pragma once

#include <QString>
#include <QVariant>
#include <functional>
#include <utility>
#include <variant>
#include <vector>

#include "ui/settings/settings.h"

namespace lanelab {

struct ToggleEditor {};
struct NumberEditor {
  int low, high;
  QString at_low;  ///< what is shown for `low`; empty: the number
  QString unit;    ///< behind the number, with its space
};
struct ChoiceEditor {
  std::vector<std::pair<QString, QString>> choices;  ///< what is stored, what is shown
};
struct FolderEditor {
  QString if_empty;  ///< the folder that counts then
};
using SettingEditor = std::variant<ToggleEditor, NumberEditor, ChoiceEditor, FolderEditor>;

struct SettingRow {
  QString key;    ///< in the ini file: "look/scheme"
  QString group;  ///< heading in the dialog
  QString title, tip;
  SettingEditor editor;
  std::function<QVariant(const Settings&)> value;
  std::function<void(Settings&, const QVariant&)> put;  ///< of a value that the editor takes
  bool after_restart = false;
  /// The key of another row, and what it becomes with a value that the user chooses here; null: no other row.
  struct Beside {
    QString key;
    std::function<QVariant(const QVariant&)> value;
  };
  Beside beside = {};

  /// What is stored as it can be put into Settings, or not valid where it is damaged or out of range.
  QVariant read(const QVariant& stored) const;
};

/// All of them, in the order of the dialog.
std::vector<SettingRow> settingRows();

}  // namespace lanelab
