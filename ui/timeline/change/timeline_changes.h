// SPDX-License-Identifier: GPL-3.0-only
// The changes of the measured timeline that is shown: those that are pending, one that a hand is making, and the steps
// played again with all of them.
//
// Thread: the window's. The replay runs off it; while it does, the last answer stays. Nothing of the measured trace is
// ever touched, so that to restore it is to forget.
#pragma once

#include <QObject>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "ui/look/latest_work.h"
#include "ui/timeline/model/changed_timeline.h"

namespace lanelab {

/// The answer to some changes.
struct AnsweredChanges {
  std::shared_ptr<const ChangedTimeline> timeline;  ///< not null
  std::optional<SpanChange> latest;                 ///< what was changed last
  ChangedLength length;                             ///< of the spans of `latest`
};

class TimelineChanges : public QObject {
  Q_OBJECT

 public:
  explicit TimelineChanges(QObject* parent = nullptr) : QObject(parent) {}

  /// Whether stages can go to these lanes, and in what order lanes do a step then (WhatIf::order).
  struct MoveAnswer {
    QString why_not;  ///< empty: they can
    std::vector<std::vector<OrderedAction>> order;
  };
  using MoveRule = std::function<MoveAnswer(const std::map<int, int>& lanes)>;
  /// Asked once for each new set of lanes. None: stages may go anywhere, and lanes do actions in the measured order.
  void setMoveRule(MoveRule rule) { m_rule = std::move(rule); }

  /// What is shown now; null: nothing. Changes of another trace are forgotten.
  void setMeasured(std::shared_ptr<const TimelineData> measured);

  /// Why no span of what is shown can be changed; empty if spans can.
  QString whyNot() const;
  /// Why this one cannot; empty if it can.
  QString whyNot(SpanRef ref) const;
  /// Why the stage of a span cannot go to that lane; empty if it can.
  QString whyNotMove(SpanRef ref, int lane);

  /// Of the span, or all of its kind.
  ScaledSpans spansOf(SpanRef ref, bool all, double factor) const;
  /// Of its stage.
  StageMove moveOf(SpanRef ref, int lane) const;
  /// Where its stage is, with all changes.
  int laneOf(SpanRef ref) const;

  void preview(const SpanChange& change);  ///< beside what is pending, in place of the last preview
  void keep();                             ///< what is previewed is pending from now on
  void drop();                             ///< the preview
  void restore();                          ///< forgets all of them

  bool isPending() const { return !changesNothing(m_pending); }
  /// Pending ones and the preview.
  const WhatIf& changes() const { return m_changes; }
  const std::optional<SpanChange>& latest() const { return m_latest; }
  /// The last answer; nothing while nothing is changed. isAnswered(): it is that of changes().
  const std::optional<AnsweredChanges>& shown() const { return m_shown; }
  bool isAnswered() const { return m_answered == m_version; }

 Q_SIGNALS:
  void shownChanged();
  void pendingChanged();

 private:
  class PreparedSteps;
  void change(WhatIf changes, std::optional<SpanChange> latest);
  void ask();
  void show(AnsweredChanges answer, int version);
  const MoveAnswer& answerFor(const std::map<int, int>& lanes);

  std::shared_ptr<const TimelineData> m_measured;
  std::shared_ptr<PreparedSteps> m_prepared;
  MoveRule m_rule;
  std::map<std::map<int, int>, MoveAnswer> m_moves;
  WhatIf m_pending;
  std::optional<SpanChange> m_pending_latest;
  WhatIf m_changes;
  std::optional<SpanChange> m_latest;
  std::optional<AnsweredChanges> m_shown;
  int m_version = 0;   ///< of m_changes
  int m_answered = 0;  ///< that of m_shown
  bool m_asking = false;
  LatestWork m_work;
};

}  // namespace lanelab
