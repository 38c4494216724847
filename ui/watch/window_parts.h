// SPDX-License-Identifier: GPL-3.0-only
// What the parts of the window's work have in common: the open experiment, the run in progress and the shown one, the
// user's settings, and where messages and dialogs appear. All of it outlives them. Thread: the window's.
#pragma once

class QWidget;

namespace lanelab {

class ExperimentDocument;
class MessageStrip;
class RunController;
class SettingsStore;
class ShownRun;

struct WindowParts {
  ExperimentDocument* document;
  RunController* controller;
  ShownRun* run;
  MessageStrip* messages;
  SettingsStore* settings;
  QWidget* window;  ///< parent of dialogs
};

}  // namespace lanelab
