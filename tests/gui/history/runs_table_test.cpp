// SPDX-License-Identifier: GPL-3.0-only
// The table of stored runs: what it shows, and what is done with runs from it.
#include <QClipboard>
#include <QDialog>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include "engine/library/run_labels.h"
#include "tests/gui/wait_for.h"
#include "tests/support/written_labels.h"
#include "tests/unit/library/library_world.h"
#include "ui/history/run_words.h"
#include "ui/history/runs_list.h"
#include "ui/history/runs_model.h"

namespace lanelab::test {
namespace {

/// The pane alone, over three runs: one that failed, two that are done.
class RunsTableTest : public LibraryTest {
 protected:
  RunsTableTest() {
    QSettings(QSettings::IniFormat, QSettings::UserScope, "lanelab", "lanelab").remove("runs");
    writeRun("first", doneRecord("first", "2026-01-02T03:04:05Z"));
    RunRecord failed = doneRecord("second", "2026-01-03T03:04:05Z");
    failed.status = RunStatus::Failed;
    failed.error = "no memory";
    writeRun("second", failed);
    RunRecord slow = doneRecord("third", "2026-01-04T03:04:05Z");
    for (auto& variant : slow.variants)
      for (auto& repeat : variant.repeats) repeat.seconds *= 2;
    EXPECT_TRUE(refreshStatistics(slow).ok());
    writeRun("third", slow);
    pane = std::make_unique<RunsList>(RunFolders{root.string(), {}, false});
    pane->resize(900, 400);
    pane->show();
    table = pane->findChild<QTableView*>("runs");
    EXPECT_TRUE(waitFor([&] { return table->model()->rowCount() == 3; }));
  }

  QString cell(int row, RunColumn column) const {
    return table->model()->index(row, static_cast<int>(column)).data().toString();
  }
  QStringList names() const {
    QStringList names;
    for (int row = 0; row < table->model()->rowCount(); ++row) names.append(cell(row, RunColumn::Name));
    return names;
  }
  QAction* action(const char* name) const { return pane->findChild<QAction*>(name); }
  void choose(const QString& name) const {
    table->setCurrentIndex(table->model()->index(static_cast<int>(names().indexOf(name)), 1));
  }
  template <class T>
  T* in(const char* dialog, const char* field) const {
    auto* found = pane->findChild<QDialog*>(dialog);
    return found ? found->findChild<T*>(field) : nullptr;
  }
  RunLabels labelsOf(const std::string& run) const { return readLabels(at(run)).value(); }

  std::unique_ptr<RunsList> pane;
  QTableView* table = nullptr;
};

TEST_F(RunsTableTest, ShowsTheNewestRunFirstWithWhatItMeasured) {
  EXPECT_EQ(names(), QStringList({"third", "second", "first"}));
  EXPECT_EQ(cell(2, RunColumn::Strategy), "pipeline");
  EXPECT_EQ(cell(2, RunColumn::MicroBatchSize), "2");
  EXPECT_FALSE(cell(2, RunColumn::SamplesPerSecond).isEmpty());
  EXPECT_EQ(cell(1, RunColumn::Status), "failed");
}

TEST_F(RunsTableTest, SortsByTheClickedColumn) {
  QHeaderView* const header = table->horizontalHeader();
  const int name = static_cast<int>(RunColumn::Name);
  choose("second");
  QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, {header->sectionViewportPosition(name) + 10, 5});
  EXPECT_EQ(names(), QStringList({"first", "second", "third"}));
  EXPECT_EQ(table->currentIndex().row(), 1) << "the selected run remains selected";
}

TEST_F(RunsTableTest, FindsRunsByWordsAndByStatus) {
  auto* search = pane->findChild<QLineEdit*>("runsSearch");
  QTest::keyClicks(search, "fir");
  EXPECT_EQ(names(), QStringList({"first"}));
  EXPECT_EQ(pane->findChild<QLabel*>("runsCount")->text(), "1 of 3");
  search->setText("nowhere");
  EXPECT_TRUE(pane->findChild<QWidget*>("runsNoMatch")->isVisible());
  search->clear();
  auto* menu = pane->findChild<QMenu*>("runsFilterMenu");
  Q_EMIT menu->aboutToShow();
  for (QAction* choice : menu->actions())
    if (choice->text() == "failed") choice->trigger();
  EXPECT_EQ(names(), QStringList({"second"}));
}

TEST_F(RunsTableTest, ARunIsRenamedInPlaceByF2) {
  choose("first");
  table->setFocus();
  action("renameRun")->trigger();
  auto* field = table->findChild<QLineEdit*>();
  ASSERT_NE(field, nullptr);
  field->setText("Best so far");
  QTest::keyClick(field, Qt::Key_Return);
  EXPECT_TRUE(waitFor([&] { return names().contains("Best so far"); }));
  EXPECT_EQ(labelsOf("first").name, "Best so far");
}

TEST_F(RunsTableTest, SeveralRunsGetATagAndRetainTheirOwn) {
  ASSERT_TRUE(test::writeLabels(at("first"), {{}, {"own"}, {}, false}).ok());
  pane->refresh();
  ASSERT_TRUE(waitFor([&] { return cell(2, RunColumn::Tags) == "own"; }));
  table->selectAll();
  action("tagRuns")->trigger();
  ASSERT_NE(in<QLineEdit>("tagsDialog", "tagsField"), nullptr);
  EXPECT_EQ(in<QLineEdit>("tagsDialog", "tagsField")->text(), "") << "not all have it";
  in<QLineEdit>("tagsDialog", "tagsField")->setText("night, lab");
  pane->findChild<QDialog*>("tagsDialog")->accept();
  EXPECT_EQ(labelsOf("first").tags, (std::vector<std::string>{"own", "night", "lab"}));
  EXPECT_EQ(labelsOf("third").tags, (std::vector<std::string>{"night", "lab"}));
}

TEST_F(RunsTableTest, ANoteAndAStarAreStoredWithTheRun) {
  choose("third");
  action("noteRun")->trigger();
  ASSERT_NE(in<QPlainTextEdit>("noteDialog", "noteField"), nullptr);
  in<QPlainTextEdit>("noteDialog", "noteField")->setPlainText("two\nlines");
  pane->findChild<QDialog*>("noteDialog")->accept();
  action("starRuns")->trigger();
  EXPECT_EQ(labelsOf("third").note, "two\nlines");
  EXPECT_TRUE(labelsOf("third").star);
  EXPECT_TRUE(waitFor([&] { return cell(0, RunColumn::Star) == QStringLiteral("\u2605"); }));
}

TEST_F(RunsTableTest, SpeedUpIsVsTheChosenBaseline) {
  choose("third");
  action("baselineRun")->trigger();
  EXPECT_EQ(cell(0, RunColumn::SpeedUp), "baseline");
  EXPECT_EQ(cell(2, RunColumn::SpeedUp), "2.00x (2.00 to 2.00), different runs");
}

TEST_F(RunsTableTest, DeletedRunsAreRestoredByUndo) {
  QString sentence;
  QObject::connect(pane.get(), &RunsList::deleted, [&](const QString& text) { sentence = text; });
  table->selectAll();
  action("deleteRun")->trigger();
  EXPECT_TRUE(waitFor([&] { return table->model()->rowCount() == 0; }));
  EXPECT_EQ(sentence, "Deleted 3 runs.");
  QObject::connect(pane.get(), &RunsList::done, [&](const QString& text) { sentence = text; });
  action("undoDeleteRun")->trigger();
  EXPECT_EQ(sentence, "Restored 3 runs.");
  EXPECT_FALSE(action("undoDeleteRun")->isEnabled());
  EXPECT_TRUE(waitFor([&] { return table->model()->rowCount() == 3; }));
}

TEST_F(RunsTableTest, TheCommandThatRepeatsARunIsCopied) {
  choose("first");
  action("copyRunCommand")->trigger();
  EXPECT_EQ(QGuiApplication::clipboard()->text(), QString::fromStdString("lanelab-cli run " + at("first")));
}

TEST_F(RunsTableTest, ARunThatAnotherProcessWritesAppearsAndEnds) {
  RunRecord record = doneRecord("fourth", "2026-01-05T03:04:05Z");
  record.status = RunStatus::Running;
  Result<RunFolder> folder = RunFolder::create(at("fourth"));
  ASSERT_TRUE(folder.ok() && folder->write(record).ok());
  ASSERT_TRUE(waitFor([&] { return names().contains("fourth") && cell(0, RunColumn::Status) == "running"; }));
  record.status = RunStatus::Done;
  ASSERT_TRUE(folder->write(record).ok());
  EXPECT_TRUE(waitFor([&] { return cell(0, RunColumn::Status) == "done"; }))
      << cell(0, RunColumn::Status).toStdString();
}

TEST_F(RunsTableTest, LabelsOfAnotherProcessAreReadWhenTheWindowIsUsedAgain) {
  ASSERT_TRUE(test::writeLabels(at("first"), {"By the command line", {}, {}, false}).ok());
  QEvent activated(QEvent::WindowActivate);
  QCoreApplication::sendEvent(pane.get(), &activated);
  EXPECT_TRUE(waitFor([&] { return names().contains("By the command line"); }));
}

TEST(RunWords, NamesWhatWasRunWhereNobodyNamedTheExperiment) {
  RunEntry run;
  run.experiment = kUnnamedExperiment;
  run.work.arch = "resnet18";
  run.work.batch = 32;
  run.variants = {{.name = "Pipeline", .strategy = "pipeline", .schedule = "1f1b", .micro_batch_size = 16}};
  run.shown = 0;
  const auto name = [&] { return run_words::cell(run, RunColumn::Name); };
  EXPECT_EQ(name(), "resnet18, 1F1B, 16");
  run.variants[0] = {.name = "Single", .strategy = "single", .schedule = "", .micro_batch_size = 32};
  EXPECT_EQ(name(), "resnet18, single");
  run.experiment = "tutorial";
  EXPECT_EQ(name(), "tutorial");
  run.labels.name = "Night";
  EXPECT_EQ(name(), "Night");
}

TEST_F(RunsTableTest, ChosenColumnsAreRemembered) {
  const int loss = static_cast<int>(RunColumn::Loss);
  auto* choice = pane->findChild<QAction*>("runColumn-loss");
  EXPECT_TRUE(table->isColumnHidden(loss));
  choice->trigger();
  EXPECT_FALSE(table->isColumnHidden(loss));
  RunsList other(RunFolders{root.string(), {}, false});
  EXPECT_FALSE(other.findChild<QTableView*>("runs")->isColumnHidden(loss));
  choice->trigger();
  EXPECT_TRUE(table->isColumnHidden(loss));
}

/// Another folder with one run, which is in no list at first.
struct OtherFolder {
  OtherFolder() {
    const std::string run = (folder.filePath("elsewhere")).toStdString();
    Result<RunFolder> written = RunFolder::create(run);
    EXPECT_TRUE(written.ok() && written->write(doneRecord("elsewhere", "2026-01-06T03:04:05Z")).ok());
  }
  ~OtherFolder() {
    const std::vector<std::string> added = addedRunFolders().value();
    for (const std::string& listed : added) EXPECT_TRUE(removeRunFolder(listed).ok());
  }
  OtherFolder(const OtherFolder&) = delete;
  OtherFolder& operator=(const OtherFolder&) = delete;

  QTemporaryDir folder;
};

TEST_F(RunsTableTest, RunsOfAnAddedFolderAreListedUntilItIsRemoved) {
  const OtherFolder other;
  QString sentence;
  QObject::connect(pane.get(), &RunsList::done, [&](const QString& text) { sentence = text; });
  EXPECT_FALSE(action("removeRunFolder")->isEnabled());
  action("addRunFolder")->trigger();
  auto* dialog = pane->findChild<QFileDialog*>("runFolderDialog");
  ASSERT_NE(dialog, nullptr);
  Q_EMIT dialog->fileSelected(other.folder.path());
  dialog->reject();
  EXPECT_TRUE(waitFor([&] { return names() == QStringList({"elsewhere", "third", "second", "first"}); }));
  EXPECT_TRUE(sentence.startsWith("The runs of ")) << sentence.toStdString();
  EXPECT_EQ(addedRunFolders().value(), std::vector{other.folder.path().toStdString()})
      << "the command line lists it too";

  auto* menu = pane->findChild<QMenu*>("removeRunFolderMenu");
  ASSERT_EQ(menu->actions().size(), 1);
  menu->actions().front()->trigger();
  EXPECT_TRUE(waitFor([&] { return names() == QStringList({"third", "second", "first"}); }));
  EXPECT_TRUE(addedRunFolders().value().empty());
  EXPECT_FALSE(action("removeRunFolder")->isEnabled());
}

TEST_F(RunsTableTest, ARunThatIsWrittenIntoAnAddedFolderAppears) {
  const OtherFolder other;
  ASSERT_TRUE(addRunFolder(other.folder.path().toStdString()).ok());
  RunsList both(RunFolders{root.string(), addedRunFolders().value(), false});
  auto* rows = both.findChild<QTableView*>("runs");
  ASSERT_TRUE(waitFor([&] { return rows->model()->rowCount() == 4; }));
  Result<RunFolder> late = RunFolder::create(other.folder.filePath("late").toStdString());
  ASSERT_TRUE(late.ok() && late->write(doneRecord("late", "2026-01-07T03:04:05Z")).ok());
  EXPECT_TRUE(waitFor([&] { return rows->model()->rowCount() == 5; }));
}

TEST_F(RunsTableTest, AFolderThatIsNoneIsRefused) {
  QString sentence;
  QObject::connect(pane.get(), &RunsList::failed, [&](const QString& text) { sentence = text; });
  action("addRunFolder")->trigger();
  Q_EMIT pane->findChild<QFileDialog*>("runFolderDialog")->fileSelected(QString::fromStdString(at("nowhere")));
  EXPECT_TRUE(sentence.contains("is not a folder")) << sentence.toStdString();
  EXPECT_TRUE(addedRunFolders().value().empty());
}

TEST_F(RunsTableTest, FoldersThatTheOptionRunsChoseCannotBeChanged) {
  const RunsList alone(RunFolders{root.string(), {}, true});
  const auto* add = alone.findChild<QAction*>("addRunFolder");
  EXPECT_FALSE(add->isEnabled());
  EXPECT_TRUE(add->toolTip().contains("--runs")) << add->toolTip().toStdString();
}

TEST_F(RunsTableTest, ADisabledEntryTellsWhatToSelect) {
  table->clearSelection();
  EXPECT_TRUE(action("compareRuns")->toolTip().endsWith("\nSelect several runs that can be read first."));
  table->selectAll();
  EXPECT_FALSE(action("compareRuns")->toolTip().contains('\n')) << "it is enabled";
  EXPECT_TRUE(action("renameRun")->toolTip().endsWith("\nSelect one run first."));
}

/// None of these folders exists, so a record that was read would be missing.
TEST(RunsModel, FiveThousandEntriesOpenWithoutReadingARun) {
  auto runs = std::make_shared<std::vector<RunEntry>>();
  RunEntry run = entryOf("/nowhere", doneRecord("run"), {});
  for (int i = 0; i < 5000; ++i) {
    run.id = run.experiment = "run " + std::to_string(i);
    run.folder = "/nowhere/" + run.id;
    runs->push_back(run);
  }
  RunsModel model;
  QTableView view;
  view.setModel(&model);
  view.resize(600, 400);
  model.setRuns(runs);
  model.sort(static_cast<int>(RunColumn::Name), Qt::AscendingOrder);
  view.grab();
  EXPECT_EQ(model.rowCount(), 5000);
  EXPECT_EQ(model.index(0, static_cast<int>(RunColumn::Status)).data(Qt::DisplayRole).toString(), "done");
}

}  // namespace
}  // namespace lanelab::test
