// SPDX-License-Identifier: GPL-3.0-only
#include "engine/report/bound_text.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "base/text_table.h"
#include "engine/schedule/schedule_title.h"

namespace lanelab {
namespace {

const VariantConfig* configOf(const RunRecord& record, const std::string& name) {
  const auto found = std::ranges::find(record.experiment.variants, name, &VariantConfig::name);
  return found == record.experiment.variants.end() ? nullptr : &*found;
}

std::string scheduleName(const RunRecord& record, const VariantRecord& variant) {
  const VariantConfig* config = configOf(record, variant.name);
  if (config == nullptr || config->strategy != Strategy::Pipeline) return "-";
  return std::string(titleOf(config->schedule)) + (config->actions ? ", edited" : "");
}

bool splits(const ScheduleBound& bound) {
  return std::ranges::all_of(bound.stages, [](const StageMeans& stage) { return stage.weight > 0; });
}

bool keepsWhole(const ScheduleBound& bound) {
  return std::ranges::all_of(bound.stages, [](const StageMeans& stage) { return stage.weight == 0; });
}

/// Forward and backward of one micro-batch over all stages.
double workOf(const ScheduleBound& bound) {
  double seconds = 0;
  for (const StageMeans& stage : bound.stages) seconds += stage.forward + stage.backward + stage.weight;
  return seconds;
}

bool hasTimes(const ScheduleBound& bound) {
  return bound.step_seconds > 0 && bound.order_seconds > 0 && workOf(bound) > 0;
}

bool comparable(const RunRecord& record, const VariantRecord& whole, const VariantRecord& split) {
  if (!whole.bound || !split.bound || !keepsWhole(*whole.bound) || !splits(*split.bound)) return false;
  const VariantConfig *a = configOf(record, whole.name), *b = configOf(record, split.name);
  return a && b && a->strategy == Strategy::Pipeline && b->strategy == Strategy::Pipeline && hasTimes(*whole.bound) &&
         hasTimes(*split.bound) && whole.stages == split.stages && whole.split_size == split.split_size &&
         a->cuts == b->cuts && a->placement == b->placement && a->lanes == b->lanes;
}

/// "its repeats are 1.27x faster (95 % CI 1.10 to 1.46x; 6 repeats each)", or that nothing is clear.
std::string speedWords(const Ratio& speed, const std::string& counts) {
  if (!speed.ci95) return "too few repeats to compare their speed (" + counts + ")";
  const bool slower = speed.word == Ratio::Word::Slower;
  const Interval shown = slower ? Interval{1 / speed.ci95->high, 1 / speed.ci95->low} : *speed.ci95;
  const std::string evidence =
      " (95 % CI " + formatFigures(shown.low) + " to " + formatFigures(shown.high) + "x; " + counts + ")";
  switch (speed.word) {
    case Ratio::Word::Faster: return "its repeats are " + formatFigures(speed.ratio) + "x faster" + evidence;
    case Ratio::Word::Slower: return "its repeats are " + formatFigures(1 / speed.ratio) + "x slower" + evidence;
    case Ratio::Word::WithinNoise: return "the difference in speed is within the noise band" + evidence;
    default: return "there is no clear difference in speed" + evidence;
  }
}

std::string repeatsText(const VariantRecord& a, const VariantRecord& b) {
  const auto first = static_cast<std::int64_t>(a.repeats.size()), second = static_cast<std::int64_t>(b.repeats.size());
  return first == second ? counted(first, "repeat") + " each"
                         : std::to_string(first) + " and " + std::to_string(second) + " repeats";
}

std::string splitSentence(const VariantRecord& whole, const VariantRecord& split) {
  const ScheduleBound &a = *whole.bound, &b = *split.bound;
  const double saved = a.order_idle - b.order_idle;
  const std::string counts = repeatsText(whole, split);
  const double dearer = workOf(b) / workOf(a) - 1;
  const Ratio speed = compareTimes(whole.seconds(), split.seconds());
  std::string note = split.name + " vs " + whole.name + " (measured): its order leaves the lanes idle for " +
                     formatPercent(b.order_idle) + " of a step instead of " + formatPercent(a.order_idle) +
                     ", its actions take " + formatPercent(std::abs(dearer)) + (dearer >= 0 ? " longer" : " less") +
                     "; " + speedWords(speed, counts);
  if (speed.word != Ratio::Word::Slower) return note + ".";
  if (saved <= 0) return note + ": with these times its order has no less idle time to offer.";
  if ((1 + dearer) * (1 - saved) >= 1)
    return note + ": splitting the backwards costs more than the idle time that it saves.";
  return note + ": transfers, waits and overhead between its more numerous actions take what its order saves (" +
         formatPercent(b.step_seconds / b.order_seconds - 1) + " over its own order, against " +
         formatPercent(a.step_seconds / a.order_seconds - 1) + ").";
}

}  // namespace

std::vector<std::vector<std::string>> boundRows(const RunRecord& record) {
  std::vector<std::vector<std::string>> rows;
  for (const VariantRecord& variant : record.variants) {
    if (!variant.bound) continue;
    const ScheduleBound& bound = *variant.bound;
    if (rows.empty())
      rows.push_back({"variant", "step (ms)", "ideal for this order (ms)", "busiest lane (ms)", "idle", "ideal idle",
                      "efficiency", "stage times F:I:W (us)", "schedule"});
    std::string times;
    for (const std::string& text : stageTimesText(bound)) times += (times.empty() ? "" : " ") + text;
    rows.push_back({variant.name, formatNumber(1e3 * bound.step_seconds, 4), formatNumber(1e3 * bound.order_seconds, 4),
                    formatNumber(1e3 * bound.work_seconds, 4), formatPercent(bound.step_idle),
                    formatPercent(bound.order_idle),
                    bound.step_seconds > 0 ? formatPercent(bound.order_seconds / bound.step_seconds) : "-", times,
                    scheduleName(record, variant)});
  }
  return rows;
}

std::string boundTable(const RunRecord& record) {
  const auto rows = boundRows(record);
  return rows.empty() ? std::string() : textTable(rows, 1, LastColumn::Words);
}

std::vector<RunNote> boundNotes(const RunRecord& record) {
  std::vector<RunNote> notes;
  for (const VariantRecord& whole : record.variants) {
    for (const VariantRecord& split : record.variants) {
      if (comparable(record, whole, split))
        notes.push_back({RunNote::Kind::Bound, split.name, splitSentence(whole, split)});
    }
  }
  return notes;
}

}  // namespace lanelab
