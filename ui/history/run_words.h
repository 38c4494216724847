// SPDX-License-Identifier: GPL-3.0-only
// What the table of runs writes of a run, in words. Pure; any thread.
#pragma once

#include <QString>

#include "engine/library/run_groups.h"
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

/// The day of a time on the clock of the user, "2026-11-23"; empty for no time.
std::string dayOf(const std::string& iso);
/// Of a grouping, in menus: "Model".
QString title(RunGrouping grouping);
/// "resnet18", "23 Nov", "No tag"; `first` is any run of the group.
QString groupTitle(const RunGroup& group, RunGrouping grouping, const RunEntry& first);
/// "5 runs, best step time 73.0 ms, best 49.0 samples/s, 21 Nov to 23 Nov".
QString groupFacts(const RunGroup& group);
/// Title and facts.
QString groupSummary(const RunGroup& group, const QString& title);
/// Of a table with a row per group: best figures, dates; empty where a group has nothing of its own.
QString groupCell(const RunGroup& group, const QString& title, RunColumn column);

/// "demo", "2 runs".
QString namesOf(const QStringList& names);

}  // namespace lanelab::run_words
