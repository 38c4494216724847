// SPDX-License-Identifier: GPL-3.0-only
#include "engine/library/overlay/run_overlay.h"

#include <gmock/gmock.h>

#include <cmath>

#include "base/text.h"
#include "engine/library/overlay/overlay_tables.h"
#include "tests/unit/library/overlay_world.h"

namespace lanelab {
namespace {

using test::doneRecord;
using test::epochsRecord;
using test::overlaid;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

/// "night: 0=4 1=3"
std::string textOf(const OverlayCurve& curve) {
  std::string text = curve.name + ":";
  for (const OverlayPoint& point : curve.points) text += " " + exactNumber(point.x) + "=" + exactNumber(point.smoothed);
  return text;
}

std::vector<std::string> curvesOf(const std::vector<OverlaidRun>& runs, const OverlayChoice& choice) {
  std::vector<std::string> texts;
  for (const OverlayCurve& curve : overlayOf(runs, choice).curves) texts.push_back(textOf(curve));
  return texts;
}

std::vector<std::string> notesOf(const std::vector<OverlaidRun>& runs, const OverlayChoice& choice) {
  std::vector<std::string> texts;
  for (const Message& note : overlayOf(runs, choice).notes) texts.push_back(note.message);
  return texts;
}

TEST(Overlay, DrawsTheShownVariantOfEachRunAgainstStepTimeOrEpoch) {
  using M = OverlayMetric;
  using A = OverlayAxis;
  const struct {
    M metric;
    A axis;
    const char* curve;
  } rows[] = {
      {M::Loss, A::Step, "night: 0=4 1=3 2=2 3=1"},
      {M::Loss, A::Time, "night: 0.25=4 0.5=3 1=2 1.5=1"},
      {M::Loss, A::Epoch, "night: 0=3.5 1=1.5"},
      {M::ValidationLoss, A::Epoch, "night: 0=3 1=1.25"},
      {M::ValidationLoss, A::Step, "night: 1=3 3=1.25"},
      {M::Accuracy, A::Epoch, "night: 0=0.25 1=0.75"},
      {M::ValidationAccuracy, A::Time, "night: 0.5=0.5 1.5=0.625"},
      {M::StepTime, A::Step, "night: 0=0.25 1=0.25 2=0.5 3=0.5"},
  };
  for (const auto& [metric, axis, curve] : rows)
    EXPECT_THAT(curvesOf({overlaid(epochsRecord("night"))}, {metric, axis}), ElementsAre(curve))
        << toWord(metric) << " against " << toWord(axis);
}

TEST(Overlay, DrawsAllVariantsIfAsked) {
  EXPECT_THAT(
      curvesOf({overlaid(doneRecord("a")), overlaid(doneRecord("b"))},
               {OverlayMetric::Loss, OverlayAxis::Step, /*all_variants=*/true}),
      ElementsAre("a/Single: 0=2.25 1=2", "a/Pipeline: 0=2.25 1=2", "b/Single: 0=2.25 1=2", "b/Pipeline: 0=2.25 1=2"));
}

TEST(Overlay, SmoothsCurvesAndRetainsWhatWasMeasured) {
  const Overlay overlay =
      overlayOf({overlaid(epochsRecord("night"))}, {OverlayMetric::Loss, OverlayAxis::Step, false, /*smoothing=*/0.5});
  EXPECT_EQ(overlay.curves[0].points[1].value, 3);
  EXPECT_NEAR(overlay.curves[0].points[1].smoothed, (0.5 * 4 + 3) / 1.5, 1e-12);
}

TEST(Overlay, NamesEachRunThatHasNoCurveWithTheReason) {
  OverlaidRun unread = overlaid(doneRecord("unread")), left_out = unread;
  unread.record = left_out.record = nullptr;
  left_out.left_out = true;
  left_out.name = "last";
  RunRecord untrained = doneRecord("untrained");
  for (VariantRecord& variant : untrained.variants) variant.repeats.clear();
  RunRecord unvalidated = epochsRecord("unvalidated"), unknowing = epochsRecord("unknowing");
  for (EpochResult& epoch : unvalidated.variants[1].repeats.back().epochs) epoch.validation_accuracy.reset();
  for (EpochResult& epoch : unknowing.variants[1].repeats.back().epochs)
    epoch.accuracy = epoch.validation_accuracy = std::nullopt;
  const std::vector<OverlaidRun> runs = {unread,
                                         overlaid(epochsRecord("night")),
                                         overlaid(doneRecord("steps")),
                                         overlaid(untrained),
                                         overlaid(unvalidated),
                                         overlaid(unknowing),
                                         left_out};
  EXPECT_THAT(
      notesOf(runs, {OverlayMetric::ValidationAccuracy, OverlayAxis::Epoch}),
      ElementsAre("Not drawn (run.json cannot be read): unread.", "Not drawn (no completed step): untrained.",
                  "Not drawn (the data are not counted in epochs): steps.",
                  "Not drawn (the loss knows no right answers): unknowing.",
                  "Not drawn (no validation data): unvalidated.", "Not drawn (an overlay has at most 50 runs): last."));
}

TEST(Overlay, MarksCurvesThatDoNotCompareWithTheFirst) {
  using M = OverlayMetric;
  const struct {
    M metric;
    void (*change)(RunRecord&);
    const char *differs, *note;
  } rows[] = {
      {M::Loss, [](RunRecord&) {}, "", ""},
      {M::Loss, [](RunRecord& run) { run.experiment.data.source = DataSource::Digits; }, "other data",
       "Other data than first, so values do not compare: second."},
      {M::Loss, [](RunRecord& run) { run.experiment.training.loss = Loss::CrossEntropy; }, "other loss",
       "Another loss function than first, so losses do not compare: second."},
      {M::Loss, [](RunRecord& run) { run.experiment.model.arch = "resnet18"; }, "", ""},  // what losses are drawn for
      {M::Accuracy, [](RunRecord& run) { run.experiment.training.loss = Loss::CrossEntropy; }, "", ""},
      {M::StepTime, [](RunRecord& run) { run.experiment.model.arch = "resnet18"; }, "other work",
       "Another model or other data than first: second."},
      {M::StepTime, [](RunRecord& run) { run.experiment.data.batch = 16; }, "other batch",
       "Another batch than first, so a step is other work: second. Samples per second compare."},
      {M::StepTime,
       [](RunRecord& run) {
         run.environment = {{"host", "box"}};
       },
       "other machine", "Measured on another machine than first: second."},
  };
  for (const auto& [metric, change, differs, note] : rows) {
    RunRecord second = epochsRecord("second");
    change(second);
    const OverlayChoice choice{metric, metric == M::Accuracy ? OverlayAxis::Epoch : OverlayAxis::Step};
    const Overlay overlay = overlayOf({overlaid(epochsRecord("first")), overlaid(second)}, choice);
    ASSERT_THAT(overlay.curves, SizeIs(2));
    EXPECT_EQ(overlay.curves[1].differs.message, differs) << note;
    EXPECT_EQ(overlay.notes.empty() ? "" : overlay.notes[0].message, note);
  }
}

TEST(Overlay, DrawsARepeatThatDidNotEndIfThereIsNoOther) {
  RunRecord failed = doneRecord("failed");
  failed.variants[1].unfinished = RepeatRecord{1, {0.5}, {9}};
  EXPECT_THAT(curvesOf({overlaid(failed)}, {}), ElementsAre("failed: 0=2.25 1=2")) << "the counted one goes first";
  failed.variants[1].repeats.clear();
  const Overlay overlay = overlayOf({overlaid(failed)}, {});
  EXPECT_EQ(textOf(overlay.curves.at(0)), "failed: 0=9");
  EXPECT_TRUE(overlay.curves[0].unfinished);
}

/// The pipeline of a run with another micro-batch size, which takes `seconds` a step.
RunRecord sized(const std::string& name, int size, double seconds) {
  RunRecord record = doneRecord(name);
  record.variants.erase(record.variants.begin());
  record.baseline = "Pipeline";
  VariantRecord& pipeline = record.variants[0];
  pipeline.split_size = size;
  for (RepeatRecord& repeat : pipeline.repeats) repeat = {2 * seconds, {seconds, seconds}, {1, 1}};
  EXPECT_TRUE(refreshStatistics(record, "Pipeline").ok());
  return record;
}

TEST(Overlay, JoinsVariantsOfAllRunsThatDifferInTheAxisOnly) {
  const std::vector<OverlaidRun> runs = {overlaid(sized("c", 4, 0.5)), overlaid(sized("a", 1, 2)),
                                         overlaid(sized("b", 2, 1))};
  const OverlayChoice choice{OverlayMetric::StepTime, OverlayAxis::MicroBatchSize};
  const Overlay overlay = overlayOf(runs, choice);
  ASSERT_THAT(overlay.curves, SizeIs(1));
  EXPECT_THAT(textOf(overlay.curves[0]), HasSubstr(": 1=2 2=1 4=0.5")) << "by size, whatever the order of the runs";
  EXPECT_EQ(overlay.curves[0].sources[overlay.curves[0].points[0].source], (OverlaySource{"a", "a", "Pipeline", 5}));
  EXPECT_THAT(curvesOf(runs, {OverlayMetric::SamplesPerSecond, OverlayAxis::MicroBatchSize}),
              ElementsAre(HasSubstr(": 1=4 2=8 4=16")));
  EXPECT_THAT(curvesOf(runs, {OverlayMetric::PeakMemory, OverlayAxis::MicroBatchSize}),
              ElementsAre(HasSubstr(": 1=1000 2=1000 4=1000")));
  EXPECT_THAT(curvesOf(runs, {OverlayMetric::StepTime, OverlayAxis::Lanes}), SizeIs(3)) << "sizes differ";
}

TEST(Overlay, NamesCurvesOfFiguresByWhatTellsThemApart) {
  RunRecord other = sized("other", 2, 1);
  other.experiment.data.batch = 16;
  const Overlay overlay = overlayOf({overlaid(sized("one", 1, 2)), overlaid(other)},
                                    {OverlayMetric::StepTime, OverlayAxis::MicroBatchSize});
  ASSERT_THAT(overlay.curves, SizeIs(2));
  EXPECT_EQ(overlay.curves[0].name, "toy, pipeline, batch 8");
  EXPECT_EQ(overlay.curves[1].name, "toy, pipeline, batch 16");
  EXPECT_EQ(overlay.curves[1].differs.message, "other batch");
}

TEST(Overlay, NamesVariantsWithoutAFigure) {
  RunRecord record = doneRecord("half");
  record.variants[0].lanes.clear();
  const OverlayChoice choice{OverlayMetric::PeakMemory, OverlayAxis::Lanes};
  EXPECT_THAT(notesOf({overlaid(record)}, choice), ElementsAre("Not drawn (no peak memory recorded): half/Single."));
  record.variants[1].lanes.clear();
  EXPECT_THAT(notesOf({overlaid(record)}, choice), ElementsAre("Not drawn (no peak memory recorded): half."));
}

TEST(OverlayMetric, HasAxesAndRefusesOthers) {
  for (const Word<OverlayMetric>& metric : wordTable(OverlayMetric{})) {
    ASSERT_FALSE(axesOf(metric.value).empty());
    for (const OverlayAxis axis : axesOf(metric.value)) EXPECT_TRUE(checkAxis(metric.value, axis).ok());
  }
  EXPECT_EQ(checkAxis(OverlayMetric::Loss, OverlayAxis::Lanes).error().message,
            "loss is not drawn against lanes. Choose step, time or epoch.");
}

TEST(OverlayTables, HaveARowAPointAndTheSameAsJson) {
  RunRecord diverged = epochsRecord("night");
  diverged.variants[1].repeats.back().losses[3] = std::nan("");
  const Overlay overlay = overlayOf({overlaid(diverged)}, {OverlayMetric::Loss, OverlayAxis::Step, false, 0.5});
  const std::string csv = overlayCsv(overlay);
  EXPECT_THAT(csv, HasSubstr("curve,run,id,variant,repeats,step,loss,smoothed,differs\r\n"
                             "night,night,night,Pipeline,1,0,4,4,\r\n"));
  EXPECT_THAT(csv, HasSubstr("night,night,night,Pipeline,1,3,,,\r\n")) << "no finite loss is an empty cell";
  const std::string json = overlayJson(overlay);
  for (const char* part : {"\"metric\": \"loss\"", "\"x\": \"step\"", "\"smoothing\": 0.5", "\"unfinished\": false",
                           "\"variant\": \"Pipeline\"", "null"})
    EXPECT_THAT(json, HasSubstr(part));
}

class OverlaidRunTest : public test::LibraryTest {};

TEST_F(OverlaidRunTest, ReadsTheFirstFiftyAndNamesTheOthers) {
  std::vector<RunEntry> entries;
  for (std::size_t i = 0; i < kMostOverlaidRuns + 2; ++i) {
    RunEntry entry;
    entry.id = entry.experiment = "run" + std::to_string(i);
    entry.folder = at(entry.id);
    if (i % 25 == 0) writeRun(entry.id);
    entries.push_back(entry);
  }
  const std::vector<OverlaidRun> runs = readOverlaid(entries);
  ASSERT_EQ(runs.size(), entries.size()) << "none is dropped";
  EXPECT_TRUE(runs[0].record && runs[25].record);
  EXPECT_FALSE(runs[1].record) << "it cannot be read";
  EXPECT_FALSE(runs[49].left_out);
  EXPECT_TRUE(runs[50].left_out && !runs[50].record);
}

}  // namespace
}  // namespace lanelab
