// SPDX-License-Identifier: GPL-3.0-only
#include "ui/history/runs_list.h"

#include <QAction>
#include <QClipboard>
#include <QDesktopServices>
#include <QDir>
#include <QEvent>
#include <QGuiApplication>
#include <QMenu>
#include <QStackedLayout>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>

#include "engine/library/copied_command.h"
#include "engine/library/run_trash.h"
#include "ui/history/group_menu.h"
#include "ui/history/label_dialogs.h"
#include "ui/history/run_folder_actions.h"
#include "ui/history/run_words.h"
#include "ui/history/runs_filter.h"
#include "ui/history/runs_source.h"
#include "ui/history/runs_table.h"
#include "ui/look/action_state.h"
#include "ui/look/parts.h"
#include "ui/look/plain_text.h"
#include "ui/look/settings.h"
#include "ui/look/theme.h"

namespace lanelab {

namespace {

constexpr const char* kBaselineKey = "runs/baseline";

QStringList toList(const std::vector<std::string>& texts) {
  QStringList list;
  for (const std::string& text : texts) list.append(QString::fromStdString(text));
  return list;
}

}  // namespace

class RunsList::Impl {
 public:
  Impl(RunsList* owner, RunFolders folders)
      : m_owner(owner), m_folders(new RunFolderActions(folders, owner)), m_source(folders.all()) {
    m_model.setBaseline(look::Settings().value(kBaselineKey).toString());
    m_filter = new RunsFilter([this]() -> const std::vector<RunEntry>& { return m_model.all(); });
    m_table = new RunsTable(&m_model);
    m_filter->offerGroups(m_table->groupMenu());
    makeLayout();
    makeActions();
    updateActions();
    connect(m_folders, &RunFolderActions::failed,
            [this](const QString& sentence) { Q_EMIT m_owner->failed(sentence); });
    connect(m_folders, &RunFolderActions::changed, [this](const QString& sentence) {
      m_source.setFolders(m_folders->folders().all());
      Q_EMIT m_owner->done(sentence);
    });
    connect(&m_source, &RunsSource::loaded, [this](const RunsSource::Runs& runs) { show(runs); });
    connect(m_filter, &RunsFilter::changed, [this] {
      m_model.setFilter(m_filter->filter());
      showPage();
    });
    connect(m_table, &RunsTable::chosen, [this] { updateActions(); });
    connect(m_table, &QAbstractItemView::activated, [this](const QModelIndex& index) {
      if (m_model.isGroup(index.row())) return m_table->foldCurrent(!m_model.isFolded(index.row()));
      open();
    });
    connect(&m_model, &QAbstractItemModel::modelReset,
            [this] { m_filter->showGrouped(m_model.grouping() != RunGrouping::None); });
    connect(m_table, &RunsTable::edited, [this] {
      if (m_waiting) show(std::exchange(m_waiting, nullptr));
    });
    connect(m_table, &RunsTable::starClicked, [this](const QString& folder) { toggleStar({folder}); });
    connect(&m_model, &RunsModel::renamed, [this](const QString& folder, const QString& name) {
      label({folder}, [&](RunLabels& labels) { labels.name = name.toStdString(); });
    });
  }

  ~Impl() { delete m_table; }  // before the model that it shows
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  void refresh() { m_source.refresh(); }
  const std::vector<RunEntry>& runs() const { return m_model.all(); }

  void select(const QString& folder) {
    m_wanted.clear();
    if (folder.isEmpty()) return m_table->clearSelection();
    m_wanted = QDir(folder).absolutePath();
    if (m_table->selectRun(m_wanted)) m_wanted.clear();
  }

  void undoDelete() {
    int restored = 0;
    for (const TrashedRun& run : std::exchange(m_deleted, {}))
      if (const auto folder = restoreRun(run); folder.ok())
        restored += 1;
      else
        fail(folder.error());
    updateActions();
    refresh();
    if (restored == 0) return;
    Q_EMIT m_owner->restored();
    Q_EMIT m_owner->done(RunsList::tr("Restored %n run(s).", nullptr, restored));
  }

 private:
  template <class Sender, class Signal, class Slot>
  void connect(Sender* sender, Signal signal, Slot slot) {
    QObject::connect(sender, signal, m_owner, slot);
  }

  void makeLayout() {
    auto* column = look::makeLayout<QVBoxLayout>(m_owner, look::kGrid);
    column->addWidget(m_filter);
    m_pages = new QStackedLayout;
    column->addLayout(m_pages, 1);
    auto* empty = look::emptyLabel(
        "runsEmpty", RunsList::tr("No runs yet. Runs appear here so you can reopen, compare or delete them."));
    empty->setMargin(3 * look::kGrid);
    auto* none = look::emptyLabel("runsNoMatch", RunsList::tr("No run matches the search and the filter."));
    none->setMargin(3 * look::kGrid);
    m_pages->addWidget(empty);
    m_pages->addWidget(none);
    m_pages->addWidget(m_table);
    m_filter->hide();
  }

  template <class Slot>
  QAction* add(const QString& text, const char* name, const QString& tip, Slot slot, const QKeySequence& key = {}) {
    auto* action = new QAction(text, m_owner);
    action->setObjectName(QLatin1String(name));
    action->setToolTip(tip);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(action, &QAction::triggered, slot);
    offer(action);
    return action;
  }

  void offer(QAction* action) {
    m_owner->addAction(action);  // the window puts these in its menu
    m_table->addAction(action);
  }

  void addSeparator() {
    auto* line = new QAction(m_owner);
    line->setSeparator(true);
    offer(line);
  }

  void makeActions() {
    m_open = add(RunsList::tr("&Open Run"), "openRun",
                 RunsList::tr("Show the run's timeline, comparison and losses beside the open experiment"),
                 [this] { open(); });
    m_use = add(RunsList::tr("Use as E&xperiment"), "useRun", RunsList::tr("Edit the experiment of the run"),
                [this] { Q_EMIT m_owner->useRequested(m_table->currentFolder()); });
    addSeparator();
    makeComparing();
    addSeparator();
    makeLabels();
    addSeparator();
    makeSharing();
    addSeparator();
    makeDeleting();
    addSeparator();
    offer(m_folders->adding());
    offer(m_folders->removing()->menuAction());
    addSeparator();
    offer(m_table->groupMenu()->menuAction());
    offer(m_table->columnMenu()->menuAction());
    add(
        RunsList::tr("Searc&h Runs"), "searchRuns", RunsList::tr("Go to the search field of the runs"),
        [this] { m_filter->focusSearch(); }, QKeySequence("Ctrl+Shift+F"))
        ->setShortcutContext(Qt::WindowShortcut);
    add(
        RunsList::tr("Refresh R&uns"), "refreshRuns", RunsList::tr("Read the folders of runs again"),
        [this] { refresh(); }, QKeySequence(Qt::Key_F5))
        ->setShortcutContext(Qt::WindowShortcut);
  }

  void makeComparing() {
    m_compare = add(RunsList::tr("&Compare Runs"), "compareRuns",
                    RunsList::tr("Compare the selected runs (Ctrl+click or Shift+arrow keys select several)"),
                    [this] { compare(); });
    m_overlay = add(RunsList::tr("Overla&y..."), "overlayRuns",
                    RunsList::tr("Draw one metric of the selected runs in one chart"), [this] { overlay(); });
    m_align = add(RunsList::tr("Compare T&imelines With This"), "alignRun",
                  RunsList::tr("Show the run's timeline and the shown one on one axis, step by step"),
                  [this] { Q_EMIT m_owner->alignRequested(m_table->currentFolder()); });
    m_baseline = add(RunsList::tr("Use as &Baseline"), "baselineRun",
                     RunsList::tr("Show the speed-up of all runs vs this run"), [this](bool on) { setBaseline(on); });
    m_baseline->setCheckable(true);
  }

  void makeLabels() {
    m_rename = add(
        RunsList::tr("&Rename"), "renameRun", RunsList::tr("Rename the run"), [this] { m_table->rename(); },
        QKeySequence(Qt::Key_F2));
    m_tags = add(
        RunsList::tr("&Tags..."), "tagRuns", RunsList::tr("Edit the tags of the selected runs"), [this] { editTags(); },
        QKeySequence("Ctrl+T"));
    m_note = add(
        RunsList::tr("&Note..."), "noteRun", RunsList::tr("Edit the note on the run"), [this] { editNote(); },
        QKeySequence("Ctrl+Shift+N"));
    m_star = add(
        RunsList::tr("&Star"), "starRuns", RunsList::tr("Star the selected runs, or remove their stars"),
        [this] { toggleStar(m_table->selectedFolders()); }, QKeySequence("*"));
    m_star->setCheckable(true);
  }

  void makeSharing() {
    m_copy = add(RunsList::tr("Co&py as Command"), "copyRunCommand",
                 RunsList::tr("Copy the command that repeats the run, or compares the selected runs"),
                 [this] { copyCommand(); });
    m_share = add(RunsList::tr("Share as Archi&ve..."), "shareRun",
                  RunsList::tr("Save the run with its experiment, traces and report as one file"),
                  [this] { Q_EMIT m_owner->shareRequested(m_table->currentFolder()); });
    m_show_folder = add(RunsList::tr("Show &Folder"), "showRunFolder", RunsList::tr("Open the folder of the run"),
                        [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(m_table->currentFolder())); });
  }

  void makeDeleting() {
    m_delete = add(
        RunsList::tr("&Delete"), "deleteRun",
        RunsList::tr("Delete the selected runs; they can be restored for 30 days"), [this] { deleteSelected(); },
        QKeySequence(Qt::Key_Delete));
    m_undo = add(RunsList::tr("Undo Delet&e"), "undoDeleteRun", RunsList::tr("Restore the runs deleted last"),
                 [this] { undoDelete(); });
  }

  /// A name that is being typed is not taken away by a refresh.
  void show(const RunsSource::Runs& runs) {
    if (m_table->isEditing()) {
      m_waiting = runs;
      return;
    }
    m_model.setRuns(runs);
    showPage();
    if (!m_wanted.isEmpty() && m_table->selectRun(m_wanted)) m_wanted.clear();
    updateActions();
  }

  void showPage() {
    const bool any = !m_model.all().empty();
    m_filter->setVisible(any);
    m_filter->showCount(m_model.matching(), static_cast<int>(m_model.all().size()));
    m_pages->setCurrentIndex(!any ? 0 : m_model.matching() == 0 ? 1 : 2);
  }

  const RunEntry* entry(const QString& folder) const { return m_model.find(folder); }

  std::vector<const RunEntry*> selected() const {
    std::vector<const RunEntry*> entries;
    for (const QString& folder : m_table->selectedFolders())
      if (const RunEntry* const found = entry(folder)) entries.push_back(found);
    return entries;
  }

  void updateActions() {
    const auto runs = selected();
    const bool any = !runs.empty();
    const bool one = runs.size() == 1;
    const auto readable = std::ranges::count_if(runs, [](const RunEntry* run) { return !run->damaged; });
    const QString need_one = RunsList::tr("Select one run first.");
    const QString need_some = RunsList::tr("Select runs first.");
    const QString unreadable = RunsList::tr("A selected run cannot be read.");
    for (QAction* const action : {m_open, m_rename, m_note, m_show_folder}) look::setEnabled(*action, one, need_one);
    for (QAction* const action : {m_use, m_align, m_share, m_baseline})
      look::setEnabled(*action, one && readable == 1, one ? unreadable : need_one);
    for (QAction* const action : {m_tags, m_star, m_delete}) look::setEnabled(*action, any, need_some);
    look::setEnabled(*m_compare, readable > 1, RunsList::tr("Select several runs that can be read first."));
    look::setEnabled(*m_overlay, runs.size() > 1, RunsList::tr("Select several runs first."));
    look::setEnabled(*m_copy, any && readable == static_cast<std::ptrdiff_t>(runs.size()),
                     any ? unreadable : need_some);
    look::setEnabled(*m_undo, !m_deleted.empty(), RunsList::tr("No run was deleted in this session."));
    m_baseline->setChecked(one && m_model.baseline().toStdString() == runs.front()->folder);
    m_star->setChecked(any && std::ranges::all_of(runs, [](const RunEntry* run) { return run->labels.star; }));
  }

  void open() {
    if (const QString folder = m_table->currentFolder(); !folder.isEmpty()) Q_EMIT m_owner->openRequested(folder);
  }

  void compare() {
    QStringList folders;
    for (const RunEntry* const run : selected())
      if (!run->damaged) folders.append(QString::fromStdString(run->folder));
    if (folders.size() > 1) Q_EMIT m_owner->compareRequested(folders);
  }

  void overlay() {
    std::vector<RunEntry> runs;
    for (const RunEntry* const run : selected()) runs.push_back(*run);
    if (runs.size() > 1) Q_EMIT m_owner->overlayRequested(runs);
  }

  void setBaseline(bool on) {
    const QString folder = on ? m_table->currentFolder() : QString();
    m_model.setBaseline(folder);
    look::Settings().setValue(kBaselineKey, folder);
  }

  QString namesOf(const std::vector<const RunEntry*>& runs) const {
    QStringList names;
    for (const RunEntry* const run : runs) names.append(QString::fromStdString(run->name()));
    return run_words::namesOf(names);
  }

  void label(const QStringList& folders, const std::function<void(RunLabels&)>& change) {
    for (const QString& folder : folders)
      if (const Status changed = changeLabels(folder.toStdString(), change); !changed.ok()) fail(changed.error());
    refresh();
  }

  void toggleStar(const QStringList& folders) {
    const bool all = std::ranges::all_of(folders, [this](const QString& folder) {
      const RunEntry* const run = entry(folder);
      return run && run->labels.star;
    });
    label(folders, [all](RunLabels& labels) { labels.star = !all; });
  }

  /// What all selected runs have is offered; what is added or removed there is added to or removed from each.
  void editTags() {
    const auto runs = selected();
    if (runs.empty()) return;
    QStringList common = toList(runs.front()->labels.tags);
    for (const RunEntry* const run : runs) {
      const QStringList tags = toList(run->labels.tags);
      common.removeIf([&](const QString& tag) { return !tags.contains(tag); });
    }
    askForTags(m_owner, namesOf(runs), common, toList(tagsOf(m_model.all())),
               [this, common, folders = m_table->selectedFolders()](const QStringList& chosen) {
                 label(folders, [&](RunLabels& labels) {
                   for (const QString& tag : common)
                     if (!chosen.contains(tag)) removeTag(labels, tag.toStdString());
                   for (const QString& tag : chosen) addTag(labels, tag.toStdString());
                 });
               });
  }

  void editNote() {
    const RunEntry* const run = entry(m_table->currentFolder());
    if (!run) return;
    askForNote(m_owner, namesOf({run}), QString::fromStdString(run->labels.note),
               [this, folder = m_table->currentFolder()](const QString& note) {
                 label({folder}, [&](RunLabels& labels) { labels.note = note.toStdString(); });
               });
  }

  void copyCommand() {
    std::vector<std::string> folders;
    for (const QString& folder : m_table->selectedFolders()) folders.push_back(folder.toStdString());
    if (folders.empty()) return;
    const std::string command = folders.size() == 1 ? repeatCommand(folders.front()) : compareCommand(folders);
    QGuiApplication::clipboard()->setText(QString::fromStdString(command));
    Q_EMIT m_owner->done(RunsList::tr("Copied: %1").arg(look::shownText(command)));
  }

  void deleteSelected() {
    const QStringList folders = m_table->selectedFolders();
    const QString names = namesOf(selected());
    std::vector<TrashedRun> deleted;
    for (const QString& folder : folders) {
      Result<TrashedRun> trashed = trashRun(folder.toStdString());
      if (trashed.ok())
        deleted.push_back(std::move(*trashed));
      else
        fail(trashed.error());
    }
    refresh();
    if (deleted.empty()) return;
    const bool all = deleted.size() == static_cast<std::size_t>(folders.size());
    const auto count = static_cast<int>(deleted.size());
    m_deleted = std::move(deleted);
    updateActions();
    if (all) Q_EMIT m_owner->deleted(RunsList::tr("Deleted %1.").arg(names));
    if (!all) Q_EMIT m_owner->deleted(RunsList::tr("Deleted %n run(s); the others are in use.", nullptr, count));
  }

  void fail(const Error& error) { Q_EMIT m_owner->failed(QString::fromStdString(error.message)); }

  RunsList* m_owner;
  RunFolderActions* m_folders;
  RunsModel m_model;
  RunsFilter* m_filter = nullptr;
  RunsTable* m_table = nullptr;
  QStackedLayout* m_pages = nullptr;
  QAction *m_open, *m_use, *m_compare, *m_overlay, *m_align, *m_baseline, *m_rename, *m_tags, *m_note, *m_star, *m_copy,
      *m_share, *m_show_folder, *m_delete, *m_undo;
  QString m_wanted;  ///< a run that is to be selected when it is listed
  RunsSource::Runs m_waiting;
  std::vector<TrashedRun> m_deleted;
  RunsSource m_source;
};

RunsList::RunsList(RunFolders folders, QWidget* parent)
    : QWidget(parent), m_impl(std::make_unique<Impl>(this, std::move(folders))) {
  refresh();
}

RunsList::~RunsList() = default;
void RunsList::refresh() { m_impl->refresh(); }
void RunsList::select(const QString& folder) { m_impl->select(folder); }
const std::vector<RunEntry>& RunsList::runs() const { return m_impl->runs(); }
void RunsList::undoDelete() { m_impl->undoDelete(); }

bool RunsList::event(QEvent* event) {
  if (event->type() == QEvent::WindowActivate) refresh();
  return QWidget::event(event);
}

}  // namespace lanelab
