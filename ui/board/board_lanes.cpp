// SPDX-License-Identifier: GPL-3.0-only
// The board's lanes: add, remove, rename, device, threads.
#include <QActionGroup>
#include <QMenu>
#include <algorithm>

#include "engine/experiment/experiment_edits.h"
#include "ui/board/board_view.h"
#include "ui/board/lane_columns.h"
#include "ui/look/plain_text.h"

namespace lanelab {

int BoardView::laneCount() const { return static_cast<int>(m_document->experiment().lanes.size()); }

bool BoardView::hasDevice(Device device) const {
  return m_devices.empty() ||
         std::any_of(m_devices.begin(), m_devices.end(), [&](const DeviceInfo& info) { return info.device == device; });
}

void BoardView::pickLane(int lane) {
  if (lane == m_lane || lane < 0 || lane >= laneCount()) return;
  m_lane = lane;
  refreshLanes();
}

void BoardView::addLane() {
  if (m_read_only) return;
  const std::vector<LaneConfig>& lanes = m_document->experiment().lanes;
  Device device = lanes.empty() ? Device() : lanes.back().device;
  for (const DeviceInfo& info : m_devices) {
    const bool taken =
        std::any_of(lanes.begin(), lanes.end(), [&](const LaneConfig& lane) { return lane.device == info.device; });
    if (taken) continue;
    device = info.device;
    break;
  }
  m_document->edit(tr("Add lane"), [&](Experiment& experiment) { lanelab::addLane(experiment, device); });
  pickLane(laneCount() - 1);
}

void BoardView::removeSelectedLane() {
  if (m_read_only || laneCount() <= 1) return;
  m_document->edit(tr("Remove lane"),
                   [&](Experiment& experiment) { removeLane(experiment, m_document->model(), LaneId(m_lane)); });
}

void BoardView::renameSelectedLane() {
  if (m_read_only || m_lane >= static_cast<int>(m_headers.size())) return;
  const auto lane = static_cast<std::size_t>(m_lane);
  m_headers[lane]->startRename(QString::fromStdString(m_document->experiment().lanes[lane].title()));
}

void BoardView::renameLane(int lane, const QString& name) {
  m_document->edit(tr("Rename lane"), [&](Experiment& experiment) {
    LaneConfig& config = experiment.lanes[static_cast<std::size_t>(lane)];
    config.name = name.toStdString() == toString(config.device) ? std::string() : name.toStdString();
  });
}

void BoardView::setDevice(int lane, Device device) {
  m_document->edit(tr("Device of lane %1").arg(lane), [&](Experiment& experiment) {
    LaneConfig& config = experiment.lanes[static_cast<std::size_t>(lane)];
    config.device = device;
    if (!device.isCpu()) config.threads = 1;
  });
}

void BoardView::fillDeviceMenu(QMenu& menu, int lane) {
  auto* group = new QActionGroup(&menu);
  const Device now = m_document->experiment().lanes[static_cast<std::size_t>(lane)].device;
  for (const DeviceInfo& info : m_devices) {
    const Device device = info.device;
    QAction* action =
        menu.addAction(tr("%1: %2").arg(look::buttonText(toString(device)), look::buttonText(info.description)), this,
                       [this, lane, device] { setDevice(lane, device); });
    action->setCheckable(true);
    action->setChecked(device == now);
    group->addAction(action);
  }
}

void BoardView::fillThreadsMenu(QMenu& menu, int lane) {
  auto* group = new QActionGroup(&menu);
  const int now = m_document->experiment().lanes[static_cast<std::size_t>(lane)].threads;
  for (const int threads : {1, 2, 4, 8}) {
    QAction* action =
        menu.addAction(threads == 1 ? tr("1 thread") : tr("%1 threads").arg(threads), this, [this, lane, threads] {
          m_document->edit(tr("Threads of lane %1").arg(lane), [&](Experiment& experiment) {
            experiment.lanes[static_cast<std::size_t>(lane)].threads = threads;
          });
        });
    action->setCheckable(true);
    action->setChecked(threads == now);
    group->addAction(action);
  }
}

void BoardView::fillLaneMenu(QMenu& menu, int lane) {
  const bool exists = lane >= 0 && lane < laneCount();
  if (exists) {
    const LaneConfig& config = m_document->experiment().lanes[static_cast<std::size_t>(lane)];
    menu.addSection(tr("Lane %1").arg(lane));
    QAction* rename = menu.addAction(tr("&Rename lane"), this, &BoardView::renameSelectedLane);
    rename->setEnabled(!m_read_only);
    QMenu* device = menu.addMenu(tr("&Device"));
    device->setEnabled(!m_read_only && !m_devices.empty());
    fillDeviceMenu(*device, lane);
    if (config.device.isCpu()) {
      QMenu* threads = menu.addMenu(tr("&Threads"));
      threads->setEnabled(!m_read_only);
      fillThreadsMenu(*threads, lane);
    }
  }
  QAction* add = menu.addAction(tr("&Add lane"), this, &BoardView::addLane);
  add->setEnabled(!m_read_only);
  QAction* remove = menu.addAction(tr("Re&move lane %1").arg(lane), this, &BoardView::removeSelectedLane);
  remove->setEnabled(!m_read_only && laneCount() > 1 && exists);
}

void BoardView::showLaneMenu(int lane, const QPoint& global) {
  pickLane(lane);
  QMenu menu(this);
  menu.setObjectName("laneMenu");
  fillLaneMenu(menu, lane);
  menu.exec(global);
}

}  // namespace lanelab
