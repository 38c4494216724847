// SPDX-License-Identifier: GPL-3.0-only
// The window: places, watches and compares. It composes: each part of the work has a class of its own, and the window
// carries values between them.
//
// Thread: the window's. main_window.cpp lays it out, main_window_menus.cpp orders the menus, main_window_runs.cpp shows
// what was run or opened.
#pragma once

#include <QMainWindow>
#include <QStringList>
#include <initializer_list>
#include <memory>
#include <vector>

#include "engine/lanes/executor.h"
#include "engine/library/run_folders.h"
#include "engine/record/machine_load.h"
#include "engine/report/equality_report.h"
#include "engine/run/llama_question.h"
#include "profiler/trace/imported_trace.h"
#include "ui/device_map/map_network.h"
#include "ui/experiment/experiment_document.h"
#include "ui/look/message_strip.h"
#include "ui/run/run_controller.h"
#include "ui/run/shown_run.h"
#include "ui/window/file_opener.h"

class QLabel;
class QMenu;
class QSplitter;
class QTabBar;
class QToolBar;

namespace lanelab {

class ActionSet;
class BoardDialogs;
class BoardView;
class ChangeStrip;
class CommandCopies;
class CurveWork;
class EndNotices;
class ComparisonView;
class DetailsPane;
class ElidedLabel;
class ExperimentPanel;
class Exports;
class FindStrip;
class FirstMinute;
class IdleTable;
class KeyMap;
class LayersPane;
class LessonPane;
class LossView;
class MemoryPane;
class PaneLayout;
class PlanExports;
class ProgressLine;
class RunQueue;
class RunsList;
class RecordedRuns;
class RunStarter;
class ScheduleChoice;
class SchedulePane;
class SessionKeeper;
class SettingsStore;
class ScheduleStack;
class SplitSizeControl;
struct ShownPlace;
class StageSummary;
class StatisticsPane;
class SweepView;
class TimelineActions;
class TimelineBookmarks;
class TimelineComparison;
class TimelinePresenter;
class TimelineView;
class ViewedRunBar;
class WelcomeStrip;
class WhatIfReplay;
class WindowHelp;

/// "2 CPU cores, no GPU: lanes are CPU cores".
QString deviceSentence(const std::vector<DeviceInfo>& devices);

class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  using Example = ExampleExperiment;
  struct Setup {
    std::shared_ptr<Executor> executor;
    RunFolders runs;
    std::vector<Example> examples;                ///< the first is open at the start
    EqualityCheck check;                          ///< if empty, the menu entry is left out
    std::vector<NetworkOffer> networks = {};      ///< offered to the device map beside the experiment's own
    LlamaInference infer = {};                    ///< if empty, a device map is not tried out
    MeasureLoad measure_load = {};                ///< before each run; if empty, a run never waits
    std::shared_ptr<RecordedRuns> recorded = {};  ///< that came with the program; if null, there is no welcome
    std::string sessions = {};                    ///< folder of what is stored aside; if empty, nothing is
  };

  explicit MainWindow(Setup setup, QWidget* parent = nullptr);
  ~MainWindow() override;

  /// An experiment file, a run folder or a trace. What is wrong with it is shown in the message strip.
  void openPath(const QString& path);
  void openExperiment(const Experiment& experiment, const QString& path);
  /// The first example as another machine ran it, with what the program is for and ways in.
  void welcome();
  /// Where the user was when the last window closed or was lost, unless `wanted` is named, which only its own unsaved
  /// edits come before. False: the window is as it was, and `wanted` is still to be opened. Before the window is shown.
  bool startSession(const QString& wanted = {});

  ExperimentDocument& document() { return *m_document; }
  RunController& controller() { return *m_controller; }
  const ShownRun& shownRun() const { return m_run; }
  MessageStrip& messages() { return *m_messages; }
  QAction* action(const QString& name) const;  ///< null if there is none
  /// Says once after an update what is new.
  void announceUpdate();

 Q_SIGNALS:
  void runShown();  ///< a finished or stored run is shown, with its record

 protected:
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  // Layout: main_window.cpp
  void makeViews();
  QWidget* makeCentre();
  QWidget* makePlace();
  QWidget* makeWatch();
  void makePanes();
  void makeStatusBar();
  void makeToolBar();
  void addWithoutText(QToolBar& bar, std::initializer_list<const char*> names) const;
  void makeWorkers();
  void connectDocument();
  void connectPanes();
  void showTitle();
  bool mayClose();
  void askToStop();
  void stopAndClose();

  // Settings, sessions, notices: main_window_settings.cpp
  void makeSession();
  void makeNotices();
  void notify(const QString& title, const QString& text);
  void useSettings();
  void showSettings();
  void showQueue();
  ShownPlace shownPlace() const;

  // Menus: main_window_menus.cpp
  void makeMenus();
  void makeFileMenu();
  void makeEditMenu();
  void makeViewMenu();
  void addLookChoices(QMenu* menu);
  void makeRunMenu();
  void makePlanMenu();
  void makeRunsMenu();
  void makeHelpMenu();
  void showPalette();
  void updateActions();
  void showUndo(const QString& why_not);  ///< empty: edits can be undone

  // Runs, traces and experiments: main_window_runs.cpp
  void connectRuns();
  void connectFiles();
  void setReadOnly(bool read_only);  ///< while a run is in progress
  void showContext();                ///< of the open experiment, or of what is viewed in its place
  void clearCharts();
  void showComparison();
  void showStarted(const QString& folder);
  void showProgress(const RunProgress& progress);
  void showLive(const std::shared_ptr<const Trace>& trace, const QString& unit);
  void showFinished(std::shared_ptr<const RunRecord> record, const QString& folder);
  void showRefused(const QString& sentence);
  void showStored();
  void showViewed(std::shared_ptr<const RunRecord> record, const QString& folder, const QString& name);
  void showUsed(std::shared_ptr<const RunRecord> record, const QString& folder);
  void showRecorded(std::shared_ptr<const RunRecord> record, const QString& folder);
  void closeViewed();
  void showSeveral(const std::vector<NamedRun>& runs);
  void showImported(std::shared_ptr<const ImportedTrace> imported, const QString& path);
  void showImportSentences(const QString& sentences);
  void runSuggestion();

  Setup m_setup;
  SettingsStore* m_settings;
  ExperimentDocument* m_document;
  RunController* m_controller;
  ShownRun m_run;

  MessageStrip* m_messages = nullptr;
  ViewedRunBar* m_viewed = nullptr;
  WelcomeStrip* m_welcome = nullptr;
  QSplitter* m_centre = nullptr;
  QWidget* m_place = nullptr;  ///< the upper half of the centre
  QTabBar* m_variant_tabs = nullptr;
  BoardView* m_board = nullptr;
  TimelineView* m_timeline = nullptr;
  ElidedLabel* m_trace_headline = nullptr;
  FindStrip* m_find = nullptr;
  ChangeStrip* m_changes = nullptr;
  LayersPane* m_layers = nullptr;
  StageSummary* m_stages = nullptr;
  SchedulePane* m_schedule_pane = nullptr;
  ScheduleStack* m_schedule_stack = nullptr;  ///< m_schedule_pane, or the levels in its place
  ExperimentPanel* m_panel = nullptr;
  SplitSizeControl* m_split_size = nullptr;
  ScheduleChoice* m_schedule = nullptr;
  ComparisonView* m_comparison = nullptr;
  LossView* m_loss = nullptr;
  SweepView* m_sweep = nullptr;
  MemoryPane* m_memory = nullptr;
  IdleTable* m_idle = nullptr;
  StatisticsPane* m_statistics = nullptr;
  QStringList m_import_remarks;  ///< on the shown file itself
  DetailsPane* m_details = nullptr;
  LessonPane* m_lessons = nullptr;  ///< null without recorded runs
  RunsList* m_runs = nullptr;
  QLabel* m_hover = nullptr;

  std::unique_ptr<PaneLayout> m_panes;
  ActionSet* m_actions = nullptr;
  ProgressLine* m_progress = nullptr;
  TimelinePresenter* m_presenter = nullptr;
  TimelineBookmarks* m_bookmarks = nullptr;
  TimelineComparison* m_compared = nullptr;
  WhatIfReplay* m_what_if = nullptr;
  TimelineActions* m_timeline_actions = nullptr;
  ExperimentSaver* m_saver = nullptr;
  FileOpener* m_file_opener = nullptr;
  FirstMinute* m_first_minute = nullptr;
  BoardDialogs* m_dialogs = nullptr;
  RunStarter* m_run_starter = nullptr;
  Exports* m_exports = nullptr;
  CurveWork* m_curve = nullptr;
  CommandCopies* m_copies = nullptr;
  PlanExports* m_plans = nullptr;
  SessionKeeper* m_session = nullptr;
  RunQueue* m_queue = nullptr;
  EndNotices* m_notices = nullptr;
  KeyMap* m_keys = nullptr;
  bool m_has_news = false;  ///< in the title, until the user comes back
  WindowHelp* m_help = nullptr;
  bool m_close_when_ended = false;
  struct OwnRun {
    std::shared_ptr<const RunRecord> record;
    QString folder;
  };
  OwnRun m_own;  ///< of the open experiment; shown again when a viewed run is closed
};

}  // namespace lanelab
