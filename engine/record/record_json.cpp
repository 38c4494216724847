// SPDX-License-Identifier: GPL-3.0-only
#include "engine/record/record_json.h"

namespace lanelab {
namespace {

std::optional<Interval> readInterval(FieldErrors& errors, ObjectReader& reader, const std::string& path,
                                     const char* key) {
  std::optional<std::vector<double>> ends;
  reader.read(key, ends);
  if (!ends) return std::nullopt;
  if (ends->size() == 2) return Interval{ends->front(), ends->back()};
  errors.add(joinPath(path, key) + " must be two numbers, low and high.");
  return std::nullopt;
}

}  // namespace

Json intervalToJson(const std::optional<Interval>& interval) {
  return interval ? Json::array({interval->low, interval->high}) : Json(nullptr);
}

Json recordingToJson(const RecordingCost& cost) {
  Json json{{"mode", cost.mode}, {"cost_ratio", nullptr}, {"ci95", intervalToJson(cost.ci95)}, {"pairs", cost.pairs}};
  if (cost.pairs > 0) json["cost_ratio"] = cost.cost_ratio;
  if (cost.cpu_ratio) json["cpu_ratio"] = *cost.cpu_ratio;
  if (cost.cpu_ci95) json["cpu_ci95"] = intervalToJson(cost.cpu_ci95);
  if (!cost.not_measured.empty()) json["not_measured"] = cost.not_measured;
  return json;
}

RecordingCost readRecording(FieldErrors& errors, const Json& value, const std::string& path) {
  RecordingCost cost;
  ObjectReader reader(errors, value, path);
  reader.read("mode", cost.mode, ObjectReader::Need::Yes);
  reader.readOrNull("cost_ratio", cost.cost_ratio);
  reader.read("pairs", cost.pairs);
  reader.read("not_measured", cost.not_measured);
  reader.read("cpu_ratio", cost.cpu_ratio);
  cost.ci95 = readInterval(errors, reader, path, "ci95");
  cost.cpu_ci95 = readInterval(errors, reader, path, "cpu_ci95");
  return cost;
}

}  // namespace lanelab
