// SPDX-License-Identifier: GPL-3.0-only
#include "ui/curve/curve_work.h"

#include <filesystem>
#include <utility>

#include "engine/experiment/lane_cores.h"
#include "engine/record/environment.h"
#include "engine/record/run_store.h"
#include "ui/curve/shown_curve.h"
#include "ui/look/plain_text.h"

namespace lanelab {
namespace {

constexpr int kPause = 80;  ///< ms

/// Newest first, of this machine, whose steps compare with those of `experiment`.
std::vector<RunRecord> comparableRuns(const std::vector<std::string>& folders, const Experiment& experiment,
                                      const std::stop_token& stop) {
  std::vector<RunRecord> runs;
  for (const std::string& folder : folders) {
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
      if (stop.stop_requested()) return runs;
      if (!holdsRun(entry.path().string())) continue;
      Result<RunRecord> record = readRun(entry.path().string());
      if (record.ok() && stepsCompare(record->experiment, experiment) && isThisMachine(record->environment))
        runs.push_back(std::move(record).value());
    }
  }
  std::ranges::stable_sort(runs, std::greater(), &RunRecord::started);
  return runs;
}

/// What the worker is asked, and answers.
struct Question {
  std::shared_ptr<const Resolution> resolution;
  std::size_t variant = 0;
  std::shared_ptr<const BlockTimes> times;
  std::vector<DeviceInfo> devices;

  const ResolvedVariant& asked() const { return resolution->variants()[variant]; }
};

Result<ShownCurve> curveOf(const Question& question, const std::vector<RunRecord>& runs) {
  const StepPredictor predictor(*question.times);
  Result<std::vector<CurvePoint>> points =
      memoryCurve(*question.resolution, question.asked(), predictor, question.devices);
  if (!points.ok()) return points.error();
  const Experiment& experiment = question.resolution->experiment();
  ShownCurve curve;
  curve.points = std::move(*points);
  for (const RunRecord& run : runs)
    for (MeasuredPoint& one : measuredPoints(curve.points, run)) curve.measured.push_back(std::move(one));
  for (const std::string& title : laneTitles(experiment.lanes)) curve.lanes << look::shownName(title);
  curve.limits = curveLimits(experiment, curve.lanes, question.devices);
  curve.variant = QString::fromStdString(question.asked().config().name);
  curve.window = windowKindOf(question.asked().stepBarrier());
  curve.origin = question.times->origin;
  curve.day = QString::fromStdString(question.times->day);
  curve.parts_known = predictor.knowsParts();
  return curve;
}

}  // namespace

CurveWork::CurveWork(ExperimentDocument* document, MemoryPane* pane, Setup setup, QObject* parent)
    : QObject(parent), m_document(document), m_pane(pane), m_setup(std::move(setup)) {
  m_pause.setSingleShot(true);
  m_pause.setInterval(kPause);
  connect(&m_pause, &QTimer::timeout, this, &CurveWork::compute);
  document->tell(this, &CurveWork::refresh);
  connect(pane, &MemoryPane::shown, this, &CurveWork::refresh);
  connect(pane, &MemoryPane::pointChosen, this, &CurveWork::use);
  refresh();
}

void CurveWork::setBlockTimes(const BlockTimes* times) {
  const bool measured = times && times->origin != BlockTimes::Origin::Estimated;
  m_times = measured ? std::make_shared<const BlockTimes>(*times) : nullptr;
  refresh();
}

void CurveWork::lookAtRuns() {
  m_worker.run([this]() -> Background::Then {
    m_runs_of.reset();
    return [] {};
  });
  refresh();
}

void CurveWork::setReadOnly(bool read_only) {
  m_read_only = read_only;
  m_pane->setReadOnly(read_only);
}

/// What can be said at once; the curve follows.
void CurveWork::refresh() {
  ++m_asked;
  m_shown.reset();
  m_pause.stop();
  const ResolvedVariant* const variant = m_document->active();
  if (!variant || variant->config().strategy != Strategy::Pipeline || variant->stages().size() < 2)
    return m_pane->showNothing(MemoryPane::Nothing::NoPipeline);
  if (!variant->plan().ok()) return m_pane->showNothing(MemoryPane::Nothing::Problems);
  if (!m_times) return m_pane->showNothing(MemoryPane::Nothing::NoTimes);
  if (m_pane->hasCurve())
    m_pane->setStale();
  else
    m_pane->showNothing(MemoryPane::Nothing::Predicting);
  if (m_pane->isVisible()) m_pause.start();
}

void CurveWork::compute() {
  const Question question{m_document->resolution(), static_cast<std::size_t>(m_document->activeVariant()), m_times,
                          m_setup.devices};
  m_worker.run([this, question, asked = m_asked]() -> Background::Then {
    const Experiment& experiment = question.resolution->experiment();
    if (!m_runs_of || !stepsCompare(*m_runs_of, experiment)) {
      m_runs = comparableRuns(m_setup.run_folders, experiment, m_worker.stop());
      m_runs_of = experiment;
    }
    auto answer = std::make_shared<Result<ShownCurve>>(curveOf(question, m_runs));
    return [this, asked, question, answer] {
      if (asked != m_asked) return;  // another curve is wanted by now
      if (!answer->ok())
        return m_pane->showNothing(MemoryPane::Nothing::Failed, look::shownText(answer->error().message));
      m_points = (*answer)->points;
      m_shown = question.resolution;
      m_pane->showCurve(std::move(**answer), QString::fromStdString(toJson(question.resolution->experiment())));
    };
  });
}

void CurveWork::use(int point) {
  if (m_read_only || m_shown != m_document->resolution() || static_cast<std::size_t>(point) >= m_points.size()) return;
  const CurvePoint chosen = m_points[static_cast<std::size_t>(point)];
  if (chosen.present) return;
  m_document->edit(tr("schedule %1").arg(pointTitle(chosen)),
                   [&](Experiment& e) { *m_document->activeIn(e) = chosen.variant; });
}

}  // namespace lanelab
