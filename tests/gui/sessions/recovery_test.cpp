// SPDX-License-Identifier: GPL-3.0-only
// Unsaved edits outlive a window that was killed, and nothing that another program or window wrote is lost to them.
#include <gmock/gmock.h>

#include <QTableWidget>
#include <atomic>

#include "tests/gui/sessions/session_world.h"
#include "tests/support/file_content.h"

namespace lanelab::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// A window on `path` that is killed after an edit.
void loseEdits(const SessionPlace& place, int steps, const QString& path = {}) {
  const StartedWindow w(place, path);
  w.edit(steps);
  ASSERT_TRUE(isStored(place, steps));
}

TEST(Recovery, EditsComeBackAfterTheProgramWasKilled) {
  const SessionPlace place;
  const QString path = place.write("mine.json");
  loseEdits(place, 7, path);
  const StartedWindow again(place);
  EXPECT_EQ(again.document().experiment().data.steps, 7);
  EXPECT_EQ(again.document().path(), path);
  EXPECT_TRUE(again.isModified());
  EXPECT_THAT(again.message(), StartsWith("Restored unsaved edits of small from "));
  EXPECT_EQ(again.window->messages().kind(), MessageStrip::Kind::Information);
  again.document().undoStack()->undo();
  EXPECT_EQ(again.document().experiment(), smallExperiment());
}

TEST(Recovery, EditsOfAnExperimentThatWasNeverSavedComeBack) {
  const SessionPlace place;
  loseEdits(place, 7);
  const StartedWindow again(place);
  EXPECT_EQ(again.document().experiment().data.steps, 7);
  EXPECT_EQ(again.document().path(), "");
  EXPECT_TRUE(again.isModified());
}

TEST(Recovery, EditsComeBackAsTheyWereWithAnotherModel) {
  const SessionPlace place;
  Experiment other = smallExperiment();
  other.model.arch = "resnet50";
  for (VariantConfig& variant : other.variants)
    if (variant.cuts) variant.cuts = std::vector<std::string>{"layer2.3"};
  {
    const StartedWindow w(place);
    w.document().replaceBy("all of it", other);
    other = w.document().experiment();
    ASSERT_TRUE(waitFor([&] { return !place.stored().empty() && place.stored().front().isUnsaved(); }));
  }
  EXPECT_EQ(StartedWindow(place).document().experiment(), other);
}

TEST(Recovery, EditsComeBackAgainIfTheyWereNotSavedThen) {
  const SessionPlace place;
  loseEdits(place, 7, place.write("mine.json"));
  { const StartedWindow killed_at_once(place); }
  EXPECT_EQ(StartedWindow(place).document().experiment().data.steps, 7);
}

TEST(Recovery, TheFileOnTheCommandLineBringsItsOwnEditsOnly) {
  const SessionPlace place;
  const QString path = place.write("mine.json"), other = place.write("other.json");
  loseEdits(place, 7, path);
  {
    const StartedWindow w(place, other);
    EXPECT_FALSE(w.restored);
    EXPECT_FALSE(w.isModified());
    ASSERT_TRUE(w.closes());
  }
  const StartedWindow again(place, path);
  EXPECT_TRUE(again.restored);
  EXPECT_EQ(again.document().experiment().data.steps, 7) << "they waited";
}

TEST(Recovery, ComesAlsoIfNothingIsToBeReopened) {
  const SessionPlace place;
  loseEdits(place, 7);
  look::Settings().setValue("session/reopen", false);
  EXPECT_EQ(StartedWindow(place).document().experiment().data.steps, 7);
  look::Settings().clear();
}

TEST(Recovery, DiscardLeadsToTheSavedExperimentAndRedoBack) {
  const SessionPlace place;
  loseEdits(place, 7, place.write("mine.json"));
  const StartedWindow again(place);
  again.choose("Discard");
  EXPECT_EQ(again.document().experiment(), smallExperiment());
  EXPECT_FALSE(again.isModified());
  again.document().undoStack()->redo();
  EXPECT_EQ(again.document().experiment().data.steps, 7);
}

TEST(Recovery, DifferencesAreShownByTheirSettings) {
  const SessionPlace place;
  loseEdits(place, 7, place.write("mine.json"));
  const StartedWindow again(place);
  again.choose("Show Differences");
  const auto* table = again.window->findChild<QTableWidget*>("restoredDifferences");
  ASSERT_NE(table, nullptr);
  ASSERT_EQ(table->rowCount(), 1);
  EXPECT_EQ(table->item(0, 0)->text(), "data.steps");
  EXPECT_EQ(table->item(0, 1)->text(), QString::number(smallExperiment().data.steps));
  EXPECT_EQ(table->item(0, 2)->text(), "7");
  again.window->findChild<QPushButton*>("discardEdits")->click();
  EXPECT_FALSE(again.isModified());
}

TEST(Recovery, EditsAreStoredBeforeARunStarts) {
  const SessionPlace place;
  const StartedWindow w(place);
  w.edit(7);
  bool stored = false;
  QObject::connect(&w.window->controller(), &RunController::started, w.window.get(), [&] {
    for (const SessionState& state : place.stored()) stored = stored || state.isUnsaved();
  });
  w.trigger("run");
  EXPECT_TRUE(waitFor([&] { return w.window->shownRun().record() != nullptr; }));
  EXPECT_TRUE(stored);
}

TEST(Recovery, SavedEditsLeaveNothingToRestore) {
  const SessionPlace place;
  const QString path = place.write("mine.json");
  {
    const StartedWindow w(place, path);
    w.edit(7);
    ASSERT_TRUE(isStored(place, 7));
    w.trigger("save");
    ASSERT_TRUE(waitFor([&] { return !place.stored().front().isUnsaved(); }));
  }
  const StartedWindow again(place);
  EXPECT_EQ(again.document().experiment().data.steps, 7);
  EXPECT_FALSE(again.isModified());
  EXPECT_EQ(again.message(), "");
}

TEST(Recovery, AFileThatChangedMeanwhileIsNoticedAndNotReplacedSilently) {
  const SessionPlace place;
  const QString path = place.write("mine.json");
  loseEdits(place, 7, path);
  Experiment theirs = smallExperiment();
  theirs.repeats = 9;
  place.write("mine.json", theirs);
  const std::string before = contentOf(path.toStdString());
  const StartedWindow again(place);
  EXPECT_THAT(again.message(), AllOf(HasSubstr("Restored unsaved edits"), HasSubstr("changed by another program")));
  again.trigger("save");
  again.answer("changedFileBox", "Cancel");
  EXPECT_EQ(contentOf(path.toStdString()), before);
  again.document().undoStack()->undo();
  EXPECT_EQ(again.document().experiment(), theirs) << "undo leads to what the file has now";
  again.document().undoStack()->redo();
  again.trigger("save");
  again.answer("changedFileBox", "Replace");
  EXPECT_TRUE(waitFor([&] { return !again.isModified(); }));
  EXPECT_NE(contentOf(path.toStdString()), before);
}

TEST(Recovery, SavingAsksBeforeItReplacesWhatAnotherProgramWrote) {
  const SessionPlace place;
  const QString path = place.write("mine.json");
  const StartedWindow w(place, path);
  w.edit(7);
  w.trigger("save");
  EXPECT_FALSE(w.isModified()) << "nobody else wrote it";
  w.edit(8);
  place.write("mine.json");
  w.trigger("save");
  EXPECT_TRUE(w.isModified());
  w.answer("changedFileBox", "Replace");
  EXPECT_TRUE(waitFor([&] { return !w.isModified(); }));
}

TEST(Recovery, TwoWindowsStoreEachItsOwn) {
  const SessionPlace place;
  const QString one = place.write("one.json"), two = place.write("two.json");
  {
    const StartedWindow a(place, one), b(place, two);
    a.edit(7);
    b.edit(8);
    ASSERT_TRUE(isStored(place, 7));
    ASSERT_TRUE(isStored(place, 8));
    const StartedWindow beside(place);
    EXPECT_FALSE(beside.restored) << "both are open";
    ASSERT_TRUE(beside.closes());
  }
  const StartedWindow first(place), second(place);
  EXPECT_THAT(first.message(), HasSubstr("1 other window"));
  EXPECT_EQ(first.document().experiment().data.steps + second.document().experiment().data.steps, 7 + 8);
  EXPECT_NE(first.document().path(), second.document().path());
}

TEST(Recovery, ADamagedFileIsLeftWhereItIs) {
  const SessionPlace place;
  ASSERT_TRUE(QDir().mkpath(QString::fromStdString(place.sessions())));
  const std::string damaged = place.sessions() + "/window-1-0.session";
  writeContent(damaged, "{\"schema\": 1, \"sav");
  EXPECT_FALSE(StartedWindow(place).restored);
  EXPECT_EQ(contentOf(damaged), "{\"schema\": 1, \"sav");
}

TEST(Recovery, AFolderThatCannotBeWrittenIsNamedAndEditsAreAskedAbout) {
  const SessionPlace place;
  writeContent(place.sessions(), "a file in the place of the folder");
  look::Settings().setValue("ask/unsaved", false);
  const StartedWindow w(place);
  EXPECT_THAT(w.message(), HasSubstr("cannot be made"));
  w.edit(7);
  w.window->close();
  w.answer("unsavedBox", "Discard");
  EXPECT_TRUE(waitFor([&] { return !w.window->isVisible(); }));
  look::Settings().clear();
}

}  // namespace
}  // namespace lanelab::test
