// SPDX-License-Identifier: GPL-3.0-only
// Before anything has run here: the demo as another machine ran it, and the lessons on recorded runs.
#include <gmock/gmock.h>

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QRadioButton>
#include <QSettings>
#include <QTableWidget>
#include <QToolButton>

#include "engine/experiment/experiment.h"
#include "engine/record/run_store.h"
#include "profiler/analysis/idle_causes.h"
#include "profiler/io/import/trace_import.h"
#include "tests/gui/window/window_world.h"
#include "ui/board/board_view.h"
#include "ui/first_steps/first_minute.h"
#include "ui/first_steps/lesson.h"
#include "ui/first_steps/lesson_pane.h"
#include "ui/look/settings.h"
#include "ui/timeline/view/timeline_view.h"

namespace lanelab::test {
namespace {

const QString kRuns = QStringLiteral(LANELAB_SOURCE_DIR "/resources/runs");

std::vector<MainWindow::Example> demoAlone() {
  return {{"Demo", *readExperiment(LANELAB_SOURCE_DIR "/resources/experiments/demo.json")}};
}

class FirstMinuteOfAUser : public testing::Test {
 protected:
  FirstMinuteOfAUser() { look::Settings().clear(); }
  bool begin() {
    w.window->welcome();
    return waitFor([&] { return w.window->shownRun().trace("Pipeline") != nullptr; });
  }
  QWidget* strip() const { return w.find<QWidget>("welcomeStrip"); }
  TimelineView& timeline() const { return *w.find<TimelineView>("timeline"); }

  WindowWorld w{{}, demoAlone(), {}, {}, {}, std::make_shared<RecordedRuns>(kRuns)};
};

TEST_F(FirstMinuteOfAUser, ShowsTheDemoPlayedAndWhoseTimesTheseAre) {
  ASSERT_TRUE(FirstMinute::isDue());
  ASSERT_TRUE(begin());
  EXPECT_TRUE(strip()->isVisible());
  EXPECT_NE(timeline().trace(), nullptr);
  EXPECT_EQ(w.find<QTableWidget>("comparisonTable")->rowCount(), 3);
  const QString recorded = w.find<QLabel>("welcomeRecorded")->text();
  EXPECT_TRUE(recorded.contains("as another machine ran it") && recorded.contains("in about")) << qPrintable(recorded);
  const auto* board = w.find<BoardView>("board");
  EXPECT_TRUE(board->isVisible()) << "it is the open experiment's run";
  EXPECT_FALSE(board->forecast().estimateError()) << "another machine's times say nothing of this one's estimate";
  auto* run = w.find<QPushButton>("welcomeRun");
  EXPECT_TRUE(waitFor([&] { return run->text().contains("Here ("); })) << qPrintable(run->text());
  EXPECT_TRUE(FirstMinute::isDue()) << "nothing was done yet";
}

TEST_F(FirstMinuteOfAUser, EndsWithTheFirstRun) {
  ASSERT_TRUE(begin());
  w.find<QPushButton>("welcomeRun")->click();
  ASSERT_TRUE(waitFor([&] { return w.window->controller().running() || w.record(); }));
  EXPECT_FALSE(strip()->isVisible());
  EXPECT_FALSE(FirstMinute::isDue());
  ASSERT_TRUE(waitFor([&] { return !w.window->controller().running() && w.record(); }));
  EXPECT_FALSE(w.window->shownRun().isRecordedElsewhere());
}

TEST_F(FirstMinuteOfAUser, IsClosedByTheUserAndComesBackFromTheMenu) {
  ASSERT_TRUE(begin());
  w.find<QToolButton>("closeWelcome")->click();
  EXPECT_FALSE(strip()->isVisible());
  EXPECT_EQ(w.record(), nullptr);
  EXPECT_FALSE(FirstMinute::isDue());
  w.trigger("welcome");
  ASSERT_TRUE(waitFor([&] { return w.record() != nullptr; }));
  EXPECT_TRUE(strip()->isVisible());
}

TEST_F(FirstMinuteOfAUser, AMessageTakesThePlaceOfTheStripUntilItIsClosed) {
  ASSERT_TRUE(begin());
  w.window->messages().inform("Saved.");
  EXPECT_FALSE(strip()->isVisible());
  w.window->messages().clear();
  EXPECT_TRUE(strip()->isVisible());
}

TEST_F(FirstMinuteOfAUser, LeavesAnotherExperimentAlone) {
  w.window->document().edit("steps", [](Experiment& e) { e.data.steps = 7; });
  w.window->welcome();
  EXPECT_FALSE(waitFor([&] { return w.record() != nullptr; }, 500));
  EXPECT_FALSE(strip()->isVisible());
}

TEST_F(FirstMinuteOfAUser, ThreeWaysLeadOn) {
  ASSERT_TRUE(begin());
  w.find<QPushButton>("welcomeNetwork")->click();
  EXPECT_TRUE(waitFor([&] { return w.window->findChild<QDialog*>("importModelDialog") != nullptr; }));
  for (auto* dialog : w.window->findChildren<QDialog*>()) dialog->close();
  w.find<QPushButton>("welcomeTrace")->click();
  EXPECT_TRUE(waitFor([&] { return w.window->findChild<QDialog*>("openTraceDialog") != nullptr; }));
  for (auto* dialog : w.window->findChildren<QDialog*>()) dialog->close();
  w.find<QPushButton>("welcomeLessons")->click();
  EXPECT_TRUE(w.find<LessonPane>("lessons")->isVisible());
}

/// Of each lesson a wrong answer and the right one, found in the run by what the lesson is about.
struct Answers {
  const char* id;
  GivenAnswer wrong, right;
};

GivenAnswer variant(const char* name) { return {name, {}, {}}; }
GivenAnswer gapOf(Cause cause) {
  CauseTimes causes;
  causes[cause] = 5;
  return {{}, causes, {}};
}
GivenAnswer spanOf(Phase phase) {
  Span span;
  span.phase = phase;
  return {{}, {}, span};
}

std::vector<Answers> allAnswers() {
  return {{"micro-batches", variant("1 micro-batch"), variant("8 micro-batches")},
          {"cuts", gapOf(Cause::Fill), gapOf(Cause::Imbalance)},
          {"memory", variant("GPipe"), variant("1F1B")},
          {"zero-bubble", spanOf(Phase::Forward), spanOf(Phase::BackwardWeight)},
          {"replicas", variant("Pipeline"), variant("Replicas")}};
}

LessonWorld worldOf(RecordedRuns& runs, const Lesson& lesson) {
  const auto folder = runs.folderOf(lesson.run);
  EXPECT_TRUE(folder.ok()) << folder.error().message;
  LessonWorld world{std::make_shared<const RunRecord>(*readRun(*folder)), {}};
  for (const VariantRecord& of : world.record->variants)
    world.traces[QString::fromStdString(of.name)] = *readTrace(tracePathOf(*folder, of.name));
  return world;
}

TEST(Lessons, EachIsAnsweredByItsRun) {
  RecordedRuns runs(kRuns);
  const std::vector<Answers> answers = allAnswers();
  ASSERT_EQ(lessons().size(), answers.size());
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const Lesson& lesson = lessons()[i];
    ASSERT_EQ(lesson.id, answers[i].id);
    const LessonWorld world = worldOf(runs, lesson);
    EXPECT_TRUE(world.traces.count(lesson.shown)) << answers[i].id;
    const LessonVerdict wrong = lesson.check(world, answers[i].wrong), right = lesson.check(world, answers[i].right);
    EXPECT_FALSE(wrong.right) << answers[i].id;
    EXPECT_TRUE(right.right) << answers[i].id << ": " << qPrintable(right.sentence);
    EXPECT_TRUE(right.sentence.startsWith("Right: ")) << answers[i].id;
    EXPECT_NE(wrong.sentence, right.sentence);
  }
}

/// What the texts say of the runs holds for those that are bundled.
TEST(Lessons, TheirRunsShowWhatTheyAreAbout) {
  RecordedRuns runs(kRuns);
  const auto causesOf = [](const LessonWorld& world, const char* name) {
    return explainActions(*world.traces.at(QString::fromLatin1(name)));
  };
  const auto step = [](const LessonWorld& world, const char* name) {
    return world.record->find(name)->stepMedians().front();
  };
  const LessonWorld cuts = worldOf(runs, lessons()[1]);
  const IdleCauses early = causesOf(cuts, "Early cut");
  CauseTimes all;
  for (const LaneCauses& lane : early.lanes) all += lane.causes;
  EXPECT_EQ(all.largest(), Cause::Imbalance);
  EXPECT_GT(step(cuts, "Early cut"), step(cuts, "Even cut"));
  const LessonWorld zero = worldOf(runs, lessons()[3]);
  EXPECT_LT(bubbleShares(causesOf(zero, "ZB-H1")).of_total, bubbleShares(causesOf(zero, "1F1B")).of_total);
  const LessonWorld memory = worldOf(runs, lessons()[2]);
  EXPECT_LT(1.3 * static_cast<double>(memory.record->find("1F1B")->lanes[0].peak_bytes),
            static_cast<double>(memory.record->find("GPipe")->lanes[0].peak_bytes));
}

TEST_F(FirstMinuteOfAUser, ALessonIsAnsweredOnTheTimeline) {
  w.trigger("lessons");
  auto* pane = w.find<LessonPane>("lessons");
  pane->choose(1);
  auto* check = w.find<QPushButton>("lessonCheck");
  EXPECT_FALSE(check->isVisible()) << "the run is not shown yet";
  w.find<QPushButton>("lessonStart")->click();
  ASSERT_TRUE(waitFor([&] { return w.window->shownRun().isViewed() && timeline().trace(); }));
  ASSERT_TRUE(waitFor([&] { return timeline().trace()->title == "Early cut"; }));
  EXPECT_FALSE(check->isEnabled()) << "no gap is selected";
  const IdleCauses causes = explainActions(*timeline().trace());
  for (const GapPlace& place : longestGaps(causes)) {
    if (place.lane->causesOf(*place.gap).largest() != Cause::Imbalance) continue;
    ASSERT_TRUE(timeline().goToGap(place.lane->lane, place.gap->range));
    break;
  }
  ASSERT_TRUE(check->isEnabled());
  check->click();
  EXPECT_TRUE(w.find<QLabel>("lessonVerdict")->text().startsWith("Right: "))
      << qPrintable(w.find<QLabel>("lessonVerdict")->text());
  auto* next = w.find<QPushButton>("lessonNext");
  EXPECT_TRUE(next->isVisible());
  next->click();
  EXPECT_EQ(pane->lesson().id, "memory");
  ASSERT_TRUE(waitFor([&] { return w.record() && w.record()->experiment.name == "orders"; }));
  const auto choices = pane->findChildren<QRadioButton*>();
  ASSERT_EQ(choices.size(), 2);
  choices[0]->click();
  EXPECT_TRUE(check->isEnabled());
}

TEST(RecordedRunsOfTheProgram, AreReadOnceAndNoOtherIsFound) {
  RecordedRuns runs(kRuns);
  EXPECT_THAT(runs.names(), testing::Contains(QStringLiteral("demo")));
  const auto first = runs.folderOf("demo"), again = runs.folderOf("demo");
  ASSERT_TRUE(first.ok()) << first.error().message;
  EXPECT_EQ(*first, *again);
  EXPECT_EQ(readRun(*first)->experiment, demoAlone().front().experiment) << "record the runs again";
  const auto none = runs.folderOf("none");
  ASSERT_FALSE(none.ok());
  EXPECT_NE(none.error().message.find("none"), std::string::npos);
}

}  // namespace
}  // namespace lanelab::test
