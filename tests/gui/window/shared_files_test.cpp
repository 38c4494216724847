// SPDX-License-Identifier: GPL-3.0-only
// Files that users send each other: pictures with their experiment, archives of runs, commands.
#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QImage>

#include "base/shell_text.h"
#include "engine/library/run_archive.h"
#include "engine/record/environment.h"
#include "engine/record/run_store.h"
#include "tests/gui/window/window_world.h"
#include "ui/experiment/experiment_document.h"
#include "ui/look/message_strip.h"
#include "ui/run/run_controller.h"
#include "ui/run/shown_run.h"

namespace lanelab::test {
namespace {

QString pictureWith(const WindowWorld& w, const QString& key, const QString& text) {
  QImage image(4, 4, QImage::Format_RGB32);
  image.fill(Qt::white);
  image.setText(key, text);
  const QString path = w.place.filePath("picture.png");
  EXPECT_TRUE(image.save(path));
  return path;
}

TEST(SharedFiles, AnExportedPictureOpensTheExperimentThatItCarries) {
  WindowWorld w;
  Experiment experiment = smallExperiment();
  experiment.name = "Größe 漢字";
  w.window->openPath(pictureWith(w, "lanelab", QString::fromStdString(toJson(experiment))));
  ASSERT_TRUE(waitFor([&] { return w.window->document().experiment() == experiment; }))
      << w.window->messages().sentence().toStdString();
  EXPECT_EQ(w.window->document().path(), QString()) << "saving must not replace the picture";
}

TEST(SharedFiles, APictureWithoutAnExperimentIsNamed) {
  WindowWorld w;
  w.window->openPath(pictureWith(w, "Title", "A chart"));
  EXPECT_TRUE(waitFor([&] { return w.window->messages().sentence().contains("is a PNG without an experiment"); }))
      << w.window->messages().sentence().toStdString();
}

TEST(SharedFiles, AnArchiveOpensTheRunInIt) {
  WindowWorld w;
  ASSERT_TRUE(w.runToTheEnd());
  const RunRecord record = *w.record();
  const std::string folder = w.place.filePath("runs").toStdString() + "/" + record.id;
  const QString archive = w.place.filePath("run.zip");
  ASSERT_TRUE(writeRunArchive(folder, {}, archive.toStdString()).ok());

  WindowWorld other;
  other.window->openPath(archive);
  ASSERT_TRUE(waitFor([&] { return other.record() != nullptr; })) << other.window->messages().sentence().toStdString();
  EXPECT_EQ(other.record()->id, record.id);
  EXPECT_TRUE(QFile::exists(other.place.filePath("runs/" + QString::fromStdString(record.id) + "/run.json")));
}

TEST(SharedFiles, ARunOfTheWindowRecordsTheCommandThatRepeatsIt) {
  WindowWorld w;
  ASSERT_TRUE(w.runToTheEnd());
  const std::string folder = w.place.filePath("runs").toStdString() + "/" + w.record()->id;
  EXPECT_EQ(factOf(w.record()->environment, "command"), "lanelab-cli run " + shellWord(folder));
  const Result<Experiment> again = readExperiment(folder);
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(*again, w.record()->experiment);
}

TEST(SharedFiles, ARunOfTheWindowRecordsWhatItRanWith) {
  WindowWorld w;
  ASSERT_TRUE(w.runToTheEnd());
  const EnvironmentFacts& facts = w.record()->environment;
  EXPECT_EQ(factOf(facts, "qt"), qVersion());
  const std::string packages = factOf(facts, "packages");
  for (const std::string& package : {std::string("Qt ") + qVersion(), std::string("simdjson "), std::string("SQLite ")})
    EXPECT_NE(packages.find(package), std::string::npos) << package << " in " << packages;
  for (const char* name : {"lanelab", "git", "uncommitted changes", "compiler", "host", "system", "cpu", "command"})
    EXPECT_NE(factOf(facts, name), "") << name;
}

TEST(SharedFiles, TheShownRunIsSharedAsAnArchiveWithItsReport) {
  WindowWorld w;
  ASSERT_TRUE(w.runToTheEnd());
  const std::string id = w.record()->id;
  w.trigger("shareShownRun");
  auto* dialog = w.find<QFileDialog>("exportDialog");
  ASSERT_NE(dialog, nullptr);
  const QString archive = w.place.filePath("shared.zip");
  Q_EMIT dialog->fileSelected(archive);
  dialog->close();
  ASSERT_TRUE(waitFor([&] { return w.window->messages().sentence().startsWith("Saved"); }))
      << w.window->messages().sentence().toStdString();
  const Result<std::string> folder =
      importRunArchive(archive.toStdString(), w.place.filePath("elsewhere").toStdString());
  ASSERT_TRUE(folder.ok()) << folder.error().message;
  EXPECT_EQ(readRun(*folder).value().id, id);
  EXPECT_TRUE(QFile::exists(QString::fromStdString(*folder + "/report.html")));
  EXPECT_TRUE(QFile::exists(QString::fromStdString(*folder + "/experiment.json")));
}

TEST(SharedFiles, CommandsThatDoTheSameAreCopied) {
  WindowWorld w;
  const auto copied = [&](const char* action) {
    w.trigger(action);
    return QGuiApplication::clipboard()->text().toStdString();
  };
  EXPECT_TRUE(copied("copyRun").starts_with("lanelab-cli run "));
  EXPECT_TRUE(copied("copySweep").starts_with("lanelab-cli sweep "));
  EXPECT_TRUE(copied("copyPlan").starts_with("lanelab-cli plan "));
  EXPECT_FALSE(w.window->action("copyExport")->isEnabled());
  EXPECT_FALSE(w.window->action("copyGaps")->isEnabled());
  ASSERT_TRUE(w.runToTheEnd());
  const std::string folder = shellWord(w.window->shownRun().folder().toStdString());
  EXPECT_EQ(copied("copyExport"),
            "lanelab-cli export " + folder + " --what report --format html --out small-report.html");
  ASSERT_TRUE(waitFor([&] { return w.window->action("copyGaps")->isEnabled(); }));
  EXPECT_TRUE(copied("copyGaps").starts_with("lanelab-cli gaps " + folder + " --variant "));
}

}  // namespace
}  // namespace lanelab::test
