// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/layout/span_text.h"

#include <QStringList>
#include <array>
#include <cmath>
#include <string_view>

#include "profiler/trace/core_time.h"
#include "ui/look/plain_text.h"
#include "ui/timeline/layout/action_difference.h"
#include "ui/timeline/layout/ticks.h"
#include "ui/timeline/model/timeline_texts.h"

namespace lanelab {
namespace {

QString phaseWord(Phase phase) {
  switch (phase) {
    case Phase::Forward: return TimelineTexts::tr("Forward");
    case Phase::Backward: return TimelineTexts::tr("Backward");
    case Phase::BackwardInput: return TimelineTexts::tr("Backward (inputs)");
    case Phase::BackwardWeight: return TimelineTexts::tr("Backward (weights)");
    case Phase::Update: return TimelineTexts::tr("Update");
    case Phase::None: break;
  }
  return {};
}

QString withPhase(const QString& name, const Span& span) {
  const QString phase = phaseWord(span.phase);
  if (phase.isEmpty() || span.micro_batch < 0) return name;
  return TimelineTexts::tr("%1 in %2, micro-batch %3").arg(name, phase.toLower(), QString::number(span.micro_batch));
}

QString placeText(const Span& span) {
  return span.phase == Phase::Update ? TimelineTexts::tr("stage %1").arg(span.stage)
                                     : TimelineTexts::tr("micro-batch %1").arg(span.micro_batch);
}

/// Milliseconds to the microsecond, and to the nanosecond for what is shorter than ten microseconds.
QString timeText(Nanoseconds time, Nanoseconds duration) {
  return QString::number(static_cast<double>(time) * 1e-6, 'f', duration < 10'000 ? 6 : 3) + QStringLiteral(" ms");
}

/// "12.3 ms; 4 % longer than predicted".
QString errorText(const Span& span, Nanoseconds expected) {
  const double error = static_cast<double>(span.range().length()) / static_cast<double>(expected) - 1;
  const QString share = shareText(std::abs(error));
  const QString length = durationText(expected);
  if (span.range().length() == expected) return length;
  return error > 0 ? TimelineTexts::tr("%1; %2 longer than predicted").arg(length, share)
                   : TimelineTexts::tr("%1; %2 shorter than predicted").arg(length, share);
}

/// Whether the thread was off its core for long enough to be shown.
bool hadNoCore(const Span& span) {
  return span.cpu >= 0 && static_cast<double>(span.cpu) < 0.98 * static_cast<double>(span.range().length());
}

QString coreShareText(const Span& span) {
  return shareText(static_cast<double>(span.cpu) / static_cast<double>(span.range().length()));
}

/// What replicas of a model do in a span of this name, for training; empty for a name that the engine does not give.
QString exchangeText(const std::string& name) {
  const std::array<std::pair<std::string_view, QString>, 6> all = {
      {{"all-reduce", TimelineTexts::tr("the gradients of one bucket become their mean over all replicas")},
       {"broadcast buffers", TimelineTexts::tr("running statistics come from replica 0")},
       {"replicate weights", TimelineTexts::tr("the weights of replica 0 are copied to this one")},
       {"gather outputs", TimelineTexts::tr("waits for the outputs of all replicas to compute the loss")},
       {"wait for the gradients", TimelineTexts::tr("waits for the gradients of all replicas to sum them")},
       {"wait for the gradient", TimelineTexts::tr("waits for its part of the gradient of the loss")}}};
  for (const auto& [begin, text] : all)
    if (name.starts_with(begin)) return text;
  return {};
}

/// Of two runs what the same action took in both, and how its start differs.
void addComparison(const TimelineData& data, SpanRef ref, std::vector<std::pair<QString, QString>>& facts) {
  const AlignedCell* cell = data.aligned() ? data.aligned()->find(data.span(ref)) : nullptr;
  if (!cell) return;
  facts.emplace_back(TimelineTexts::tr("In A"), durationText(cell->a));
  const QString sign = cell->difference() < 0 ? QStringLiteral("\u2212") : QStringLiteral("+");
  const QString difference =
      cell->difference() == 0 ? TimelineTexts::tr("the same") : sign + durationText(std::abs(cell->difference()));
  const QString share =
      cell->a > 0 ? differenceText(static_cast<double>(cell->b) / static_cast<double>(cell->a) - 1) : QString();
  facts.emplace_back(TimelineTexts::tr("In B"),
                     TimelineTexts::tr("%1 (%2; %3)").arg(durationText(cell->b), difference, share));
  if (cell->later_by == 0) return;
  const QString when = durationText(std::abs(cell->later_by));
  facts.emplace_back(TimelineTexts::tr("B begins"), cell->later_by > 0
                                                        ? TimelineTexts::tr("%1 later in its step").arg(when)
                                                        : TimelineTexts::tr("%1 earlier in its step").arg(when));
}

QString waitText(const TimelineData& data, SpanRef ref) {
  const Nanoseconds idle = data.idleBefore(ref);
  if (idle <= 0) return {};
  const auto producer = data.producerOf(ref);
  if (!producer) return durationText(idle);
  const Span giver = data.span(*producer);
  const QString lane = data.laneName(data.rows()[producer->row].lane);
  return TimelineTexts::tr("%1; needed %2 of stage %3 (%4)")
      .arg(durationText(idle), data.label(giver), QString::number(giver.stage), lane);
}

QString lengthName(const TimelineData& data, SpanRef ref) {
  if (data.isRunning(ref)) return TimelineTexts::tr("Running for");
  return data.trace().failed(data.span(ref)) ? TimelineTexts::tr("Failed after") : TimelineTexts::tr("Duration");
}

using Facts = std::vector<std::pair<QString, QString>>;

Facts placeFacts(const TimelineData& data, SpanRef ref) {
  const Span span = data.span(ref);
  const Row& row = data.rows()[ref.row];
  const QString device = data.laneDevice(row.lane);
  const QString lane = data.laneName(row.lane);
  Facts facts;
  if (const QString does =
          data.rowKind(ref.row) == RowKind::Exchange ? exchangeText(data.trace().nameOf(span)) : QString();
      !does.isEmpty())
    facts.emplace_back(TimelineTexts::tr("Does"), does);
  if (span.category == Category::Communication)
    facts.emplace_back(TimelineTexts::tr("Does"), TimelineTexts::tr("communication between GPUs, no compute"));
  facts.emplace_back(TimelineTexts::tr("Lane"),
                     device.isEmpty() ? lane : TimelineTexts::tr("%1 (%2)").arg(lane, device));
  if (const int replica = data.replicaOf(row.lane); replica >= 0)
    facts.emplace_back(TimelineTexts::tr("Replica"), QString::number(replica));
  if (span.stage >= 0) facts.emplace_back(TimelineTexts::tr("Stage"), QString::number(span.stage));
  if (span.step >= 0)
    facts.emplace_back(TimelineTexts::tr("Step"), QString::number(shownStep(data.trace(), span.step)));
  facts.emplace_back(TimelineTexts::tr("Start"), timeText(span.start - data.range().start, span.range().length()));
  return facts;
}

/// How long it took, also on a core, as predicted and in the other run; and how long it was ready before.
void addLength(const TimelineData& data, SpanRef ref, bool with_cpu, Facts& facts) {
  const Span span = data.span(ref);
  const bool running = data.isRunning(ref);
  facts.emplace_back(lengthName(data, ref), durationText(span.range().length()));
  if (with_cpu) facts.emplace_back(TimelineTexts::tr("CPU"), TimelineTexts::tr("%1 of it").arg(coreShareText(span)));
  if (const auto others = hadNoCore(span) ? otherProgramsWithin(data.trace(), span.range()) : std::nullopt)
    facts.emplace_back(TimelineTexts::tr("Other programs"),
                       TimelineTexts::tr("%1 of the machine's cores").arg(shareText(*others / 100)));
  const auto expected = data.trace().failed(span) ? std::nullopt : data.expectedLength(ref);
  if (expected && *expected > 0)
    facts.emplace_back(TimelineTexts::tr("Predicted"), running ? durationText(*expected) : errorText(span, *expected));
  addComparison(data, ref, facts);
  if (span.mark <= 0 || span.mark >= span.start || span.category == Category::Step) return;
  const QString before = TimelineTexts::tr("%1 before its start").arg(durationText(span.start - span.mark));
  facts.emplace_back(span.category == Category::Transfer ? TimelineTexts::tr("Queued") : TimelineTexts::tr("Issued"),
                     before);
}

}  // namespace

QString spanTitle(const TimelineData& data, SpanRef ref) {
  const Span span = data.span(ref);
  const QString name = look::shownName(data.trace().nameOf(span));
  if (data.trace().failed(span))
    return TimelineTexts::tr("%1 of %2 failed").arg(phaseWord(span.phase), placeText(span));
  if (span.category == Category::Transfer) return withPhase(TimelineTexts::tr("Transfer %1").arg(name), span);
  if (span.category != Category::Action) return withPhase(name, span);
  const QString phase = phaseWord(span.phase);
  if (phase.isEmpty()) return name;
  return span.phase == Phase::Update || span.micro_batch < 0
             ? phase
             : TimelineTexts::tr("%1, micro-batch %2").arg(phase).arg(span.micro_batch);
}

std::vector<std::pair<QString, QString>> spanFacts(const TimelineData& data, SpanRef ref) {
  const Span span = data.span(ref);
  std::vector<std::pair<QString, QString>> facts = placeFacts(data, ref);
  addLength(data, ref, span.category == Category::Action && hadNoCore(span), facts);
  if (span.category == Category::Action) {
    const QString waited = waitText(data, ref);
    if (!waited.isEmpty()) facts.emplace_back(TimelineTexts::tr("Idle before"), waited);
  }
  return facts;
}

std::vector<std::pair<QString, QString>> spanFigures(const TimelineData& data, SpanRef ref) {
  const Span span = data.span(ref);
  std::vector<std::pair<QString, QString>> facts = placeFacts(data, ref);
  for (const StepWindow& step : data.stepsOf(data.rows()[ref.row].lane))
    if (step.range.start <= span.start && span.start < step.range.end &&
        (step.step == span.step || !data.stepsOverlap()))
      facts.emplace_back(TimelineTexts::tr("Start in step"),
                         timeText(span.start - step.range.start, span.range().length()));
  addLength(data, ref, span.cpu >= 0 && span.range().length() > 0, facts);
  return facts;
}

QStringList wrapped(const QString& sentence, qsizetype width) {
  QStringList lines;
  for (const QString& word : sentence.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
    if (lines.isEmpty() || lines.back().size() + 1 + word.size() > width)
      lines << word;
    else
      lines.back() += QLatin1Char(' ') + word;
  }
  return lines;
}

QString spanSentence(const TimelineData& data, SpanRef ref) {
  QStringList parts{spanTitle(data, ref)};
  for (const auto& [name, value] : spanFacts(data, ref)) parts << TimelineTexts::tr("%1: %2").arg(name, value);
  return parts.join(QStringLiteral("  ·  "));
}

}  // namespace lanelab
