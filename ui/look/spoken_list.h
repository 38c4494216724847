// SPDX-License-Identifier: GPL-3.0-only
// Lists in texts that are heard, not seen: short, however much is drawn.
#pragma once

#include <QCoreApplication>
#include <QString>
#include <QStringList>

namespace lanelab::look {

inline constexpr qsizetype kMostSpoken = 8;

/// "a, b, c" of at most eight; of more "a, ..., h and 4 more". `between` joins them.
inline QString spokenList(const QStringList& items, const QString& between = QStringLiteral(", ")) {
  if (items.size() <= kMostSpoken) return items.join(between);
  return QCoreApplication::translate("Charts", "%1 and %2 more")
      .arg(items.mid(0, kMostSpoken).join(between), QString::number(items.size() - kMostSpoken));
}

}  // namespace lanelab::look
