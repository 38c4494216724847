// SPDX-License-Identifier: GPL-3.0-only
#include "ui/board/board_lane_actions.h"

#include <QActionGroup>
#include <QInputDialog>
#include <QMenu>
#include <QPointer>

#include "engine/experiment/edits/lane_edits.h"
#include "engine/experiment/lane_cores.h"
#include "ui/board/board_view.h"
#include "ui/look/plain_text.h"
#include "ui/look/quantity_text.h"

namespace lanelab {
namespace {

constexpr double kFirstAskedMib = 1024;
constexpr int kLimitDecimals = 3;  ///< as fine as kLeastLimitMib

/// One of the entries of which one is checked.
void addChoice(QMenu& menu, QActionGroup* group, const QString& text, bool checked,
               const std::function<void()>& choose) {
  QAction* const action = menu.addAction(text, group, choose);
  action->setCheckable(true);
  action->setChecked(checked);
  group->addAction(action);
}

}  // namespace

void BoardLaneActions::addLane() {
  if (m_state.readOnly()) return;
  const Device device = freeDevice(m_state.experiment().lanes, m_state.devices());
  m_state.document().edit(BoardView::tr("Add Lane"),
                          [&](Experiment& experiment) { lanelab::addLane(experiment, device); });
  m_state.pickLane(m_state.lanes() - 1);
}

void BoardLaneActions::removeLane() {
  if (m_state.readOnly() || m_state.lanes() <= 1) return;
  m_state.document().edit(BoardView::tr("Remove Lane"), [&](Experiment& experiment) {
    lanelab::removeLane(experiment, m_state.model(), LaneId(m_state.lane()));
  });
}

const LaneConfig& BoardLaneActions::config(int lane) const {
  return m_state.experiment().lanes[static_cast<std::size_t>(lane)];
}

void BoardLaneActions::edit(int lane, const QString& text, const std::function<void(LaneConfig&)>& change) {
  m_state.document().edit(text,
                          [&](Experiment& experiment) { change(experiment.lanes[static_cast<std::size_t>(lane)]); });
}

void BoardLaneActions::renameLane(int lane, const QString& name) {
  edit(lane, BoardView::tr("Rename Lane"), [&](LaneConfig& edited) {
    edited.name = name.toStdString() == toString(edited.device) ? std::string() : name.toStdString();
  });
}

void BoardLaneActions::fillDeviceMenu(QMenu& menu, int lane) {
  auto* group = new QActionGroup(&menu);
  for (const DeviceInfo& info : m_state.devices()) {
    const QString text =
        BoardView::tr("%1: %2").arg(look::buttonText(toString(info.device)), look::buttonText(info.description));
    addChoice(menu, group, text, info.device == config(lane).device, [this, lane, device = info.device] {
      edit(lane, BoardView::tr("Device of lane %1").arg(lane), [device](LaneConfig& edited) {
        edited.device = device;
        if (!device.isCpu()) edited.threads = 1;
      });
    });
  }
}

void BoardLaneActions::fillThreadsMenu(QMenu& menu, int lane) {
  auto* group = new QActionGroup(&menu);
  for (const int threads : {1, 2, 4, 8}) {
    const QString text = BoardView::tr("%n thread(s)", nullptr, threads);
    addChoice(menu, group, text, threads == config(lane).threads, [this, lane, threads] {
      edit(lane, BoardView::tr("Threads of lane %1").arg(lane), [&](LaneConfig& edited) { edited.threads = threads; });
    });
  }
}

void BoardLaneActions::setMemoryLimit(int lane, std::optional<double> mib) {
  edit(lane, BoardView::tr("Memory limit of lane %1").arg(lane),
       [&](LaneConfig& edited) { edited.memory_limit_mib = mib; });
}

void BoardLaneActions::askForMemoryLimit(int lane, QWidget* parent) {
  auto* const dialog = new QInputDialog(parent);
  dialog->setObjectName("memoryLimitDialog");
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(BoardView::tr("Memory Limit of Lane %1").arg(lane));
  dialog->setLabelText(BoardView::tr("Most MiB that the lane should take at its peak:"));
  dialog->setInputMode(QInputDialog::DoubleInput);
  dialog->setDoubleDecimals(kLimitDecimals);
  dialog->setDoubleRange(kLeastLimitMib, kMostLimitMib);
  const std::optional<double> now = config(lane).memory_limit_mib;
  dialog->setDoubleValue(now.value_or(kFirstAskedMib));
  // What the field shows may be rounded: OK without a change keeps the limit as it was.
  const std::optional<double> kept = now ? std::optional(dialog->doubleValue()) : std::nullopt;
  connect(dialog, &QInputDialog::doubleValueSelected, this, [this, lane, kept](double mib) {
    if (lane < m_state.lanes() && !m_state.readOnly() && mib != kept) setMemoryLimit(lane, mib);
  });
  dialog->open();
}

void BoardLaneActions::fillLimitMenu(QMenu& menu, int lane, QWidget* parent) {
  auto* group = new QActionGroup(&menu);
  const std::optional<double> now = config(lane).memory_limit_mib;
  addChoice(menu, group, BoardView::tr("&No Limit"), !now, [this, lane] { setMemoryLimit(lane, std::nullopt); });
  if (now) addChoice(menu, group, bytesText(config(lane).memoryLimit()), true, [] {});
  menu.addAction(BoardView::tr("&Set Limit..."), this,
                 [this, lane, above = QPointer(parent)] { askForMemoryLimit(lane, above); });
}

void BoardLaneActions::addEditEntries(QMenu& menu, int lane) {
  const bool editable = !m_state.readOnly();
  menu.addSection(BoardView::tr("Lane %1").arg(lane));
  menu.addAction(BoardView::tr("&Rename Lane"), this, &BoardLaneActions::renameWanted)->setEnabled(editable);
  QMenu* device = menu.addMenu(BoardView::tr("&Device"));
  device->setEnabled(editable && !m_state.devices().empty());
  fillDeviceMenu(*device, lane);
  QMenu* limit = menu.addMenu(BoardView::tr("&Memory Limit"));
  limit->setObjectName("memoryLimitMenu");
  limit->setEnabled(editable);
  fillLimitMenu(*limit, lane, menu.parentWidget());
  if (!config(lane).device.isCpu()) return;
  QMenu* threads = menu.addMenu(BoardView::tr("&Threads"));
  threads->setEnabled(editable);
  fillThreadsMenu(*threads, lane);
}

void BoardLaneActions::fillMenu(QMenu& menu, int lane) {
  const bool exists = lane >= 0 && lane < m_state.lanes();
  if (exists) addEditEntries(menu, lane);
  menu.addAction(BoardView::tr("&Add Lane"), this, &BoardLaneActions::addLane)->setEnabled(!m_state.readOnly());
  menu.addAction(BoardView::tr("Re&move Lane %1").arg(lane), this, &BoardLaneActions::removeLane)
      ->setEnabled(!m_state.readOnly() && m_state.lanes() > 1 && exists);
}

void BoardLaneActions::showMenu(int lane, const QPoint& global, QWidget* parent) {
  m_state.pickLane(lane);
  QMenu menu(parent);
  menu.setObjectName("laneMenu");
  fillMenu(menu, lane);
  menu.exec(global);
}

}  // namespace lanelab
