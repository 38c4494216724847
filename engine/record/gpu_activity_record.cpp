// SPDX-License-Identifier: GPL-3.0-only
#include "engine/record/gpu_activity_record.h"

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

}  // namespace lanelab
