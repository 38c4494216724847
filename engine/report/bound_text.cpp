// SPDX-License-Identifier: GPL-3.0-only
#include "engine/report/bound_text.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "base/text_table.h"
#include "engine/record/speed_words.h"
#include "engine/schedule/schedule_kind.h"

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

std::string splitSentence(const VariantRecord& whole, const VariantRecord& split) {
  const ScheduleBound &a = *whole.bound, &b = *split.bound;
  const double saved = a.order_idle - b.order_idle;
  const double dearer = workOf(b) / workOf(a) - 1;
  const Ratio speed = compareTimes(whole.seconds(), split.seconds());
  std::string note = split.name + " vs " + whole.name + " (measured): its order leaves the lanes idle for " +
                     formatPercent(b.order_idle) + " of a step instead of " + formatPercent(a.order_idle) +
                     ", its actions take " + formatPercent(std::abs(dearer)) + (dearer >= 0 ? " longer" : " less") +
                     "; " + speedPhrase(speed).message;
  if (speed.word != Ratio::Word::Slower) return note + ".";
  if (saved <= 0) return note + ": with these times its order has no less idle time to offer.";
  if ((1 + dearer) * (1 - saved) >= 1)
    return note + ": splitting the backwards costs more than the idle time that it saves.";
  return note + ": transfers, waits and overhead between its more numerous actions take what its order saves (" +
         formatPercent(b.step_seconds / b.order_seconds - 1) + " over its own order, compared with " +
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
                      "efficiency", "stage times F:I:W (µs)", "schedule"});
    std::string times;
    for (const std::string& text : stageTimesText(bound)) times += (times.empty() ? "" : " ") + text;
    rows.push_back({variant.name, formatFigures(1e3 * bound.step_seconds), formatFigures(1e3 * idealSeconds(bound)),
                    formatFigures(1e3 * bound.work_seconds), formatPercent(bound.step_idle),
                    formatPercent(bound.order_idle),
                    bound.step_seconds > 0 ? formatPercent(idealSeconds(bound) / bound.step_seconds) : "-", times,
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
        notes.push_back({RunNote::Kind::Bound, split.name, verbatim(splitSentence(whole, split))});
    }
  }
  return notes;
}

}  // namespace lanelab
