// SPDX-License-Identifier: GPL-3.0-only
// The words of the charts, which are drawn by functions outside their widgets.
#pragma once

#include <QCoreApplication>
#include <QString>

namespace lanelab {

inline QString chartText(const char* text) { return QCoreApplication::translate("Charts", text); }

}  // namespace lanelab
