// SPDX-License-Identifier: GPL-3.0-only
#include "engine/record/gpu_activity_record.h"

#include "base/grouped_digits.h"
#include "base/text.h"

namespace lanelab {
namespace {

/// Name and place of each count, for writing and reading.
template <class Activity, class Visit>
void visitCounts(Activity& activity, Visit visit) {
  visit("kernels", activity.kernels);
  visit("copies", activity.copies);
  visit("memsets", activity.memsets);
  visit("graph_nodes", activity.graph_nodes);
  visit("dropped", activity.dropped);
  visit("without_time", activity.without_time);
  visit("unattributed_kernels", activity.unattributed);
  visit("kernels_before_launch", activity.before_launch);
  visit("clock_steps", activity.clock_steps);
  visit("clock_residual_ns", activity.clock_residual);
  visit("overhead_ns", activity.overhead);
}

}  // namespace

Json gpuActivityToJson(const GpuActivity& activity) {
  Json json = Json::object();
  visitCounts(activity, [&](const char* key, std::int64_t count) { json[key] = count; });
  return json;
}

GpuActivity readGpuActivity(FieldErrors& errors, const Json& value, const std::string& path) {
  GpuActivity activity;
  ObjectReader reader(errors, value, path);
  visitCounts(activity, [&](const char* key, std::int64_t& count) { reader.read(key, count); });
  return activity;
}

std::string gpuActivitySentence(const RunRecord& record) {
  GpuActivity all;
  bool any = false;
  for (const VariantRecord& variant : record.variants) {
    if (!variant.gpu) continue;
    all += *variant.gpu;
    any = true;
  }
  if (!any) return {};
  std::string text = "GPU activity: " + groupedDigits(all.kernels) + " kernels, " + groupedDigits(all.dropped) +
                     " dropped, " + groupedDigits(all.without_time) + " without time";
  if (all.unattributed > 0) text += ", " + groupedDigits(all.unattributed) + " kernels of no known action";
  if (all.before_launch > 0)
    text += ", " + groupedDigits(all.before_launch) + " kernels that seem to begin before their launch";
  text += ", clocks agree within " + formatNumber(static_cast<double>(all.clock_residual) * 1e-3) + " us";
  if (all.clock_steps > 0)
    text += ", and the system's clock was set " + groupedDigits(all.clock_steps) +
            (all.clock_steps == 1 ? " time" : " times");
  return text + ".";
}

}  // namespace lanelab
