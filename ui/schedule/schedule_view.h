// SPDX-License-Identifier: GPL-3.0-only
// A schedule as a grid in unit times: a row a lane, a column a unit. A cell is dragged, or moved by keys, within its
// lane; what an order breaks is red at once, with a line to what it waits for in vain. The view asks for changes and
// shows what it is given; it edits nothing by itself.
//
// Keys: arrows walk, Home and End go to the lane's ends, Ctrl+Left and Ctrl+Right move the action, S splits a backward
// into input and weight part or joins them, Esc ends a drag without a change.
#pragma once

#include <QAbstractScrollArea>
#include <QString>
#include <optional>

#include "ui/schedule/schedule_grid.h"
#include "ui/schedule/shown_schedule.h"

namespace lanelab {

class ScheduleView : public QAbstractScrollArea {
  Q_OBJECT

 public:
  explicit ScheduleView(QWidget* parent = nullptr);

  /// Nothing: an empty grid.
  void setShown(std::optional<ShownSchedule> shown);
  void setReadOnly(bool read_only);
  /// The grid as it is drawn, also in the middle of a drag.
  const ScheduleGrid& grid() const { return m_grid; }
  /// Where a cell lies in the viewport.
  QRect cellRect(std::size_t lane, std::size_t index) const;
  /// Chooses a cell by its lane and place in the lane's row.
  void choose(std::size_t lane, std::size_t index);
  std::optional<Action> chosen() const;
  void splitOrJoinChosen();
  /// What the grid, also of a drag, breaks first: who waits for whom in vain; empty when it can run.
  QString brokenSentence() const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  /// The user put an action elsewhere, or split or joined one; `what` names the edit for the undo list.
  void editRequested(const lanelab::Schedule& schedule, const QString& what);
  /// Another brokenSentence() than before.
  void brokenChanged();
  void chosenChanged();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  bool viewportEvent(QEvent* event) override;

 private:
  struct Place {
    std::size_t lane = 0;
    std::size_t index = 0;
    bool operator==(const Place&) const = default;
  };
  struct Drag {
    Place from;
    std::size_t to = 0;
    QPoint start;
    bool moving = false;
  };

  const Schedule& drawnSchedule() const { return m_preview ? *m_preview : m_shown->schedule; }
  bool canEdit() const { return m_shown && m_shown->editable && !m_read_only; }
  void layOut();
  void updateMetrics();
  void updateScrollBars();
  template <class Test>
  std::optional<Place> findCell(Test test) const;
  std::optional<Place> placeAt(QPoint pixel) const;
  std::optional<Place> placeOf(const Action& action) const;
  std::size_t dropIndex(const Drag& drag, int x) const;
  void showPreview(std::size_t to);
  void endDrag();
  void moveChosen(int by);
  void walk(int lanes, int cells);
  void reveal(Place place);
  void speak();
  QString sentenceOf(Place place) const;
  QString written(const Action& action) const;
  void paintAxis(QPainter& painter) const;
  void paintLane(QPainter& painter, std::size_t lane) const;
  void paintCell(QPainter& painter, Place place) const;
  void paintBrokenLines(QPainter& painter) const;
  void paintHeaders(QPainter& painter) const;

  std::optional<ShownSchedule> m_shown;
  std::optional<Schedule> m_preview;  ///< while a cell is dragged
  ScheduleGrid m_grid;
  std::optional<Place> m_chosen;
  std::optional<Drag> m_drag;
  bool m_read_only = false;
  QString m_broken;
  int m_column = 0;  ///< width in pixels
  int m_row = 0;     ///< height
  int m_header = 0;  ///< width of the lanes' names
  int m_axis = 0;    ///< height of the column numbers
};

}  // namespace lanelab
