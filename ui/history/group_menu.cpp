// SPDX-License-Identifier: GPL-3.0-only
#include "ui/history/group_menu.h"

#include <QActionGroup>

#include "ui/history/run_words.h"
#include "ui/look/action_state.h"

namespace lanelab {

GroupMenu::GroupMenu(QWidget* parent) : QMenu(tr("&Group By"), parent), m_choices(new QActionGroup(this)) {
  setObjectName("runGroups");
  setToolTipsVisible(true);
  menuAction()->setObjectName("groupRuns");
  menuAction()->setToolTip(tr("Group the runs of the table by what they share"));
  for (const Word<RunGrouping>& row : wordTable(RunGrouping{})) {
    QAction* const action = addAction(run_words::title(row.value));
    action->setObjectName("groupRuns-" + QString::fromStdString(toWord(row.value)));
    action->setToolTip(row.value == RunGrouping::None
                           ? tr("List the runs without groups")
                           : tr("Group the runs by this; Left and Right fold and unfold a group"));
    action->setCheckable(true);
    m_choices->addAction(action);
    connect(action, &QAction::triggered, this, [this, value = row.value] { Q_EMIT chosen(value); });
  }
  addSeparator();
  m_fold = addAction(tr("&Fold All Groups"), this, [this] { Q_EMIT foldRequested(true); });
  m_fold->setObjectName("foldGroups");
  m_fold->setToolTip(tr("Show the rows of groups only"));
  m_unfold = addAction(tr("&Unfold All Groups"), this, [this] { Q_EMIT foldRequested(false); });
  m_unfold->setObjectName("unfoldGroups");
  m_unfold->setToolTip(tr("Show the runs of all groups"));
  setGrouping(RunGrouping::None);
}

void GroupMenu::setGrouping(RunGrouping grouping) {
  m_choices->actions().at(static_cast<int>(grouping))->setChecked(true);
  for (QAction* const action : {m_fold, m_unfold})
    look::setEnabled(*action, grouping != RunGrouping::None, tr("The runs are not grouped."));
}

}  // namespace lanelab
