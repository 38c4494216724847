// SPDX-License-Identifier: GPL-3.0-only
// What the user does to the board's lanes: add, remove, rename, device, threads, memory limit. Each is one step of the
// document's undo stack; nothing is done while the board is read only.
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <optional>

#include "ui/board/board_state.h"

class QMenu;
class QPoint;
class QWidget;

namespace lanelab {

class BoardLaneActions : public QObject {
  Q_OBJECT

 public:
  /// `state` must outlive it.
  explicit BoardLaneActions(BoardState& state) : m_state(state) {}

  void addLane();     ///< on a free core or GPU if there is one; picks it
  void removeLane();  ///< the picked one, unless it is the last
  void renameLane(int lane, const QString& name);
  void setMemoryLimit(int lane, std::optional<double> mib);
  /// All of that as entries, for this lane.
  void fillMenu(QMenu& menu, int lane);
  void showMenu(int lane, const QPoint& global, QWidget* parent);

 Q_SIGNALS:
  void renameWanted();  ///< of the picked lane

 private:
  const LaneConfig& config(int lane) const;
  void edit(int lane, const QString& text, const std::function<void(LaneConfig&)>& change);
  void fillDeviceMenu(QMenu& menu, int lane);
  void fillThreadsMenu(QMenu& menu, int lane);
  void fillLimitMenu(QMenu& menu, int lane, QWidget* parent);
  void askForMemoryLimit(int lane, QWidget* parent);
  void addEditEntries(QMenu& menu, int lane);

  BoardState& m_state;
};

}  // namespace lanelab
