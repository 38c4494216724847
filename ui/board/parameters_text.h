// SPDX-License-Identifier: GPL-3.0-only
// How the board says a number of parameters: those that are frozen are counted apart.
#pragma once

#include <QString>

#include <cstdint>

namespace lanelab {

/// "11.7 M", "11.7 M, 11.2 M frozen", "11.7 M, all frozen".
QString parametersText(std::int64_t parameters, std::int64_t frozen);

}  // namespace lanelab
