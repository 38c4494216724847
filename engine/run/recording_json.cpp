#include "engine/run/recording_json.h"

namespace lanelab {

Json recordingToJson(const RecordingCost& cost) {
  Json json{{"mode", cost.mode}, {"cost_ratio", nullptr}, {"ci95", nullptr}, {"pairs", cost.pairs}};
  if (cost.pairs > 0) json["cost_ratio"] = cost.cost_ratio;
  if (cost.ci95) json["ci95"] = Json::array({cost.ci95->low, cost.ci95->high});
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
  std::optional<std::vector<double>> ci95;
  reader.read("ci95", ci95);
  if (ci95 && ci95->size() == 2) cost.ci95 = Interval{ci95->front(), ci95->back()};
  if (ci95 && ci95->size() != 2) errors.add(joinPath(path, "ci95") + " must be two numbers, low and high.");
  return cost;
}

}  // namespace lanelab
