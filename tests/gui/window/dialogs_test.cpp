// SPDX-License-Identifier: GPL-3.0-only
// Walks the window and every dialog that a command opens: Esc closes it, it has a button that does so and one that
// Enter presses, the tab key goes from top to bottom, and a screen reader has a name for all that takes the keyboard,
// in every pane and whatever is open.
#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QAccessible>
#include <QDialog>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QPushButton>

#include "tests/gui/window/measured_run.h"
#include "tests/gui/window/window_world.h"
#include "ui/charts/chart_canvas.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/window/palette_sources.h"

namespace lanelab {
namespace {

std::string described(const QWidget& widget) {
  return std::string(widget.metaObject()->className()) + " \"" + widget.objectName().toStdString() + "\"";
}

/// What takes the keyboard and is on the screen.
QList<QWidget*> focusable(const QWidget& window) {
  QList<QWidget*> found;
  for (QWidget* widget : window.findChildren<QWidget*>())
    if (widget->focusPolicy() != Qt::NoFocus && widget->isVisible() && widget->focusProxy() == nullptr)
      found.append(widget);
  return found;
}

void expectNames(const QWidget& window) {
  for (QWidget* widget : focusable(window)) {
    QAccessibleInterface* const accessible = QAccessible::queryAccessibleInterface(widget);
    ASSERT_NE(accessible, nullptr);
    EXPECT_FALSE(accessible->text(QAccessible::Name).isEmpty())
        << described(*widget) << " in " << described(*widget->parentWidget()) << " of " << described(window);
  }
}

/// Pane by pane, as some lie behind others.
void expectNamesInAllPanes(const MainWindow& window) {
  for (QDockWidget* const pane : window.findChildren<QDockWidget*>()) {
    SCOPED_TRACE(described(*pane));
    pane->show();
    pane->raise();
    QCoreApplication::processEvents();
    expectNames(window);
  }
}

/// What is drawn and takes no keyboard says what it is, too.
void expectWordsOfCharts(const MainWindow& window) {
  int charts = 0;
  for (const ChartCanvas* const chart : window.findChildren<ChartCanvas*>()) {
    if (!chart->isVisibleTo(chart->parentWidget())) continue;
    ++charts;
    EXPECT_FALSE(chart->accessibleName().isEmpty() || chart->accessibleDescription().isEmpty()) << described(*chart);
  }
  EXPECT_GE(charts, 2);
}

TEST(Dialogs, TheWindowNamesAllThatTakesTheKeyboard) {
  test::WindowWorld w;
  const auto viewed = [&w] { return w.window->shownRun().isViewed(); };
  const auto traced = [&w] { return w.find<TimelineView>("timeline")->trace() != nullptr; };
  const QString run = w.place.filePath("runs/measured"), trace = LANELAB_SOURCE_DIR "/tests/data/gaps/kernels.json";
  test::writeMeasuredRun(run.toStdString());
  const struct {
    const char* state;
    std::function<bool()> reach;
  } rows[] = {{"at the start", [] { return true; }},
              {"after a run", [&] { return w.runToTheEnd(); }},
              {"with a stored run", [&] { return w.window->openPath(run), test::waitFor(viewed); }},
              {"with a trace", [&] { return w.window->openPath(trace), test::waitFor(traced); }},
              {"with a message", [&] { return w.window->messages().say(MessageStrip::Kind::Error, "wrong"), true; }}};
  for (const auto& [state, reach] : rows) {
    SCOPED_TRACE(state);
    ASSERT_TRUE(reach());
    expectNamesInAllPanes(*w.window);
  }
}

TEST(Dialogs, ChartsOfARunSayWhatTheyDraw) {
  test::WindowWorld w;
  ASSERT_TRUE(w.runToTheEnd());
  expectWordsOfCharts(*w.window);
}

/// Dialogs that belong to the desktop (files, folders) are the desktop's.
bool isOurs(const QDialog& dialog) { return !dialog.inherits("QFileDialog"); }

QList<QDialog*> openDialogs(const QWidget& window) {
  QList<QDialog*> open;
  for (QDialog* dialog : window.findChildren<QDialog*>())
    if (dialog->isVisible()) open.append(dialog);
  return open;
}

QStringList commandsThatOpenDialogs(const test::WindowWorld& w) {
  QStringList names;
  for (const Command& command : commandsOf(*w.window->menuBar()))
    if (command.action->text().endsWith("...") || command.action->objectName() == "keys" ||
        command.action->objectName() == "about")
      if (command.action->isEnabled()) names.append(command.action->objectName());
  return names;
}

bool hasButton(const QDialog& dialog, const std::function<bool(const QPushButton&)>& fits) {
  for (const QPushButton* button : dialog.findChildren<QPushButton*>())
    if (button->isVisible() && fits(*button)) return true;
  return false;
}

void expectManners(QDialog& dialog) {
  SCOPED_TRACE(described(dialog));
  expectNames(dialog);
  EXPECT_FALSE(dialog.windowTitle().isEmpty());
  // Enter presses a button, unless no button takes it because the fields answer it themselves.
  if (hasButton(dialog, [](const QPushButton& button) { return button.autoDefault(); })) {
    EXPECT_TRUE(hasButton(dialog, [](const QPushButton& button) { return button.isDefault(); }));
  }
  QTest::keyClick(&dialog, Qt::Key_Escape);
  EXPECT_FALSE(dialog.isVisible());
}

TEST(Dialogs, EachOpensHasADefaultButtonAndClosesByEsc) {
  test::WindowWorld w;
  ASSERT_TRUE(w.runToTheEnd());
  int walked = 0;
  for (const QString& name : commandsThatOpenDialogs(w)) {
    SCOPED_TRACE(name.toStdString());
    w.trigger(name.toLatin1().constData());
    QCoreApplication::processEvents();
    for (QDialog* dialog : openDialogs(*w.window)) {
      if (isOurs(*dialog)) {
        expectManners(*dialog);
        ++walked;
      }
      dialog->close();
    }
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  }
  EXPECT_GE(walked, 5);
}

}  // namespace
}  // namespace lanelab
