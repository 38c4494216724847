// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/change/change_texts.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "profiler/trace/number_text.h"
#include "ui/timeline/model/timeline_texts.h"

namespace lanelab {
namespace {

constexpr std::size_t kMostLanes = 4;  ///< that are named in a line
constexpr double kLittleIdle = 0.02;   ///< whose cause is not named
constexpr double kSameIdle = 0.005;    ///< below it an idle share is as it was
constexpr double kSameStep = 0.0005;   ///< likewise, of a step's length

QString lengthWords(Nanoseconds time) { return QString::fromStdString(plainDuration(time)); }
QString wholePercent(double share) { return QStringLiteral("%1 %").arg(QString::number(100 * share, 'f', 0)); }
QString timesText(double factor) { return QStringLiteral("%1x").arg(QString::number(factor, 'f', 2)); }
QString arrow(const QString& before, const QString& after) { return QStringLiteral("%1 \u2192 %2").arg(before, after); }

/// "F3 of stage 1", "all F of stage 1".
QString actionsText(const ScaledSpans& spans) {
  QString letter(QLatin1Char(letterOf(spans.id.phase)));
  if (spans.all) return TimelineChanges::tr("all %1 of stage %2").arg(letter).arg(spans.id.stage);
  if (spans.id.phase != Phase::Update && spans.id.micro_batch >= 0) letter += QString::number(spans.id.micro_batch);
  return TimelineChanges::tr("%1 of stage %2").arg(letter).arg(spans.id.stage);
}

QString placedStageText(const TimelineData& data, int stage, int lane) {
  return TimelineChanges::tr("stage %1 on %2").arg(stage).arg(data.laneName(lane));
}

QString capital(QString text) {
  if (!text.isEmpty()) text[0] = text[0].toUpper();
  return text;
}

QString latestText(const TimelineData& data, const AnsweredChanges& answer) {
  const SpanChange& latest = *answer.latest;
  if (const auto* const move = std::get_if<StageMove>(&latest))
    return TimelineChanges::tr("Stage %1: %2")
        .arg(move->stage)
        .arg(arrow(data.laneName(move->from), data.laneName(move->to)));
  const ChangedLength& length = answer.length;
  const double factor = length.before > 0 ? static_cast<double>(length.after) / static_cast<double>(length.before) : 1;
  return QStringLiteral("%1: %2 (%3)")
      .arg(capital(spansText(data.trace(), std::get<ScaledSpans>(latest))),
           arrow(lengthWords(length.before), lengthWords(length.after)), timesText(factor));
}

QString stepLine(const TimelineData& data, const ChangedSteps& steps) {
  const Nanoseconds before = steps.before.step, after = steps.after.step;
  const double change = before > 0 ? static_cast<double>(after) / static_cast<double>(before) - 1 : 0;
  const QString share = QStringLiteral("%1 %").arg(QString::number(100 * std::abs(change), 'f', 1));
  const QString how = std::abs(change) < kSameStep ? TimelineChanges::tr("as long as before")
                      : change < 0                 ? TimelineChanges::tr("%1 shorter").arg(share)
                                                   : TimelineChanges::tr("%1 longer").arg(share);
  const QString which = steps.step ? TimelineChanges::tr("Step %1").arg(shownStep(data.trace(), *steps.step))
                                   : TimelineChanges::tr("Mean step");
  return QStringLiteral("%1 %2 (%3)").arg(which, arrow(lengthWords(before), lengthWords(after)), how);
}

/// Those that changed most, in the lanes' order.
QString idleLine(const TimelineData& data, const ChangedSteps& steps) {
  struct Idle {
    std::size_t lane;
    double before;
    double after;
  };
  std::vector<Idle> lanes;
  for (std::size_t lane = 0; lane < steps.before.idle.size(); ++lane) {
    const auto before = steps.before.idle[lane], after = steps.after.idle[lane];
    if (!before && !after) continue;
    if (std::abs(before.value_or(1) - after.value_or(1)) >= kSameIdle)
      lanes.push_back({lane, before.value_or(1), after.value_or(1)});
  }
  if (lanes.empty()) return TimelineChanges::tr("All lanes idle as before");
  std::ranges::stable_sort(
      lanes, [](const Idle& a, const Idle& b) { return std::abs(a.after - a.before) > std::abs(b.after - b.before); });
  if (lanes.size() > kMostLanes) lanes.resize(kMostLanes);
  std::ranges::sort(lanes, {}, &Idle::lane);
  QStringList parts;
  for (const Idle& idle : lanes)
    parts << TimelineChanges::tr("%1 idle %2")
                 .arg(data.laneName(static_cast<int>(idle.lane)),
                      arrow(wholePercent(idle.before), wholePercent(idle.after)));
  return parts.join(QStringLiteral(", "));
}

QString pathLine(const ChangedSteps& steps) {
  if (steps.after.path.stage < 0) return {};
  const QString part = TimelineChanges::tr("%1 of stage %2")
                           .arg(QLatin1Char(letterOf(steps.after.path.phase)))
                           .arg(steps.after.path.stage);
  return steps.before.path.sameActions(steps.after.path)
             ? TimelineChanges::tr("Critical path still mostly through %1 (%2)")
                   .arg(part, wholePercent(steps.after.path.share))
             : TimelineChanges::tr("Critical path now mostly through %1 (%2)")
                   .arg(part, wholePercent(steps.after.path.share));
}

/// What most of the idle time is then, lane by lane; empty where causes are not known.
QString causesLine(const ChangedTimeline& timeline) {
  const TimelineData& data = timeline.data();
  const ChangedSteps& steps = timeline.steps();
  TimeRange range = data.range();
  for (const StepWindow& step : data.steps())
    if (steps.step == step.step) range = step.range;
  QStringList parts;
  for (std::size_t lane = 0; lane < steps.after.idle.size() && parts.size() < static_cast<qsizetype>(kMostLanes);
       ++lane) {
    const CauseTimes causes = data.causesWithin(static_cast<int>(lane), range);
    if (causes.total() > 0 && steps.after.idle[lane].value_or(0) >= kLittleIdle)
      parts << TimelineChanges::tr("%1 %2").arg(data.laneName(static_cast<int>(lane)), causeText(causes.largest()));
  }
  return parts.isEmpty() ? QString() : TimelineChanges::tr("Idle mostly by: %1").arg(parts.join(QStringLiteral(", ")));
}

QStringList factLines(const TimelineData& data, const ChangedTimeline& timeline) {
  const ChangedSteps& steps = timeline.steps();
  QStringList lines{stepLine(data, steps), idleLine(data, steps), causesLine(timeline), pathLine(steps)};
  lines.removeAll(QString());
  return lines;
}

}  // namespace

QString spansText(const Trace& trace, const ScaledSpans& spans) {
  const QString actions = actionsText(spans);
  const QString what = spans.transfers ? TimelineChanges::tr("transfer of %1").arg(actions) : actions;
  return spans.all ? what : TimelineChanges::tr("%1, step %2").arg(what).arg(shownStep(trace, spans.id.step));
}

QString changesText(const TimelineData& data, const WhatIf& changes) {
  QStringList parts;
  for (const ScaledSpans& spans : changes.spans)
    parts << QStringLiteral("%1 %2").arg(spansText(data.trace(), spans), timesText(spans.factor));
  for (const auto& [stage, lane] : changes.lanes) parts << placedStageText(data, stage, lane);
  return parts.join(QStringLiteral("; "));
}

QStringList changeLines(const TimelineData& data, const AnsweredChanges& answer) {
  QStringList lines;
  if (answer.latest) lines << latestText(data, answer);
  lines << factLines(data, *answer.timeline);
  const int others = countOf(answer.timeline->changes()) - 1;
  if (others > 0) lines << TimelineChanges::tr("With %n other change(s)", nullptr, others);
  return lines;
}

QString changesReport(const TimelineData& data, const AnsweredChanges& answer) {
  QStringList lines{capital(changesText(data, answer.timeline->changes()))};
  lines << factLines(data, *answer.timeline);
  return lines.join(QLatin1Char('\n'));
}

QString pullHint(const Trace& trace, const ScaledSpans& kind) {
  ScaledSpans all = kind;
  all.all = true;
  if (kind.transfers)
    return TimelineChanges::tr("Alt: pull an edge to change how long the %1 takes, with Shift the %2")
        .arg(spansText(trace, kind), spansText(trace, all));
  return TimelineChanges::tr(
             "Alt: pull an edge to change how long %1 takes, with Shift %2; drag it up or down to move stage %3 to "
             "another lane")
      .arg(spansText(trace, kind), spansText(trace, all))
      .arg(kind.id.stage);
}

}  // namespace lanelab
