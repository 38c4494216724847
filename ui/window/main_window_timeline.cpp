// SPDX-License-Identifier: GPL-3.0-only
#include <QAction>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QTabBar>

#include "base/atomic_file.h"
#include "engine/record/run_store.h"
#include "profiler/analysis/aligned_runs.h"
#include "profiler/io/import/chrome_reader.h"
#include "ui/bookmarks/bookmarks_dialog.h"
#include "ui/bookmarks/run_bookmarks.h"
#include "ui/look/elided_label.h"
#include "ui/look/icons.h"
#include "ui/look/plain_text.h"
#include "ui/timeline/paint/difference_painter.h"
#include "ui/timeline/view/find_strip.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/window/main_window.h"

namespace lanelab {

namespace {

/// "24 actions compared, together 3.1 % longer in B; only in A 3, only in B 6".
QString comparisonWords(const AlignedRuns& aligned) {
  if (aligned.cells.empty()) return MainWindow::tr("no action in both");
  double a = 0, b = 0;
  for (const AlignedCell& cell : aligned.cells) {
    a += static_cast<double>(cell.a);
    b += static_cast<double>(cell.b);
  }
  const auto count = static_cast<qulonglong>(aligned.cells.size());
  QString words = a > 0
                      ? MainWindow::tr("%1 actions in both, B's together %2").arg(count).arg(differenceText(b / a - 1))
                      : MainWindow::tr("%1 actions in both").arg(count);
  if (aligned.only_a > 0) words += MainWindow::tr(", only in A %1").arg(static_cast<qulonglong>(aligned.only_a));
  if (aligned.only_b > 0) words += MainWindow::tr(", only in B %1").arg(static_cast<qulonglong>(aligned.only_b));
  return words;
}

/// The trace of the variant of that name, else of the last variant that has one; null and a sentence where there is
/// none.
std::pair<std::shared_ptr<const Trace>, QString> traceOfRun(const QString& folder, const QString& variant) {
  const auto record = readRun(folder.toStdString());
  if (!record.ok()) return {nullptr, QString::fromStdString(record.error().message)};
  std::vector<std::string> names;
  for (const VariantRecord& each : record->variants) names.push_back(each.name);
  names.push_back(variant.toStdString());
  for (auto name = names.rbegin(); name != names.rend(); ++name) {
    const std::string path = tracePathOf(folder.toStdString(), *name);
    if (!QFileInfo::exists(QString::fromStdString(path))) continue;
    const ReadTrace read = readChromeTrace(path);
    if (!read.trace) return {nullptr, QString::fromStdString(read.error)};
    return {read.trace, MainWindow::tr("%1 of %2").arg(look::shownName(*name), QDir(folder).dirName())};
  }
  return {
      nullptr,
      MainWindow::tr("%1 holds no timeline. Choose a run that measured one.").arg(QDir::toNativeSeparators(folder))};
}

}  // namespace

void MainWindow::makeTimelineMenu(QMenu* view) {
  auto* menu = view->addMenu(look::icon("timeline"), tr("Time&line"));
  menu->setObjectName("timelineMenu");
  menu->setToolTipsVisible(true);
  addAction(menu, "find", tr("&Find..."), tr("Find spans of the timeline by name, block, action or micro-batch"),
            QKeySequence::Find, "search", [this] { m_find->open(); });
  addAction(menu, "findNext", tr("Find &Next"), tr("Go to the next span that was found"), QKeySequence("F3"), {},
            [this] { m_timeline->findNext(); });
  addAction(menu, "findPrevious", tr("Find &Previous"), tr("Go to the span that was found before this one"),
            QKeySequence("Shift+F3"), {}, [this] { m_timeline->findPrevious(); });
  menu->addSeparator();
  addAction(menu, "goToWaitedOn", tr("Go to What It &Waited On"),
            tr("From the current span to the one whose result it took ([ on the timeline)"), {}, {},
            [this] { m_timeline->goToWaitedOn(); });
  addAction(menu, "goToWaiting", tr("Go to What Waited on &It"),
            tr("From the current span to the one that took its result (] on the timeline)"), {}, {},
            [this] { m_timeline->goToWaiting(); });
  auto* path = addAction(menu, "criticalPath", tr("&Critical Path"),
                         tr("Draw the chain of actions, transfers and waits that the step's length hangs on"),
                         QKeySequence("Ctrl+Shift+C"), {},
                         [this] { m_timeline->setShowCriticalPath(action("criticalPath")->isChecked()); });
  path->setCheckable(true);
  menu->addSeparator();
  addAction(menu, "bookmark", tr("&Bookmark the Selection"), tr("Keep the selected range under a name"),
            QKeySequence("Ctrl+B"), "pin", [this] { bookmarkSelection(); });
  addAction(menu, "bookmarks", tr("Book&marks..."), tr("Go to kept ranges, rename, delete or export them"),
            QKeySequence("Ctrl+Shift+B"), {}, [this] { showBookmarksDialog(); });
  menu->addSeparator();
  m_compare_menu = menu->addMenu(tr("Compare Timelines Wit&h"));
  m_compare_menu->setObjectName("compareTimelinesMenu");
  m_compare_menu->setToolTipsVisible(true);
  connect(m_compare_menu, &QMenu::aboutToShow, this, &MainWindow::fillCompareMenu);
  addAction(menu, "compareTimelinesWithRun", tr("Compare Timelines With Another &Run..."),
            tr("Put another run's timeline on one axis with this one, step by step"), {}, {},
            [this] { chooseOtherRun(); });
  addAction(menu, "stopComparingTimelines", tr("&Only This Timeline Again"), tr("Take the second timeline away"), {},
            {}, [this] { stopAligning(); });
  auto* differences = addAction(
      menu, "differences", tr("&Differences"),
      tr("Tint each action by how much slower or faster it was than in the other run, or than predicted"),
      QKeySequence("Ctrl+Shift+D"), {}, [this] { m_timeline->setShowDifferences(action("differences")->isChecked()); });
  differences->setCheckable(true);
}

void MainWindow::updateTimelineActions() {
  const bool has_trace = m_timeline->trace() != nullptr;
  for (const char* name : {"find", "goToWaitedOn", "goToWaiting"}) action(name)->setEnabled(has_trace);
  for (const char* name : {"findNext", "findPrevious"}) action(name)->setEnabled(m_timeline->searchState().count > 0);
  action("bookmark")->setEnabled(!m_running && !m_aligned && has_trace && m_timeline->selection());
  const bool has_run = !m_running && m_shown.record() && has_trace;
  m_compare_menu->setEnabled(has_run);
  action("compareTimelinesWithRun")->setEnabled(has_run);
  action("stopComparingTimelines")->setEnabled(m_aligned != nullptr);
  action("differences")->setEnabled(has_trace && m_timeline->hasDifferences());
}

std::shared_ptr<const Trace> MainWindow::traceOf(const QString& variant) const {
  return variant.isEmpty() && m_imported ? m_imported->trace : m_shown.trace(variant);
}

void MainWindow::bookmarkSelection() {
  const auto range = m_timeline->selection();
  const auto trace = m_timeline->trace();
  if (m_running || m_aligned || !range || !trace) return;
  const std::string name = defaultBookmarkName(*trace, *range);
  m_bookmarks->add({name, m_imported ? std::string() : trace->title, *range});
  m_messages->say(MessageStrip::Kind::Information,
                  tr("Kept as \u201c%1\u201d. Ctrl+Shift+B lists all bookmarks.").arg(look::shownName(name)));
}

/// Those of the shown trace, on its axis.
void MainWindow::showBookmarks() {
  const auto trace = m_aligned ? m_aligned_first : m_timeline->trace();
  std::vector<TimelineBookmark> shown;
  for (const Bookmark& bookmark : m_bookmarks->all()) {
    if (!trace || traceOf(QString::fromStdString(bookmark.variant)) != trace) continue;
    shown.push_back(
        {look::shownName(bookmark.name), m_aligned ? m_aligned->placed(RunSide::A, bookmark.range) : bookmark.range});
  }
  m_timeline->setBookmarks(std::move(shown));
}

void MainWindow::showBookmarksDialog() {
  if (!m_bookmarks_dialog) {
    const auto start = [this](const QString& variant) -> std::optional<qint64> {
      const auto trace = traceOf(variant);
      return trace ? std::optional<qint64>(trace->range().start) : std::nullopt;
    };
    m_bookmarks_dialog = new BookmarksDialog(m_bookmarks, start, this);
    connect(m_bookmarks_dialog, &BookmarksDialog::jumpRequested, this, &MainWindow::goToBookmark);
    connect(m_bookmarks_dialog, &BookmarksDialog::exportRequested, this, &MainWindow::exportBookmarks);
  }
  m_bookmarks_dialog->show();
  m_bookmarks_dialog->raise();
  m_bookmarks_dialog->activateWindow();
}

/// A variant that the run has but the board has not is shown as a sweep's point is.
void MainWindow::goToBookmark(std::size_t index) {
  if (m_running || index >= m_bookmarks->all().size()) return;
  const Bookmark bookmark = m_bookmarks->all()[index];
  const QString variant = QString::fromStdString(bookmark.variant);
  const auto trace = traceOf(variant);
  if (!trace)
    return m_messages->say(MessageStrip::Kind::Warning,
                           tr("The timeline of %1 is not there.").arg(look::shownName(variant)));
  if (m_aligned && m_aligned_first != trace) stopAligning();
  if (!m_aligned && m_timeline->trace() != trace) {
    for (int i = 0; i < m_variant_tabs->count(); ++i)
      if (m_variant_tabs->tabData(i).toString() == variant) m_variant_tabs->setCurrentIndex(i);
    if (m_timeline->trace() != trace) {
      m_chosen_point = variant;
      showTrace();
    }
  }
  m_timeline->setSelection(m_aligned ? m_aligned->placed(RunSide::A, bookmark.range) : bookmark.range);
  m_timeline->zoomToSelection();
}

void MainWindow::exportBookmarks() {
  askForFile("bookmarks", tr("Export Bookmarks"), {tr("CSV table (*.csv)")}, [this](const QString& path) {
    std::string csv;
    std::vector<std::shared_ptr<const Trace>> traces = m_imported ? std::vector{m_imported->trace} : m_shown.traces();
    for (const auto& trace : traces) {
      std::string table = bookmarksCsv(m_bookmarks->all(), *trace);
      csv += csv.empty() ? table : table.substr(table.find('\n') + 1);  // one line of headings
    }
    saidOrFailed(writeFileAtomically(path.toStdString(), csv), path);
  });
}

void MainWindow::fillCompareMenu() {
  m_compare_menu->clear();
  const auto shown = m_aligned ? m_aligned_first : m_timeline->trace();
  for (const auto& trace : m_shown.traces()) {
    if (trace == shown) continue;
    const QString name = QString::fromStdString(trace->title);
    auto* entry = m_compare_menu->addAction(look::buttonText(name));
    entry->setToolTip(tr("Put the timeline of %1 below this one, step by step").arg(look::shownName(name)));
    connect(entry, &QAction::triggered, this,
            [this, trace, name] { alignWith([trace, name] { return OtherTrace(trace, name); }); });
  }
  if (!m_compare_menu->isEmpty()) return;
  auto* none = m_compare_menu->addAction(tr("No other variant of this run has a timeline"));
  none->setToolTip(tr("Variants of the shown run are listed here"));
  none->setEnabled(false);
}

void MainWindow::chooseOtherRun() {
  auto* dialog = new QFileDialog(this, tr("Compare Timelines With the Run in"), m_setup.runs_root);
  dialog->setObjectName("otherRunDialog");
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::Directory);
  dialog->setOption(QFileDialog::ShowDirsOnly);
  connect(dialog, &QFileDialog::fileSelected, this, &MainWindow::alignWithRun);
  dialog->open();
}

void MainWindow::alignWithRun(const QString& folder) {
  if (m_running || !m_shown.record() || !m_timeline->trace()) {
    m_messages->say(MessageStrip::Kind::Information, tr("Show a run first, then choose the one to compare it with."));
    return;
  }
  alignWith([folder, variant = variantOnTimeline()] { return traceOfRun(folder, variant); });
}

/// Reading and aligning long traces takes a while, so neither is the window's work.
void MainWindow::alignWith(const std::function<OtherTrace()>& read) {
  const auto first = m_aligned ? m_aligned_first : m_timeline->trace();
  if (m_running || !first) return;
  m_reader.run([this, first, read]() -> Background::Then {
    auto [second, name] = read();
    auto aligned = second ? std::make_shared<const AlignedRuns>(alignRuns(*first, *second)) : nullptr;
    return [this, first, aligned, name = name] {
      if (!aligned) return m_messages->say(MessageStrip::Kind::Error, name);
      if (m_running || (m_aligned ? m_aligned_first : m_timeline->trace()) != first)
        return;  // another run is shown by now
      showAligned(aligned, first, tr("A: %1, B: %2").arg(look::shownName(first->title), name));
    };
  });
}

void MainWindow::showAligned(std::shared_ptr<const AlignedRuns> aligned, std::shared_ptr<const Trace> first,
                             const QString& names) {
  m_aligned = std::move(aligned);
  m_aligned_first = std::move(first);
  m_aligned_headline = tr("%1. %2").arg(names, comparisonWords(*m_aligned));
  m_timeline->setAligned(m_aligned);
  m_predicted_trace.reset();  // it is shown again when the one trace is
  m_trace_headline->setText(m_aligned_headline);
  showBookmarks();
  updateActions();
}

void MainWindow::stopAligning() {
  if (!m_aligned) return;
  m_aligned.reset();
  m_aligned_first.reset();
  showTrace();
}

}  // namespace lanelab
