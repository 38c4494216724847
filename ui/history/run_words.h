// SPDX-License-Identifier: GPL-3.0-only
// What the table of runs writes of a run, in words. Pure; any thread.
#pragma once

#include <QString>

#include "engine/library/run_query.h"

namespace lanelab::run_words {

QString title(RunColumn column);
QString header(RunColumn column);  ///< title(), or a sign for a column that is as narrow
QString tip(RunColumn column);     ///< of the header
QString status(const RunEntry& run);
/// Local time, "21 Nov 09:12", with the year if it is another one.
QString date(const std::string& iso);
/// Empty for what is missing. Speed-up is that of `cellText()`.
QString cell(const RunEntry& run, RunColumn column);
/// The note, or the speed with its unit; details() of other columns.
QString cellTip(const RunEntry& run, RunColumn column);
/// Folder, and what went wrong.
QString details(const RunEntry& run);
/// "demo", "2 runs".
QString namesOf(const QStringList& names);

}  // namespace lanelab::run_words
