// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/palette_sources.h"

#include <QAction>
#include <QCoreApplication>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <algorithm>
#include <utility>

#include "engine/experiment/lane_cores.h"
#include "ui/board/board_view.h"
#include "ui/experiment/experiment_document.h"
#include "ui/help/help_pages.h"
#include "ui/history/run_words.h"
#include "ui/history/runs_list.h"
#include "ui/look/plain_text.h"
#include "ui/window/pane_layout.h"

namespace lanelab {
namespace {

struct PaletteTexts {
  Q_DECLARE_TR_FUNCTIONS(CommandPalette)
};

QString plainName(const QAction& action) { return look::withoutMnemonic(action.text()); }

/// The tip of a disabled action ends with the reason.
QString whyNot(const QAction& action) {
  if (action.isEnabled()) return {};
  const QString reason = action.toolTip().section('\n', 1);
  return reason.isEmpty() ? PaletteTexts::tr("Not possible now.") : reason;
}

void addEntries(const QList<QAction*>& actions, const QString& menus, const QString& why_not,
                QList<Command>& commands) {
  for (QAction* action : actions) {
    if (action->isSeparator() || !action->isVisible()) continue;
    const QString why = why_not.isEmpty() ? whyNot(*action) : why_not;
    if (!action->menu()) {
      commands.append({action, menus, why});
      continue;
    }
    const QString here = menus.isEmpty() ? plainName(*action) : menus + " > " + plainName(*action);
    addEntries(action->menu()->actions(), here, why, commands);
  }
}

/// Commands that stand for something are called by what that is.
QString kindOf(const QAction& action) {
  return action.objectName().startsWith("example-") ? PaletteTexts::tr("Example") : PaletteTexts::tr("Command");
}

PaletteEntry entryOf(const Command& command, const QString& front_export) {
  QAction* const action = command.action;
  const QString state = action->isCheckable() && action->isChecked() ? QString::fromUtf8(" \u2713") : QString();
  return {kindOf(*action),
          plainName(*action) + state,
          command.menus,
          action->shortcut().toString(QKeySequence::NativeText),
          command.why_not,
          !front_export.isEmpty() && action->objectName() == front_export,
          [action] { action->trigger(); }};
}

}  // namespace

QList<Command> commandsOf(const QMenuBar& menus) {
  QList<Command> commands;
  addEntries(menus.actions(), {}, {}, commands);
  return commands;
}

QString exportOf(const QString& pane) {
  static constexpr std::pair<const char*, const char*> kExports[] = {
      {"timeline", "exportTimeline"},      {"idleDock", "exportTimeline"}, {"detailsDock", "exportTimeline"},
      {"compareDock", "exportComparison"}, {"lossDock", "exportLoss"},     {"sweepDock", "exportSweep"},
      {"memoryDock", "exportMemory"}};
  for (const auto& [name, command] : kExports)
    if (pane == QLatin1String(name)) return QLatin1String(command);
  return {};
}

PaletteSource commandSource(const QMenuBar* menus, std::function<QString()> front) {
  return [menus, front = std::move(front)] {
    QList<PaletteEntry> entries;
    const QString front_export = exportOf(front());
    for (const Command& command : commandsOf(*menus)) {
      const QString name = command.action->objectName();
      const bool fills_empty_menu = name.isEmpty() && !command.why_not.isEmpty();
      if (!fills_empty_menu && !name.startsWith(PaneLayout::kToggle)) entries << entryOf(command, front_export);
    }
    return entries;
  };
}

PaletteSource paneSource(const PaneLayout* panes) {
  return [panes] {
    QList<PaletteEntry> entries;
    for (QDockWidget* const pane : panes->panes())
      entries << PaletteEntry{.kind = PaletteTexts::tr("Pane"),
                              .title = pane->windowTitle(),
                              .detail = PaletteTexts::tr("View"),
                              .key = panes->keyOf(*pane).toString(QKeySequence::NativeText),
                              .run = [pane] { PaneLayout::goTo(*pane); }};
    return entries;
  };
}

PaletteSource blockSource(BoardView* board, std::function<QString()> why_not) {
  return [board, why_not = std::move(why_not)] {
    QList<PaletteEntry> entries;
    const QString why = why_not(), network = look::shownName(board->model().arch);
    for (int i = 0; const BlockSpec& block : board->model().blocks) {
      const BlockId id{i++};
      entries << PaletteEntry{.kind = PaletteTexts::tr("Block"),
                              .title = look::shownName(block.name),
                              .detail = network,
                              .why_not = why,
                              .run = [board, id] {
                                board->showBlock(id);
                                board->setFocus(Qt::ShortcutFocusReason);
                              }};
    }
    return entries;
  };
}

PaletteSource laneSource(const ExperimentDocument* document, BoardView* board, std::function<QString()> why_not) {
  return [document, board, why_not = std::move(why_not)] {
    QList<PaletteEntry> entries;
    const QString why = why_not();
    for (int lane = 0; const std::string& title : laneTitles(document->experiment().lanes)) {
      entries << PaletteEntry{.kind = PaletteTexts::tr("Lane"),
                              .title = look::shownName(title),
                              .detail = PaletteTexts::tr("Lane %1").arg(lane),
                              .why_not = why,
                              .run = [board, lane] {
                                board->selectLane(lane);
                                board->setFocus(Qt::ShortcutFocusReason);
                              }};
      ++lane;
    }
    return entries;
  };
}

PaletteSource runSource(const RunsList* runs, std::function<QString()> why_not,
                        std::function<void(const QString& folder)> open) {
  return [runs, why_not = std::move(why_not), open = std::move(open)] {
    QList<PaletteEntry> entries;
    const QString why = why_not();
    for (const RunEntry& run : runs->runs()) {
      QStringList facts;
      for (const RunColumn column : {RunColumn::Model, RunColumn::Strategy, RunColumn::Date})
        facts << run_words::cell(run, column);
      facts.removeAll(QString());
      entries << PaletteEntry{.kind = PaletteTexts::tr("Run"),
                              .title = run_words::cell(run, RunColumn::Name),
                              .detail = facts.join(", "),
                              .why_not = why,
                              .run = [open, folder = QString::fromStdString(run.folder)] { open(folder); }};
    }
    return entries;
  };
}

PaletteSource helpSource(std::function<void(const QString& address)> open) {
  return [open = std::move(open)] {
    QList<PaletteEntry> entries;
    for (const HelpPage& page : helpPages())
      for (const HelpSection& section : page.sections)
        entries << PaletteEntry{.kind = PaletteTexts::tr("Help"),
                                .title = section.title,
                                .detail = section.level == 1 ? QString() : page.title,
                                .run = [open, address = page.path + '#' + section.anchor] { open(address); }};
    return entries;
  };
}

}  // namespace lanelab
