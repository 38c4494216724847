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

}  // namespace lanelab::look
