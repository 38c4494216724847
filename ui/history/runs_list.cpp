// SPDX-License-Identifier: GPL-3.0-only
#include "ui/history/runs_list.h"

#include <QAction>
#include <QDir>
#include <QFile>
#include <QHBoxLayout>
#include <QListWidget>
#include <QPushButton>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <thread>

#include "ui/history/run_item.h"
#include "ui/look/parts.h"
#include "ui/look/plain_text.h"
#include "ui/look/theme.h"

namespace lanelab {

/// Reading 500 run.json files takes seconds, so a thread does it; it hands the finished summaries over once.
class RunsList::Impl {
 public:
  Impl(RunsList* owner, QString root) : m_owner(owner), m_root(std::move(root)) {
    auto* column = new QVBoxLayout(owner);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(look::kGrid);
    m_pages = new QStackedLayout;
    column->addLayout(m_pages, 1);
    m_pages->addWidget(makeEmpty());
    m_pages->addWidget(makeList());
    column->addLayout(makeButtons());
    makeActions();
    updateActions();
  }

  void refresh() {
    if (m_loading) {
      m_again = true;
      return;
    }
    m_loading = true;
    m_loader = std::jthread([this, root = m_root.toStdString()] {
      std::vector<RunSummary> summaries;
      for (const auto& listing : listRuns(root)) summaries.push_back(summaryOf(listing));
      QMetaObject::invokeMethod(
          m_owner, [this, summaries = std::move(summaries)] { show(summaries); }, Qt::QueuedConnection);
    });
  }

  void select(const QString& folder) {
    m_wanted = QDir(folder).absolutePath();
    selectWanted();
  }

 private:
  QWidget* makeEmpty() {
    auto* empty = look::emptyLabel(
        "runsEmpty",
        RunsList::tr("No run yet.\nPress Run, and every run is kept here: to look at again, to compare, to "
                     "throw away."));
    empty->setMargin(3 * look::kGrid);
    return empty;
  }

  QWidget* makeList() {
    m_list = new QListWidget;
    m_list->setObjectName("runs");
    m_list->setAccessibleName(RunsList::tr("Runs, newest first"));
    m_list->setItemDelegate(new RunItemDelegate(m_list));
    m_list->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setContextMenuPolicy(Qt::ActionsContextMenu);
    QObject::connect(m_list, &QListWidget::itemActivated, m_owner, [this](QListWidgetItem* item) { open(item); });
    QObject::connect(m_list, &QListWidget::itemSelectionChanged, m_owner, [this] { updateActions(); });
    return m_list;
  }

  QAction* makeAction(const QString& text, const QString& name, const QString& tip, const QList<QKeySequence>& keys) {
    auto* action = new QAction(text, m_owner);
    action->setObjectName(name);
    action->setToolTip(tip);
    action->setShortcuts(keys);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    m_owner->addAction(action);  // the window puts these in its menu
    m_list->addAction(action);
    return action;
  }

  void makeActions() {
    m_open = makeAction(RunsList::tr("Show Selected Run"), "openRun",
                        RunsList::tr("Show the run: its board, timeline and comparison"), {});
    m_compare = makeAction(RunsList::tr("Compare Selected"), "compareRuns",
                           RunsList::tr("Put the selected runs side by side"), {});
    m_align =
        makeAction(RunsList::tr("Compare Timelines With This"), "alignRun",
                   RunsList::tr("Put the selected run's timeline on one axis with the shown one, step by step"), {});
    m_delete = makeAction(RunsList::tr("Move to Trash"), "deleteRun",
                          RunsList::tr("Move the selected runs to the trash (Delete)"), {QKeySequence(Qt::Key_Delete)});
    auto* reload = makeAction(RunsList::tr("Refresh"), "refreshRuns",
                              RunsList::tr("Read the folder of runs again (F5)"), {QKeySequence(Qt::Key_F5)});
    reload->setShortcutContext(Qt::WindowShortcut);
    QObject::connect(m_open, &QAction::triggered, m_owner, [this] { open(m_list->currentItem()); });
    QObject::connect(m_compare, &QAction::triggered, m_owner, [this] { compare(); });
    QObject::connect(m_compare_button, &QPushButton::clicked, m_owner, [this] { compare(); });
    QObject::connect(m_align, &QAction::triggered, m_owner, [this] {
      if (const QStringList folders = selectedFolders(true); folders.size() == 1)
        Q_EMIT m_owner->alignRequested(folders.front());
    });
    QObject::connect(m_delete, &QAction::triggered, m_owner, [this] { moveToTrash(); });
    QObject::connect(reload, &QAction::triggered, m_owner, [this] { refresh(); });
  }

  QLayout* makeButtons() {
    auto* row = new QHBoxLayout;
    row->setContentsMargins(look::kGrid, 0, look::kGrid, look::kGrid);
    m_compare_button =
        look::button("compareButton", RunsList::tr("Compare selected"),
                     RunsList::tr("Select several runs (Ctrl+click, Shift+arrows) to put them side by side"));
    row->addWidget(m_compare_button);
    row->addStretch(1);
    return row;
  }

  void show(const std::vector<RunSummary>& summaries) {
    m_loading = false;
    const QStringList selected = selectedFolders(false);
    m_list->clear();
    for (const auto& summary : summaries) addItem(summary);
    m_pages->setCurrentIndex(summaries.empty() ? 0 : 1);
    for (int i = 0; i < m_list->count(); ++i)
      if (selected.contains(summaryIn(m_list->item(i)).folder)) m_list->item(i)->setSelected(true);
    selectWanted();
    updateActions();
    if (std::exchange(m_again, false)) refresh();
  }

  void addItem(const RunSummary& summary) {
    auto* item = new QListWidgetItem(m_list);
    item->setText(RunsList::tr("%1, %2, %3. %4").arg(summary.name, summary.status, summary.when, summary.headline));
    item->setToolTip(look::shownText(QDir::toNativeSeparators(summary.folder)) + "\n" + summary.headline);
    item->setData(kSummaryRole, QVariant::fromValue(summary));
  }

  static RunSummary summaryIn(const QListWidgetItem* item) { return item->data(kSummaryRole).value<RunSummary>(); }

  void selectWanted() {
    if (m_wanted.isEmpty()) return;
    for (int i = 0; i < m_list->count(); ++i) {
      if (QDir(summaryIn(m_list->item(i)).folder).absolutePath() != m_wanted) continue;
      m_list->setCurrentRow(i);
      m_wanted.clear();
      return;
    }
  }

  QStringList selectedFolders(bool readable_only) const {
    QStringList folders;
    for (const auto* item : m_list->selectedItems())
      if (!readable_only || summaryIn(item).readable) folders.append(summaryIn(item).folder);
    return folders;
  }

  void updateActions() {
    const auto several = selectedFolders(true).size() > 1;
    const auto any = !m_list->selectedItems().isEmpty();
    m_open->setEnabled(any);
    m_delete->setEnabled(any);
    m_compare->setEnabled(several);
    m_align->setEnabled(selectedFolders(true).size() == 1);
    m_compare_button->setEnabled(several);
  }

  void open(const QListWidgetItem* item) {
    if (item) Q_EMIT m_owner->openRequested(summaryIn(item).folder);
  }

  void compare() {
    const QStringList folders = selectedFolders(true);
    if (folders.size() > 1) Q_EMIT m_owner->compareRequested(folders);
  }

  void moveToTrash() {
    for (const auto* item : m_list->selectedItems()) {
      const QString folder = summaryIn(item).folder;
      if (summaryIn(item).running) {
        look::plainBox(QMessageBox::Information, RunsList::tr("Run goes on"),
                       RunsList::tr("%1 is running. Cancel it first.").arg(folder), QMessageBox::Ok, m_owner)
            ->exec();
      } else if (!QFile::moveToTrash(folder)) {
        deleteForGood(folder);
      }
    }
    refresh();
  }

  void deleteForGood(const QString& folder) {
    const auto ask = look::plainBox(QMessageBox::Question, RunsList::tr("No trash"),
                                    RunsList::tr("%1 cannot be moved to the trash. Delete it for good?").arg(folder),
                                    QMessageBox::Discard | QMessageBox::Cancel, m_owner);
    ask->setDefaultButton(QMessageBox::Cancel);
    if (ask->exec() == QMessageBox::Discard && !QDir(folder).removeRecursively())
      look::plainBox(QMessageBox::Warning, RunsList::tr("Not deleted"),
                     RunsList::tr("%1 could not be deleted. Check that the folder can be written.").arg(folder),
                     QMessageBox::Ok, m_owner)
          ->exec();
  }

  RunsList* m_owner;
  QString m_root;
  QString m_wanted;
  bool m_loading = false;
  bool m_again = false;
  QStackedLayout* m_pages;
  QListWidget* m_list;
  QPushButton* m_compare_button;
  QAction* m_open;
  QAction* m_compare;
  QAction* m_align;
  QAction* m_delete;
  std::jthread m_loader;
};

RunsList::RunsList(const QString& runs_root, QWidget* parent)
    : QWidget(parent), m_impl(std::make_unique<Impl>(this, runs_root)) {
  refresh();
}
RunsList::~RunsList() = default;

void RunsList::refresh() { m_impl->refresh(); }
void RunsList::select(const QString& folder) { m_impl->select(folder); }

}  // namespace lanelab
