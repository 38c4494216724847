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
#include "ui/look/plain_text.h"
#include "ui/look/theme.h"

namespace lanelab {

namespace {

struct HelpTexts {
  Q_DECLARE_TR_FUNCTIONS(Help)
};

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
    new QTreeWidgetItem(group, {look::withoutMnemonic(action->text()), keys.join(HelpTexts::tr(" or "))});
  }
}

void addKeys(QTreeWidgetItem* group, const QList<QStringList>& rows) {
  for (const auto& row : rows) new QTreeWidgetItem(group, row);
}

QList<QStringList> wheelRows(look::WheelUse wheel) {
  const QString alone = HelpTexts::tr("wheel"), with_ctrl = HelpTexts::tr("Ctrl+wheel");
  const bool zooms = wheel == look::WheelUse::Zooms;
  return {{HelpTexts::tr("Zoom at the pointer"), zooms ? alone : with_ctrl},
          {HelpTexts::tr("Scroll the lanes"), zooms ? with_ctrl : alone},
          {HelpTexts::tr("Move left and right"), HelpTexts::tr("Shift+wheel, touchpad")}};
}

/// The views handle these keys themselves while they have the focus.
void addViewKeys(QTreeWidget* tree, look::WheelUse wheel) {
  addKeys(addGroup(tree, HelpTexts::tr("Board, when it has the focus")),
          {{HelpTexts::tr("Move over the blocks"), HelpTexts::tr("arrows, Home, End")},
           {HelpTexts::tr("Select several blocks"), HelpTexts::tr("Shift+arrows, Ctrl+A")},
           {HelpTexts::tr("Place the selected blocks on a lane"), HelpTexts::tr("0 to 9")},
           {HelpTexts::tr("Move the selected blocks a lane up or down"), HelpTexts::tr("Ctrl+Up, Ctrl+Down")},
           {HelpTexts::tr("Pick up the selected blocks, drop them"), HelpTexts::tr("Space, then Up, Down and Enter")},
           {HelpTexts::tr("Move the cut of the stage"), HelpTexts::tr("Ctrl+Left, Ctrl+Right")},
           {HelpTexts::tr("Cut before the block"), HelpTexts::tr("C")},
           {HelpTexts::tr("Balance the stages"), HelpTexts::tr("B")},
           {HelpTexts::tr("Rename the lane"), HelpTexts::tr("F2")},
           {HelpTexts::tr("Restore everything"), HelpTexts::tr("Esc")}});
  addKeys(
      addGroup(tree, HelpTexts::tr("Timeline, when it has the focus")),
      {{HelpTexts::tr("Zoom in and out"), HelpTexts::tr("W, S or +, -")},
       {HelpTexts::tr("Move left and right"), HelpTexts::tr("A, D or arrows")},
       {HelpTexts::tr("Previous and next span"), HelpTexts::tr(", and .")},
       {HelpTexts::tr("Another lane"), HelpTexts::tr("Up, Down")},
       {HelpTexts::tr("Collapse or expand the lane, all lanes of its replica; pin it"), HelpTexts::tr("C, Shift+C, P")},
       {HelpTexts::tr("Move the lane up or down"), HelpTexts::tr("Ctrl+Up, Ctrl+Down")},
       {HelpTexts::tr("Next and previous idle gap"), HelpTexts::tr("G, Shift+G")},
       {HelpTexts::tr("From a gap: to the next one, to what it waited for"), HelpTexts::tr("arrows, Enter")},
       {HelpTexts::tr("Zoom to the selection, the span or the gap"), HelpTexts::tr("Z, Enter")},
       {HelpTexts::tr("Go back to the range before"), HelpTexts::tr("Backspace")},
       {HelpTexts::tr("All of it"), HelpTexts::tr("F or Home")},
       {HelpTexts::tr("Find, as in the menu"), HelpTexts::tr("/")},
       {HelpTexts::tr("Go to dependency, go to dependent"), HelpTexts::tr("[ and ]")},
       {HelpTexts::tr("Show or hide an entry of the legend that has a check box"), HelpTexts::tr("1 to 9")},
       {HelpTexts::tr("Shorten or lengthen the action by 5 %, all of its kind"),
        HelpTexts::tr("Alt+Left, Alt+Right, with Shift")},
       {HelpTexts::tr("Move the stage of the action to another lane"), HelpTexts::tr("Alt+Up, Alt+Down")},
       {HelpTexts::tr("Make the changes settings of the experiment"), HelpTexts::tr("Enter")},
       {HelpTexts::tr("Clear the selection, restore what was changed"), HelpTexts::tr("Esc")}});
  addKeys(addGroup(tree, HelpTexts::tr("Timeline, with the mouse over it")), wheelRows(wheel));
  addKeys(addGroup(tree, HelpTexts::tr("Help window")),
          {{HelpTexts::tr("Search all pages"), HelpTexts::tr("Ctrl+F")},
           {HelpTexts::tr("Go back, go forward again"), HelpTexts::tr("Alt+Left, Alt+Right")},
           {HelpTexts::tr("Close it"), HelpTexts::tr("Esc")}});
  addKeys(addGroup(tree, HelpTexts::tr("Build a Schedule, when its board has the focus")),
          {{HelpTexts::tr("Another lane"), HelpTexts::tr("Up, Down")},
           {HelpTexts::tr("Next and previous action of the lane"), HelpTexts::tr("arrows")},
           {HelpTexts::tr("Place the action"), HelpTexts::tr("Enter, Space")},
           {HelpTexts::tr("Take the last action back"), HelpTexts::tr("Backspace")},
           {HelpTexts::tr("Go back to the schedule of the variant"), HelpTexts::tr("Esc")}});
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
  QDialog* const dialog = makeDialog(parent, "keysDialog", HelpTexts::tr("Keys"));
  auto* tree = new QTreeWidget;
  tree->setAccessibleName(HelpTexts::tr("Keys"));
  tree->setHeaderLabels({HelpTexts::tr("What it does"), HelpTexts::tr("Key")});
  tree->setRootIsDecorated(false);
  for (const auto* action : menus.actions())
    if (action->menu()) addActions(addGroup(tree, look::withoutMnemonic(action->text())), *action->menu());
  addViewKeys(tree, wheel);
  tree->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
  dialog->layout()->addWidget(tree);
  addClose(dialog);
  dialog->resize(520, 600);
  dialog->show();
}

void showAboutDialog(QWidget* parent, const std::vector<std::pair<std::string, std::string>>& facts) {
  QDialog* const dialog = makeDialog(parent, "aboutDialog", HelpTexts::tr("About LaneLab"));
  QLayout* const column = dialog->layout();
  column->setSpacing(3 * look::kGrid);
  auto* mark = new look::PlainLabel;
  mark->setPixmap(look::programIcon().pixmap(48, 48));
  column->addWidget(mark);
  auto* name = new look::PlainLabel(HelpTexts::tr("LaneLab %1").arg(QCoreApplication::applicationVersion()));
  name->setFont(look::headlineFont());
  column->addWidget(name);
  QString text = HelpTexts::tr("Place a network on lanes, train it, see where the time went.") + "\n\n" +
                 HelpTexts::tr(
                     "Free software under the GNU General Public License, version 3, without any warranty. "
                     "It works on this machine only: nothing is sent anywhere.") +
                 "\n\n" + HelpTexts::tr("Qt %1").arg(qVersion());
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
