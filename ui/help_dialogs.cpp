#include "ui/help_dialogs.h"

#include <QAction>
#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "ui/look/icons.h"
#include "ui/look/theme.h"

namespace lanelab {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("Help", text); }

QTreeWidgetItem* addGroup(QTreeWidget* tree, const QString& title) {
  auto* group = new QTreeWidgetItem(tree, {title});
  QFont bold = look::textFont();
  bold.setBold(true);
  group->setFont(0, bold);
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
    new QTreeWidgetItem(group, {QString(action->text()).remove('&'), keys.join(tr(" or "))});
  }
}

/// The views handle these keys themselves while they have the focus.
void addViewKeys(QTreeWidget* tree) {
  auto* board = addGroup(tree, tr("Board, when it has the focus"));
  new QTreeWidgetItem(board, {tr("Previous and next block"), tr("Tab, Shift+Tab")});
  new QTreeWidgetItem(board, {tr("Pick a block up, put it down"), tr("Space, Enter")});
  new QTreeWidgetItem(board, {tr("Move what was picked up to another lane"), tr("Up, Down")});
  new QTreeWidgetItem(board, {tr("Put it back"), tr("Esc")});
  auto* timeline = addGroup(tree, tr("Timeline, when it has the focus"));
  new QTreeWidgetItem(timeline, {tr("Zoom in and out"), tr("W, S, Ctrl+wheel")});
  new QTreeWidgetItem(timeline, {tr("Left and right"), tr("A, D, arrows")});
  new QTreeWidgetItem(timeline, {tr("Select a range"), tr("Shift+drag")});
  new QTreeWidgetItem(timeline, {tr("All of it"), tr("F, Home")});
}

}  // namespace

void showKeysDialog(QWidget* parent, const QMenuBar& menus) {
  auto* dialog = new QDialog(parent);
  dialog->setObjectName("keysDialog");
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(tr("Keys"));
  auto* column = new QVBoxLayout(dialog);
  auto* tree = new QTreeWidget;
  tree->setAccessibleName(tr("Keys"));
  tree->setHeaderLabels({tr("What it does"), tr("Key")});
  tree->setRootIsDecorated(false);
  for (const auto* action : menus.actions())
    if (action->menu()) addActions(addGroup(tree, QString(action->text()).remove('&')), *action->menu());
  addViewKeys(tree);
  tree->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
  column->addWidget(tree);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  column->addWidget(buttons);
  dialog->resize(520, 600);
  dialog->show();
}

void showAboutDialog(QWidget* parent, const std::vector<std::pair<std::string, std::string>>& facts) {
  auto* dialog = new QDialog(parent);
  dialog->setObjectName("aboutDialog");
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(tr("About LaneLab"));
  auto* column = new QVBoxLayout(dialog);
  column->setSpacing(3 * look::kGrid);
  auto* mark = new QLabel;
  mark->setPixmap(look::programIcon().pixmap(48, 48));
  column->addWidget(mark);
  auto* name = new QLabel(tr("LaneLab %1").arg(QCoreApplication::applicationVersion()));
  name->setFont(look::headlineFont());
  column->addWidget(name);
  QString text = tr("Place a network on lanes, train it, see where the time went.") + "\n\n" +
                 tr("Free software under the GNU General Public License, version 3 or later, without any warranty. "
                    "It works on this machine only: nothing is sent anywhere.") +
                 "\n\n" + tr("Qt %1").arg(qVersion());
  for (const auto& [what, version] : facts) text += "\n" + QString::fromStdString(what) + " " + QString::fromStdString(version);
  auto* words = new QLabel(text);
  words->setWordWrap(true);
  words->setTextInteractionFlags(Qt::TextSelectableByMouse);
  column->addWidget(words);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  column->addWidget(buttons);
  dialog->resize(420, dialog->sizeHint().height());
  dialog->show();
}

}  // namespace lanelab
