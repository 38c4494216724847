// SPDX-License-Identifier: GPL-3.0-only
// What the experiment can make of changes in the timeline: where a stage may go, and the setting that makes the pending
// changes, or comes nearest to them.
//
// Thread: the window's. What is nearest is searched off it, since that reads block times. All given must outlive it.
#pragma once

#include <QObject>
#include <functional>
#include <memory>
#include <optional>

#include "engine/advise/stage_moves.h"
#include "ui/look/latest_work.h"
#include "ui/timeline/change/change_strip.h"
#include "ui/watch/window_parts.h"

namespace lanelab {

class TimelinePresenter;
class TimelineView;
struct FinishedVariant;

class ChangePresenter : public QObject {
  Q_OBJECT

 public:
  ChangePresenter(const WindowParts& parts, TimelinePresenter* presenter, TimelineView* timeline, ChangeStrip* strip,
                  std::shared_ptr<Executor> executor);

  /// Makes what the strip offers, as one edit; nothing where it offers nothing.
  void doIt();

 private:
  /// An edit of the variant.
  struct Edit {
    VariantConfig variant;
    QString text;  ///< for the undo stack
  };
  TimelineChanges::MoveAnswer answerFor(const std::map<int, int>& lanes);
  /// Of the run whose trace is shown; null if none is known.
  const ResolvedVariant* measuredPlan();
  QString whyNotSet() const;
  void showSetting();
  void showMove(const WhatIf& changes);
  void searchNearest(const WhatIf& changes);
  void showNearest(int stage, double factor, const Result<std::optional<NearestMove>>& found);
  void offer(Edit edit, const ChangeStrip::Setting& setting);
  void refuse(const QString& sentence);

  WindowParts m_parts;
  TimelinePresenter* m_presenter;
  TimelineView* m_timeline;
  ChangeStrip* m_strip;
  std::shared_ptr<Executor> m_executor;
  std::shared_ptr<const RunRecord> m_record;  ///< that m_resolution is of
  std::shared_ptr<const Resolution> m_resolution;
  std::optional<Edit> m_edit;  ///< what doIt() makes
  LatestWork m_search;
};

}  // namespace lanelab
