// SPDX-License-Identifier: GPL-3.0-only
// Parts of panes and dialogs, set up the same everywhere. Those without a parent get one from their layout. Thread:
// GUI.
#pragma once

#include <QMargins>
#include <QSize>
#include <functional>

#include "ui/look/plain_label.h"
#include "ui/look/theme.h"

class QAbstractScrollArea;
class QFormLayout;
class QHBoxLayout;
class QLayout;
class QPushButton;
class QScrollArea;
class QTableView;
class QToolButton;
class QVBoxLayout;

namespace lanelab::look {

QPushButton* button(const char* name, const QString& text, const QString& tip, QWidget* parent = nullptr);
/// No wider than its text needs: several of them fit into the line of a narrow pane.
QPushButton* narrowButton(const char* name, const QString& text, const QString& tip);
/// Shows its icon only; `text` is for screen readers.
QToolButton* toolButton(const char* name, const char* icon_name, const QString& text, const QString& tip);

/// What all tables have: names, for screen readers too, the text's own size, headers that line up with their columns,
/// rows of one height, no grid, and cells that nobody edits.
void setUpTable(QTableView& table, const QString& name, const QString& accessible_name);

/// Wraps its words.
PlainLabel* wrappedLabel(const char* name, const QString& text = {}, QWidget* parent = nullptr);

/// Shows the sentence, in the colour of errors if something is `wrong`.
void showSentence(QLabel& label, const QString& sentence, bool wrong);

/// Stands in the middle of a pane that has nothing to show yet.
PlainLabel* emptyLabel(const char* name, const QString& text);

/// Scrolls its content, which fills it, and has no frame.
QScrollArea* scrollArea(QWidget* content, QWidget* parent = nullptr);

/// Lets the bars of `area` scroll over `content`, by `step` at a click.
void setScrollRange(QAbstractScrollArea& area, QSize content, QSize step);

/// Around the content of a pane.
inline constexpr QMargins kPaneMargins(2 * kGrid, kGrid, 2 * kGrid, kGrid);

/// The layout of a widget, with pixels between its parts and around them.
template <class Layout>
Layout* makeLayout(QWidget* widget, int spacing, const QMargins& margins = {}) {
  auto* layout = new Layout(widget);
  layout->setContentsMargins(margins);
  layout->setSpacing(spacing);
  return layout;
}
/// The layout of a dialog, with the margins of all.
QVBoxLayout* dialogColumn(QWidget* dialog);

/// A field with the button that fills it.
QHBoxLayout* beside(QWidget* field, QWidget* button);
/// `buddy` is where the label's key leads.
void addFormRow(QFormLayout* form, const QString& label, QLayout* fields, QWidget* buddy);

/// Asks for a file that is there, without waiting; `then` hears its path. `folder`: where the dialog begins.
void askForFile(QWidget* parent, const char* name, const QString& title, const QString& filter,
                const std::function<void(const QString&)>& then, const QString& folder = {});
/// The same for a folder.
void askForFolder(QWidget* parent, const char* name, const QString& title, const QString& folder,
                  const std::function<void(const QString&)>& then);
/// The same for a folder to write to, which is made if it is not there.
void askForNewFolder(QWidget* parent, const char* name, const QString& title, const QString& folder,
                     const std::function<void(const QString&)>& then);
/// The same for a file to write, with the extension of `filter`; `offered` may be empty.
void askWhereToSave(QWidget* parent, const char* name, const QString& title, const QString& folder,
                    const QString& filter, const QString& offered, const std::function<void(const QString&)>& then);

}  // namespace lanelab::look
