// SPDX-License-Identifier: GPL-3.0-only
// The strip over the idle times: what recording cost, what came of an earlier suggestion, and what would be faster.
//
// Thread: the window's. Suggestions are worked out off it, once per trace: that reads the stored block times and
// forecasts memory.
#pragma once

#include <QObject>
#include <memory>
#include <optional>

#include "engine/advise/suggestions.h"
#include "ui/look/background.h"
#include "ui/watch/shown_trace.h"

namespace lanelab {

class ExperimentDocument;
class SuggestionStrip;

class SuggestionPresenter : public QObject {
  Q_OBJECT

 public:
  /// `document` must outlive it.
  SuggestionPresenter(SuggestionStrip* strip, const ExperimentDocument* document, std::shared_ptr<Executor> executor,
                      QObject* parent);

  void clear();
  /// Nothing is searched again if it is shown already.
  void show(const FinishedVariant& measured);
  /// The suggestion goes while a replay is shown; figures of the run stay.
  void withdraw();
  /// The best of the shown variant; null while none is found.
  const Suggestion* best() const;

 Q_SIGNALS:
  void found();

 private:
  void showRecordingCost();
  void showOutcomes();
  void search();
  void showFound(const FinishedVariant& of, const Result<Suggestions>& result);

  SuggestionStrip* m_strip;
  const ExperimentDocument* m_document;
  std::shared_ptr<Executor> m_executor;
  std::optional<FinishedVariant> m_measured;  ///< whose suggestions are shown or searched
  std::optional<Suggestions> m_suggestions;
  Background m_background;
};

}  // namespace lanelab
