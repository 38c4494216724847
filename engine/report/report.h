// SPDX-License-Identifier: GPL-3.0-only
// The self-contained HTML report of a run: headline, figures (inline SVG), tables, environment, how to repeat it.
#pragma once

#include <string>
#include <vector>

#include "engine/record/run_record.h"

namespace lanelab {

struct ReportFigure {
  std::string title;
  std::string caption;  ///< what, n, spread, measured or predicted
  std::string svg;      ///< an <svg> element without title and caption, which the report writes below it
};

/// Without figures the report says that figures need the desktop part.
std::string htmlReport(const RunRecord& record, const std::vector<ReportFigure>& figures);

}  // namespace lanelab
