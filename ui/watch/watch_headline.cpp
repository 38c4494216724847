// SPDX-License-Identifier: GPL-3.0-only
#include <QCoreApplication>
#include <QStringList>

#include "profiler/analysis/idle_causes.h"
#include "profiler/trace/core_time.h"
#include "ui/look/plain_text.h"
#include "ui/look/quantity_text.h"
#include "ui/timeline/model/timeline_texts.h"
#include "ui/watch/timeline_presenter.h"

namespace lanelab {

namespace {

struct HeadlineTexts {
  Q_DECLARE_TR_FUNCTIONS(WatchHeadline)
};

QString percent(Nanoseconds part, Nanoseconds whole) {
  return HeadlineTexts::tr("%1 %").arg(
      whole > 0 ? qRound(100.0 * static_cast<double>(part) / static_cast<double>(whole)) : 0);
}

QString laneName(const Trace& trace, int lane) {
  const auto index = static_cast<std::size_t>(lane);
  return index < trace.lanes.size() ? look::shownName(trace.lanes[index].name) : QString::number(lane);
}

GapPlace longestGap(const IdleCauses& causes) {
  GapPlace longest;
  for (const LaneCauses& lane : causes.lanes) {
    if (!lane.hasWork()) continue;  // it has one gap, and nothing to say
    for (const ExplainedGap& gap : lane.gaps)
      if (!longest.gap || gap.range.length() > longest.gap->range.length()) longest = {&lane, &gap};
  }
  return longest;
}

/// The action that an error ended: the last one of its lane.
QString failureIn(const Trace& trace) {
  for (const auto& track : trace.tracks) {
    if (track.kind != Track::Kind::Compute || track.spans.empty() || !trace.failed(track.spans.back())) continue;
    return HeadlineTexts::tr("; %1 on %2")
        .arg(actionText(trace.nameOf(track.spans.back())), laneName(trace, track.lane));
  }
  return {};
}

}  // namespace

QString watchHeadline(const Trace& trace) {
  const IdleCauses causes = explainActions(trace);
  Nanoseconds window = 0;
  Nanoseconds idle = 0;
  QStringList each;
  for (const LaneCauses& lane : causes.lanes) {
    if (!lane.hasWork()) continue;
    window += lane.window;
    idle += lane.idle;
    each.append(HeadlineTexts::tr("%1 %2").arg(laneName(trace, lane.lane), percent(lane.idle, lane.window)));
  }
  const auto steps = stepWindows(trace).size();
  QString text = HeadlineTexts::tr("%1, %2").arg(look::shownName(trace.title), originText(trace));
  text += steps == 1 ? HeadlineTexts::tr(", 1 step") : HeadlineTexts::tr(", %1 steps").arg(steps);
  text += failureIn(trace);
  std::vector<std::string> names;
  for (const LaneInfo& lane : trace.lanes) names.push_back(lane.name);
  if (const Message taken = takenCoresText(names, coreShares(trace)); !taken.message.empty())
    text += HeadlineTexts::tr("; %1").arg(look::shownText(taken));
  if (window == 0) return text;
  text += HeadlineTexts::tr(": idle %1 of the step time").arg(percent(idle, window));
  if (each.size() > 1) text += HeadlineTexts::tr(" (%1)").arg(each.join(", "));
  if (const auto [lane, gap] = longestGap(causes); gap)
    text += HeadlineTexts::tr("; longest gap %1 on %2 before %3")
                .arg(secondsText(static_cast<double>(gap->range.length()) * 1e-9), laneName(trace, lane->lane),
                     nextActionText(trace, *gap));
  return text;
}

}  // namespace lanelab
