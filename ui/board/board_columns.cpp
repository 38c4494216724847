// SPDX-License-Identifier: GPL-3.0-only
#include "ui/board/board_columns.h"

#include <algorithm>

#include "engine/experiment/lane_cores.h"
#include "ui/board/board_facts.h"
#include "ui/board/board_view.h"
#include "ui/look/plain_text.h"
#include "ui/look/theme.h"

namespace lanelab {
namespace {

constexpr int kNarrowBoard = 200 * look::kGrid;
constexpr int kTinyBoard = 100 * look::kGrid;  ///< lanes need the room of the shares, which Stages and Layers have, too

/// Whether the machine has the device; with no list of devices nobody knows.
bool isThere(const std::vector<DeviceInfo>& devices, Device device) {
  return devices.empty() ||
         std::any_of(devices.begin(), devices.end(), [&](const DeviceInfo& info) { return info.device == device; });
}

/// By lane; -1 where the variant has no replicas or does not use the lane.
std::vector<int> shownReplicas(const BoardState& state) {
  const ResolvedVariant* const variant = state.document().active();
  std::vector<int> replicas(state.experiment().lanes.size(), -1);
  if (!variant || !variant->replicated()) return replicas;
  for (std::size_t lane = 0; lane < replicas.size(); ++lane)
    replicas[lane] = replicaOfLane(variant->replicaLanes(), LaneId(lane));
  return replicas;
}

}  // namespace

int BoardColumns::sharesWidth(int board) {
  return board < kTinyBoard ? 0 : (board < kNarrowBoard ? 30 : 45) * look::kGrid;
}

BoardColumns::BoardColumns(BoardState& state, BoardLaneActions& actions, QWidget* view)
    : m_state(state), m_actions(actions), m_header_column(new QWidget(view)), m_shares(new LaneShares(view)) {
  m_header_column->setObjectName("laneHeaders");
  m_shares->setObjectName("laneShares");
}

void BoardColumns::addHeader() {
  auto* header = new LaneHeader(m_header_column);
  const int lane = static_cast<int>(m_headers.size());
  m_headers.push_back(header);
  const auto on = [&](auto signal, auto act) { QObject::connect(header, signal, &m_actions, act); };
  on(&LaneHeader::picked, [this, lane] { m_state.pickLane(lane); });
  on(&LaneHeader::menuWanted,
     [this, lane](const QPoint& at) { m_actions.showMenu(lane, at, m_header_column->parentWidget()); });
  on(&LaneHeader::renamed, [this, lane](const QString& name) { m_actions.renameLane(lane, name); });
  on(&LaneHeader::renameWanted, [this, lane] {
    m_state.pickLane(lane);
    Q_EMIT m_actions.renameWanted();
  });
}

void BoardColumns::matchHeaders(std::size_t lanes) {
  while (m_headers.size() > lanes) {
    m_headers.back()->hide();
    m_headers.back()->deleteLater();
    m_headers.pop_back();
  }
  while (m_headers.size() < lanes) addHeader();
}

void BoardColumns::refresh(const std::vector<BoardGeometry::Row>& rows) {
  const std::vector<LaneConfig>& lanes = m_state.experiment().lanes;
  matchHeaders(lanes.size());
  const std::vector<int> replicas = shownReplicas(m_state);
  m_titles.clear();
  for (const std::string& title : laneTitles(lanes)) m_titles << look::shownName(title);
  for (std::size_t i = 0; i < lanes.size(); ++i)
    m_headers[i]->show(headerLook(i, m_titles[static_cast<int>(i)], rows[i], replicas[i]));
  m_memory = shownMemory(m_state);
  m_shares->showMemory(m_memory, m_titles);
}

LaneHeader::Look BoardColumns::headerLook(std::size_t i, const QString& title, const BoardGeometry::Row& row,
                                          int replica_of) const {
  const LaneConfig& lane = m_state.experiment().lanes[i];
  const int number = static_cast<int>(i);
  const bool there = isThere(m_state.devices(), lane.device);
  const bool shares = !there && lane.device.isCpu();  // its threads run on the cores that there are
  const bool missing = !there && !shares;
  const QString device = look::shownName(toString(lane.device));
  const QString replica = replica_of >= 0 ? BoardView::tr("replica %1").arg(replica_of) : QString();
  QString second = lane.name.empty() ? BoardView::tr("lane %1").arg(i) : device;
  if (!replica.isEmpty()) second = replica;
  if (lane.threads > 1) second = BoardView::tr("%1, %n thread(s)", nullptr, lane.threads).arg(second);
  if (missing) second = BoardView::tr("Not on this machine");
  if (shares) second = BoardView::tr("Shares a core");
  QString place = device;
  if (missing) place = BoardView::tr("%1, which is not on this machine").arg(device);
  if (shares) place = BoardView::tr("%1, which shares a core").arg(device);
  const QString spoken =
      BoardView::tr("Lane %1, %2, %3: %n block(s), %4 of all %5", nullptr, row.blocks)
          .arg(QString::number(i), title, replica.isEmpty() ? place : BoardView::tr("%1, %2").arg(place, replica),
               costShareText(row.share), costName(m_state.widthBy()));
  return {number, title, second, missing, m_state.lane() == number && m_state.lanes() > 1, spoken};
}

void BoardColumns::place(const std::vector<BoardGeometry::Row>& rows, const QRect& viewport, int scrolled) {
  const int view_width = m_header_column->parentWidget()->width();
  m_header_column->setGeometry(0, viewport.top(), look::kLaneColumn, viewport.height());
  for (std::size_t i = 0; i < m_headers.size() && i < rows.size(); ++i) {
    const QRectF band = rows[i].band;
    m_headers[i]->setGeometry(look::kGrid, qRound(band.top()) - scrolled, look::kLaneColumn - look::kGrid,
                              qRound(band.height()));
  }
  m_shares->setGeometry(viewport.right() + 1, viewport.top(), sharesWidth(view_width), viewport.height());
  m_shares->show(m_state.experiment().lanes.empty() ? std::vector<BoardGeometry::Row>{} : rows, scrolled,
                 m_state.widthBy());
}

void BoardColumns::startRename(int lane) {
  const auto index = static_cast<std::size_t>(lane);
  if (index >= m_headers.size()) return;
  m_headers[index]->startRename(QString::fromStdString(m_state.experiment().lanes[index].title()));
}

}  // namespace lanelab
