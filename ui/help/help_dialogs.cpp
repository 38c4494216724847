// SPDX-License-Identifier: GPL-3.0-only
#include "ui/help/help_dialogs.h"

#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QMenu>
#include <QMenuBar>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "ui/look/icons.h"
#include "ui/look/parts.h"
#include "ui/look/plain_label.h"
#include "ui/look/theme.h"

namespace lanelab {

namespace {

QString helpText(const char* text) { return QCoreApplication::translate("Help", text); }

QTreeWidgetItem* addGroup(QTreeWidget* tree, const QString& title) {
  auto* group = new QTreeWidgetItem(tree, {title});
  group->setFont(0, look::bold(look::textFont()));
  group->setExpanded(true);
  return group;
}

void addActions(QTreeWidgetItem* group, const QMenu& menu) {
  for (const auto* action : menu.actions()) {
    if (action->menu()) {
      addActions(group, *action->menu());
      continue;
    }
    if (action->shortcuts().isEmpty()) continue;
    QStringList keys;
    for (const auto& key : action->shortcuts()) keys.append(key.toString(QKeySequence::NativeText));
    new QTreeWidgetItem(group, {QString(action->text()).remove('&'), keys.join(helpText(" or "))});
  }
}

void addKeys(QTreeWidgetItem* group, const QList<QStringList>& rows) {
  for (const auto& row : rows) new QTreeWidgetItem(group, row);
}

QList<QStringList> wheelRows(look::WheelUse wheel) {
  const QString alone = helpText("wheel"), with_ctrl = helpText("Ctrl+wheel");
  const bool zooms = wheel == look::WheelUse::Zooms;
  return {{helpText("Zoom at the pointer"), zooms ? alone : with_ctrl},
          {helpText("Scroll the lanes"), zooms ? with_ctrl : alone},
          {helpText("Move left and right"), helpText("Shift+wheel, touchpad")}};
}

/// The views handle these keys themselves while they have the focus.
void addViewKeys(QTreeWidget* tree, look::WheelUse wheel) {
  addKeys(addGroup(tree, helpText("Board, when it has the focus")),
          {{helpText("Move over the blocks"), helpText("arrows, Home, End")},
           {helpText("Select several blocks"), helpText("Shift+arrows, Ctrl+A")},
           {helpText("Place the selected blocks on a lane"), helpText("0 to 9")},
           {helpText("Move the selected blocks a lane up or down"), helpText("Ctrl+Up, Ctrl+Down")},
           {helpText("Pick up the selected blocks, drop them"), helpText("Space, then Up, Down and Enter")},
           {helpText("Move the cut of the stage"), helpText("Ctrl+Left, Ctrl+Right")},
           {helpText("Cut before the block"), helpText("C")},
           {helpText("Balance the stages"), helpText("B")},
           {helpText("Rename the lane"), helpText("F2")},
           {helpText("Restore everything"), helpText("Esc")}});
  addKeys(addGroup(tree, helpText("Timeline, when it has the focus")),
          {{helpText("Zoom in and out"), helpText("W, S or +, -")},
           {helpText("Move left and right"), helpText("A, D or arrows")},
           {helpText("Previous and next span"), helpText(", and .")},
           {helpText("Another lane"), helpText("Up, Down")},
           {helpText("Collapse or expand the lane, all lanes of its replica; pin it"), helpText("C, Shift+C, P")},
           {helpText("Move the lane up or down"), helpText("Ctrl+Up, Ctrl+Down")},
           {helpText("Next and previous idle gap"), helpText("G, Shift+G")},
           {helpText("From a gap: to the next one, to what it waited for"), helpText("arrows, Enter")},
           {helpText("Zoom to the selection, the span or the gap"), helpText("Z, Enter")},
           {helpText("Go back to the range before"), helpText("Backspace")},
           {helpText("All of it"), helpText("F or Home")},
           {helpText("Find, as in the menu"), helpText("/")},
           {helpText("Go to dependency, go to dependent"), helpText("[ and ]")},
           {helpText("Show or hide an entry of the legend that has a check box"), helpText("1 to 9")},
           {helpText("Shorten or lengthen the action by 5 %, all of its kind"),
            helpText("Alt+Left, Alt+Right, with Shift")},
           {helpText("Move the stage of the action to another lane"), helpText("Alt+Up, Alt+Down")},
           {helpText("Make the changes settings of the experiment"), helpText("Enter")},
           {helpText("Clear the selection, restore what was changed"), helpText("Esc")}});
  addKeys(addGroup(tree, helpText("Timeline, with the mouse over it")), wheelRows(wheel));
  addKeys(addGroup(tree, helpText("Help window")),
          {{helpText("Search all pages"), helpText("Ctrl+F")},
           {helpText("Go back, go forward again"), helpText("Alt+Left, Alt+Right")},
           {helpText("Close it"), helpText("Esc")}});
  addKeys(addGroup(tree, helpText("Build a Schedule, when its board has the focus")),
          {{helpText("Another lane"), helpText("Up, Down")},
           {helpText("Next and previous action of the lane"), helpText("arrows")},
           {helpText("Place the action"), helpText("Enter, Space")},
           {helpText("Take the last action back"), helpText("Backspace")},
           {helpText("Go back to the schedule of the variant"), helpText("Esc")}});
}

/// With a column for what it shows, which is deleted when it is closed.
QDialog* makeDialog(QWidget* parent, const QString& name, const QString& title) {
  auto* dialog = new QDialog(parent);
  dialog->setObjectName(name);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(title);
  new QVBoxLayout(dialog);
  return dialog;
}

void addClose(QDialog* dialog) {
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  dialog->layout()->addWidget(buttons);
}

}  // namespace

void showKeysDialog(QWidget* parent, const QMenuBar& menus, look::WheelUse wheel) {
  QDialog* const dialog = makeDialog(parent, "keysDialog", helpText("Keys"));
  auto* tree = new QTreeWidget;
  tree->setAccessibleName(helpText("Keys"));
  tree->setHeaderLabels({helpText("What it does"), helpText("Key")});
  tree->setRootIsDecorated(false);
  for (const auto* action : menus.actions())
    if (action->menu()) addActions(addGroup(tree, QString(action->text()).remove('&')), *action->menu());
  addViewKeys(tree, wheel);
  tree->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
  dialog->layout()->addWidget(tree);
  addClose(dialog);
  dialog->resize(520, 600);
  dialog->show();
}

void showAboutDialog(QWidget* parent, const std::vector<std::pair<std::string, std::string>>& facts) {
  QDialog* const dialog = makeDialog(parent, "aboutDialog", helpText("About LaneLab"));
  QLayout* const column = dialog->layout();
  column->setSpacing(3 * look::kGrid);
  auto* mark = new look::PlainLabel;
  mark->setPixmap(look::programIcon().pixmap(48, 48));
  column->addWidget(mark);
  auto* name = new look::PlainLabel(helpText("LaneLab %1").arg(QCoreApplication::applicationVersion()));
  name->setFont(look::headlineFont());
  column->addWidget(name);
  QString text = helpText("Place a network on lanes, train it, see where the time went.") + "\n\n" +
                 helpText(
                     "Free software under the GNU General Public License, version 3, without any warranty. "
                     "It works on this machine only: nothing is sent anywhere.") +
                 "\n\n" + helpText("Qt %1").arg(qVersion());
  for (const auto& [what, version] : facts)
    text += "\n" + QString::fromStdString(what) + " " + QString::fromStdString(version);
  auto* words = look::wrappedLabel("", text);
  words->setTextInteractionFlags(Qt::TextSelectableByMouse);
  column->addWidget(words);
  addClose(dialog);
  dialog->resize(420, dialog->sizeHint().height());
  dialog->show();
}

}  // namespace lanelab
