// SPDX-License-Identifier: GPL-3.0-only
// Ways to cut a model into stages, side by side: a bar each, as long as its predicted step.
#pragma once

#include <string>
#include <vector>

#include "ui/export/picture.h"

namespace lanelab {

struct CutsBar {
  QString name;                   ///< "measured time", "MACs", "current placement"
  QString cuts;                   ///< "layer3.0", names joined by commas
  double seconds = 0;             ///< predicted; infinite where it cannot run
  double bottleneck_seconds = 0;  ///< of the slowest lane
  bool best = false;
};

/// The first bar is on top. `caption` says what was measured.
Picture cutsPicture(const std::vector<CutsBar>& bars, const QString& caption);
/// way,cuts,bottleneck_s,predicted_s: empty where it cannot run.
std::string cutsCsv(const std::vector<CutsBar>& bars);

}  // namespace lanelab
