// SPDX-License-Identifier: GPL-3.0-only
// Help in the window: F1 opens the section on the pane or dialog that has the keyboard, and an update is told once.
#include "ui/window/window_help.h"

#include <gtest/gtest.h>

#include <QDialog>
#include <QDirIterator>
#include <QDockWidget>
#include <QFile>

#include "tests/gui/window/window_world.h"
#include "ui/help/help_topics.h"
#include "ui/help/help_window.h"
#include "ui/window/window_settings.h"

namespace lanelab {
namespace {

HelpWindow* helpWindow() {
  for (QWidget* widget : QApplication::topLevelWidgets())
    if (auto* const window = qobject_cast<HelpWindow*>(widget)) return window;
  return nullptr;
}

/// Where help is after F1 was pressed in the widget, from nowhere.
HelpPlace afterF1(QWidget* widget) {
  if (HelpWindow* const help = helpWindow()) help->open({"CHANGELOG.md"});
  QApplication::setActiveWindow(widget->window());  // the offscreen platform leaves the keyboard to the first one
  widget->setFocus();
  QTest::keyClick(widget, Qt::Key_F1);
  const HelpWindow* const help = helpWindow();
  return help && help->isVisible() ? help->place() : HelpPlace{};
}

std::string addressOf(const HelpPlace& place) { return (place.page + '#' + place.section).toStdString(); }

TEST(WindowHelp, F1OpensTheSectionOnThePaneThatHasTheKeyboard) {
  test::WindowWorld w;
  for (const char* centre : {"board", "timeline"}) {
    auto* const widget = w.find<QWidget>(centre);
    EXPECT_EQ(addressOf(afterF1(widget)), addressOf(helpTopicOf(widget))) << centre;
  }
  for (auto* const dock : w.window->findChildren<QDockWidget*>()) {
    dock->show();
    dock->raise();
    dock->widget()->setFocusPolicy(Qt::StrongFocus);
    EXPECT_EQ(addressOf(afterF1(dock->widget())), addressOf(helpTopicOf(dock))) << dock->objectName().toStdString();
  }
}

TEST(WindowHelp, EachPaneHasASectionOfItsOwn) {
  test::WindowWorld w;
  QStringList parts;
  for (const HelpTopic& topic : helpTopics()) parts << topic.part;
  for (const auto* dock : w.window->findChildren<QDockWidget*>())
    EXPECT_TRUE(parts.contains(dock->objectName())) << dock->objectName().toStdString();
}

/// Names of widgets are in the sources; those of the form are made of the places of its fields.
TEST(WindowHelp, EachPartWithASectionExists) {
  test::WindowWorld w;
  QString sources;
  for (QDirIterator files(LANELAB_SOURCE_DIR "/ui", {"*.cpp", "*.h"}, QDir::Files, QDirIterator::Subdirectories);
       files.hasNext();) {
    QFile file(files.next());
    if (!file.fileName().endsWith("help_topics.cpp") && file.open(QIODevice::ReadOnly))
      sources += QString::fromUtf8(file.readAll());
  }
  for (const HelpTopic& topic : helpTopics())
    EXPECT_TRUE(sources.contains('"' + topic.part + '"') || w.window->findChild<QWidget*>(topic.part))
        << topic.part.toStdString();
}

TEST(WindowHelp, F1OpensTheSectionOnADialog) {
  test::WindowWorld w;
  const struct {
    const char *action, *dialog;
  } cases[] = {{"deviceMap", "deviceMapDialog"}, {"importModel", "importModelDialog"},
               {"attach", "attachDialog"},       {"exportScript", "planExportDialog"},
               {"cuts", "cutsDialog"},           {"keys", "keysDialog"}};
  for (const auto& [action, name] : cases) {
    w.trigger(action);
    auto* const dialog = w.find<QDialog>(name);
    ASSERT_TRUE(dialog && test::waitFor([&] { return dialog->isVisible(); }));
    EXPECT_EQ(addressOf(afterF1(dialog)), addressOf(helpTopicOf(dialog))) << name;
    dialog->close();
  }
}

TEST(WindowHelp, ItClosesWithTheWindow) {
  test::WindowWorld w;
  w.trigger("documentation");
  ASSERT_NE(helpWindow(), nullptr);
  EXPECT_EQ(helpWindow()->place().page, "docs/guide.md");
  w.window->close();
  EXPECT_FALSE(helpWindow()->isVisible());
}

TEST(WindowHelp, WhatsNewIsTheNewestVersion) {
  test::WindowWorld w;
  w.trigger("whatsNew");
  ASSERT_NE(helpWindow(), nullptr);
  EXPECT_EQ(helpWindow()->place(), newestChanges());
  const HelpSection* const section = findSection(newestChanges());
  ASSERT_NE(section, nullptr);
  EXPECT_EQ(section->level, 2);
}

/// As the program that has this version, which was another one when it was last started.
class Update : public ::testing::Test {
 protected:
  Update() { QApplication::setApplicationVersion("9.1.0"); }
  ~Update() override {
    QApplication::setApplicationVersion({});
    WindowSettings().setLastVersion({});
  }
};

TEST_F(Update, IsToldOnceInTheMessageStrip) {
  WindowSettings().setLastVersion("9.0.0");
  test::WindowWorld w;
  w.window->announceUpdate();
  EXPECT_EQ(w.window->messages().sentence(), "LaneLab was updated from version 9.0.0 to 9.1.0.");
  w.window->messages().clear();
  w.window->announceUpdate();
  EXPECT_TRUE(w.window->messages().sentence().isEmpty());
}

TEST_F(Update, IsNotToldOnTheFirstStart) {
  WindowSettings().setLastVersion({});
  test::WindowWorld w;
  w.window->announceUpdate();
  EXPECT_TRUE(w.window->messages().sentence().isEmpty());
  EXPECT_EQ(WindowSettings().lastVersion(), "9.1.0");
}

}  // namespace
}  // namespace lanelab
