// SPDX-License-Identifier: GPL-3.0-only
// The window: places, watches and compares. It owns the open experiment, the run that is shown and the views of both,
// and carries values between them.
//
// Thread: the window's. main_window.cpp lays it out; the other parts of the class live in
// main_window_{menus,rows,files,runs,trace,suggestions,timeline,export}.cpp.
#pragma once

#include <QMainWindow>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "engine/advise/suggestions.h"
#include "engine/lanes/executor.h"
#include "engine/report/equality_report.h"
#include "engine/run/llama_question.h"
#include "profiler/trace/imported_trace.h"
#include "ui/device_map/map_network.h"
#include "ui/experiment/experiment_document.h"
#include "ui/look/background.h"
#include "ui/look/message_strip.h"
#include "ui/look/theme.h"
#include "ui/run/run_controller.h"
#include "ui/run/shown_run.h"

class QActionGroup;
class QComboBox;
class QLabel;
class QProgressBar;
class QSplitter;
class QTabBar;

namespace lanelab {

class BoardView;
class BookmarksDialog;
class ComparisonView;
class DeviceMapDialog;
class ElidedLabel;
class ExperimentPanel;
class FindStrip;
class IdleTable;
class LayerTable;
class LossView;
class RunBookmarks;
class RunsList;
class SchedulePane;
class SplitSizeControl;
class StageSummary;
class SweepView;
struct AlignedRuns;
class TimelineView;
struct Picture;
enum class RowKind : std::uint8_t;

/// What a new experiment starts as: a small ResNet on the machine's first lanes, all blocks on the first.
Experiment blankExperiment(const std::vector<DeviceInfo>& devices);

/// Predictions of a split-size sweep that are worth a measurement: the best one is mostly among them.
inline constexpr std::size_t kAdvisedSplitSizes = 3;

/// "2 CPU cores, no GPU: lanes are CPU cores".
QString deviceSentence(const std::vector<DeviceInfo>& devices);

class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  struct Example {
    QString title;
    Experiment experiment;
  };
  struct Setup {
    std::shared_ptr<Executor> executor;
    QString runs_root;
    std::vector<Example> examples;            ///< the first is open at the start
    EqualityCheck check;                      ///< empty where there is none: the menu entry is left out
    std::vector<NetworkOffer> networks = {};  ///< offered to the device map beside the experiment's own
    LlamaInference infer = {};                ///< empty where there is none: a device map is then not tried out
  };

  explicit MainWindow(Setup setup, QWidget* parent = nullptr);
  ~MainWindow() override;

  /// An experiment file or a run folder. What is wrong with it stands in the message strip.
  void openPath(const QString& path);
  void openExperiment(const Experiment& experiment, const QString& path);
  void compareRuns(const QStringList& folders);
  void alignWithRun(const QString& folder);  ///< its timeline on one axis with the shown one

  ExperimentDocument& document() { return *m_document; }
  RunController& controller() { return *m_controller; }
  const ShownRun& shownRun() const { return m_shown; }
  MessageStrip& messages() { return *m_messages; }
  QAction* action(const QString& name) const;

 Q_SIGNALS:
  void runShown();  ///< a finished or stored run stands in the window, with its record

 protected:
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  // Layout: main_window.cpp
  void makeViews();
  QWidget* makeCentre();
  QWidget* makePlace();
  QWidget* makeWatch();
  QDockWidget* addPane(const QString& name, const QString& title, QWidget* content, Qt::DockWidgetArea area);
  void makeDocks();
  void makeStatusBar();
  void makeToolBar();
  void connectViews();
  void arrangeDefault();
  void raisePane(const char* name);
  void resetLayout();
  void restoreLayout();
  void saveLayout();
  void cyclePane(int direction);
  void showDocument();
  void showVariantTabs();
  void showSchedule();
  void showTitle();

  // Menus: main_window_menus.cpp
  QAction* addAction(QMenu* menu, const QString& name, const QString& text, const QString& tip, const QKeySequence& key,
                     const QString& icon, const std::function<void()>& on_triggered);
  void makeMenus();
  void makeFileMenu();
  void makeExportMenu(QMenu* file);
  void makeEditMenu();
  void makeViewMenu();
  void makeRunMenu();
  void makeHelpMenu();
  void addChoices(QMenu* menu, const QString& title,
                  const std::vector<std::pair<QString, std::function<void()>>>& choices, int chosen,
                  const QString& name);
  void updateActions();
  void showKeys();
  void showAbout();

  // Rows of the timeline: main_window_rows.cpp
  void makeRowsMenu(QMenu* view);
  void addRowKind(QMenu* menu, RowKind kind, const QString& text, const QString& tip, const QString& key);
  void keepRows();
  void showRows();
  void showImportedRows();

  // Files: main_window_files.cpp
  void newExperiment();
  void chooseExperiment();
  void chooseRunFolder();
  void openExperimentFile(const QString& path);
  void openRunFolder(const QString& folder);
  void showStoredRun(std::shared_ptr<const RunRecord> record, const QString& folder);
  bool saveExperiment();
  void saveExperimentAs(const std::function<void()>& then = {});
  bool saveTo(const QString& path);
  /// Asks about unsaved edits, then does it; not at all when the person cancels.
  void afterSaving(const std::function<void()>& then);
  void rememberFile(const QString& path);
  void fillRecent();
  bool refuseWhileRunning();
  void openTrace(const QString& path);
  void chooseTrace();

  // Runs: main_window_runs.cpp
  void connectController();
  void startRun();
  bool warnedOfMemory();
  void startRunWithNewSeed();
  bool canRun();
  void startSweep(std::size_t best);
  bool hasPipeline() const;
  void useSplitSize(int split_size);
  void resumeRun();
  void cancelRun();
  /// What the shown run measured of the active variant's stages, as the schedule "list" takes it; empty where it
  /// measured others or none.
  std::vector<std::string> measuredStageTimes() const;
  void useMeasuredStageTimes();
  void showStarted(const QString& folder);
  void showProgress(const RunProgress& progress);
  void showGrownTrace(std::shared_ptr<const Trace> trace);
  void showFinished(std::shared_ptr<const RunRecord> record, const QString& folder);
  void showRefused(const QString& sentence);
  void followTimeline();
  void endRun();
  void showCuts();
  void showDeviceMap();
  void checkVariants();
  void showComparison();
  void setRunning(bool running);

  // Which trace is drawn, and what is told of it: main_window_trace.cpp
  QString variantOnTimeline() const;
  void showImported(std::shared_ptr<const ImportedTrace> imported, const QString& path);
  void showTrace();
  void showTraceHeadline(const std::shared_ptr<const Trace>& trace);
  void showPrediction(const std::shared_ptr<const Trace>& trace, const QString& variant);

  // Suggestions and What If: main_window_mends.cpp
  void showSuggestions(const std::shared_ptr<const Trace>& trace, const QString& variant);
  void runSuggestion();
  void addAndRun(const Suggestion& suggestion);
  void showWhatIf();
  void showReplayed(std::shared_ptr<const Trace> trace, const QString& words);

  // Timeline: main_window_timeline.cpp
  void makeTimelineMenu(QMenu* view);
  void updateTimelineActions();
  void bookmarkSelection();
  void showBookmarks();
  void showBookmarksDialog();
  void goToBookmark(std::size_t index);
  void exportBookmarks();
  std::shared_ptr<const Trace> traceOf(const QString& variant) const;
  void fillCompareMenu();
  void chooseOtherRun();
  using OtherTrace = std::pair<std::shared_ptr<const Trace>, QString>;  ///< and its name, or null and what is wrong
  void alignWith(const std::function<OtherTrace()>& read);
  void showAligned(std::shared_ptr<const AlignedRuns> aligned, std::shared_ptr<const Trace> first,
                   const QString& names);
  void stopAligning();

  // Export: main_window_export.cpp
  void exportPicture(const QString& what, const QString& title, const std::function<Picture()>& picture,
                     const std::function<std::string()>& csv);
  void exportTimeline();
  void exportComparison();
  void exportLoss();
  void exportSweep();
  void exportReport();
  void exportDeviceMap(const DeviceMapDialog& dialog);
  void exportFolder();
  void exportTrace();
  void askForFile(const QString& what, const QString& title, const QStringList& filters,
                  const std::function<void(const QString&)>& then);
  void saidOrFailed(const Status& status, const QString& path);
  QString suggestedName(const QString& what) const;

  Setup m_setup;
  std::vector<DeviceInfo> m_devices;
  std::optional<Experiment> m_warned_of;  ///< what was told not to fit, so that it runs when asked for again
  ExperimentDocument* m_document;
  RunController* m_controller;
  ShownRun m_shown;
  std::map<QString, QAction*> m_actions;

  MessageStrip* m_messages = nullptr;
  QTabBar* m_variant_tabs = nullptr;
  QSplitter* m_centre = nullptr;
  BoardView* m_board = nullptr;
  TimelineView* m_timeline = nullptr;
  ElidedLabel* m_trace_headline = nullptr;
  FindStrip* m_find = nullptr;
  RunBookmarks* m_bookmarks = nullptr;
  BookmarksDialog* m_bookmarks_dialog = nullptr;
  QMenu* m_compare_menu = nullptr;
  LayerTable* m_layers = nullptr;
  StageSummary* m_stages = nullptr;
  SchedulePane* m_order = nullptr;
  ExperimentPanel* m_panel = nullptr;
  SplitSizeControl* m_split_size = nullptr;
  QComboBox* m_schedule = nullptr;
  ComparisonView* m_comparison = nullptr;
  LossView* m_loss = nullptr;
  SweepView* m_sweep = nullptr;
  IdleTable* m_idle = nullptr;
  RunsList* m_runs = nullptr;
  QLabel* m_hover = nullptr;
  QLabel* m_progress_words = nullptr;
  QProgressBar* m_progress_bar = nullptr;
  QMenu* m_recent = nullptr;
  std::vector<QDockWidget*> m_docks;

  bool m_running = false;
  std::shared_ptr<const Trace>
      m_reported;  ///< whose sentence m_reported_headline is: it walks all spans, so once a trace
  QString m_reported_headline;
  std::shared_ptr<const ImportedTrace> m_imported;  ///< another program's trace, shown while no run is
  QString m_imported_from;
  std::shared_ptr<const AlignedRuns> m_aligned;  ///< null unless the timeline shows two runs
  std::shared_ptr<const Trace> m_aligned_first;  ///< the shown run's trace among them
  QString m_aligned_headline;
  bool m_close_when_ended = false;
  QString m_phase;
  std::shared_ptr<const Trace> m_predicted_trace;  ///< the one that the timeline's prediction was made for
  std::shared_ptr<const Trace> m_suggested_trace;  ///< the one that m_suggestions are of
  std::optional<Suggestions> m_suggestions;
  std::shared_ptr<const Trace>
      m_replayed;  ///< what the timeline shows instead of what was measured, while the dialog What If wants it
  QString m_replayed_words;
  QString m_chosen_point;  ///< variant whose point on the sweep's chart was clicked
  QByteArray m_default_state;
  Background m_reader;
};

}  // namespace lanelab
