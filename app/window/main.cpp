// SPDX-License-Identifier: GPL-3.0-only
// lanelab: the window, and the few things that need its painters but no display.
#include <malloc.h>
#include <sys/stat.h>
#include <unistd.h>
#include <QApplication>
#include <QFile>
#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>
#include <cstdio>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

#include "app/start/start_with_torch.h"
#include "app/window/tasks.h"
#include "base/terminal_text.h"
#include "base/termination.h"
#include "engine/dist/run_processes.h"
#include "engine/library/run_trash.h"
#include "engine/torch/inference/inference.h"
#include "engine/torch/train/equality_check.h"
#include "engine/torch/train/torch_executor.h"
#include "ui/first_steps/first_minute.h"
#include "ui/look/icons.h"
#include "ui/look/language.h"
#include "ui/look/theme.h"
#include "ui/session/session_file.h"
#include "ui/settings/settings_store.h"
#include "ui/window/main_window.h"

namespace {

using namespace lanelab;

/// As lanelab-cli: 0 done, 1 the work failed, 2 bad input, 130 cancelled.
int exitCode(const Status& status) {
  if (status.ok()) return 0;
  std::fprintf(stderr, "lanelab: %s\n", forTerminal(status.error().message).c_str());
  return exitCodeOf(status.error());
}

QStringList argumentsOf(int argc, char** argv) {
  QStringList arguments;
  for (int i = 1; i < argc; ++i) arguments.append(QString::fromLocal8Bit(argv[i]));
  return arguments;
}

bool displayMissing() {
  return qEnvironmentVariableIsEmpty("DISPLAY") && qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY") &&
         qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM");
}

/// Memory is measured with the user's platform, too, since a display has buffers of its own.
bool needsNoDisplay(Options::Task task) {
  if (task == Options::Task::WindowMemory) return qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM");
  return task != Options::Task::Window;
}

/// Qt complains where XDG_RUNTIME_DIR is missing, as in a container; it would use this very folder then.
void nameRuntimeFolder() {
  if (!qEnvironmentVariableIsEmpty("XDG_RUNTIME_DIR")) return;
  const std::string folder = "/tmp/runtime-lanelab-" + std::to_string(::getuid());
  struct stat found {};
  const bool made = ::mkdir(folder.c_str(), 0700) == 0;
  const bool ours = ::lstat(folder.c_str(), &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == ::getuid() &&
                    (found.st_mode & 077) == 0;
  if (made || ours) qputenv("XDG_RUNTIME_DIR", folder.c_str());
}

/// malloc retains free pages at the end of each thread's arena up to a threshold that it raises to twice the largest
/// block that it has unmapped, and malloc_trim() does not return them: up to 60 MB more per thread of each run. Both
/// thresholds are set, because malloc would otherwise map each block of 128 KiB or more again and again (mallopt(3)).
void limitRetainedPages() {
  ::mallopt(M_TRIM_THRESHOLD, 128 << 10);
  ::mallopt(M_MMAP_THRESHOLD, 32 << 20);
}

MainWindow::Setup setupFor(const Options& options) {
  return {makeTorchExecutor(peersOfLanes()),
          options.runs,
          bundledExamples(),
          [](const Resolution& resolution, int steps, const WorkControl& control) {
            return checkEquality(resolution, steps, control, peersOfLanes());
          },
          bundledNetworks(),
          answerLlama};
}

/// --runs comes before the user's choice; the folder without one is listed all the same.
RunFolders chosenRuns(RunFolders folders, const Settings& settings) {
  const std::string own = settings.runs_folder.toStdString();
  if (folders.chosen || own.empty() || own == folders.own) return folders;
  std::erase(folders.added, own);
  folders.added.insert(folders.added.begin(), std::exchange(folders.own, own));
  return folders;
}

/// Block times of this start alone, in a folder that goes with it; nothing if stored ones are to be used.
std::unique_ptr<QTemporaryDir> ownProfiles(const Settings& settings) {
  if (settings.stored_block_times || !qEnvironmentVariableIsEmpty("LANELAB_PROFILES")) return nullptr;
  auto folder = std::make_unique<QTemporaryDir>();
  if (folder->isValid()) qputenv("LANELAB_PROFILES", QFile::encodeName(folder->path()));
  return folder;
}

int showWindow(QApplication& app, const Options& options) {
  const Settings settings = readSettings();
  const QString not_shown = look::useLanguage(app, settings.language);
  look::setFontSize(settings.font_size);
  look::apply(app, settings.theme);
  const std::unique_ptr<QTemporaryDir> profiles = ownProfiles(settings);
  MainWindow::Setup setup = setupFor(options);
  setup.runs = chosenRuns(options.runs, settings);
  setup.measure_load = measuredLoad;
  setup.recorded = std::make_shared<RecordedRuns>();
  setup.sessions = userSessionFolder();
  MainWindow window(std::move(setup));
  const bool restored = window.startSession(options.path);
  window.show();
  window.announceUpdate();
  if (!not_shown.isEmpty()) window.messages().warn(not_shown);
  // Beside the window: a large run takes a while to remove. One that cannot be removed is tried again next time.
  const std::jthread cleaner([root = window.controller().runsRoot().toStdString()] {
    [[maybe_unused]] const Result<int> removed = emptyTrash(root);
  });
  if (!options.path.isEmpty() && !restored)
    QTimer::singleShot(0, &window, [&] { window.openPath(options.path); });
  else if (options.path.isEmpty() && FirstMinute::isDue())
    QTimer::singleShot(0, &window, &MainWindow::welcome);
  if (!options.action.isEmpty()) QTimer::singleShot(0, &window, [&] { window.action(options.action)->trigger(); });
  return QApplication::exec();
}

/// With settings and runs in a temporary folder, so that no file of the user is read or changed.
int runInOwnPlace(const Options& options, const std::function<Status(MainWindow::Setup setup)>& task) {
  const QTemporaryDir place;
  if (!place.isValid()) return exitCode(Error::failed("No temporary folder can be made. Make room on the disk."));
  QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, place.path());
  MainWindow::Setup setup = setupFor(options);
  setup.runs.own = place.filePath("runs").toStdString();
  setup.recorded = std::make_shared<RecordedRuns>();
  return exitCode(task(std::move(setup)));
}

int runTask(QApplication& app, const Options& options, std::stop_token stop) {
  if (options.task != Options::Task::Window) {
    look::useEnglish(app);
    look::apply(app, look::Scheme::Light);
  }
  switch (options.task) {
    case Options::Task::Screenshots:
      return runInOwnPlace(options, [&](auto setup) { return saveScreenshots(app, std::move(setup), options.out); });
    case Options::Task::TimeStart: return exitCode(printStartTime(setupFor(options)));
    case Options::Task::TimeWindow:
      return runInOwnPlace(options, [](auto setup) { return printWindowTimes(std::move(setup)); });
    case Options::Task::WindowMemory:
      return runInOwnPlace(options, [&](auto setup) { return printWindowMemory(std::move(setup), options.path); });
    case Options::Task::Export: return exitCode(exportFromFolder(options));
    case Options::Task::OffscreenReport:
      return exitCode(runOffscreen(options, *makeTorchExecutor(peersOfLanes()), std::move(stop)));
    default: return showWindow(app, options);
  }
}

int runProgram(int argc, char** argv) {
  restoreLibraryPath();
  limitRetainedPages();
  qputenv("HWLOC_HIDE_ERRORS",
          "2");  // in a container without sysfs hwloc would write to stderr, though nothing is amiss
  const auto options = parseOptions(argumentsOf(argc, argv));
  if (!options.ok()) return exitCode(options.error());
  if (options->task == Options::Task::Help) {
    std::printf("%s", qPrintable(helpText()));
    return 0;
  }
  if (options->task == Options::Task::Version) {
    std::printf("lanelab %s\n", LANELAB_VERSION);
    return 0;
  }
  if (needsNoDisplay(options->task)) qputenv("QT_QPA_PLATFORM", "offscreen");
  if (displayMissing())
    return exitCode(
        Error::failed("No display was found (DISPLAY and WAYLAND_DISPLAY are not set). Use lanelab-cli, or lanelab "
                      "--offscreen-report DIR."));
  nameRuntimeFolder();
  reportFailedWrites();
  const std::stop_source ending;
  endOnSignals(ending, "lanelab: Ended by a signal.\n");
  QApplication app(argc, argv);
  QApplication::setApplicationName("lanelab");
  QApplication::setOrganizationName("lanelab");
  QApplication::setApplicationVersion(LANELAB_VERSION);
  QApplication::setApplicationDisplayName("LaneLab");
  QGuiApplication::setDesktopFileName("io.github.lanelab.LaneLab");
  QApplication::setWindowIcon(look::programIcon());
  return runTask(app, *options, ending.get_token());
}

}  // namespace

int main(int argc, char** argv) { endProgram(runProgram(argc, argv)); }
