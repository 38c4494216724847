// SPDX-License-Identifier: GPL-3.0-only
// One metric of many runs in a chart: what the dialog offers, shows, says and exports.
#include <gmock/gmock.h>

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <cmath>

#include "tests/unit/library/overlay_world.h"
#include "ui/overlay/overlay_dialog.h"
#include "ui/overlay/overlay_legend.h"
#include "ui/overlay/overlay_painter.h"
#include "ui/overlay/overlay_view.h"
#include "ui/overlay/overlay_words.h"

namespace lanelab::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr int kOverlayLimit = 20'000;  ///< ms

/// Two runs with epochs, and one that counts steps.
class OverlayDialogTest : public LibraryTest {
 protected:
  OverlayDialogTest() {
    for (const char* name : {"night", "day"}) writeRun(name, epochsRecord(name));
    writeRun("steps", doneRecord("steps"));
  }

  void open(const std::vector<std::string>& names) {
    std::vector<RunEntry> entries;
    for (const std::string& name : names) entries.push_back(readEntry(at(name)));
    dialog = new OverlayDialog(std::move(entries), nullptr);
    dialog->setAttribute(Qt::WA_DeleteOnClose, false);
    owner.reset(dialog);
    dialog->show();
    await([] {});
  }
  /// Until the curves of a changed choice are shown.
  void await(const std::function<void()>& change) {
    QSignalSpy shown(dialog, &OverlayDialog::shown);
    change();
    EXPECT_TRUE(shown.count() > 0 || shown.wait(kOverlayLimit));
  }
  void choose(const char* box, const QString& text) {
    auto* const choices = dialog->findChild<QComboBox*>(box);
    ASSERT_GE(choices->findText(text), 0) << text.toStdString();
    await([&] { choices->setCurrentIndex(choices->findText(text)); });
  }
  QStringList axes() const {
    QStringList texts;
    const auto* const box = dialog->findChild<QComboBox*>("overlayAxis");
    for (int i = 0; i < box->count(); ++i) texts << box->itemText(i);
    return texts;
  }
  QStringList legend() const {
    QStringList texts;
    const auto* const list = dialog->findChild<OverlayLegend*>();
    for (int i = 0; i < list->count(); ++i) texts << list->item(i)->text();
    return texts;
  }
  QString notes() const { return dialog->findChild<QLabel*>("overlayNotes")->text(); }
  OverlayView& view() const { return *dialog->findChild<OverlayView*>(); }

  std::unique_ptr<OverlayDialog> owner;
  OverlayDialog* dialog = nullptr;
};

TEST_F(OverlayDialogTest, DrawsTheTrainingLossOfTheRunsFirst) {
  open({"night", "day", "steps"});
  EXPECT_EQ(legend(), QStringList({"night", "day", "steps"}));
  EXPECT_EQ(axes(), QStringList({"Step", "Time", "Epoch"}));
  EXPECT_EQ(view().accessibleName(), "Training loss against step");
  EXPECT_EQ(view().accessibleDescription(),
            "Training loss against step, 3 curves: night 4 to 1; day 4 to 1; steps 2.25 to 2.");
  EXPECT_FALSE(dialog->findChild<QLabel*>("overlayNotes")->isVisible());
}

TEST_F(OverlayDialogTest, OffersTheAxesOfAMetricAndNamesRunsWithoutIt) {
  open({"night", "steps"});
  choose("overlayMetric", "Validation accuracy");
  EXPECT_EQ(axes(), QStringList({"Epoch", "Step", "Time"}));
  EXPECT_EQ(dialog->choice().axis, OverlayAxis::Step) << "the axis remains if it can";
  EXPECT_EQ(legend(), QStringList({"night"}));
  EXPECT_EQ(notes(), "Not drawn (the data are not counted in epochs): steps.");
  choose("overlayMetric", "Peak memory");
  EXPECT_EQ(axes(), QStringList({"Micro-batch size", "Lanes"}));
  EXPECT_FALSE(dialog->findChild<QCheckBox*>("overlayVariants")->isEnabled()) << "all variants are points";
  EXPECT_FALSE(dialog->findChild<QDoubleSpinBox*>("overlaySmoothing")->isEnabled());
}

TEST_F(OverlayDialogTest, SmoothsAndDrawsAllVariants) {
  open({"night", "day"});
  await([&] { dialog->findChild<QDoubleSpinBox*>("overlaySmoothing")->setValue(0.5); });
  EXPECT_EQ(dialog->overlay().choice.smoothing, 0.5);
  EXPECT_THAT(dialog->picture().caption.toStdString(), HasSubstr("weight 0.5; pale: as measured"));
  await([&] { dialog->findChild<QCheckBox*>("overlayVariants")->setChecked(true); });
  EXPECT_EQ(legend(), QStringList({"night/Single", "night/Pipeline", "day/Single", "day/Pipeline"}));
  EXPECT_THAT(dialog->csv(), HasSubstr("day/Pipeline,day,day,Pipeline,1,0,4,4,"));
}

TEST_F(OverlayDialogTest, SaysWhatIsMissingIfNoRunHasTheMetric) {
  open({"steps"});
  choose("overlayMetric", "Validation loss");
  EXPECT_FALSE(view().isVisible());
  EXPECT_EQ(dialog->findChild<QLabel*>("overlayEmpty")->text(),
            "None of these runs has this metric: validation loss. Choose another one.");
  EXPECT_FALSE(dialog->findChild<QPushButton*>("overlayExport")->isEnabled());
}

TEST_F(OverlayDialogTest, TheMouseOnAPointHighlightsItsCurveAndSoDoesTheLegend) {
  open({"night", "steps"});
  const PlotFrame frame(plotOf(dialog->overlay()), view().plotRect());
  const QPointF last = frame.at({2, 2});  // the second step of the run "steps"
  QTest::mouseMove(&view(), last.toPoint());
  EXPECT_TRUE(QTest::qWaitFor([&] { return view().highlighted() == 1; }, kOverlayLimit));
  EXPECT_EQ(dialog->findChild<OverlayLegend*>()->currentRow(), 1);
  EXPECT_EQ(overlay_words::point(dialog->overlay(), dialog->overlay().curves[1], dialog->overlay().curves[1].points[1]),
            "steps, Pipeline\nStep 2: 2");
  dialog->findChild<OverlayLegend*>()->setCurrentRow(0);
  EXPECT_EQ(view().highlighted(), 0);
}

TEST_F(OverlayDialogTest, ExportsTheFigureWithItsLegend) {
  open({"night", "day"});
  const QString path = QString::fromStdString(m_folder.file("overlay.svg"));
  ASSERT_TRUE(savePicture(dialog->picture(), PictureFormat::Svg, path).ok());
  QFile file(path);
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  const std::string svg = file.readAll().toStdString();
  for (const char* words : {"night", "day", "Training loss", "Step"}) EXPECT_THAT(svg, HasSubstr(words));
}

/// The dashes and colour of each of the first curves.
TEST(OverlayPens, AreAllDifferentForFiftyCurves) {
  for (const look::Palette* palette : {&look::lightPalette(), &look::darkPalette(), &look::highContrastPalette()})
    for (int a = 0; a < 50; ++a)
      for (int b = a + 1; b < 50; ++b) {
        const QPen first = curvePen(a, *palette), second = curvePen(b, *palette);
        EXPECT_FALSE(first.color() == second.color() && first.dashPattern() == second.dashPattern())
            << a << " and " << b;
      }
}

TEST(OverlayPlotTest, HasTheUnitsOfReaders) {
  using M = OverlayMetric;
  using A = OverlayAxis;
  const std::vector<OverlaidRun> runs = {overlaid(epochsRecord("night"))};
  const struct {
    M metric;
    A axis;
    const char *x, *y;
    double first_x, first_y;
  } rows[] = {
      {M::Loss, A::Step, "Step", "Training loss", 1, 4},
      {M::Loss, A::Time, "Time (s)", "Training loss", 0.25, 4},
      {M::Accuracy, A::Epoch, "Epoch", "Training accuracy (%)", 1, 25},
      {M::StepTime, A::Step, "Step", "Step time (ms)", 1, 250},
      {M::PeakMemory, A::MicroBatchSize, "Micro-batch size", "Peak memory (MiB)", 3, 1000.0 / (1 << 20)},
  };
  for (const auto& [metric, axis, x, y, first_x, first_y] : rows) {
    const OverlayPlot plot = plotOf(overlayOf(runs, {metric, axis}));
    EXPECT_EQ(plot.x.title, x);
    EXPECT_EQ(plot.y.title, y);
    ASSERT_FALSE(plot.curves.empty());
    EXPECT_NEAR(plot.curves[0].points[0].at.x(), first_x, 1e-9) << y;
    EXPECT_NEAR(plot.curves[0].points[0].at.y(), first_y, 1e-9) << y;
  }
}

TEST(OverlayPlotTest, TicksAreAsManyAsThereIsRoomFor) {
  const auto labels = [](const PlotAxis& axis, int most) {
    QStringList texts;
    for (const PlotTick& tick : ticksOf(axis, most)) texts << tick.label;
    return texts;
  };
  EXPECT_EQ(labels({"", 0, 1}, 5), QStringList({"0", "0.2", "0.4", "0.6", "0.8", "1"}));
  EXPECT_EQ(labels({"", 1, 4, true}, 8), QStringList({"1", "2", "3", "4"}));
  EXPECT_EQ(labels({"", 0, 1, false, {{0.5, "16"}}}, 1), QStringList({"16"}));
}

TEST(OverlayPlotTest, ALineHasAGapWhereALossIsNotFinite) {
  RunRecord record = epochsRecord("night");
  record.variants[1].repeats.back().losses = {4, std::nan(""), 2, 1};
  const OverlayPlot plot = plotOf(overlayOf({overlaid(record)}, {}));
  ASSERT_EQ(plot.curves[0].line.size(), 4U);
  EXPECT_TRUE(std::isnan(plot.curves[0].line[1].y()));
  EXPECT_LE(plot.y.high, 5);
}

/// Fifty runs of 100,000 steps: no more points than can be seen, within the time of a blink or two.
TEST(OverlayPlotTest, OfManyLongRunsIsThinned) {
  RunRecord record = doneRecord("long");
  RepeatRecord& newest = record.variants[1].repeats.back();
  newest.losses.resize(100'000);
  for (std::size_t i = 0; i < newest.losses.size(); ++i) newest.losses[i] = std::sin(static_cast<double>(i) / 900);
  newest.step_seconds.assign(newest.losses.size(), 0.01);
  const std::vector<OverlaidRun> runs(50, overlaid(record));
  const OverlayPlot plot = plotOf(overlayOf(runs, {OverlayMetric::Loss, OverlayAxis::Time, false, 0.9}));
  ASSERT_EQ(plot.curves.size(), 50U);
  for (const PlottedCurve& curve : plot.curves) EXPECT_LE(curve.points.size() + curve.raw.size(), 1610U);
  const QImage image = render(overlayPicture(overlayOf(runs, {})), look::printPalette());
  EXPECT_GE(image.height(), 50 * 20) << "each curve has its row of the legend";
}

}  // namespace
}  // namespace lanelab::test
