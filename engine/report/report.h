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
  std::string drawing;  ///< an element, such as <svg>, without title and caption, which the report writes below it
};

/// Without figures the report says that figures need the desktop part.
std::string htmlReport(const RunRecord& record, const std::vector<ReportFigure>& figures);
/// The page of a trace of another program: its figures alone.
std::string tracePage(const std::string& title, const std::vector<ReportFigure>& figures);
/// The content of its <body> for paper: without style, and without the table of all steps, which would fill pages.
std::string paperReport(const RunRecord& record, const std::vector<ReportFigure>& figures);

}  // namespace lanelab
