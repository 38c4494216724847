// SPDX-License-Identifier: GPL-3.0-only
// The report of a run on A4 pages: what report.html has, but the table of all steps; figures are drawn, not pixels.
#pragma once

#include "ui/report/report_steps.h"

namespace lanelab {

ReportSteps pdfReportSteps(const std::shared_ptr<const RunRecord>& record, const Traces& traces, const QString& path);

}  // namespace lanelab
