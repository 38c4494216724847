// SPDX-License-Identifier: GPL-3.0-only
// Actions whose tips say why they are disabled, and with which key they are chosen. Thread: GUI.
#pragma once

#include <QKeySequence>
#include <QList>
#include <QString>

class QAction;

namespace lanelab::look {

/// The tip of a disabled action ends with a line of `why_not`; enabled again, it has its own tip. What the tip is
/// without a reason is read at the first call.
void setEnabled(QAction& action, bool enabled, const QString& why_not);

/// "Fit the timeline (Ctrl+0)": a tool tip that names the key, if there is one.
QString withKey(const QString& tip, const QKeySequence& key);

/// Another tip, or other keys, of which the tip names the first; why it is disabled remains.
void setTip(QAction& action, const QString& tip);
void setKeys(QAction& action, const QList<QKeySequence>& keys);

}  // namespace lanelab::look
