// SPDX-License-Identifier: GPL-3.0-only
// Statistics of what the timeline shows: an overview of its time, and below it the groups of its spans, in a second
// view the spans themselves: those of the chosen group, with the words of the filter in their names, and in a third
// nested spans as a flame graph, of all or within the span that the timeline has selected.
//
// Figures are those of the selected range, or of all. They are computed off the window's thread, and only while the
// pane is seen; while a run goes, seldom enough to take little of the time that the run measures. Thread: GUI.
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>
#include <memory>
#include <optional>

#include "ui/look/latest_work.h"
#include "ui/statistics/shown_statistics.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QTabBar;

namespace lanelab {

class EventsModel;
class FlameView;
class GroupsModel;
class OverviewCard;
class StatisticsTable;
struct ShownFlame;

class StatisticsPane : public QWidget {
  Q_OBJECT

 public:
  explicit StatisticsPane(QWidget* parent = nullptr);

  /// Without a trace a sentence says what will be here.
  void setTrace(StatisticsTrace trace);
  /// Nothing: all of the trace.
  void setRange(std::optional<TimeRange> range);
  /// The span that the timeline shows as the current one, which the view of spans makes its current row, and of which
  /// the flame graph may be.
  void selectSpan(std::size_t track, std::size_t span);
  /// Whether the spans are shown, and not the groups.
  bool showsEvents() const;
  bool showsFlame() const;
  /// Whether what is shown is of the newest trace and of all that was chosen.
  bool isCurrent() const { return !m_stale && !m_counting && !m_listing_events && !m_adding_frames; }

 Q_SIGNALS:
  /// These spans are of interest: those of a group. `key` is one of `shown`.
  void groupChosen(std::shared_ptr<const lanelab::ShownStatistics> shown, quint32 key);
  void groupDropped();
  /// A span of the trace is to be seen.
  void spanRequested(lanelab::StatisticsTrace of, lanelab::SpanMatch span);
  void rangeClearRequested();
  /// The view of spans is in front, with all its rows.
  void eventsListed();
  /// The flame graph is in front.
  void flameShown();

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void setUpControls();
  QWidget* makeControls();
  void connectTables();
  void wantNow();
  void wantSoon();
  void count();
  void present(std::shared_ptr<const ShownStatistics> shown);
  void chooseAgain(const ShownStatistics& before);
  void showOffered();
  void showEmpty();
  void showSentences();
  void listEvents();
  void drawFlame();
  void showFlame(std::shared_ptr<const ShownFlame> flame, bool of_span);
  void switchView();
  void choose(int row);
  void dropChoice();
  void selectChosen();
  QString filter() const;
  bool hasTrace() const { return m_of.trace != nullptr; }

  QWidget* m_filled;
  QLabel* m_empty;
  OverviewCard* m_card;
  QTabBar* m_views;
  QComboBox* m_by;
  QLineEdit* m_filter;
  QLabel* m_note;
  GroupsModel* m_groups;
  EventsModel* m_events;
  StatisticsTable* m_group_table;
  StatisticsTable* m_event_table;
  QWidget* m_flame_page = nullptr;
  FlameView* m_flame;
  QWidget* m_by_choice = nullptr;
  QCheckBox* m_only_span;

  StatisticsTrace m_of;
  std::optional<TimeRange> m_range;
  Grouping m_wanted = Grouping::Name;
  QString m_chosen;  ///< the name of the chosen group, which a later trace may have, too
  bool m_has_chosen = false;
  std::shared_ptr<const ShownStatistics> m_shown;
  QTimer m_pause;  ///< runs for a while after each counting
  QElapsedTimer m_counted_for;
  bool m_stale = false;  ///< what is shown is not what is wanted
  bool m_counting = false;
  bool m_listing_events = false;
  bool m_adding_frames = false;
  std::optional<SpanMatch> m_span;       ///< that the timeline has selected
  std::optional<SpanMatch> m_requested;  ///< by a click on a frame, which does not change of which span the graph is
  LatestWork m_work;
  LatestWork m_listing;
  LatestWork m_flaming;
};

}  // namespace lanelab
