// SPDX-License-Identifier: GPL-3.0-only
// Ways to cut a model into stages, side by side: a bar each, as long as its bottleneck.
#pragma once

#include <string>
#include <vector>

#include "ui/export/picture.h"

namespace lanelab {

struct CutsBar {
  QString name;  ///< "measured time", "MACs", "current placement"
  QString cuts;  ///< "layer3.0", names joined by commas
  double bottleneck_seconds = 0;
  bool best = false;
};

/// The first bar is on top. `caption` says what was measured.
Picture cutsPicture(const std::vector<CutsBar>& bars, const QString& caption);
/// way,cuts,bottleneck_s
std::string cutsCsv(const std::vector<CutsBar>& bars);

}  // namespace lanelab
