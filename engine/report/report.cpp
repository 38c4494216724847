// SPDX-License-Identifier: GPL-3.0-only
#include "engine/report/report.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/escaped_text.h"
#include "base/text.h"
#include "base/text_table.h"
#include "engine/record/environment.h"
#include "engine/record/run_trust.h"
#include "engine/report/bound_text.h"
#include "engine/report/comparison_text.h"
#include "engine/report/run_notes.h"

namespace lanelab {
namespace {

// Light and dark by the reader's own setting; figures keep their white ground, and a print is always light.
constexpr const char* kStyle = R"css(
:root { --ground: #ffffff; --text: #1c2126; --soft: #5b6670; --line: #d5dbe1; --panel: #f4f6f8; }
@media (prefers-color-scheme: dark) { :root { --ground: #171b1f; --text: #e6eaee; --soft: #9aa5af; --line: #39424a; --panel: #20262b; } }
@media print { :root { --ground: #ffffff; --text: #000000; --soft: #444444; --line: #bbbbbb; --panel: #ffffff; } figure, table { break-inside: avoid; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 64rem; background: var(--ground); color: var(--text); font: 16px/1.5 system-ui, "Noto Sans", sans-serif; }
h1 { font-size: 1.6rem; margin: 0; } h2 { font-size: 1.15rem; margin: 2.25rem 0 .5rem; } h3 { font-size: 1rem; margin: 1rem 0 .25rem; }
.meta, figcaption, .note { color: var(--soft); font-size: .9rem; }
.headline { font-size: 1.15rem; margin: 1rem 0; padding: .75rem 1rem; background: var(--panel); border-left: 4px solid #0072b2; }
.failed { border-left-color: #d55e00; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: .93rem; }
th, td { padding: .35rem .6rem; border-bottom: 1px solid var(--line); text-align: right; vertical-align: top; }
th { color: var(--soft); font-weight: 600; } th.text, td.text { text-align: left; }
figure { margin: 1.25rem 0; } figure svg { display: block; width: 100%; height: auto; background: #ffffff; border: 1px solid var(--line); }
pre { background: var(--panel); border: 1px solid var(--line); padding: .75rem 1rem; overflow-x: auto; font-size: .85rem; }
details { margin: .75rem 0; } summary { cursor: pointer; }
)css";

/// Of the columns that hold words: the others hold numbers.
bool isWords(const std::string& title) {
  static const std::set<std::string> kTitles = {
      "variant", "lane", "device", "what", "with", "schedule", "stage times F:I:W (µs)", "value"};
  return kTitles.contains(title) || title.starts_with("Speed-up vs ");
}

/// The first row holds the titles.
std::string tableHtml(const std::vector<TextRow>& rows) {
  const TextRow& columns = rows.front();
  const auto classOf = [&](std::size_t column) { return isWords(columns[column]) ? " class=\"text\"" : ""; };
  std::string html = "<div class=\"scroll\"><table>\n<thead><tr>";
  for (std::size_t c = 0; c < columns.size(); ++c)
    html += std::string("<th scope=\"col\"") + classOf(c) + ">" + escapedMarkup(columns[c]) + "</th>";
  html += "</tr></thead>\n<tbody>\n";
  for (std::size_t r = 1; r < rows.size(); ++r) {
    html += "<tr>";
    for (std::size_t c = 0; c < rows[r].size(); ++c)
      html += std::string("<td") + classOf(c) + ">" + escapedMarkup(rows[r][c]) + "</td>";
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

std::string section(const std::string& title, const std::string& body) {
  return "<section>\n<h2>" + escapedMarkup(title) + "</h2>\n" + body + "</section>\n";
}

/// All notes of the run as one list, warnings first.
std::string notesHtml(const std::vector<RunNote>& notes) {
  std::string html;
  for (const RunNote& note : notes) {
    if (note.kind == RunNote::Kind::Trust) continue;  // it is at the top
    html += std::string("<li>") + (note.kind == RunNote::Kind::Warning ? "Warning: " : "") +
            escapedMarkup(note.sentence.message) + "</li>\n";
  }
  return html.empty() ? html : section("Notes", "<ul class=\"notes\">\n" + html + "</ul>\n");
}

std::string comparisonHtml(const RunRecord& record) {
  constexpr std::size_t kInterval = 5;
  std::vector<TextRow> rows = comparisonCells(record);
  rows[0][kInterval] = "95 % CI of the mean (s)";
  rows[0].insert(rows[0].begin() + 1, {"stages", "micro-batch size", "micro-batches"});
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const VariantRecord& variant = record.variants[i - 1];
    rows[i].insert(rows[i].begin() + 1, {std::to_string(variant.stages), std::to_string(variant.split_size),
                                         std::to_string(variant.micro_batches)});
  }
  return tableHtml(rows) + "<p class=\"note\">Measured. One repeat is " + lengthWords(record.experiment.data) +
         " in batches of " + std::to_string(record.experiment.data.batch) +
         "; n counts repeats without warm-ups. Speed-up is the geometric mean of the times of " +
         escapedMarkup(record.baseline) +
         " over that of the variant (1.15x slower: that many times the baseline's time), with Welch intervals on log "
         "times.</p>\n";
}

std::string forecastCell(const LaneRecord& lane) {
  if (lane.forecast.total() == 0) return "-";
  return formatBytes(lane.forecast.total()) + (lane.peak_bytes > 0 ? " (" + forecastError(lane) + ")" : "");
}

std::string idleHtml(const RunRecord& record) {
  std::vector<TextRow> rows = {{"variant", "lane", "device", "window", "window (s)", "busy (s)", "idle (s)", "busy",
                                "idle", "peak memory", "forecast"}};
  for (const VariantRecord& variant : record.variants) {
    for (const LaneRecord& lane : variant.lanes) {
      const bool recorded = lane.window_seconds > 0;
      if (!recorded && lane.forecast.total() == 0 && lane.peak_bytes == 0) continue;  // another variant's lane
      const auto share = [&](double part) { return recorded ? formatPercent(part / lane.window_seconds) : "-"; };
      rows.push_back({variant.name, lane.name, lane.device, recorded ? toWord(variant.windows) : "-",
                      figureOrDash(recorded, lane.window_seconds), figureOrDash(recorded, lane.busy_seconds),
                      figureOrDash(recorded, lane.idle_seconds), share(lane.busy_seconds), share(lane.idle_seconds),
                      lane.peak_bytes > 0 ? formatBytes(lane.peak_bytes) : "-", forecastCell(lane)});
    }
  }
  return tableHtml(rows) +
         "<p class=\"note\">Measured in each variant's last counted repeat: window minus the union of compute is idle. "
         "The window of a step is from its first start to its last end; a period is a lane's time from its first "
         "action "
         "of a step to its first of the next, and is used if steps overlap. Peak memory is of the lane's tensors over "
         "all repeats; its forecast was made before the "
         "run, with its error.</p>\n";
}

/// Of each variant with its trace a column: what its schedule leaves idle, and what else adds to it.
std::string waterfallHtml(const RunRecord& record) {
  std::string html;
  for (const VariantRecord& variant : record.variants) {
    std::vector<TextRow> rows = waterfallRows(variant.waterfall);
    if (rows.size() < 2) continue;
    rows[0] = {"with", "idle", "change (points)"};
    html += "<h3>" + escapedMarkup(variant.name) + "</h3>\n" + tableHtml(rows);
  }
  if (html.empty()) return html;
  return section("Idle time, from the schedule's own to measured",
                 html +
                     "<p class=\"note\">Idle share of the lane time in replays of the recorded repeat's order of "
                     "actions, each with all rows before it; the last row is measured.</p>\n");
}

std::string efficiencyHtml(const RunRecord& record) {
  const auto rows = boundRows(record);
  if (rows.empty()) return "<p class=\"note\">Nothing was recorded. Set record to actions or blocks.</p>\n";
  return tableHtml(rows) +
         "<p class=\"note\">Step and stage times are measured means over the counted repeats. The ideal for this order "
         "is the time that the schedule would take with these stage times, or with the own time of each action if that "
         "is shorter, without transfers, waits and overhead; no order is faster than the busiest lane. Efficiency is "
         "the ideal over the step. The schedule \"list\" accepts the stage times as stage_times; a backward that was "
         "not split is halved there.</p>\n";
}

/// As many decimals as give the largest loss six digits, so that all have as many.
int decimalsOfLosses(const RunRecord& record) {
  double most = 0;
  for (const VariantRecord& variant : record.variants)
    for (const RepeatRecord& repeat : variant.repeats)
      for (const double loss : repeat.losses)
        if (std::isfinite(loss)) most = std::max(most, std::fabs(loss));
  return most > 0 ? std::clamp(5 - static_cast<int>(std::floor(std::log10(most))), 0, 12) : 5;
}

std::string stepsHtml(const RunRecord& record) {
  const int decimals = decimalsOfLosses(record);
  const auto text = [decimals](double loss) {
    return std::isfinite(loss) ? formatFixed(loss, decimals) : formatNumber(loss);
  };
  std::vector<TextRow> rows = {{"variant", "repeat", "step", "time (ms)", "loss"}};
  for (const VariantRecord& variant : record.variants) {
    for (std::size_t r = 0; r < variant.repeats.size(); ++r) {
      const RepeatRecord& repeat = variant.repeats[r];
      for (std::size_t step = 0; step < repeat.step_seconds.size(); ++step) {
        rows.push_back({variant.name, std::to_string(r + 1), std::to_string(step + 1),
                        formatFigures(1e3 * repeat.step_seconds[step]),
                        step < repeat.losses.size() ? text(repeat.losses[step]) : "-"});
      }
    }
  }
  return "<details><summary>All " + std::to_string(rows.size() - 1) + " counted steps</summary>\n" + tableHtml(rows) +
         "</details>\n";
}

std::string figuresHtml(const std::vector<ReportFigure>& figures) {
  if (figures.empty())
    return "<p class=\"note\">This report has tables only. Figures need the desktop part: build with Qt (./run.sh "
           "without --headless) and export the report again.</p>\n";
  std::string html;
  for (const ReportFigure& figure : figures) {
    html += "<figure aria-label=\"" + escapedMarkup(figure.title) + "\">\n" + figure.drawing +
            "\n<figcaption><strong>" + escapedMarkup(figure.title) + ".</strong> " + escapedMarkup(figure.caption) +
            "</figcaption>\n</figure>\n";
  }
  return html;
}

std::string environmentHtml(const RunRecord& record) {
  std::vector<TextRow> rows = {{"what", "value"}};
  for (const auto& [key, value] : record.environment) rows.push_back({key, value});
  return tableHtml(rows);
}

std::string repeatHtml(const RunRecord& record) {
  const std::string command = factOf(record.environment, "command");
  return (command.empty() ? "" : "<p>Command of this run:</p>\n<pre>" + escapedMarkup(command) + "</pre>\n") +
         "<p>To run it again, save the experiment below as <code>experiment.json</code>, then:</p>\n<pre>lanelab-cli "
         "run "
         "experiment.json --out runs/again\nlanelab-cli compare runs/again RUN_FOLDER</pre>\n"
         "<details open><summary>The experiment</summary>\n<pre>" +
         escapedMarkup(toJson(record.experiment)) + "</pre></details>\n";
}

std::string headerHtml(const RunRecord& record) {
  std::string html = "<header>\n<h1>" + escapedMarkup(record.experiment.name) + "</h1>\n<p class=\"meta\">Run " +
                     escapedMarkup(record.id) + ", " + escapedMarkup(toWord(record.status)) + ", started " +
                     escapedMarkup(record.started) +
                     (record.finished.empty() ? "" : ", ended " + escapedMarkup(record.finished)) +
                     ". All times are measured.</p>\n</header>\n";
  html += "<p class=\"headline\">" + escapedMarkup(headline(record).message) + "</p>\n";
  const RunTrust trust = runTrust(record);
  if (!trust.sentence.message.empty())
    html += std::string("<p class=\"headline") + (trust.reasons.empty() ? "" : " failed") + "\">" +
            escapedMarkup(trust.sentence.message) + "</p>\n";
  if (record.status != RunStatus::Done)
    html += "<p class=\"headline failed\">The run did not end as planned (" + escapedMarkup(toWord(record.status)) +
            ")" + (record.error.empty() ? "" : ": " + escapedMarkup(record.error)) +
            " What was measured until then is below.</p>\n";
  return html;
}

std::string bodyHtml(const RunRecord& record, const std::vector<ReportFigure>& figures, const std::string& steps) {
  return headerHtml(record) + figuresHtml(figures) + section("Comparison", comparisonHtml(record)) +
         notesHtml(runNotes(record)) + section("Idle time by lane", idleHtml(record)) + waterfallHtml(record) +
         section("Schedule efficiency", efficiencyHtml(record)) + steps +
         section("Environment", environmentHtml(record)) + section("Reproduce this run", repeatHtml(record));
}

std::string pageHtml(const std::string& title, const std::string& body) {
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
         "content=\"width=device-width, initial-scale=1\">\n<title>" +
         escapedMarkup(title) + ": LaneLab report</title>\n<style>" + kStyle + "</style>\n</head>\n<body>\n" + body +
         "</body>\n</html>\n";
}

}  // namespace

std::string htmlReport(const RunRecord& record, const std::vector<ReportFigure>& figures) {
  return pageHtml(record.experiment.name, bodyHtml(record, figures, section("Steps and losses", stepsHtml(record))));
}

std::string tracePage(const std::string& title, const std::vector<ReportFigure>& figures) {
  return pageHtml(title, "<header>\n<h1>" + escapedMarkup(title) + "</h1>\n</header>\n" + figuresHtml(figures));
}

std::string paperReport(const RunRecord& record, const std::vector<ReportFigure>& figures) {
  return bodyHtml(record, figures, {});
}

}  // namespace lanelab
