// SPDX-License-Identifier: GPL-3.0-only
// What a step would take as the board is drawn: of the document's placement, and of the one that a drag would give,
// predicted once for each placement that differs from the one before.
//
// Thread: the window's. Block times are looked up on a worker; until they are found, and if there are none, they are
// estimated from MACs. Steps of many actions, which would take longer than a frame, are predicted on a worker, too.
#pragma once

#include <QObject>
#include <functional>
#include <memory>
#include <optional>

#include "engine/advise/placement_prediction.h"
#include "profiler/trace/trace.h"
#include "ui/board/board_state.h"
#include "ui/look/background.h"
#include "ui/look/latest_work.h"

namespace lanelab {

/// Recorded block times for an experiment whose blocks train in these modes; nothing if there are none. Any thread.
using FindBlockTimes = std::function<std::optional<BlockTimes>(const Resolution&, const TrainingModes&)>;

class PlacementForecast : public QObject {
  Q_OBJECT

 public:
  /// `state` must outlive it.
  explicit PlacementForecast(BoardState& state);

  void setFinder(FindBlockTimes find);
  /// A variant's trace of the run that is shown: its block times are preferred, as long as they are of the experiment.
  void showTrace(std::shared_ptr<const RunRecord> run, const std::string& variant, std::shared_ptr<const Trace> trace);

  /// Null if there is no model, or no lane.
  const BlockTimes* times() const { return m_times ? &*m_times : nullptr; }
  /// From these; null with them.
  const std::shared_ptr<const StepPredictor>& predictor() const { return m_predictor; }
  /// Of the document's placement; nothing while the variant cannot run, or is being predicted.
  const std::optional<PlacementPrediction>& present() const { return m_present.made; }
  /// Of the placement as it is drawn: the same unless something is dragged.
  const std::optional<PlacementPrediction>& shown() const { return shownOne().made; }
  /// Whether it is being predicted.
  bool predicting() const { return shownOne().pending; }
  /// How far an estimate from MACs is off on this machine, by the run that is shown; nothing without one.
  const std::optional<double>& estimateError() const { return m_estimate_error; }
  /// How many were made so far.
  int predictions() const { return m_predictions; }
  /// Block times may have been recorded since the last look.
  void lookAgain();

 Q_SIGNALS:
  void changed();
  void timesChanged();  ///< times() are others, or of another experiment

 private:
  /// What block times depend on.
  struct Subject {
    ModelConfig model;
    ModelSpec network;  ///< a model file may be written again
    Shape shape;
    TrainingConfig training;
    std::vector<LaneConfig> lanes;
    TrainingModes modes;
    bool operator==(const Subject&) const = default;
  };
  struct RunTrace {
    std::shared_ptr<const RunRecord> run;
    std::string variant;
    std::shared_ptr<const Trace> trace;
  };

  struct Prediction {
    std::optional<PlacementPrediction> made;
    bool pending = false;
    LatestWork work;
  };

  const Prediction& shownOne() const { return m_state.previews() ? m_preview : m_present; }
  std::optional<Subject> subject() const;
  void refresh();
  void preview();
  void endPreview();
  void findTimes();
  void findEstimateError();
  void use(std::optional<BlockTimes> times);
  void predictPresent();
  void predict(Prediction& prediction, const ResolvedVariant* variant, std::shared_ptr<const Resolution> whole);

  BoardState& m_state;
  FindBlockTimes m_find;
  RunTrace m_traced;
  std::optional<Subject> m_subject;
  std::optional<BlockTimes> m_times;
  std::shared_ptr<const StepPredictor> m_predictor;  ///< from these
  std::optional<double> m_estimate_error;
  int m_predictions = 0;
  int m_look = 0;  ///< answers to an earlier look are dropped
  Background m_worker;
  Prediction m_present, m_preview;
};

}  // namespace lanelab
