// SPDX-License-Identifier: GPL-3.0-only
#include "ui/look/action_state.h"

#include <QAction>
#include <QVariant>

namespace lanelab::look {

namespace {
constexpr const char* kTip = "enabledTip";  ///< property of an action: its tip without a reason
}

void setEnabled(QAction& action, bool enabled, const QString& why_not) {
  if (!action.property(kTip).isValid()) action.setProperty(kTip, action.toolTip());
  action.setEnabled(enabled);
  const QString tip = action.property(kTip).toString();
  action.setToolTip(enabled || why_not.isEmpty() ? tip : tip + '\n' + why_not);
}

QString withKey(const QString& tip, const QKeySequence& key) {
  return key.isEmpty() ? tip : QString("%1 (%2)").arg(tip, key.toString(QKeySequence::NativeText));
}

void setTip(QAction& action, const QString& tip) {
  const QString named = withKey(tip, action.shortcut());
  const QString why_not = action.toolTip().section('\n', 1);
  if (action.property(kTip).isValid()) action.setProperty(kTip, named);
  action.setToolTip(why_not.isEmpty() ? named : named + '\n' + why_not);
}

void setKeys(QAction& action, const QList<QKeySequence>& keys) {
  QString tip = action.toolTip().section('\n', 0, 0);
  if (const QString key = withKey({}, action.shortcut()); !key.isEmpty() && tip.endsWith(key)) tip.chop(key.size());
  action.setShortcuts(keys);
  setTip(action, tip);
}

}  // namespace lanelab::look
