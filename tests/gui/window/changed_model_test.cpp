// SPDX-License-Identifier: GPL-3.0-only
// A model file that is written again while its experiment is open: the window follows it, and a run trains what the
// file holds then.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QFile>
#include <QUndoStack>

#include "engine/experiment/model_file.h"
#include "tests/gui/window/window_world.h"
#include "tests/support/file_content.h"
#include "ui/board/board_view.h"
#include "ui/experiment/experiment_document.h"
#include "ui/look/message_strip.h"

namespace lanelab {
namespace {

using test::waitFor;
using testing::HasSubstr;

class ChangedModel : public ::testing::Test {
 protected:
  void SetUp() override {
    write("unet");
    w.window->openPath(file());
    ASSERT_TRUE(waitFor([&] { return document().model().arch == "net"; }));
    ASSERT_EQ(document().model(), described());
    ASSERT_TRUE(document().problems().empty()) << document().problems().front().message;
  }

  QString file() const { return w.place.filePath("net.pt2"); }
  /// As an export does: aside, then renamed.
  void write(const char* name) const {
    const QString aside = w.place.filePath("aside");
    ASSERT_TRUE(QFile::copy(QStringLiteral(LANELAB_SOURCE_DIR "/tests/data/exported/%1.pt2").arg(name), aside));
    QFile::remove(file());
    ASSERT_TRUE(QFile::rename(aside, file()));
  }
  /// What the file holds now.
  ModelSpec described() const { return describeTrained(openModelFile(file().toStdString())->network).value(); }
  ExperimentDocument& document() const { return w.window->document(); }
  void expectTheNewNetwork() const {
    EXPECT_EQ(document().model(), described());
    EXPECT_EQ(w.find<BoardView>("board")->model(), described());
    EXPECT_TRUE(document().problems().empty()) << document().problems().front().message;
  }

  test::WindowWorld w;
};

TEST_F(ChangedModel, OpenedAgainAtTheSamePlaceShowsItsNewBlocks) {
  const ModelSpec before = document().model();
  write("resnet18");
  w.window->openPath(file());
  ASSERT_TRUE(waitFor([&] { return document().model() != before; }));
  expectTheNewNetwork();
}

TEST_F(ChangedModel, IsFollowedByAnyEdit) {
  write("resnet18");
  document().edit("repeats", [](Experiment& e) { e.repeats += 1; });
  expectTheNewNetwork();
}

TEST_F(ChangedModel, IsFollowedByAnEditThatChangesNothingElse) {
  write("resnet18");
  document().edit("nothing", [](Experiment&) {});
  expectTheNewNetwork();
  EXPECT_THAT(w.window->messages().sentence().toStdString(), HasSubstr("net.pt2 was written again"));
}

TEST_F(ChangedModel, TakesNoPlacementOfTheBlocksBefore) {
  const Placement before = document().activePlacement();
  write("resnet18");
  document().setPlacement("place", Placement{std::vector<LaneId>(before.lane_of_block.size(), LaneId(1))});
  expectTheNewNetwork();
  EXPECT_EQ(document().activePlacement().lane_of_block.size(), described().blocks.size());
}

TEST_F(ChangedModel, IsWhatARunTrains) {
  for (const char* next : {"resnet18", "unet"}) {  // more blocks, then fewer
    write(next);
    ASSERT_TRUE(w.runToTheEnd());
    expectTheNewNetwork();
    ASSERT_NE(w.record(), nullptr);
    EXPECT_EQ(w.record()->status, RunStatus::Done) << w.record()->error;
    EXPECT_EQ(w.record()->experiment, document().experiment());
  }
}

TEST_F(ChangedModel, ThatCannotBeReadAnyMoreIsNotRun) {
  test::writeContent(file().toStdString(), "no archive");
  w.trigger("run");
  EXPECT_FALSE(w.window->controller().running());
  EXPECT_THAT(w.window->messages().sentence().toStdString(), HasSubstr("model.file"));
  write("resnet18");
  ASSERT_TRUE(w.runToTheEnd());
  expectTheNewNetwork();
}

TEST_F(ChangedModel, ThatStaysAsItWasLeavesWhatTheUserTyped) {
  document().edit("classes", [](Experiment& e) { e.model.classes = 7; });
  const int edits = document().undoStack()->index();
  document().edit("repeats", [](Experiment& e) { e.repeats += 1; });
  w.trigger("run");
  EXPECT_EQ(document().experiment().model.classes, 7);
  EXPECT_EQ(document().undoStack()->index(), edits + 1);
  EXPECT_THAT(w.window->messages().sentence().toStdString(), HasSubstr("not 7"));
}

TEST_F(ChangedModel, OfWhichOnlyWeightsChangedIsTheSameNetwork) {
  const int edits = document().undoStack()->index();
  write("unet");
  document().edit("nothing", [](Experiment&) {});
  EXPECT_EQ(document().undoStack()->index(), edits);
  EXPECT_EQ(document().model(), described());
}

}  // namespace
}  // namespace lanelab
