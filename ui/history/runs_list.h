// The run folders below a root: status, time, headline; open, compare several, delete to trash.
#pragma once

#include <QWidget>

namespace lanelab {

class RunsList : public QWidget {
  Q_OBJECT

 public:
  explicit RunsList(const QString& runs_root, QWidget* parent = nullptr);
  void refresh();
  void select(const QString& folder);

 Q_SIGNALS:
  void openRequested(const QString& folder);
  void compareRequested(const QStringList& folders);
};

}  // namespace lanelab
