// SPDX-License-Identifier: GPL-3.0-only
// To close the window and start again leads to where the user was.
#include <gmock/gmock.h>

#include "tests/gui/sessions/session_world.h"
#include "ui/timeline/view/timeline_view.h"

namespace lanelab::test {
namespace {

using ::testing::HasSubstr;

void chooseSetting(const char* key, const QVariant& value) { look::Settings().setValue(QLatin1String(key), value); }

TEST(Session, AFirstStartOpensTheExample) {
  const SessionPlace place;
  const StartedWindow first(place);
  EXPECT_FALSE(first.restored);
  EXPECT_EQ(first.document().experiment().name, "small");
  EXPECT_FALSE(first.isModified());
}

TEST(Session, ReopensTheFileItsVariantAndItsRun) {
  const SessionPlace place;
  const QString path = place.write("mine.json");
  QString run;
  {
    const StartedWindow w(place, path);
    w.trigger("run");
    ASSERT_TRUE(w.runs());
    run = w.window->shownRun().folder();
    w.document().activateVariant("Model parallel");
    ASSERT_TRUE(w.closes());
  }
  const StartedWindow again(place);
  EXPECT_TRUE(again.restored);
  EXPECT_EQ(again.document().path(), path);
  EXPECT_FALSE(again.isModified());
  EXPECT_EQ(again.document().activeVariantName(), "Model parallel");
  ASSERT_TRUE(again.runs());
  EXPECT_EQ(again.window->shownRun().folder(), run);
  EXPECT_FALSE(again.window->shownRun().isViewed());
  EXPECT_EQ(again.message(), "") << "there is nothing to say";
}

TEST(Session, ReopensAViewedRunBesideTheExperiment) {
  const SessionPlace place;
  QString run;
  {
    const StartedWindow w(place);
    w.trigger("run");
    ASSERT_TRUE(w.runs());
    run = w.window->shownRun().folder();
    w.window->openPath(run);
    ASSERT_TRUE(waitFor([&] { return w.window->shownRun().isViewed(); }));
    ASSERT_TRUE(w.closes());
  }
  const StartedWindow again(place);
  ASSERT_TRUE(waitFor([&] { return again.window->shownRun().isViewed(); }));
  EXPECT_EQ(again.window->shownRun().folder(), run);
}

TEST(Session, ReopensTheOwnRunBehindALesson) {
  const SessionPlace place;
  QString run;
  {
    const StartedWindow w(place, place.write("mine.json"));
    w.trigger("run");
    ASSERT_TRUE(w.runs());
    run = w.window->shownRun().folder();
    w.window->findChild<QPushButton*>("lessonStart")->click();
    ASSERT_TRUE(waitFor([&] { return w.window->shownRun().isViewed(); }));
    EXPECT_NE(w.window->shownRun().folder(), run);
    ASSERT_TRUE(w.closes());
  }
  const StartedWindow again(place);
  ASSERT_TRUE(again.runs());
  EXPECT_EQ(again.window->shownRun().folder(), run) << "the lesson's run is in no folder of the user";
  EXPECT_FALSE(again.window->shownRun().isViewed());
}

TEST(Session, ReopensATrace) {
  const SessionPlace place;
  const QString trace = QStringLiteral(LANELAB_SOURCE_DIR "/tests/data/traces/kineto.json");
  ASSERT_TRUE(QFile::exists(trace));
  const auto shows_trace = [](const StartedWindow& w) {
    return waitFor([&] { return w.window->findChild<TimelineView*>("timeline")->trace() != nullptr; });
  };
  {
    const StartedWindow w(place);
    w.window->openPath(trace);
    ASSERT_TRUE(shows_trace(w)) << w.message();
    ASSERT_TRUE(w.closes());
  }
  const StartedWindow again(place);
  EXPECT_TRUE(shows_trace(again)) << again.message();
  EXPECT_EQ(again.window->shownRun().record(), nullptr);
}

TEST(Session, IsCalmWithoutARunThatWasDeleted) {
  const SessionPlace place;
  {
    const StartedWindow w(place);
    w.trigger("run");
    ASSERT_TRUE(w.runs());
    ASSERT_TRUE(w.closes());
  }
  ASSERT_TRUE(QDir(place.runs()).removeRecursively());
  const StartedWindow again(place);
  EXPECT_TRUE(again.restored);
  EXPECT_EQ(again.message(), "");
  EXPECT_EQ(again.window->shownRun().record(), nullptr);
}

TEST(Session, ReopensAnExperimentThatWasNeverSavedByItsText) {
  const SessionPlace place;
  {
    const StartedWindow w(place);
    Experiment other = smallExperiment();
    other.name = "another";
    w.window->openExperiment(other, {});
    ASSERT_TRUE(w.closes());
  }
  const StartedWindow again(place);
  EXPECT_EQ(again.document().experiment().name, "another");
  EXPECT_EQ(again.document().path(), "");
  EXPECT_FALSE(again.isModified());
}

TEST(Session, ReopensTheTextOfAFileThatIsGone) {
  const SessionPlace place;
  const QString path = place.write("mine.json");
  ASSERT_TRUE(StartedWindow(place, path).closes());
  ASSERT_TRUE(QFile::remove(path));
  const StartedWindow again(place);
  EXPECT_EQ(again.document().experiment(), smallExperiment());
  EXPECT_EQ(again.document().path(), "");
  EXPECT_THAT(again.message(), HasSubstr("mine.json cannot be read any more"));
}

TEST(Session, APathOnTheCommandLineComesFirst) {
  const SessionPlace place;
  ASSERT_TRUE(StartedWindow(place, place.write("mine.json")).closes());
  const QString other = place.write("other.json");
  const StartedWindow again(place, other);
  EXPECT_FALSE(again.restored);
  EXPECT_EQ(again.document().path(), other);
}

TEST(Session, ASettingTurnsItOff) {
  const SessionPlace place;
  ASSERT_TRUE(StartedWindow(place, place.write("mine.json")).closes());
  chooseSetting("session/reopen", false);
  EXPECT_FALSE(StartedWindow(place).restored);
  look::Settings().clear();
}

TEST(Session, WhatWasDiscardedWhenTheWindowClosedIsNotReopened) {
  const SessionPlace place;
  const QString path = place.write("mine.json");
  {
    const StartedWindow w(place, path);
    w.edit(7);
    w.window->close();
    w.answer("unsavedBox", "Discard");
    ASSERT_TRUE(waitFor([&] { return !w.window->isVisible(); }));
  }
  const StartedWindow again(place);
  EXPECT_EQ(again.document().experiment(), smallExperiment());
  EXPECT_FALSE(again.isModified());
}

TEST(Session, UnsavedEditsReopenIfTheUserIsNotToBeAsked) {
  const SessionPlace place;
  const QString path = place.write("mine.json");
  chooseSetting("ask/unsaved", false);
  for (const bool reopen : {true, false}) {
    chooseSetting("session/reopen", reopen);
    {
      const StartedWindow w(place, path);
      w.edit(7);
      ASSERT_TRUE(w.closes()) << "nothing is asked";
    }
    const StartedWindow again(place);
    EXPECT_EQ(again.document().experiment().data.steps, 7);
    EXPECT_EQ(again.document().path(), path);
    EXPECT_TRUE(again.isModified());
    EXPECT_EQ(again.message(), "") << "the user closed it so";
    again.document().undoStack()->undo();
    ASSERT_TRUE(again.closes());
  }
  look::Settings().clear();
}

TEST(Session, IsAValueThatPrintsAndReadsBack) {
  const SessionState state{"/a/b.json", "{}", "{\"x\": 1}", "Pipeline", {ShownPlace::Kind::Trace, "/t"}, 1234567, true};
  const Result<SessionState> read = parseSession(toJson(state), "here");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(*read, state);
  EXPECT_FALSE(parseSession("{\"schema\": 99, \"saved\": \"\"}", "here").ok());
  EXPECT_FALSE(parseSession("no JSON", "here").ok());
}

}  // namespace
}  // namespace lanelab::test
