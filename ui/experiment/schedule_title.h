// SPDX-License-Identifier: GPL-3.0-only
// What the schedules are called where a person reads them.
#pragma once

#include <QString>
#include <string>

namespace lanelab {

/// "Interleaved 1F1B" for "interleaved-1f1b"; a name it does not know is given back.
QString scheduleTitle(const std::string& schedule);

/// What a schedule does and needs, in a sentence.
QString scheduleTip(const std::string& schedule);

}  // namespace lanelab
