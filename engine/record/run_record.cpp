// SPDX-License-Identifier: GPL-3.0-only
#include "engine/record/run_record.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.h"
#include "engine/experiment/experiment_json.h"
#include "engine/record/gpu_activity_record.h"
#include "engine/record/rank_clock_record.h"
#include "engine/record/recording_json.h"

namespace lanelab {
namespace {

using Need = ObjectReader::Need;

constexpr int kSchema = 1;
constexpr int kMostReadStages = 1 << 16;  // far above every model: a damaged file must not ask for memory

Json numberOrNull(bool known, double value) { return known ? Json(value) : Json(nullptr); }

Json intervalToJson(const std::optional<Interval>& interval) {
  return interval ? Json::array({interval->low, interval->high}) : Json(nullptr);
}

Json finiteOrNull(const std::optional<double>& value) {
  return numberOrNull(value && std::isfinite(*value), value.value_or(0));
}

Json epochToJson(const EpochResult& epoch) {
  return Json{{"loss", finiteOrNull(epoch.loss)},
              {"accuracy", epoch.accuracy},
              {"validation_loss", finiteOrNull(epoch.validation_loss)},
              {"validation_accuracy", finiteOrNull(epoch.validation_accuracy)},
              {"last_step", epoch.last_step}};
}

Json repeatToJson(const RepeatRecord& repeat) {
  Json json{{"seconds", repeat.seconds}, {"step_seconds", repeat.step_seconds}, {"losses", repeat.losses}};
  if (repeat.epochs.empty()) return json;
  json["epochs"] = Json::array();
  for (const EpochResult& epoch : repeat.epochs) json["epochs"].push_back(epochToJson(epoch));
  return json;
}

Json summaryToJson(const VariantRecord& variant) {
  const Summary& summary = variant.summary;
  return Json{{"n", summary.n},
              {"mean", numberOrNull(summary.n > 0, summary.mean)},
              {"std", numberOrNull(summary.n > 1, summary.std)},
              {"median", numberOrNull(summary.n > 0, summary.median)},
              {"ci95", intervalToJson(summary.ci95)},
              {"images_per_second", numberOrNull(summary.n > 0, variant.images_per_second)},
              {"outliers", summary.outliers}};
}

/// Name and place of each part, for writing and reading.
template <class Parts, class Visit>
void visitParts(Parts& parts, Visit visit) {
  visit("parameters", parts.parameters);
  visit("gradients", parts.gradients);
  visit("optimizer", parts.optimizer);
  visit("activations", parts.activations);
  visit("transfers", parts.transfers);
  visit("workspace", parts.workspace);
}

Json memoryToJson(const MemoryParts& parts) {
  Json json = Json::object();
  visitParts(parts, [&](const char* key, std::int64_t bytes) { json[key] = bytes; });
  return json;
}

Json laneToJson(const LaneRecord& lane) {
  const bool recorded = lane.window_seconds > 0;
  Json json{{"name", lane.name},
            {"device", lane.device},
            {"window_seconds", numberOrNull(recorded, lane.window_seconds)},
            {"busy_seconds", numberOrNull(recorded, lane.busy_seconds)},
            {"idle_seconds", numberOrNull(recorded, lane.idle_seconds)},
            {"cpu_seconds", numberOrNull(lane.cpu_seconds > 0, lane.cpu_seconds)},
            {"peak_bytes", lane.peak_bytes}};
  json["forecast_bytes"] = lane.forecast.total();
  json["forecast"] = memoryToJson(lane.forecast);
  if (lane.replica >= 0) json["replica"] = lane.replica;
  return json;
}

template <class T, class ToJson>
Json listToJson(const std::vector<T>& items, ToJson to_json) {
  Json list = Json::array();
  for (const T& item : items) list.push_back(to_json(item));
  return list;
}

Json boundToJson(const ScheduleBound& bound) {
  return Json{{"step_seconds", bound.step_seconds},
              {"order_seconds", bound.order_seconds},
              {"work_seconds", bound.work_seconds},
              {"step_idle", bound.step_idle},
              {"order_idle", bound.order_idle},
              {"stages", listToJson(bound.stages, [](const StageMeans& stage) {
                 return Json{{"forward", stage.forward},
                             {"backward", stage.backward},
                             {"weight", stage.weight},
                             {"update", stage.update}};
               })}};
}

Json stagesThat(const std::vector<bool>& recompute) {
  Json stages = Json::array();
  for (std::size_t i = 0; i < recompute.size(); ++i) {
    if (recompute[i]) stages.push_back(i);
  }
  return stages;
}

Json variantToJson(const VariantRecord& variant) {
  Json json{{"name", variant.name},
            {"strategy", toWord(variant.strategy)},
            {"stages", variant.stages},
            {"split_size", variant.split_size},
            {"micro_batches", variant.micro_batches},
            {"precision", toWord(variant.modes.precision)},
            {"batch_norm", toWord(variant.modes.batch_norm)},
            {"recompute", stagesThat(variant.modes.recompute)},
            {"repeats", listToJson(variant.repeats, repeatToJson)}};
  if (variant.replicas > 1) json["replicas"] = variant.replicas;
  if (!variant.replica_sizes.empty()) json["replica_sizes"] = variant.replica_sizes;
  if (variant.unfinished) json["unfinished"] = repeatToJson(*variant.unfinished);
  json["summary"] = summaryToJson(variant);
  json["lanes"] = listToJson(variant.lanes, laneToJson);
  if (variant.bound) json["bound"] = boundToJson(*variant.bound);
  if (variant.recording) json["recording"] = recordingToJson(*variant.recording);
  if (variant.gpu) json["gpu_activity"] = gpuActivityToJson(*variant.gpu);
  if (!variant.rank_clocks.empty()) json["rank_clocks"] = listToJson(variant.rank_clocks, rankClockToJson);
  return json;
}

Json predictionToJson(const StepPrediction& prediction) {
  return Json{{"name", prediction.variant},
              {"split_size", prediction.split_size},
              {"micro_batches", prediction.micro_batches},
              {"step_seconds", prediction.step_seconds}};
}

Json comparisonToJson(const RunRecord& record) {
  Json rows = listToJson(record.comparison, [](const ComparisonRow& row) {
    return Json{{"name", row.variant},
                {"ratio", row.ratio.ratio},
                {"ci95", intervalToJson(row.ratio.ci95)},
                {"verdict", row.ratio.verdict}};
  });
  return Json{{"baseline", record.baseline}, {"variants", std::move(rows)}};
}

template <class T, class Read>
std::vector<T> readEach(FieldErrors& errors, ObjectReader& parent, const char* key, Read read) {
  std::vector<T> items;
  const Json* list = parent.list(key);
  if (list == nullptr) return items;
  for (const Json& item : *list) items.push_back(read(errors, item, indexPath(parent.pathOf(key), items.size())));
  return items;
}

EpochResult readEpoch(FieldErrors& errors, const Json& value, const std::string& path) {
  EpochResult epoch;
  ObjectReader reader(errors, value, path);
  epoch.loss = std::numeric_limits<double>::quiet_NaN();  // what is written as null
  reader.readOrNull("loss", epoch.loss);
  reader.read("accuracy", epoch.accuracy, Need::Yes);
  reader.read("validation_loss", epoch.validation_loss);
  reader.read("validation_accuracy", epoch.validation_accuracy);
  reader.read("last_step", epoch.last_step);
  return epoch;
}

RepeatRecord readRepeat(FieldErrors& errors, const Json& value, const std::string& path) {
  RepeatRecord repeat;
  ObjectReader reader(errors, value, path);
  reader.read("seconds", repeat.seconds, Need::Yes);
  reader.read("step_seconds", repeat.step_seconds);
  reader.read("losses", repeat.losses);
  repeat.epochs = readEach<EpochResult>(errors, reader, "epochs", readEpoch);
  return repeat;
}

LaneRecord readLane(FieldErrors& errors, const Json& value, const std::string& path) {
  LaneRecord lane;
  ObjectReader reader(errors, value, path);
  reader.read("name", lane.name, Need::Yes);
  reader.read("device", lane.device);
  reader.read("replica", lane.replica);
  reader.readOrNull("window_seconds", lane.window_seconds);
  reader.readOrNull("busy_seconds", lane.busy_seconds);
  reader.readOrNull("idle_seconds", lane.idle_seconds);
  reader.readOrNull("cpu_seconds", lane.cpu_seconds);
  reader.read("peak_bytes", lane.peak_bytes);
  if (const Json* forecast = reader.object("forecast")) {
    ObjectReader parts(errors, *forecast, reader.pathOf("forecast"));
    visitParts(lane.forecast, [&](const char* key, std::int64_t& bytes) { parts.read(key, bytes); });
  }
  return lane;
}

ScheduleBound readBound(FieldErrors& errors, const Json& value, const std::string& path) {
  ScheduleBound bound;
  ObjectReader reader(errors, value, path);
  reader.read("step_seconds", bound.step_seconds, Need::Yes);
  reader.read("order_seconds", bound.order_seconds, Need::Yes);
  reader.read("work_seconds", bound.work_seconds, Need::Yes);
  reader.read("step_idle", bound.step_idle);
  reader.read("order_idle", bound.order_idle);
  bound.stages =
      readEach<StageMeans>(errors, reader, "stages", [](FieldErrors& all, const Json& item, const std::string& place) {
        StageMeans stage;
        ObjectReader fields(all, item, place);
        fields.read("forward", stage.forward);
        fields.read("backward", stage.backward);
        fields.read("weight", stage.weight);
        fields.read("update", stage.update);
        return stage;
      });
  return bound;
}

/// Runs of versions that knew no modes have none of these keys.
TrainingModes readModes(FieldErrors& errors, ObjectReader& reader, int stages) {
  VariantConfig own;
  readWord(errors, reader, "precision", "The precision", own.precision);
  readWord(errors, reader, "batch_norm", "The batch-norm mode", own.batch_norm);
  reader.read("recompute", own.recompute);
  return variantModes({}, own, static_cast<std::size_t>(std::clamp(stages, 0, kMostReadStages)));
}

std::vector<std::vector<int>> readSizes(FieldErrors& errors, ObjectReader& variant) {
  return readEach<std::vector<int>>(errors, variant, "replica_sizes",
                                    [](FieldErrors& all, const Json& item, const std::string& place) {
                                      std::vector<int> sizes;
                                      if (!item.is_array()) all.add(place + " must be a list of numbers.");
                                      for (const Json& size : item)
                                        sizes.push_back(size.is_number_integer() ? size.get<int>() : 0);
                                      return sizes;
                                    });
}

VariantRecord readVariant(FieldErrors& errors, const Json& value, const std::string& path) {
  VariantRecord variant;
  ObjectReader reader(errors, value, path);
  reader.read("name", variant.name, Need::Yes);
  readWord(errors, reader, "strategy", "The strategy", variant.strategy);
  reader.read("stages", variant.stages);
  reader.read("split_size", variant.split_size);
  reader.read("micro_batches", variant.micro_batches);
  reader.read("replicas", variant.replicas);
  variant.replica_sizes = readSizes(errors, reader);
  variant.modes = readModes(errors, reader, variant.stages);
  variant.repeats = readEach<RepeatRecord>(errors, reader, "repeats", readRepeat);
  if (const Json* unfinished = reader.object("unfinished"))
    variant.unfinished = readRepeat(errors, *unfinished, reader.pathOf("unfinished"));
  variant.lanes = readEach<LaneRecord>(errors, reader, "lanes", readLane);
  if (const Json* bound = reader.object("bound")) variant.bound = readBound(errors, *bound, reader.pathOf("bound"));
  if (const Json* recording = reader.object("recording"))
    variant.recording = readRecording(errors, *recording, reader.pathOf("recording"));
  if (const Json* gpu = reader.object("gpu_activity"))
    variant.gpu = readGpuActivity(errors, *gpu, reader.pathOf("gpu_activity"));
  variant.rank_clocks = readEach<RankClock>(errors, reader, "rank_clocks", readRankClock);
  return variant;
}

StepPrediction readPrediction(FieldErrors& errors, const Json& value, const std::string& path) {
  StepPrediction prediction;
  ObjectReader reader(errors, value, path);
  reader.read("name", prediction.variant, Need::Yes);
  reader.read("split_size", prediction.split_size, Need::Yes);
  reader.read("micro_batches", prediction.micro_batches);
  reader.read("step_seconds", prediction.step_seconds, Need::Yes);
  return prediction;
}

RunStatus readStatus(FieldErrors& errors, ObjectReader& root) {
  std::string text;
  root.read("status", text, Need::Yes);
  const auto status = runStatusOf(text);
  if (!status) errors.add("status \"" + text + "\" is not known. The file is damaged, or of another program.");
  return status.value_or(RunStatus::Interrupted);
}

std::vector<std::pair<std::string, std::string>> readEnvironment(FieldErrors& errors, ObjectReader& root) {
  std::vector<std::pair<std::string, std::string>> facts;
  const Json* object = root.object("environment");
  if (object == nullptr) return facts;
  ObjectReader reader(errors, *object, root.pathOf("environment"));
  for (const auto& [key, value] : object->items()) {
    facts.emplace_back(key, "");
    reader.read(key.c_str(), facts.back().second);
  }
  return facts;
}

RunRecord recordFromJson(FieldErrors& errors, const Json& value, std::string& baseline) {
  RunRecord record;
  ObjectReader root(errors, value, "");
  int schema = 0;
  root.read("schema", schema, Need::Yes);
  if (schema > kSchema)
    errors.add("it is of schema " + std::to_string(schema) + ", and this version reads up to " +
               std::to_string(kSchema) + ". Use a newer LaneLab.");
  root.read("id", record.id, Need::Yes);
  record.status = readStatus(errors, root);
  root.read("error", record.error);
  root.read("started", record.started);
  root.read("finished", record.finished);
  root.read("warnings", record.warnings);
  if (const Json* experiment = root.object("experiment", Need::Yes))
    record.experiment = experimentFromJson(errors, *experiment, "experiment");
  root.read("images_per_repeat", record.images);
  record.environment = readEnvironment(errors, root);
  record.variants = readEach<VariantRecord>(errors, root, "variants", readVariant);
  record.predictions = readEach<StepPrediction>(errors, root, "predictions", readPrediction);
  if (const Json* comparison = root.object("comparison"))
    ObjectReader(errors, *comparison, "comparison").read("baseline", baseline);
  return record;
}

std::string namesOf(const RunRecord& record) {
  std::vector<std::string> names;
  for (const VariantRecord& variant : record.variants) names.push_back(variant.name);
  return joinOr(names);
}

}  // namespace

const VariantRecord* RunRecord::find(const std::string& variant) const {
  for (const VariantRecord& candidate : variants) {
    if (candidate.name == variant) return &candidate;
  }
  return nullptr;
}

Status refreshStatistics(RunRecord& record, const std::string& baseline) {
  if (!baseline.empty() && record.find(baseline) == nullptr) {
    return Error::badInput("There is no variant \"" + baseline + "\" to compare with. Choose " + namesOf(record) + ".");
  }
  record.comparison.clear();
  if (!baseline.empty()) record.baseline = baseline;
  if (record.find(record.baseline) == nullptr)
    record.baseline = record.variants.empty() ? "" : record.variants.front().name;
  const double images = record.imagesPerRepeat();
  const auto secondsOf = [](const VariantRecord& variant) {
    std::vector<double> seconds;
    for (const RepeatRecord& repeat : variant.repeats) seconds.push_back(repeat.seconds);
    return seconds;
  };
  for (VariantRecord& variant : record.variants) {
    variant.summary = summarise(secondsOf(variant));
    variant.images_per_second = variant.summary.mean > 0 ? images / variant.summary.mean : 0;
  }
  for (const VariantRecord& variant : record.variants) {
    ComparisonRow row{variant.name, compareTimes(secondsOf(*record.find(record.baseline)), secondsOf(variant))};
    if (variant.name == record.baseline) row.ratio = {1, std::nullopt, "baseline", Ratio::Word::Baseline};
    record.comparison.push_back(std::move(row));
  }
  return {};
}

std::string toJson(const RunRecord& record) {
  Json json{{"schema", kSchema},
            {"id", record.id},
            {"status", toString(record.status)},
            {"started", record.started},
            {"finished", record.finished}};
  if (!record.error.empty()) json["error"] = record.error;
  json["warnings"] = record.warnings;
  json["experiment"] = experimentToJson(record.experiment);
  if (record.images > 0) json["images_per_repeat"] = record.images;
  json["environment"] = Json::object();
  for (const auto& [key, value] : record.environment) json["environment"][key] = value;
  json["variants"] = listToJson(record.variants, variantToJson);
  if (!record.predictions.empty()) json["predictions"] = listToJson(record.predictions, predictionToJson);
  json["comparison"] = comparisonToJson(record);
  return prettyJson(json);
}

Result<RunRecord> parseRunRecord(const std::string& json, const std::string& place) {
  const Result<Json> value = parseJsonText(json, place);
  if (!value.ok()) return value.error();
  FieldErrors errors(place);
  std::string baseline;
  RunRecord record = recordFromJson(errors, *value, baseline);
  if (errors.first()) return *errors.first();
  // Summaries and comparison follow from the repeats, so they are made anew and cannot contradict them.
  if (const Status refreshed = refreshStatistics(record, baseline); !refreshed.ok())
    return Error::badInput(place + ": comparison.baseline: " + refreshed.error().message);
  return record;
}

}  // namespace lanelab
