// SPDX-License-Identifier: GPL-3.0-only
// What a chart or table can be copied and saved as. A view says what it shows; the entries of its context menu, the
// clipboard and the dialogs are the same for all. Thread: GUI.
#pragma once

#include <QString>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "ui/export/picture.h"
#include "ui/look/message_strip.h"

class QAbstractItemView;
class QMenu;
class QWidget;

namespace lanelab {

struct Exhibit {
  QString name;                      ///< begins the names of files: "loss"
  QString title;                     ///< of the dialog: "Loss"
  std::function<Picture()> figure;   ///< none: there is only a table
  std::function<std::string()> csv;  ///< none: there is only a figure
};

/// Figure and table of a view that must outlive it; neither unless there is `any`.
template <class View>
Exhibit exhibitOf(const View& view, bool any, const QString& name, const QString& title) {
  if (!any) return {name, title, {}, {}};
  return {name, title, [&view] { return view.picture(); }, [&view] { return view.csv(); }};
}

/// "Copy Figure", "Copy Table" and "Export...", as far as there are figure and table. What they do belongs to `view`.
void addExhibitEntries(QMenu& menu, QWidget* view, const Exhibit& exhibit);
/// Offers "Copy Figure", "Copy Table" and "Export..." in the view's context menu, below the view's own actions.
/// `exhibit` is called when the menu opens; without figure and table the entries are left out.
void offerExhibit(QWidget* view, std::function<Exhibit()> exhibit);
/// The table or list as it is displayed, hidden columns included.
void offerTable(QAbstractItemView* view, const QString& name, const QString& title);

/// As an image at twice its size on white.
void copyFigure(const Exhibit& exhibit);
/// Tab-separated, as spreadsheets paste cells.
void copyTable(const Exhibit& exhibit);
/// Asks for a file: PNG, SVG or PDF of a figure, CSV of a table. Says what came of it in the window's message strip.
void exportExhibit(QWidget* parent, const Exhibit& exhibit);

/// Asks for a new file, without waiting; `then` hears its path. Folder and extension are offered again the next time;
/// the file is named after the property "exportPrefix" of the parent's window, if that has one, and `name`.
void askForNewFile(QWidget* parent, const QString& name, const QString& title, const QStringList& filters,
                   const std::function<void(const QString& path)>& then);
/// "Saved PATH", or what went wrong, in the message strip of the widget's window or of that window's parent; an error
/// without a strip is a box.
void showOutcome(QWidget* near, const Status& status, const QString& path);
/// The sentence in the window's message strip (empty: "Saved FOLDER"), and buttons: `first`, then those that open
/// `file` in the folder and show the folder.
void showSavedFolder(QWidget* near, const QString& folder, const QString& file, const QString& sentence,
                     const std::vector<MessageStrip::Offer>& first);
/// The start of exported files' names: "demo-".
QString exportPrefix(const QWidget* widget);

}  // namespace lanelab
