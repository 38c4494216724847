// SPDX-License-Identifier: GPL-3.0-only
#include "ui/board/parameters_text.h"

#include <QObject>

#include "base/text.h"

namespace lanelab {

QString parametersText(std::int64_t parameters, std::int64_t frozen) {
  const auto count = [](std::int64_t value) { return QString::fromStdString(formatCount(static_cast<double>(value))); };
  if (frozen == 0) return count(parameters);
  if (frozen == parameters) return QObject::tr("%1, all frozen").arg(count(parameters));
  return QObject::tr("%1, %2 frozen").arg(count(parameters), count(frozen));
}

}  // namespace lanelab
