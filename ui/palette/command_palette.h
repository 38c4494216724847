// SPDX-License-Identifier: GPL-3.0-only
// The one search of the window: what its sources offer in one list that is filtered while the user types, as in VS Code
// and Qt Creator. Thread: GUI.
#pragma once

#include <QDialog>
#include <vector>

#include "ui/palette/palette_search.h"

class QLabel;
class QLineEdit;
class QModelIndex;
class QTreeView;

namespace lanelab {

class PaletteModel;

/// Enter runs the chosen entry after the dialog has closed. An entry that is not possible now is muted and says why.
class CommandPalette : public QDialog {
  Q_OBJECT

 public:
  CommandPalette(QWidget* parent, const QList<PaletteSource>& sources);

 protected:
  /// Up, Down and the page keys walk through the list while the user types.
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void makeList();
  void list();
  void run();
  void showWhyNot(const QModelIndex& current);

  PaletteModel* m_model;
  QLineEdit* m_words;
  QTreeView* m_list;
  QLabel* m_why_not;
};

}  // namespace lanelab
