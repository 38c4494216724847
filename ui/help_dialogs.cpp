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

void addKeys(QTreeWidgetItem* group, const QList<QStringList>& rows) {
  for (const auto& row : rows) new QTreeWidgetItem(group, row);
}

/// The views handle these keys themselves while they have the focus.
void addViewKeys(QTreeWidget* tree) {
  addKeys(addGroup(tree, tr("Board, when it has the focus")), {{tr("Walk over the blocks"), tr("arrows, Home, End")},
                                                               {tr("Choose several blocks"), tr("Shift+arrows, Ctrl+A")},
                                                               {tr("Put the chosen blocks on a lane"), tr("0 to 9")},
                                                               {tr("Move the chosen blocks a lane up or down"), tr("Ctrl+Up, Ctrl+Down")},
                                                               {tr("Pick the chosen blocks up, put them down"), tr("Space, then Up, Down and Enter")},
                                                               {tr("Move the cut of the stage"), tr("Ctrl+Left, Ctrl+Right")},
                                                               {tr("Rename the lane"), tr("F2")},
                                                               {tr("Put everything back"), tr("Esc")}});
  addKeys(addGroup(tree, tr("Timeline, when it has the focus")), {{tr("Zoom in and out"), tr("W, S or +, -")},
                                                                  {tr("Move left and right"), tr("A, D or arrows")},
                                                                  {tr("Previous and next span"), tr(", and .")},
                                                                  {tr("Another lane"), tr("Up, Down")},
                                                                  {tr("Collapse or expand the lane, all lanes of its replica; pin it"), tr("C, Shift+C, P")},
                                                                  {tr("Move the lane up or down"), tr("Ctrl+Up, Ctrl+Down")},
                                                                  {tr("Zoom to the selection or the span"), tr("Enter")},
                                                                  {tr("Go back to the range before"), tr("Backspace")},
                                                                  {tr("All of it"), tr("F or Home")},
                                                                  {tr("Find, as in the menu"), tr("/")},
                                                                  {tr("To what the span waited on, to what waited on it"), tr("[ and ]")},
                                                                  {tr("Clear the selection"), tr("Esc")}});
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
