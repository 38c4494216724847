// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/model/timeline_texts.h"

#include <QRegularExpression>
#include <array>

#include "base/text.h"
#include "profiler/analysis/critical_path.h"
#include "ui/look/plain_text.h"
#include "ui/timeline/model/coordinates.h"

namespace lanelab {

QString originText(const Trace& trace) {
  if (trace.origin == Origin::Replayed) return TimelineTexts::tr("replayed");
  if (trace.origin == Origin::Predicted) return TimelineTexts::tr("predicted");
  switch (trace.extent) {
    case Extent::Unfinished: return TimelineTexts::tr("unfinished, not counted");
    case Extent::WarmUp: return TimelineTexts::tr("warm-up, not counted");
    case Extent::Whole: break;
  }
  return TimelineTexts::tr("measured");
}

QString causeText(Cause cause) {
  return QCoreApplication::translate("IdleTable", toString(cause).data()).replace(QLatin1Char('_'), QLatin1Char(' '));
}

QString causeSentence(Cause cause) {
  switch (cause) {
    case Cause::Fill: return TimelineTexts::tr("The pipeline fills: the order brings no work here yet.");
    case Cause::Drain: return TimelineTexts::tr("The pipeline drains: the order leaves no work here.");
    case Cause::Imbalance: return TimelineTexts::tr("Another stage takes longer than this one.");
    case Cause::Jitter: return TimelineTexts::tr("What it waited for took longer than it usually does.");
    case Cause::TransferQueued: return TimelineTexts::tr("Its input waited for the link between lanes.");
    case Cause::Transfer: return TimelineTexts::tr("Its input was being transferred.");
    case Cause::Communication: return TimelineTexts::tr("The GPU communicated and computed nothing meanwhile.");
    case Cause::Data: return TimelineTexts::tr("It waited for training data.");
    case Cause::Sync: return TimelineTexts::tr("It waited for other lanes or for the device.");
    case Cause::Allocator: return TimelineTexts::tr("It waited for memory.");
    case Cause::Host: return TimelineTexts::tr("The next action was launched late.");
    case Cause::Contention: return TimelineTexts::tr("Another lane used the same device.");
    case Cause::Profiler: return TimelineTexts::tr("The recording itself took this time.");
    case Cause::Unresolved: return TimelineTexts::tr("The trace does not show why.");
    case Cause::Evaluation: return TimelineTexts::tr("A lane evaluated the model.");
  }
  return {};
}

QString pathText(const Trace& trace, std::optional<TimeRange> range) {
  const auto lengthOf = [within = range.value_or(trace.range())](TimeRange one) {
    return static_cast<double>(intersection(one, within).length());
  };
  std::array<double, 4> lengths{};
  double window = 0;
  for (const CriticalPath& path : criticalPaths(trace)) {
    window += lengthOf(path.window);
    for (const PathLink& link : path.links) lengths[static_cast<std::size_t>(link.kind)] += lengthOf(link.range);
  }
  if (window <= 0) return {};
  const auto share = [&](double length) { return QString::fromStdString(formatPercent(length / window)); };
  return TimelineTexts::tr("%1 compute, %2 transfer, %3 wait")
      .arg(share(lengths[0]), share(lengths[1] + lengths[2]), share(lengths[3]));
}

QString actionText(const std::string& name) {
  static const QRegularExpression id(QStringLiteral("^([0-9]+)([FBIWU][0-9]*)$"));
  const QString shown = look::shownName(name);
  const QRegularExpressionMatch found = id.match(shown);
  return found.hasMatch() ? TimelineTexts::tr("%1 (stage %2)").arg(found.captured(2), found.captured(1)) : shown;
}

QString nextActionText(const Trace& trace, const ExplainedGap& gap) {
  return gap.before == kNoItem ? TimelineTexts::tr("end of step") : actionText(trace.names[gap.before]);
}

}  // namespace lanelab
