// SPDX-License-Identifier: GPL-3.0-only
// What the command palette of the window finds: commands of the menus, panes, blocks and lanes of the board, stored
// runs and the pages of the program. Each source makes values of what is there when it is called. Thread: GUI.
#pragma once

#include <QList>
#include <QString>
#include <functional>

#include "ui/palette/palette_entry.h"

class QAction;
class QMenuBar;

namespace lanelab {

class BoardView;
class ExperimentDocument;
class PaneLayout;
class RunsList;

/// An action and the menus that lead to it: "File > Export".
struct Command {
  QAction* action = nullptr;
  QString menus;
  QString why_not;  ///< a sentence why it is not possible now; empty: it is possible
};

/// All entries of the menus, without their submenus and separators, in order.
QList<Command> commandsOf(const QMenuBar& menus);

/// Object name of the command that exports what a pane shows; empty if there is none.
QString exportOf(const QString& pane);

/// Commands, examples among them; those that show panes are left to paneSource(). `front`: the pane that the user is
/// looking at, whose export comes first.
PaletteSource commandSource(const QMenuBar* menus, std::function<QString()> front);
PaletteSource paneSource(const PaneLayout* panes);
/// `why_not`: a sentence why the board is not shown now, or nothing.
PaletteSource blockSource(BoardView* board, std::function<QString()> why_not);
PaletteSource laneSource(const ExperimentDocument* document, BoardView* board, std::function<QString()> why_not);
PaletteSource runSource(const RunsList* runs, std::function<QString()> why_not,
                        std::function<void(const QString& folder)> open);
/// `open`: shows "docs/guide.md#share-a-run".
PaletteSource helpSource(std::function<void(const QString& address)> open);

}  // namespace lanelab
