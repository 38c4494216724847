// SPDX-License-Identifier: GPL-3.0-only
// The pane Time and Memory as a person sees it: the table, the chart's marks, limits, empty states, and how a point is
// taken by mouse and keys.
#include <gtest/gtest.h>

#include <QApplication>
#include <QChart>
#include <QHelpEvent>
#include <QLabel>
#include <QLegend>
#include <QLegendMarker>
#include <QPushButton>
#include <QScatterSeries>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QToolTip>

#include "engine/record/environment.h"
#include "engine/record/run_store.h"
#include "ui/charts/chart_canvas.h"
#include "ui/curve/curve_work.h"
#include "ui/curve/memory_chart.h"
#include "ui/curve/memory_pane.h"
#include "ui/look/quantity_text.h"

namespace lanelab {
namespace {

Experiment onTwoLanes() {
  Experiment experiment;
  experiment.name = "two";
  experiment.model.arch = "resnet18";
  experiment.model.classes = 10;
  experiment.data.shape = {3, 64, 64};
  experiment.data.batch = 16;
  experiment.lanes = {{Device::cpu(0), "", 1}, {Device::cpu(1), "", 1}};
  VariantConfig pipeline;
  pipeline.name = "Pipeline";
  pipeline.strategy = Strategy::Pipeline;
  pipeline.schedule = ScheduleKind::OneFOneB;
  pipeline.split_size = 4;
  pipeline.cuts = std::vector<std::string>{"layer3.0"};
  experiment.variants = {pipeline};
  return experiment;
}

/// As if recorded, so that they count.
BlockTimes timesOf(const Experiment& experiment) {
  BlockTimes times = estimatedBlockTimes(experiment, resolve(experiment)->model());
  times.origin = BlockTimes::Origin::Recorded;
  times.day = "2026-11-25";
  return times;
}

ShownCurve curveOf(const Experiment& experiment) {
  const auto resolution = resolve(experiment);
  auto points = memoryCurve(*resolution, resolution->variants().front(), StepPredictor(timesOf(experiment)));
  EXPECT_TRUE(points.ok());
  ShownCurve curve;
  curve.points = *points;
  curve.lanes = {"cpu:0", "cpu:1"};
  curve.variant = "Pipeline";
  curve.day = "2026-11-25";
  curve.window = windowKindOf(resolution->variants().front().stepBarrier());
  curve.limits = curveLimits(experiment, curve.lanes, {});
  return curve;
}

std::size_t presentOf(const ShownCurve& curve) {
  return static_cast<std::size_t>(std::ranges::find_if(curve.points, &CurvePoint::present) - curve.points.begin());
}

MeasuredPoint measuredAt(const ShownCurve& curve, std::size_t point) {
  return {point,    "run-1", "Pipeline", curve.points[point].step_seconds * 1.1, 5, curve.points[point].peak_bytes,
          LaneId(1)};
}

int marksNamed(const QChart& chart, const QString& part) {
  int marks = 0;
  for (const QAbstractSeries* const series : chart.series())
    if (const auto* const scatter = qobject_cast<const QScatterSeries*>(series);
        scatter && scatter->name().contains(part))
      marks += static_cast<int>(scatter->count());
  return marks;
}

TEST(MemoryChart, HasEveryPointHollowMeasuredOnesFilledAndPaleOnesBeyondALimit) {
  ShownCurve curve = curveOf(onTwoLanes());
  const auto third = static_cast<int>(curve.points.size() / 3);
  const auto& palette = look::lightPalette();
  auto chart = makeMemoryChart(curve, palette);
  EXPECT_EQ(marksNamed(*chart, "No recompute"), third);
  EXPECT_EQ(marksNamed(*chart, "Activations"), third);
  EXPECT_EQ(marksNamed(*chart, "Whole stages"), third);
  EXPECT_EQ(marksNamed(*chart, "measured"), 0);
  EXPECT_EQ(marksNamed(*chart, "does not fit"), 0);
  curve.measured = {measuredAt(curve, presentOf(curve))};
  for (std::size_t i = 0; i < 3; ++i) curve.points[curve.points.size() - 1 - i].fits = false;
  chart = makeMemoryChart(curve, palette);
  EXPECT_EQ(marksNamed(*chart, "measured"), 1);
  EXPECT_EQ(marksNamed(*chart, "does not fit"), 3);
  for (const QAbstractSeries* const series : chart->series()) {
    const auto* const scatter = qobject_cast<const QScatterSeries*>(series);
    if (scatter == nullptr || scatter->count() == 0) continue;
    EXPECT_EQ(scatter->color() == palette.surface, !scatter->name().contains("measured"));
  }
}

TEST(MemoryChart, LimitsOfLanesAreNamedOnce) {
  Experiment experiment = onTwoLanes();
  const QStringList lanes{"cpu:0", "cpu:1"};
  EXPECT_TRUE(curveLimits(experiment, lanes, {}).empty());
  experiment.lanes[1].memory_limit_mib = 64;
  ASSERT_EQ(curveLimits(experiment, lanes, {}).size(), 1u);
  EXPECT_EQ(curveLimits(experiment, lanes, {})[0].words, "limit of lane 1 (cpu:1)");
  experiment.lanes[0].memory_limit_mib = 64;
  EXPECT_EQ(curveLimits(experiment, lanes, {})[0].words, "limit of several lanes");
  experiment.lanes[0].memory_limit_mib = 32;
  EXPECT_EQ(curveLimits(experiment, lanes, {})[0].bytes, 32 << 20);
  experiment.lanes[0] = {Device::cuda(0), "", 1};
  EXPECT_EQ(curveLimits(experiment, lanes, {{Device::cuda(0), "a GPU", 8 << 20}})[0].bytes, 8 << 20);
}

TEST(MemoryChart, WordsSayPredictedMeasuredLaneAndWindow) {
  ShownCurve curve = curveOf(onTwoLanes());
  const std::size_t present = presentOf(curve);
  curve.measured = {measuredAt(curve, present)};
  const QString tip = pointTip(curve, present);
  for (const char* part : {"1F1B, recompute: none", "The variant as it is", "Predicted: ", "Predicted peak: ",
                           "the highest of all lanes", "Measured: ", "n = 5", "lane 1 (cpu:1), run run-1"})
    EXPECT_TRUE(tip.contains(part)) << part << " in " << tip.toStdString();
  EXPECT_TRUE(tip.contains("with a step barrier")) << tip.toStdString();
  EXPECT_TRUE(curveCaption(curve).contains("recorded block times (2026-11-25)")) << curveCaption(curve).toStdString();
  curve.window = WindowKind::Period;
  EXPECT_TRUE(pointTip(curve, present).contains("without a step barrier"));
  EXPECT_TRUE(curveCaption(curve).contains("period from step to step"));
  curve.points[present].fits = false;
  EXPECT_TRUE(pointTip(curve, present).contains("Above a memory limit"));
  EXPECT_TRUE(curveHeadline(curve).contains("fit in memory"));
}

TEST(MemoryChart, ItsWordsForScreenReadersHaveTheFront) {
  ShownCurve curve = curveOf(onTwoLanes());
  const std::size_t present = presentOf(curve);
  curve.measured = {measuredAt(curve, present)};
  const QString words = memoryWords(curve, present);
  EXPECT_TRUE(
      words.startsWith(QStringLiteral("Peak memory and step time of %1 combinations, 1 measured. On the front: ")
                           .arg(curve.points.size())))
      << words.toStdString();
  for (const CurvePoint& point : curve.points)
    EXPECT_TRUE(!point.on_front || words.contains(bytesText(point.peak_bytes))) << words.toStdString();
  EXPECT_TRUE(words.contains("Selected: 1F1B ")) << words.toStdString();
  EXPECT_EQ(memoryWords({}), QString());
}

TEST(MemoryPane, EachEmptyStateSaysWhatToDo) {
  struct Row {
    MemoryPane::Nothing why;
    const char* words;
    bool can_measure;
  };
  const Row rows[] = {{MemoryPane::Nothing::NoPipeline, "Choose a pipeline", false},
                      {MemoryPane::Nothing::Problems, "Fix the highlighted fields", false},
                      {MemoryPane::Nothing::NoTimes, "Measure the blocks", true},
                      {MemoryPane::Nothing::Predicting, "Predicting", false}};
  MemoryPane pane;
  pane.show();
  QSignalSpy measure(&pane, &MemoryPane::measureRequested);
  for (const Row& row : rows) {
    pane.showNothing(row.why);
    EXPECT_TRUE(pane.findChild<QLabel*>("memoryHeadline")->text().contains(row.words)) << row.words;
    EXPECT_EQ(pane.findChild<QPushButton*>("memoryMeasure")->isVisible(), row.can_measure) << row.words;
    EXPECT_FALSE(pane.findChild<QWidget*>("memoryTable")->isVisible());
    EXPECT_FALSE(pane.findChild<QWidget*>("memoryChart")->isVisible());
    EXPECT_FALSE(pane.exhibit().figure);
  }
  pane.showNothing(MemoryPane::Nothing::NoTimes);
  pane.findChild<QPushButton*>("memoryMeasure")->click();
  EXPECT_EQ(measure.count(), 1);
}

/// A pane of a size, with a curve.
class PaneWithCurve : public ::testing::Test {
 protected:
  PaneWithCurve() {
    pane.resize(1100, 300);
    pane.showCurve(curve, "{}");
    pane.show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(&pane));
  }
  QTableWidget& table() { return *pane.findChild<QTableWidget*>("memoryTable"); }

  ShownCurve curve = curveOf(onTwoLanes());
  MemoryPane pane;
};

TEST_F(PaneWithCurve, EnterInTheTableTakesAPoint) {
  QSignalSpy chosen(&pane, &MemoryPane::pointChosen);
  table().setFocus();
  table().setCurrentCell(2, 0);
  QTest::keyClick(&table(), Qt::Key_Down);
  QTest::keyClick(&table(), Qt::Key_Return);
  ASSERT_EQ(chosen.count(), 1);
  EXPECT_EQ(chosen.front().front().toInt(), 3);
}

TEST_F(PaneWithCurve, AClickOnAMarkTakesItsPoint) {
  auto& canvas = *pane.findChild<ChartCanvas*>("memoryChart");
  QSignalSpy chosen(&pane, &MemoryPane::pointChosen);
  const QPointF mark = markOf(curve, *canvas.chart(), 0);  // the smallest: nothing lies on it
  const QPoint at = canvas.mapFromScene(canvas.chart()->mapToScene(mark));
  QTest::mouseClick(canvas.viewport(), Qt::LeftButton, {}, at);
  ASSERT_EQ(chosen.count(), 1);
  EXPECT_EQ(curve.points[static_cast<std::size_t>(chosen.front().front().toInt())].peak_bytes,
            curve.points[0].peak_bytes);
  QTest::mouseClick(canvas.viewport(), Qt::LeftButton, {}, QPoint(2, 2));
  EXPECT_EQ(chosen.count(), 1) << "no mark is there";
}

TEST_F(PaneWithCurve, TheLegendHasOneEntryForEachKindOfRecompute) {
  for (const std::size_t point : {0, 1, 2}) curve.measured.push_back(measuredAt(curve, point));
  curve.points.back().fits = false;
  pane.showCurve(curve, "{}");
  const auto entries = [&] {
    QStringList shown;
    for (const QLegendMarker* const marker : pane.findChild<ChartCanvas*>("memoryChart")->chart()->legend()->markers())
      if (marker->isVisible()) shown << marker->label();
    return shown;
  };
  EXPECT_TRUE(QTest::qWaitFor([&] { return !entries().isEmpty(); }, 5'000));
  EXPECT_EQ(entries().join(", "), "No recompute, Activations, Whole stages");
}

TEST_F(PaneWithCurve, TheTipOfAMarkRemainsWhileTheMouseRests) {
  auto& canvas = *pane.findChild<ChartCanvas*>("memoryChart");
  const QPoint at = canvas.mapFromScene(canvas.chart()->mapToScene(markOf(curve, *canvas.chart(), 0)));
  QTest::mouseMove(canvas.viewport(), at);
  QHelpEvent rest(QEvent::ToolTip, at, canvas.viewport()->mapToGlobal(at));
  QApplication::sendEvent(canvas.viewport(), &rest);
  EXPECT_EQ(QToolTip::text(), pointTip(curve, 0));
  const auto gone = [] { return !QToolTip::isVisible(); };  // Qt hides a tip a third of a second later
  EXPECT_FALSE(QTest::qWaitFor(gone, 500));
}

TEST_F(PaneWithCurve, NothingIsTakenWhileARunGoesOrTheCurveIsOfAnEarlierEdit) {
  QSignalSpy chosen(&pane, &MemoryPane::pointChosen);
  table().setCurrentCell(1, 0);
  pane.setReadOnly(true);
  QTest::keyClick(&table(), Qt::Key_Return);
  pane.setReadOnly(false);
  pane.setStale();
  QTest::keyClick(&table(), Qt::Key_Return);
  EXPECT_EQ(chosen.count(), 0);
  pane.showCurve(curve, "{}");
  QTest::keyClick(&table(), Qt::Key_Return);
  EXPECT_EQ(chosen.count(), 1);
}

TEST_F(PaneWithCurve, IsExportedAsFigureAndTable) {
  const Exhibit exhibit = pane.exhibit();
  ASSERT_TRUE(exhibit.figure && exhibit.csv);
  EXPECT_TRUE(exhibit.figure().caption.contains("Predicted from"));
  EXPECT_EQ(exhibit.csv(), curveCsv(curve.points, {}));
}

/// Document, pane and what keeps them together.
class CurveWorkTest : public ::testing::Test {
 protected:
  CurveWorkTest() {
    document.reset(onTwoLanes(), {});
    pane.resize(1100, 300);
    pane.show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(&pane));
    work = std::make_unique<CurveWork>(&document, &pane, CurveWork::Setup{{}, {runs.path().toStdString()}}, nullptr);
  }
  void setTimes() {
    const BlockTimes times = timesOf(document.experiment());
    work->setBlockTimes(&times);
  }
  bool curveComes() {
    return QTest::qWaitFor([&] { return pane.hasCurve() && !headline().startsWith("Predicting"); }, 20'000);
  }
  QString headline() { return pane.findChild<QLabel*>("memoryHeadline")->text(); }
  QTableWidget& table() { return *pane.findChild<QTableWidget*>("memoryTable"); }

  QTemporaryDir runs;
  ExperimentDocument document;
  MemoryPane pane;
  std::unique_ptr<CurveWork> work;
};

TEST_F(CurveWorkTest, WithoutMeasuredBlockTimesThereIsNoCurve) {
  EXPECT_TRUE(headline().contains("Measure the blocks"));
  const BlockTimes estimated = estimatedBlockTimes(document.experiment(), document.model());
  work->setBlockTimes(&estimated);
  EXPECT_TRUE(headline().contains("Measure the blocks"));
  setTimes();
  EXPECT_TRUE(curveComes());
  work->setBlockTimes(nullptr);
  EXPECT_FALSE(pane.hasCurve());
}

TEST_F(CurveWorkTest, AChosenPointIsOneStepOfUndo) {
  setTimes();
  ASSERT_TRUE(curveComes());
  const VariantConfig before = document.experiment().variants[0];
  int row = 0;
  while (table().item(row, 0)->text() != "V-Min" || table().item(row, 1)->text() == "none") ++row;
  table().setCurrentCell(row, 0);
  QTest::keyClick(&table(), Qt::Key_Return);
  const VariantConfig after = document.experiment().variants[0];
  EXPECT_EQ(after.schedule, ScheduleKind::VMin);
  EXPECT_EQ(after.name, before.name);
  EXPECT_EQ(after.cuts->size(), 3u) << "two stages on each of two lanes";
  ASSERT_TRUE(curveComes());
  document.undoStack()->undo();
  EXPECT_EQ(document.experiment().variants[0], before);
}

TEST_F(CurveWorkTest, ARunThatDidTheSameIsShown) {
  setTimes();
  ASSERT_TRUE(curveComes());
  const auto measured = [&] {
    int found = 0;
    for (int row = 0; row < table().rowCount(); ++row) found += !table().item(row, 6)->text().isEmpty();
    return found;
  };
  EXPECT_EQ(measured(), 0);
  RunRecord record;
  record.status = RunStatus::Done;
  record.experiment = document.experiment();
  record.environment = environmentFacts();
  VariantRecord variant;
  variant.name = "Pipeline";
  variant.strategy = Strategy::Pipeline;
  variant.repeats.push_back({0.5, {0.5}, {1.0}});
  variant.lanes.resize(2);
  variant.lanes[0].peak_bytes = 50 << 20;
  record.variants = {variant};
  ASSERT_TRUE(refreshStatistics(record).ok());
  {
    auto folder = RunFolder::create((runs.path() + "/run-1").toStdString());
    ASSERT_TRUE(folder.ok());
    ASSERT_TRUE(folder->write(record).ok());
  }
  work->lookAtRuns();
  ASSERT_TRUE(QTest::qWaitFor([&] { return measured() == 1; }, 20'000));
}

TEST_F(CurveWorkTest, EditsAndOtherVariantsChangeWhatIsShown) {
  setTimes();
  ASSERT_TRUE(curveComes());
  document.edit("split", [](Experiment& e) { e.variants[0].split_size = 99; });
  EXPECT_TRUE(headline().contains("Fix the highlighted fields")) << headline().toStdString();
  document.undoStack()->undo();
  EXPECT_TRUE(curveComes());
  document.edit("limit", [](Experiment& e) { e.lanes[0].memory_limit_mib = 1; });
  EXPECT_TRUE(headline().startsWith("Predicting again")) << headline().toStdString();
  ASSERT_TRUE(curveComes());
  EXPECT_TRUE(headline().contains("0 fit in memory")) << headline().toStdString();
  document.edit("single", [](Experiment& e) {
    e.variants[0] = {};
    e.variants[0].name = "Single";
    e.variants[0].lanes = std::vector<int>{0};
  });
  EXPECT_TRUE(headline().contains("Choose a pipeline")) << headline().toStdString();
}

}  // namespace
}  // namespace lanelab
