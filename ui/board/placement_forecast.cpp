// SPDX-License-Identifier: GPL-3.0-only
#include "ui/board/placement_forecast.h"

#include <utility>

#include "engine/experiment/edits/lane_edits.h"

namespace lanelab {
namespace {

/// Of the run that is shown, else those recorded; nothing if there are neither.
std::optional<BlockTimes> lookUp(const FindBlockTimes& find, const std::shared_ptr<const RunRecord>& run,
                                 const std::string& variant, const std::shared_ptr<const Trace>& trace,
                                 const Resolution& edited, const TrainingModes& modes) {
  if (run && trace) {
    const auto resolution = resolve(run->experiment, edited.known());
    const ResolvedVariant* const measured = resolution->find(variant);
    const bool same_modes =
        measured && measured->modes().precision == modes.precision && measured->modes().batch_norm == modes.batch_norm;
    if (same_modes)
      if (auto times = tracedBlockTimes(*trace, *measured, edited.experiment(), run->started.substr(0, 10)))
        return times;
  }
  return find ? find(edited, modes) : std::nullopt;
}

/// Below half a frame: a step with its range and bubble takes about 3 us for each action.
bool isQuick(const VariantPlan& plan) {
  constexpr std::size_t kMostActions = 2000;
  std::size_t actions = 0;
  for (const std::vector<Action>& row : plan.schedule.lanes) actions += row.size();
  return actions <= kMostActions;
}

}  // namespace

PlacementForecast::PlacementForecast(BoardState& state) : m_state(state) {
  ExperimentDocument& document = state.document();
  document.tell(this, &PlacementForecast::refresh);
  connect(&state, &BoardState::previewChanged, this, &PlacementForecast::preview);
  connect(&state, &BoardState::previewEnded, this, &PlacementForecast::endPreview);
  refresh();
}

void PlacementForecast::setFinder(FindBlockTimes find) {
  m_find = std::move(find);
  lookAgain();
}

void PlacementForecast::showTrace(std::shared_ptr<const RunRecord> run, const std::string& variant,
                                  std::shared_ptr<const Trace> trace) {
  if (trace == m_traced.trace) return;
  m_traced = {std::move(run), variant, std::move(trace)};
  m_estimate_error.reset();
  findEstimateError();
  lookAgain();
  Q_EMIT changed();
}

void PlacementForecast::findEstimateError() {
  if (!m_traced.run) return;
  m_worker.run([this, traced = m_traced, known = m_state.document().resolution()->known()]() -> Background::Then {
    return [this, trace = traced.trace, error = estimateErrorIn(*traced.run, traced.variant, known)] {
      if (trace != m_traced.trace) return;
      m_estimate_error = error;
      Q_EMIT changed();
    };
  });
}

std::optional<PlacementForecast::Subject> PlacementForecast::subject() const {
  const ResolvedVariant* const variant = m_state.document().active();
  const Experiment& e = m_state.experiment();
  if (variant == nullptr || !variant->hasModel() || e.lanes.empty()) return std::nullopt;
  TrainingModes modes = variant->modes();
  modes.recompute.clear();
  return Subject{e.model, variant->model(), e.data.shape, e.training, withoutMemoryLimits(e.lanes), modes};
}

void PlacementForecast::refresh() {
  if (subject() == m_subject) return predictPresent();
  m_subject = subject();
  use(std::nullopt);
  findTimes();
}

void PlacementForecast::lookAgain() {
  if (!m_subject) return;
  if (m_find || m_traced.trace)
    findTimes();
  else
    use(std::nullopt);
}

void PlacementForecast::findTimes() {
  ++m_look;
  if (!m_subject || (!m_find && !m_traced.trace)) return;
  m_worker.run([this, look = m_look, find = m_find, traced = m_traced, edited = m_state.document().resolution(),
                modes = m_subject->modes]() -> Background::Then {
    auto times = std::make_shared<std::optional<BlockTimes>>(
        lookUp(find, traced.run, traced.variant, traced.trace, *edited, modes));
    return [this, look, times] {
      const bool estimated = m_times && m_times->origin == BlockTimes::Origin::Estimated;
      if (look == m_look && (*times || !estimated)) use(std::move(*times));
    };
  });
}

void PlacementForecast::use(std::optional<BlockTimes> times) {
  if (!times && m_subject) times = estimatedBlockTimes(m_state.experiment(), m_state.model());
  m_times = std::move(times);
  m_predictor = m_times ? std::make_shared<const StepPredictor>(*m_times) : nullptr;
  Q_EMIT timesChanged();
  predictPresent();
}

void PlacementForecast::predictPresent() {
  predict(m_present, m_state.document().active(), m_state.document().resolution());
  if (m_state.previews()) predict(m_preview, m_state.shownVariant(), m_state.shownResolution());
  Q_EMIT changed();
}

void PlacementForecast::preview() {
  predict(m_preview, m_state.shownVariant(), m_state.shownResolution());
  Q_EMIT changed();
}

void PlacementForecast::endPreview() {
  m_preview.work.cancel();
  Q_EMIT changed();
}

void PlacementForecast::predict(Prediction& prediction, const ResolvedVariant* variant,
                                std::shared_ptr<const Resolution> whole) {
  prediction.work.cancel();
  prediction.made.reset();
  prediction.pending = false;
  if (variant == nullptr || !m_predictor || !m_subject || !variant->plan().ok()) return;
  ++m_predictions;
  if (isQuick(*variant->plan())) {
    prediction.made = predictPlacement(*variant, *m_predictor);
    return;
  }
  prediction.pending = true;
  prediction.work.ask(
      [this, &prediction, variant, whole = std::move(whole), predictor = m_predictor](const auto&) -> Background::Then {
        return [this, &prediction, whole, made = predictPlacement(*variant, *predictor)] {
          prediction.made = made;
          prediction.pending = false;
          Q_EMIT changed();
        };
      });
}

}  // namespace lanelab
