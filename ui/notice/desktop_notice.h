// SPDX-License-Identifier: GPL-3.0-only
// A notification of the desktop, by org.freedesktop.Notifications of the session bus. Thread: the window's.
#pragma once

#include <QString>
#include <functional>

namespace lanelab {

/// Does not wait. If the desktop has no such service, `otherwise` is called, at once or later.
void sendToDesktop(const QString& title, const QString& text, std::function<void()> otherwise);

}  // namespace lanelab
