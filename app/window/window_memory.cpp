// SPDX-License-Identifier: GPL-3.0-only
#include <QEventLoop>
#include <QFile>
#include <QTimer>
#include <cstdio>
#include <optional>

#include "app/window/tasks.h"
#include "engine/experiment/experiment.h"
#include "ui/run/run_controller.h"

namespace lanelab {

namespace {

constexpr int kRunsInARow = 5;
constexpr int kEachRunLimit = 600'000;  ///< ms, of one run
constexpr int kSettling = 3'000;        ///< ms, until the window has painted all of a run and is idle
constexpr double kKibPerMb = 1e6 / 1024;

/// Resident memory of this process in MB, from the fields of proc(5)'s status.
struct MemoryInUse {
  double resident = 0;
  double own = 0;   ///< not backed by a file: what the program itself allocated
  double peak = 0;  ///< resident, since forgetPeak()
};

std::optional<MemoryInUse> memoryInUse() {
  QFile file("/proc/self/status");
  if (!file.open(QIODevice::ReadOnly)) return std::nullopt;
  MemoryInUse found;
  for (const QByteArray& line : file.readAll().split('\n')) {
    const double megabytes = line.mid(line.indexOf(':') + 1).simplified().split(' ').first().toDouble() / kKibPerMb;
    if (line.startsWith("VmRSS:")) found.resident = megabytes;
    if (line.startsWith("RssAnon:")) found.own = megabytes;
    if (line.startsWith("VmHWM:")) found.peak = megabytes;
  }
  if (found.resident == 0) return std::nullopt;
  return found;
}

/// The peak counts from here on (proc(5), clear_refs).
void forgetPeak() {
  QFile file("/proc/self/clear_refs");
  if (file.open(QIODevice::WriteOnly)) file.write("5");
}

Status printMemory(const std::string& when) {
  const std::optional<MemoryInUse> now = memoryInUse();
  if (!now) return Error::failed("The memory of the process is not known: /proc cannot be read.");
  std::printf("%-12s %4.0f MB resident, %4.0f MB of it allocated, peak %5.0f MB\n", when.c_str(), now->resident,
              now->own, now->peak);
  std::fflush(stdout);
  return {};
}

Status printEachRun(MainWindow& window) {
  letItPaint(kSettling);
  if (Status printed = printMemory("at the start"); !printed.ok()) return printed;
  for (int run = 1; run <= kRunsInARow; ++run) {
    forgetPeak();
    if (Status ended = runOnce(window); !ended.ok()) return ended;
    letItPaint(kSettling);
    if (Status printed = printMemory("after run " + std::to_string(run)); !printed.ok()) return printed;
  }
  return {};
}

}  // namespace

Status runOnce(MainWindow& window) {
  QEventLoop loop;
  bool shown = false;
  QObject::connect(&window, &MainWindow::runShown, &loop, [&] { shown = true, loop.quit(); });
  QObject::connect(&window.controller(), &RunController::refused, &loop, &QEventLoop::quit);
  QTimer::singleShot(kEachRunLimit, &loop, &QEventLoop::quit);
  window.action("run")->trigger();
  if (window.controller().running()) loop.exec();
  const auto record = window.shownRun().record();
  if (shown && record && record->status == RunStatus::Done) return {};
  return Error::failed("The run did not end with a result: {}", window.messages().sentence().toStdString());
}

Status printWindowMemory(MainWindow::Setup setup, const QString& path) {
  std::optional<Experiment> experiment;
  if (!path.isEmpty()) {
    Result<Experiment> read = readExperiment(path.toStdString());
    if (!read.ok()) return read.error();
    experiment = std::move(*read);
  }
  MainWindow window(std::move(setup));
  window.resize(1440, 900);
  window.show();
  if (experiment) window.openExperiment(*experiment, path);
  return printEachRun(window);
}

}  // namespace lanelab
