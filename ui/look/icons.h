// SPDX-License-Identifier: GPL-3.0-only
// Line icons in the text colour of the scheme in force. They follow a change of scheme by themselves and stay sharp at
// any size.
#pragma once

#include <QIcon>
#include <QString>

namespace lanelab::look {

/// The icon resources/icons/<name>.svg; a null icon when there is none. GUI thread.
QIcon icon(const QString& name);
/// The program's own mark, in its own colours.
QIcon programIcon();

inline constexpr int kDotSize = 10;  ///< pixels
/// For a tab: a dot in the colour of what is active now, or as much room without one.
QIcon dotMark(bool shown);

}  // namespace lanelab::look
