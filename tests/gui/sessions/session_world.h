// SPDX-License-Identifier: GPL-3.0-only
// Windows that begin and end in one place, as the program is started again and again. A window that goes without
// close() is one that was killed: nothing is written at its end.
#pragma once

#include <QDir>
#include <QFile>
#include <QMessageBox>
#include <QPushButton>
#include <QUndoStack>

#include "tests/gui/window/window_world.h"
#include "ui/experiment/experiment_document.h"
#include "ui/look/settings.h"
#include "ui/session/session_file.h"

namespace lanelab::test {

class SessionPlace {
 public:
  SessionPlace() { look::Settings().clear(); }

  QString file(const char* name) const { return m_folder.filePath(QLatin1String(name)); }
  std::string sessions() const { return file("state").toStdString(); }
  QString runs() const { return file("runs"); }
  /// A file with the small experiment under this name.
  QString write(const char* name, const Experiment& experiment = smallExperiment()) const {
    QFile out(file(name));
    EXPECT_TRUE(out.open(QIODevice::WriteOnly));
    out.write(QByteArray::fromStdString(toJson(experiment)));
    return file(name);
  }
  /// What is stored of all windows.
  std::vector<SessionState> stored() const {
    std::vector<SessionState> states;
    for (const std::string& path : SessionFile::allIn(sessions())) {
      QFile in(QString::fromStdString(path));
      if (!in.open(QIODevice::ReadOnly)) continue;
      if (Result<SessionState> state = parseSession(in.readAll().toStdString(), path); state.ok())
        states.push_back(std::move(*state));
    }
    return states;
  }

 private:
  QTemporaryDir m_folder;
};

/// The program as it was started with `path`, or without.
class StartedWindow {
 public:
  explicit StartedWindow(const SessionPlace& place, const QString& path = {}, FakeBehaviour behaviour = {},
                         MeasureLoad measure_load = {}) {
    MainWindow::Setup setup;
    setup.executor = makeFakeExecutor(std::move(behaviour));
    setup.runs.own = place.runs().toStdString();
    setup.examples = {{"Small", smallExperiment()}};
    setup.sessions = place.sessions();
    setup.measure_load = std::move(measure_load);
    setup.recorded = std::make_shared<RecordedRuns>(QStringLiteral(LANELAB_SOURCE_DIR "/resources/runs"));
    window = std::make_unique<MainWindow>(std::move(setup));
    restored = window->startSession(path);
    window->resize(1440, 900);
    window->show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(window.get()));
    window->activateWindow();
    if (path.isEmpty() || restored) return;
    window->openPath(path);
    EXPECT_TRUE(waitFor([&] { return document().path() == path; }));
  }

  ExperimentDocument& document() const { return window->document(); }
  std::string message() const { return window->messages().sentence().toStdString(); }
  bool isModified() const { return !document().undoStack()->isClean(); }
  void trigger(const char* action) const {
    ASSERT_NE(window->action(action), nullptr) << action;
    ASSERT_TRUE(window->action(action)->isEnabled()) << action;
    window->action(action)->trigger();
  }
  void edit(int steps) const {
    document().edit("steps", [steps](Experiment& e) { e.data.steps = steps; });
  }
  bool closes() const {
    window->close();
    return waitFor([&] { return !window->isVisible(); });
  }
  /// Answers the box of this name with the button of this text.
  void answer(const char* name, const QString& text) const {
    ASSERT_TRUE(waitFor([&] { return window->findChild<QMessageBox*>(QLatin1String(name)) != nullptr; })) << name;
    for (QAbstractButton* const button : window->findChild<QMessageBox*>(QLatin1String(name))->buttons())
      if (button->text().remove('&') == text) return button->click();
    FAIL() << name << " has no " << text.toStdString();
  }
  /// Presses the button that a message offers.
  void choose(const QString& text) const {
    for (auto* const button : window->messages().findChildren<QPushButton*>())
      if (button->isVisible() && button->text().remove('&') == text) return button->click();
    FAIL() << "no offer " << text.toStdString();
  }
  bool runs() const {
    return waitFor([&] { return !window->controller().running() && window->shownRun().record(); });
  }

  std::unique_ptr<MainWindow> window;
  bool restored = false;
};

/// Whether the edits of a window with so many steps are stored aside.
inline bool isStored(const SessionPlace& place, int steps) {
  return waitFor([&] {
    for (const SessionState& state : place.stored())
      if (state.edited.find("\"steps\": " + std::to_string(steps)) != std::string::npos) return true;
    return false;
  });
}

}  // namespace lanelab::test
