// SPDX-License-Identifier: GPL-3.0-only
#include "ui/first_steps/lesson.h"

#include <QCoreApplication>
#include <algorithm>

#include "base/quantile.h"
#include "profiler/analysis/idle_causes.h"
#include "ui/look/plain_text.h"
#include "ui/look/quantity_text.h"

namespace lanelab {

namespace {

struct LessonWords {
  Q_DECLARE_TR_FUNCTIONS(Lessons)
};

QString percent(double share) { return LessonWords::tr("%1 %").arg(qRound(100 * share)); }

/// "1F1B 1.02 s, ZB-H1 0.93 s": a figure of each variant, in the run's order.
QString ofEach(const LessonWorld& world, const std::function<QString(const VariantRecord&)>& figure) {
  QStringList figures;
  for (const VariantRecord& variant : world.record->variants)
    figures << LessonWords::tr("%1 %2").arg(look::shownName(variant.name), figure(variant));
  return figures.join(QStringLiteral(", "));
}

/// The variant of the least figure.
QString leastBy(const LessonWorld& world, const std::function<double(const VariantRecord&)>& figure) {
  const auto& variants = world.record->variants;
  return QString::fromStdString(std::ranges::min_element(variants, {}, figure)->name);
}

double bubbleOf(const LessonWorld& world, const VariantRecord& variant) {
  const auto found = world.traces.find(QString::fromStdString(variant.name));
  return found == world.traces.end() ? 0 : bubbleShares(explainActions(*found->second)).of_total;
}

double stepOf(const VariantRecord& variant) { return medianOf(variant.stepMedians()); }
std::int64_t firstLanePeak(const VariantRecord& variant) {
  return variant.lanes.empty() ? 0 : variant.lanes.front().peak_bytes;
}
std::int64_t totalPeak(const VariantRecord& variant) {
  std::int64_t total = 0;
  for (const LaneRecord& lane : variant.lanes) total += lane.peak_bytes;
  return total;
}
QString stepText(const VariantRecord& variant) { return secondsText(stepOf(variant)); }

LessonVerdict judgeMicroBatches(const LessonWorld& world, const GivenAnswer& given) {
  const auto bubble = [&](const VariantRecord& variant) { return bubbleOf(world, variant); };
  const QString figures = ofEach(world, [&](const VariantRecord& v) { return percent(bubble(v)); });
  const QString best = leastBy(world, bubble);
  if (given.variant != best)
    return {false,
            LessonWords::tr("Fill and drain take %1 of the lanes' time. Look for the smallest share.").arg(figures)};
  return {true,
          LessonWords::tr("Right: fill and drain take %1 of the lanes' time; (p - 1) / (m + p - 1) for p = 2 equal "
                          "stages and m micro-batches is 50, 33, 20 and 11 %. The steps take %2, the shortest is that "
                          "of %3: small micro-batches compute less per second, which works against the smaller bubble.")
              .arg(figures, ofEach(world, stepText), leastBy(world, stepOf))};
}

LessonVerdict judgeCut(const LessonWorld& world, const GivenAnswer& given) {
  const Cause cause = given.gap->largest();
  if (cause != Cause::Imbalance)
    return {false, LessonWords::tr(
                       "The largest cause of this gap is not the cut. Point at other idle time: the sentence names "
                       "its cause. You look for imbalance.")};
  return {true,
          LessonWords::tr("Right: the lane with fewer blocks waits in each micro-batch for the other one. Another cut "
                          "moves blocks between them; the steps take %1. In your own experiments, Balance Stages finds "
                          "the cut, and Idle and Gaps suggests it.")
              .arg(ofEach(world, stepText))};
}

LessonVerdict judgeMemory(const LessonWorld& world, const GivenAnswer& given) {
  const QString figures = ofEach(world, [](const VariantRecord& v) { return bytesText(firstLanePeak(v)); });
  const auto peak = [](const VariantRecord& v) { return static_cast<double>(firstLanePeak(v)); };
  if (given.variant != leastBy(world, peak))
    return {false,
            LessonWords::tr("At its peak the first lane holds %1. Count the forwards before its first backward: the "
                            "activations of each are stored until then.")
                .arg(figures)};
  return {true,
          LessonWords::tr("Right: at its peak the first lane holds %1, and the steps take %2. One order computes all "
                          "forwards first and stores the activations of all micro-batches; the other begins a backward "
                          "as soon as it can, and frees them.")
              .arg(figures, ofEach(world, stepText))};
}

LessonVerdict judgeZeroBubble(const LessonWorld& world, const GivenAnswer& given) {
  if (given.span->phase != Phase::BackwardWeight)
    return {false, LessonWords::tr("This is not a weight gradient. Look for the actions with the letter W.")};
  return {true,
          LessonWords::tr("Right: nothing waits for a weight gradient but the update, so it can be computed while the "
                          "lane would wait for another one's gradient. Idle time is %1 of the lanes' time in fill and "
                          "drain, and the steps take %2.")
              .arg(ofEach(world, [&](const VariantRecord& v) { return percent(bubbleOf(world, v)); }),
                   ofEach(world, stepText))};
}

LessonVerdict judgeReplicas(const LessonWorld& world, const GivenAnswer& given) {
  const VariantRecord* const chosen = world.record->find(given.variant.toStdString());
  const QString memory = ofEach(world, [](const VariantRecord& v) { return bytesText(totalPeak(v)); });
  if (!chosen || chosen->replicas < 2)
    return {false,
            LessonWords::tr("There the lanes share the blocks: each action is of one stage. Look for a timeline in "
                            "which both lanes do the same.")};
  return {true,
          LessonWords::tr("Right: each replica computes all blocks for its half of the batch and waits only for the "
                          "exchange of gradients. It has no bubble, but all weights on each lane: together the lanes "
                          "hold %1 at their peaks; the steps take %2. Replicas pay as long as the network fits on one "
                          "device.")
              .arg(memory, ofEach(world, stepText))};
}

}  // namespace

const std::vector<Lesson>& lessons() {
  static const std::vector<Lesson> all = {
      {"micro-batches", "lesson-micro-batches", "1 micro-batch", LessonWords::tr("The bubble and the micro-batch size"),
       LessonWords::tr(
           "Two lanes train one network: the first has the front half of its blocks, the second the rest. A batch "
           "is split into micro-batches. Hatched time is idle: lane 1 waits at the begin of a step (fill) until "
           "the first micro-batch arrives, lane 0 at its end (drain). Both together are the bubble. Choose the "
           "variants above the timeline one after another."),
       LessonWords::tr("In which variant do fill and drain take the smallest share of the time?"),
       LessonWords::tr("Idle and Gaps adds the causes up for the variant that is shown."), LessonAnswer::Variant,
       judgeMicroBatches},
      {"cuts", "lesson-cuts", "Early cut", LessonWords::tr("A bad cut"),
       LessonWords::tr(
           "Here the first lane has few blocks and the second has most. Nothing is wrong with the order of the "
           "actions, and yet one lane waits again and again. Point at hatched time: a sentence says why the lane "
           "is idle."),
       LessonWords::tr("Click idle time that another cut would remove."),
       LessonWords::tr("With the keyboard: G goes to the next gap."), LessonAnswer::Gap, judgeCut},
      {"memory", "lesson-memory", "GPipe", LessonWords::tr("The same bubble in less memory"),
       LessonWords::tr(
           "GPipe and 1F1B do the same actions in another order, and have the same bubble. F is a forward of a "
           "micro-batch, B its backward. Between the two, the activations of the micro-batch stay in memory. Show "
           "both variants."),
       LessonWords::tr("Which order needs less memory on its first lane?"),
       LessonWords::tr("The counter rows of the timeline (View > Timeline > Counters) draw the memory over time."),
       LessonAnswer::Variant, judgeMemory},
      {"zero-bubble", "lesson-zero-bubble", "ZB-H1", LessonWords::tr("Filling the bubble"),
       LessonWords::tr(
           "A backward has two parts: the gradient of the input (I), for which the stage before waits, and that of "
           "the weights (W), for which only the update waits. ZB-H1 splits them. Compare it with 1F1B, whose "
           "backward (B) is in one piece."),
       LessonWords::tr("Click an action of ZB-H1 that computes while 1F1B would wait."),
       LessonWords::tr("Look at the end of a step, on the first lane."), LessonAnswer::Span, judgeZeroBubble},
      {"replicas", "lesson-replicas", "Pipeline", LessonWords::tr("Replicas or a pipeline"),
       LessonWords::tr(
           "Two lanes can also train two copies of the network, each on half of the batch, and add their gradients "
           "before the update. Show both variants."),
       LessonWords::tr("In which variant does each lane compute all blocks?"),
       LessonWords::tr("The board and the pane Stages list the blocks of each lane of your own experiments."),
       LessonAnswer::Variant, judgeReplicas}};
  return all;
}

}  // namespace lanelab
