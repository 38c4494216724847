// SPDX-License-Identifier: GPL-3.0-only
// Actions that tell why they are disabled. Thread: GUI.
#pragma once

#include <QString>

class QAction;

namespace lanelab::look {

/// The tip of a disabled action ends with a line of `why_not`; enabled again, it has its own tip. What the tip is
/// without a reason is read at the first call.
void setEnabled(QAction& action, bool enabled, const QString& why_not);

}  // namespace lanelab::look
