// SPDX-License-Identifier: GPL-3.0-only
// The command line of lanelab: what it is to do, read before anything of Qt starts.
#pragma once

#include <QString>
#include <QStringList>

#include "base/result.h"
#include "engine/library/overlay/run_overlay.h"
#include "engine/library/run_folders.h"

namespace lanelab {

struct Options {
  enum class Task { Window, Help, Version, Screenshots, Export, OffscreenReport, TimeStart, TimeWindow, WindowMemory };
  Task task = Task::Window;
  QString path;           ///< the experiment file or run folder; empty for none
  QString action;         ///< of the window, triggered once it is shown: "new", "openTrace"; empty: none
  QString out;            ///< folder of screenshots, report or everything, file of another export
  QString what;           ///< comparison, timeline, loss, overlay, report, everything
  QString format;         ///< png, svg, pdf, html
  QString variant;        ///< whose timeline; empty: the first
  QStringList overlaid;   ///< run folders of an overlay
  OverlayChoice overlay;  ///< what is drawn of them
  RunFolders runs;
};

/// `arguments` without the program's name. Errors are sentences that name the argument.
Result<Options> parseOptions(const QStringList& arguments);
QString helpText();

}  // namespace lanelab
