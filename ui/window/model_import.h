// SPDX-License-Identifier: GPL-3.0-only
// File > Import Model: the dialog, which opens once and stays beside the board, and its file as the model of the open
// experiment. Thread: the window's.
#pragma once

#include <QObject>
#include <QString>

#include "ui/watch/window_parts.h"

class QMenu;

namespace lanelab {

class ActionSet;
class ImportModelDialog;

class ModelImport : public QObject {
  Q_OBJECT

 public:
  explicit ModelImport(const WindowParts& parts);

  void addAction(QMenu* file, ActionSet& actions);
  void show();
  /// Whether Python exports a network now, which a run would spoil.
  bool isExporting() const;
  /// While a run is in progress nothing is exported.
  void setReadOnly(bool read_only);

 private:
  ImportModelDialog* dialog() const;
  void use(const QString& file);

  WindowParts m_parts;
};

}  // namespace lanelab
