// SPDX-License-Identifier: GPL-3.0-only
#include "app/window/tasks.h"

#include <time.h>
#include <unistd.h>

#include <QFile>
#include <cstdio>

#include "ui/look/theme.h"

namespace lanelab {

namespace {

/// Seconds since the kernel started this process; negative when it does not say (field 22 of proc(5)'s stat, in ticks
/// since boot).
double secondsSinceStart() {
  QFile file("/proc/self/stat");
  if (!file.open(QIODevice::ReadOnly)) return -1;
  const QByteArray stat = file.readAll();
  const auto fields = stat.mid(stat.lastIndexOf(')') + 2).split(' ');  // the name in brackets may hold blanks
  timespec now{};
  if (fields.size() < 20 || clock_gettime(CLOCK_BOOTTIME, &now) != 0) return -1;
  const double ticks = fields[19].toDouble();
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec) -
         ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

}  // namespace

Status printStartTime(QApplication& app, MainWindow::Setup setup) {
  look::apply(app, look::Scheme::Light);
  MainWindow window(std::move(setup));
  window.show();
  QApplication::processEvents();
  window.grab();
  const double seconds = secondsSinceStart();
  if (seconds < 0) return Error::failed("The start of the process is not known: /proc cannot be read.");
  std::printf("window painted %.2f s after the start of the process\n", seconds);
  return {};
}

}  // namespace lanelab
