// SPDX-License-Identifier: GPL-3.0-only
// Copy and export from the context menu of charts and tables.
#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>

#include "engine/record/run_store.h"
#include "tests/gui/window/window_world.h"
#include "ui/export/exhibit.h"
#include "ui/export/table_text.h"
#include "ui/look/message_strip.h"
#include "ui/report/report_files.h"
#include "ui/timeline/view/timeline_view.h"

namespace lanelab {
namespace {

using test::waitFor;
using test::WindowWorld;

/// The entries that the view's context menu has below its own.
QStringList entriesOf(QWidget& view) {
  Q_EMIT view.customContextMenuRequested(QPoint(1, 1));
  auto* const menu = view.findChild<QMenu*>("exhibitMenu");
  if (!menu) return {};
  QStringList names;
  for (const QAction* action : menu->actions())
    if (!action->objectName().isEmpty()) names << action->objectName();
  delete menu;
  return names;
}

void choose(QWidget& view, const char* entry) {
  Q_EMIT view.customContextMenuRequested(QPoint(1, 1));
  auto* const menu = view.findChild<QMenu*>("exhibitMenu");
  ASSERT_NE(menu, nullptr);
  auto* const action = menu->findChild<QAction*>(QLatin1String(entry));
  ASSERT_NE(action, nullptr) << entry;
  action->trigger();
  delete menu;
}

TEST(Exhibits, EveryChartAndTableOfARunCanBeCopiedAndExported) {
  WindowWorld w;
  EXPECT_EQ(entriesOf(*w.find<QWidget>("comparisonChart")), QStringList()) << "nothing to export yet";
  ASSERT_TRUE(w.runToTheEnd());
  for (const char* chart : {"comparisonChart", "comparisonTable", "lossChart", "scheduleView"}) {
    const QStringList entries = entriesOf(*w.find<QWidget>(chart));
    for (const char* entry : {"copyFigure", "copyTable", "exportExhibit"})
      EXPECT_TRUE(entries.contains(entry)) << entry << " of " << chart;
  }
  ASSERT_TRUE(waitFor([&] { return entriesOf(*w.find<QWidget>("idleGaps")).contains("copyTable"); }));
  for (const char* table : {"stageTable", "layerTable", "idleLanes"})
    EXPECT_TRUE(entriesOf(*w.find<QWidget>(table)).contains("copyTable")) << table;
}

TEST(Exhibits, EverythingGoesIntoAFolderThatIsMadeForIt) {
  WindowWorld w;
  ASSERT_TRUE(w.runToTheEnd());
  w.trigger("exportFolder");
  auto* const dialog = w.find<QFileDialog>("exportFolderDialog");
  const QString folder = w.place.filePath("not there yet");
  dialog->findChild<QLineEdit*>("fileNameEdit")->setText(folder);
  const auto choose_button = [&]() -> QAbstractButton* {
    auto* const box = dialog->findChild<QDialogButtonBox*>();
    for (QAbstractButton* button : box->buttons())
      if (box->buttonRole(button) == QDialogButtonBox::AcceptRole) return button;
    return nullptr;
  };
  ASSERT_NE(choose_button(), nullptr);
  ASSERT_TRUE(waitFor([&] { return choose_button()->isEnabled(); })) << "a folder that is not there can be chosen";
  choose_button()->click();
  ASSERT_TRUE(waitFor([&] { return w.window->messages().sentence().startsWith("Saved "); }))
      << w.window->messages().sentence().toStdString();
  EXPECT_EQ(QDir(folder).entryList(QDir::Dirs | QDir::NoDotAndDotDot).size(), 1);
  EXPECT_EQ(w.find<QPushButton>("messageAction")->text(), "&Open");
  EXPECT_EQ(w.find<QPushButton>("messageAction2")->text(), "Show &Folder");
  EXPECT_TRUE(w.find<QPushButton>("messageAction2")->isVisible());
}

TEST(Exhibits, TheTimelineCanBeCopiedAndExportedFromItsContextMenu) {
  WindowWorld w;
  ASSERT_TRUE(w.runToTheEnd());
  auto* const timeline = w.find<TimelineView>("timeline");
  ASSERT_TRUE(waitFor([&] { return timeline->trace() != nullptr && timeline->isVisible(); }));
  QContextMenuEvent click(QContextMenuEvent::Keyboard, QPoint(300, 60), timeline->mapToGlobal(QPoint(300, 60)));
  QApplication::sendEvent(timeline, &click);
  auto* const menu = timeline->findChild<QMenu*>("timelineContextMenu");
  ASSERT_NE(menu, nullptr);
  QApplication::clipboard()->clear();
  menu->findChild<QAction*>("copyFigure")->trigger();
  EXPECT_FALSE(QApplication::clipboard()->image().isNull());
  menu->findChild<QAction*>("copyTable")->trigger();
  EXPECT_TRUE(QApplication::clipboard()->text().startsWith("lane\tname\tstep\tbefore\t"))
      << QApplication::clipboard()->text().left(80).toStdString();
  menu->findChild<QAction*>("exportExhibit")->trigger();
  auto* const dialog = w.window->findChild<QFileDialog*>("exportDialog");
  ASSERT_NE(dialog, nullptr);
  EXPECT_TRUE(dialog->selectedFiles().front().contains("small-timeline"))
      << dialog->selectedFiles().front().toStdString();
  dialog->reject();
  delete menu;
}

TEST(Exhibits, ACopiedTableHasCellsAndACopiedFigureIsAnImage) {
  WindowWorld w;
  ASSERT_TRUE(w.runToTheEnd());
  choose(*w.find<QWidget>("stageTable"), "copyTable");
  const QStringList lines = QApplication::clipboard()->text().split('\n');
  EXPECT_TRUE(lines.front().startsWith("Stage\tLane\tBlocks\tParameters\tMACs (%)")) << lines.front().toStdString();
  EXPECT_EQ(lines.size(), 2 + 2) << "header, two stages, the end";
  choose(*w.find<QWidget>("lossChart"), "copyFigure");
  EXPECT_FALSE(QApplication::clipboard()->image().isNull());
}

TEST(Exhibits, AnExportedFigureIsWrittenAndNamedInTheStrip) {
  WindowWorld w;
  ASSERT_TRUE(w.runToTheEnd());
  choose(*w.find<QWidget>("comparisonChart"), "exportExhibit");
  auto* const dialog = w.window->findChild<QFileDialog*>("exportDialog");
  ASSERT_NE(dialog, nullptr);
  EXPECT_TRUE(dialog->selectedFiles().front().contains("small-comparison")) << "named after the experiment";
  const QString path = w.place.filePath("bars.svg");
  Q_EMIT dialog->fileSelected(path);
  EXPECT_TRUE(QFile::exists(path));
  EXPECT_TRUE(w.window->messages().sentence().contains("bars.svg"));
}

/// The PNG that the dialog of the open export writes.
QString exportedPng(const WindowWorld& w, const QString& name) {
  auto* const dialog = w.window->findChild<QFileDialog*>("exportDialog");
  if (!dialog) return {};
  const QString path = w.place.filePath(name + ".png");
  Q_EMIT dialog->fileSelected(path);
  delete dialog;
  return path;
}

TEST(Exhibits, EveryPngOfARunOpensAsItsExperiment) {
  WindowWorld w;
  w.window->document().edit("name", [](Experiment& e) { e.name = "carried"; });
  ASSERT_TRUE(w.runToTheEnd());
  ASSERT_TRUE(waitFor([&] { return w.window->action("exportTimeline")->isEnabled(); }));
  std::vector<QString> written;
  for (const char* action : {"exportTimeline", "exportComparison", "exportLoss"}) {
    w.trigger(action);
    written.push_back(exportedPng(w, action));
  }
  for (const char* view : {"comparisonChart", "lossChart", "scheduleView"}) {
    choose(*w.find<QWidget>(view), "exportExhibit");
    written.push_back(exportedPng(w, view));
  }
  for (const QString& path : written) {
    const Result<Experiment> carried = readExperiment(path.toStdString());
    ASSERT_TRUE(carried.ok()) << path.toStdString();
    EXPECT_EQ(carried->name, "carried") << path.toStdString();
    EXPECT_EQ(carried->variants.size(), 3U) << path.toStdString();
  }
}

TEST(Exhibits, EveryPngOfAReportFolderOpensAsItsExperiment) {
  WindowWorld w;
  ASSERT_TRUE(w.runToTheEnd());
  ASSERT_TRUE(waitFor([&] { return w.window->shownRun().traces().size() == 3; }));
  const ShownRun& run = w.window->shownRun();
  const ReportFolderSteps report = reportFolderSteps({run.record(), run.traces()}, w.place.filePath("r"));
  ASSERT_TRUE(runAll(report.steps).ok());
  const QStringList pngs = report.files->filter(QRegularExpression("png$"));
  EXPECT_EQ(pngs.size(), 8) << "comparison, loss, timeline and stages of each variant";
  for (const QString& path : pngs) EXPECT_TRUE(readExperiment(path.toStdString()).ok()) << path.toStdString();
}

TEST(Exhibits, EverythingOfARunIsInItsFolderWhichOpensAsTheRun) {
  WindowWorld w;
  ASSERT_TRUE(w.runToTheEnd());
  ASSERT_TRUE(waitFor([&] { return w.window->shownRun().traces().size() == 3; }));
  const ShownRun& run = w.window->shownRun();
  const QString folder = w.place.filePath("everything");
  const Exhibit curve{"time-and-memory", "Time and Memory", {}, [] { return std::string("peak_bytes\r\n"); }};
  const ReportFolderSteps report = reportFolderSteps({run.record(), run.traces(), run.folder(), {curve}}, folder);
  ASSERT_TRUE(runAll(report.steps).ok());
  QStringList expected{"report.html", "report.pdf",     "experiment.json",    "run.json",       "samples.csv",
                       "steps.csv",   "comparison.png", "comparison.svg",     "comparison.csv", "loss.png",
                       "loss.svg",    "loss.csv",       "time-and-memory.csv"};
  for (const char* variant : {"single", "model-parallel", "pipeline"}) {
    expected << QString("trace-%1.json.gz").arg(variant) << QString("gaps-%1.csv").arg(variant);
    for (const char* extension : {"png", "svg"}) expected << QString("timeline-%1.%2").arg(variant, extension);
    for (const char* extension : {"png", "svg", "csv"}) expected << QString("stages-%1.%2").arg(variant, extension);
  }
  const QStringList written = QDir(folder).entryList(QDir::Files | QDir::Hidden);
  for (const QString& file : expected) EXPECT_TRUE(written.contains(file)) << file.toStdString();
  for (const QString& file : written)
    EXPECT_TRUE(report.files->contains(folder + "/" + file)) << file.toStdString() << " stays after a cancel";
  const Result<RunRecord> opened = readRun(folder.toStdString());
  ASSERT_TRUE(opened.ok()) << opened.error().message;
  EXPECT_EQ(opened->id, run.record()->id);
  EXPECT_EQ(readTraces(*opened, folder).size(), 3U);
  const Result<Experiment> experiment = readExperiment((folder + "/experiment.json").toStdString());
  ASSERT_TRUE(experiment.ok()) << experiment.error().message;
  EXPECT_EQ(*experiment, run.record()->experiment);
  const ReportFolderSteps again = reportFolderSteps({run.record(), run.traces(), run.folder(), {curve}}, folder);
  EXPECT_TRUE(runAll(again.steps).ok()) << "over an earlier export";
}

QByteArray contentOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

TEST(Exhibits, TheReportOnPaperHasLinesRatherThanPixels) {
  WindowWorld w;
  ASSERT_TRUE(w.runToTheEnd());
  ASSERT_TRUE(waitFor([&] { return w.window->shownRun().traces().size() == 3; }));
  w.trigger("exportReport");
  auto* const dialog = w.find<QFileDialog>("exportDialog");
  const QString path = w.place.filePath("report.pdf");
  Q_EMIT dialog->fileSelected(path);
  dialog->close();
  ASSERT_TRUE(waitFor([&] { return w.window->messages().sentence().startsWith("Saved "); }))
      << w.window->messages().sentence().toStdString();
  const QByteArray pdf = contentOf(path);
  EXPECT_TRUE(pdf.startsWith("%PDF-"));
  EXPECT_GE(pdf.count("/Type /Page\n"), 3);
  EXPECT_EQ(pdf.count("/Subtype /Image"), 0);
}

TEST(Exhibits, TablesHaveQuotesOnlyWhereTheyNeedThem) {
  WindowWorld w;
  w.window->document().edit("name", [](Experiment& e) { e.variants[0].name = "Single, slow"; });
  ASSERT_TRUE(w.runToTheEnd());
  const QString folder = w.place.filePath("tables");
  const ReportFolderSteps report = reportFolderSteps({w.window->shownRun().record(), {}}, folder);
  ASSERT_TRUE(runAll(report.steps).ok());
  for (const char* name : {"loss.csv", "comparison.csv"}) {
    const QByteArray csv = contentOf(folder + "/" + name);
    EXPECT_TRUE(csv.contains("\r\n\"Single, slow\",")) << name;
    EXPECT_TRUE(csv.contains("\r\nModel parallel,")) << name;
  }
}

TEST(Exhibits, CellsOfACsvAreSeparatedByTabs) {
  EXPECT_EQ(tabSeparated("a,b\r\n\"x, \"\"y\"\"\",2\r\n\"two\nlines\",\"\"\r\n"), "a\tb\nx, \"y\"\t2\ntwo lines\t\n");
}

}  // namespace
}  // namespace lanelab
