// SPDX-License-Identifier: GPL-3.0-only
// The plan of the variant in sight, written into folders by File > Export and copied by Edit > Copy Plan As.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>

#include "engine/record/run_store.h"
#include "tests/gui/window/window_world.h"
#include "tests/support/file_content.h"
#include "ui/board/board_view.h"
#include "ui/export/export_settings.h"
#include "ui/look/message_strip.h"
#include "ui/plan_export/plan_export_dialog.h"

namespace lanelab {
namespace {

using test::waitFor;
using testing::HasSubstr;
using testing::StartsWith;

/// GPT-2 in two stages, which all frameworks take.
Experiment tokens() {
  Experiment experiment = test::smallExperiment();
  experiment.name = "tokens";
  experiment.model = {};
  experiment.model.file = "shipped:gpt2-small.pt2";
  experiment.model.classes = 1024;
  experiment.data.shape = {64};
  experiment.data.batch = 4;
  for (VariantConfig& variant : experiment.variants)
    if (variant.cuts) variant.cuts = std::vector<std::string>{"transformer.h.6"};
  experiment.variants.back().split_size = 2;
  return experiment;
}

class PlanWindow : public ::testing::Test {
 protected:
  PlanWindow() { ExportSettings().remember("plan", w.place.path(), {}); }

  void open(const char* action) {
    w.trigger(action);
    dialog = w.find<PlanExportDialog>("planExportDialog");
    ASSERT_NE(dialog, nullptr);
    ASSERT_TRUE(QTest::qWaitForWindowExposed(dialog));
    ASSERT_TRUE(waitFor([&] { return !part<QLabel>("planFiles")->text().isEmpty(); }));
  }
  template <class T>
  T* part(const char* name) const {
    T* const found = dialog->findChild<T*>(QLatin1String(name));
    EXPECT_NE(found, nullptr) << name;
    return found;
  }
  void choose(const char* box, const QString& text) const {
    auto* const choices = part<QComboBox>(box);
    const int index = choices->findText(text);
    ASSERT_GE(index, 0) << text.toStdString();
    choices->setCurrentIndex(index);
  }
  bool says(const char* words) const {
    return waitFor([&] { return part<QLabel>("planSentence")->text().contains(QLatin1String(words)); });
  }
  std::string files() const { return part<QLabel>("planFiles")->text().toStdString(); }
  std::string said() const { return w.window->messages().sentence().toStdString(); }
  static std::string clipboard() { return QApplication::clipboard()->text().toStdString(); }

  test::WindowWorld w;
  PlanExportDialog* dialog = nullptr;
};

TEST_F(PlanWindow, WritesTheScriptOfTheVariantOnTheBoardAndOffersItsCommand) {
  w.window->document().setActiveVariant(2);
  open("exportScript");
  EXPECT_EQ(part<QComboBox>("planVariant")->currentText(), "Pipeline");
  EXPECT_THAT(files(), HasSubstr("network.py, plan.py, schedule.csv, train.py"));
  EXPECT_EQ(part<QLineEdit>("planCommand")->text(), "torchrun --nproc-per-node 2 train.py");
  ASSERT_TRUE(part<QPushButton>("planExport")->isEnabled());
  QTest::keyClick(dialog->focusWidget(), Qt::Key_Return);
  ASSERT_TRUE(waitFor([&] { return said().starts_with("Saved"); }))
      << part<QLabel>("planSentence")->text().toStdString();
  const QString folder = w.place.filePath("small-pipeline-pytorch");
  for (const char* name : {"train.py", "plan.py", "network.py", "schedule.csv", "weights.json", "README.md"})
    EXPECT_TRUE(QFile::exists(QDir(folder).filePath(name))) << name;
  EXPECT_THAT(said(), HasSubstr("Train with torchrun --nproc-per-node 2 train.py in " + folder.toStdString()));
  EXPECT_EQ(w.find<QPushButton>("messageAction2")->text(), "&Open");
  EXPECT_EQ(w.find<QPushButton>("messageAction3")->text(), "Show &Folder");
  EXPECT_TRUE(w.find<QPushButton>("messageAction3")->isVisible());
  w.find<QPushButton>("messageAction")->click();
  EXPECT_EQ(clipboard(), "cd " + folder.toStdString() + " && torchrun --nproc-per-node 2 train.py");
}

TEST_F(PlanWindow, ASecondExportHasAFolderOfItsOwnAndAFullOneIsRefused) {
  open("exportScript");
  part<QPushButton>("planExport")->click();
  ASSERT_TRUE(waitFor([&] { return said().starts_with("Saved"); }));
  QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  open("exportScript");
  const QString first = w.place.filePath("small-pipeline-pytorch");
  EXPECT_EQ(part<QLineEdit>("planFolder")->placeholderText(), first + "-2");
  part<QLineEdit>("planFolder")->setText(first);
  ASSERT_TRUE(waitFor([&] { return part<QPushButton>("planExport")->isEnabled(); }));
  part<QPushButton>("planExport")->click();
  EXPECT_THAT(part<QLabel>("planFolderProblem")->text().toStdString(), HasSubstr("is not an empty folder"));
  EXPECT_EQ(dialog->focusWidget(), part<QWidget>("planFolder"));
  EXPECT_TRUE(dialog->isVisible());
}

TEST_F(PlanWindow, RefusesWhatATargetCannotExpressBeforeAnythingIsWritten) {
  const std::pair<const char*, const char*> rows[] = {{"Megatron-LM", "Megatron-LM has micro-batches of one size"},
                                                      {"DeepSpeed", "DeepSpeed has micro-batches of one size"},
                                                      {"torchtitan", "torchtitan has micro-batches of one size"}};
  w.window->document().edit("uneven", [](Experiment& e) {
    e.data.batch = 5;
    e.variants.back().split_size = 3;
  });
  w.window->document().setActiveVariant(2);
  open("exportPlan");
  for (const auto& [target, refusal] : rows) {
    choose("planTarget", QLatin1String(target));
    EXPECT_TRUE(says(refusal)) << part<QLabel>("planSentence")->text().toStdString();
    EXPECT_FALSE(part<QPushButton>("planExport")->isEnabled());
    EXPECT_EQ(files(), "none");
  }
  choose("planTarget", "accelerate");
  EXPECT_TRUE(says("which computes on one device at a time"));
  EXPECT_TRUE(part<QPushButton>("planExport")->isEnabled());
}

TEST_F(PlanWindow, ListsTheFilesOfEachStageBeforePythonWritesThem) {
  w.window->document().setActiveVariant(2);
  open("exportStages");
  EXPECT_EQ(files(), "stage0.pt2, stage0.safetensors, stage1.pt2, stage1.safetensors, stages.json");
  EXPECT_TRUE(says("Python with PyTorch writes them: "));
  EXPECT_FALSE(part<QPushButton>("planCopy")->isVisible()) << "there is no command";
}

TEST_F(PlanWindow, AFailedPythonLeavesNothingAndIsQuoted) {
  const QString python = w.place.filePath("python");
  test::writeContent(python.toStdString(), "#!/bin/sh\necho 'No module named torch' >&2; exit 1\n");
  ASSERT_TRUE(QFile(python).setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
  qputenv("LANELAB_PYTHON", python.toUtf8());
  open("exportStages");
  part<QPushButton>("planExport")->click();
  EXPECT_TRUE(says("Its last message: No module named torch"));
  qunsetenv("LANELAB_PYTHON");
  EXPECT_FALSE(QFile::exists(w.place.filePath("small-pipeline-stages")));
  EXPECT_TRUE(part<QPushButton>("planExport")->isEnabled());
}

TEST_F(PlanWindow, OfAViewedRunItIsTheVariantThatIsShown) {
  ASSERT_TRUE(w.runToTheEnd());
  const QString folder = w.window->shownRun().folder();
  w.window->openExperiment(tokens(), {});
  w.window->openPath(folder);
  ASSERT_TRUE(waitFor([&] { return w.window->shownRun().isViewed(); }));
  open("exportScript");
  const auto* const variants = part<QComboBox>("planVariant");
  EXPECT_EQ(variants->count(), 3);
  EXPECT_THAT(files(), HasSubstr("train.py"));
  dialog->reject();
  w.trigger("copyForAccelerate");
  ASSERT_TRUE(waitFor([&] { return said().starts_with("Copied"); })) << said();
  EXPECT_THAT(clipboard(), HasSubstr("\"layer3.0\"")) << "a ResNet, not the open experiment";
  EXPECT_THAT(said(), testing::Not(HasSubstr("redicted")));
}

TEST_F(PlanWindow, NeedsAVariantInSight) {
  w.window->openPath(QStringLiteral(LANELAB_SOURCE_DIR "/tests/data/gaps/kernels.json"));
  ASSERT_TRUE(waitFor([&] { return !w.window->action("exportScript")->isEnabled(); }));
  EXPECT_FALSE(w.window->action("copyForMegatron")->isEnabled());
  w.trigger("closeRun");
  EXPECT_TRUE(w.window->action("exportScript")->isEnabled());
}

class PlanCopies : public PlanWindow {
 protected:
  std::string copied(const char* action) {
    w.window->messages().clear();
    w.trigger(action);
    EXPECT_TRUE(waitFor([&] { return !said().empty(); }));
    return clipboard();
  }
};

TEST_F(PlanCopies, AreWhatUsersPasteIntoEachFramework) {
  w.window->openExperiment(tokens(), {});
  ASSERT_TRUE(w.window->document().problems().empty()) << w.window->document().problems().front().message;
  EXPECT_THAT(copied("copyForAccelerate"), HasSubstr("\"transformer.h.6\": 1"));
  EXPECT_THAT(copied("copyForTorchtitan"), StartsWith("module_fqns_per_model_part=[["));
  EXPECT_EQ(copied("copyForMegatron"), "--pipeline-model-parallel-layout \"Et*6|t*6L\"\n");
  EXPECT_THAT(copied("copyForDeepspeed"), HasSubstr("class PlannedPipelineModule(PipelineModule):"));
}

TEST_F(PlanCopies, ARefusalIsASentenceAndTheClipboardStays) {
  QApplication::clipboard()->setText("mine");
  w.window->document().setActiveVariant(2);
  EXPECT_EQ(copied("copyForMegatron"), "mine");
  EXPECT_THAT(said(), StartsWith("Megatron-LM lays out an embedding, equal layers and a head"));
  EXPECT_EQ(w.window->messages().kind(), MessageStrip::Kind::Error);
}

TEST_F(PlanCopies, HaveThePredictedGainOverTheFirstVariantBesideThem) {
  auto* const menu = w.find<QMenu>("copyPlanMenu");
  QAction* const heading = menu->actions().front();
  const auto gain = [&](int variant) {
    w.window->document().setActiveVariant(variant);
    EXPECT_TRUE(waitFor([&] { return w.find<BoardView>("board")->forecast().present().has_value(); }));
    Q_EMIT menu->aboutToShow();
    return heading->isVisible() ? heading->text().toStdString() : std::string();
  };
  EXPECT_EQ(gain(0), "") << "the first one itself";
  EXPECT_THAT(gain(2), testing::MatchesRegex("Predicted [0-9.]+ % faster than Single \\(estimated from MACs\\)"));
  EXPECT_GE(menu->minimumWidth(), menu->fontMetrics().horizontalAdvance(heading->text())) << "it is not cut";
  copied("copyForAccelerate");
  EXPECT_THAT(said(), HasSubstr("Copied for accelerate. Predicted "));
  w.window->document().edit("cannot run", [](Experiment& e) { e.data.batch = 0; });
  Q_EMIT menu->aboutToShow();
  EXPECT_FALSE(heading->isVisible()) << "nothing is predicted";
}

TEST_F(PlanCopies, AreInTheMenuOfTheBoardToo) {
  auto* const board = w.find<BoardView>("board");
  QStringList entries;
  QTimer::singleShot(0, w.window.get(), [&] {
    auto* const menu = board->findChild<QMenu*>("blockMenu");
    if (!menu) return;
    for (const QAction* const action : menu->actions()) entries << action->text();
    menu->close();
  });
  QContextMenuEvent click(QContextMenuEvent::Keyboard, QPoint(), board->mapToGlobal(QPoint(9, 9)));
  QApplication::sendEvent(board->viewport(), &click);
  EXPECT_TRUE(entries.contains("Copy &Plan As")) << entries.join(", ").toStdString();
}

}  // namespace
}  // namespace lanelab
