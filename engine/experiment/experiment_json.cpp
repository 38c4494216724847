// SPDX-License-Identifier: GPL-3.0-only
#include "engine/experiment/experiment_json.h"

#include "base/text.h"

namespace lanelab {
namespace {

using Need = ObjectReader::Need;

void readDevice(FieldErrors& errors, ObjectReader& reader, Device& out) {
  std::string text = toString(out);
  reader.read("device", text, Need::Yes);
  if (const auto device = parseDevice(text))
    out = *device;
  else
    errors.addUnknown(reader.pathOf("device"),
                      "\"" + text + "\" is no device. Write cpu:K for core K or cuda:K for GPU K, K from 0.");
}

ModelConfig readModel(FieldErrors& errors, const Json& value, const std::string& path) {
  ModelConfig model;
  ObjectReader reader(errors, value, path);
  reader.refuseUnknown(experimentKeys().at("model"));
  reader.read("arch", model.arch);
  reader.read("classes", model.classes);
  reader.read("weights", model.weights);
  return model;
}

DataConfig readData(FieldErrors& errors, const Json& value, const std::string& path) {
  DataConfig data;
  ObjectReader reader(errors, value, path);
  reader.refuseUnknown(experimentKeys().at("data"));
  readWord(errors, reader, "source", "The data source", data.source);
  reader.read("path", data.path);
  reader.read("shape", data.shape);
  reader.read("batch", data.batch);
  reader.read("steps", data.steps);
  reader.read("epochs", data.epochs);
  reader.read("rows", data.rows);
  reader.read("shuffle", data.shuffle);
  reader.read("skip_unreadable", data.skip_unreadable);
  if (data.epochs && value.contains("steps"))
    errors.add(reader.pathOf("epochs") + " stands in place of steps, and both are given. Take one of them out.");
  return data;
}

TrainingConfig readTraining(FieldErrors& errors, const Json& value, const std::string& path) {
  TrainingConfig training;
  ObjectReader reader(errors, value, path);
  reader.refuseUnknown(experimentKeys().at("training"));
  readWord(errors, reader, "loss", "The loss", training.loss);
  readWord(errors, reader, "optimizer", "The optimizer", training.optimizer);
  reader.read("lr", training.lr);
  readWord(errors, reader, "lr_schedule", "The learning-rate schedule", training.lr_schedule);
  reader.read("lr_warmup", training.lr_warmup);
  reader.read("lr_step_size", training.lr_step_size);
  reader.read("lr_gamma", training.lr_gamma);
  reader.read("lr_min", training.lr_min);
  reader.read("momentum", training.momentum);
  reader.read("weight_decay", training.weight_decay);
  reader.read("nesterov", training.nesterov);
  reader.read("seed", training.seed);
  readWord(errors, reader, "precision", "The precision", training.precision);
  readWord(errors, reader, "layout", "The memory layout", training.layout);
  readWord(errors, reader, "batch_norm", "The batch-norm mode", training.batch_norm);
  reader.read("recompute", training.recompute);
  return training;
}

LaneConfig readLane(FieldErrors& errors, const Json& value, const std::string& path) {
  LaneConfig lane;
  ObjectReader reader(errors, value, path);
  reader.refuseUnknown(experimentKeys().at("lanes[]"));
  readDevice(errors, reader, lane.device);
  reader.read("name", lane.name);
  reader.read("threads", lane.threads);
  reader.read("rank", lane.rank);
  return lane;
}

std::optional<std::map<std::string, int>> readPlacement(FieldErrors& errors, ObjectReader& variant) {
  const Json* value = variant.object("placement");
  if (value == nullptr) return std::nullopt;
  std::map<std::string, int> placement;
  ObjectReader reader(errors, *value, variant.pathOf("placement"));
  for (const auto& [block, lane] : value->items()) reader.read(block.c_str(), placement[block]);
  return placement;
}

std::optional<SuggestedFrom> readSuggestedFrom(FieldErrors& errors, ObjectReader& variant) {
  // "mend" is what version 0.1.0 wrote.
  const char* const key = variant.has("suggested_from") ? "suggested_from" : "mend";
  const Json* value = variant.object(key);
  if (value == nullptr) return std::nullopt;
  SuggestedFrom suggestion;
  ObjectReader reader(errors, *value, variant.pathOf(key));
  reader.refuseUnknown(experimentKeys().at("variants[].suggested_from"));
  reader.read("of", suggestion.of, Need::Yes);
  reader.read("change", suggestion.change);
  reader.read("predicted_ratio", suggestion.predicted_ratio, Need::Yes);
  if (!(suggestion.predicted_ratio > 0))
    errors.add(reader.pathOf("predicted_ratio") + " must be above 0: 1.1 is 10 % faster.");
  return suggestion;
}

VariantConfig readVariant(FieldErrors& errors, const Json& value, const std::string& path) {
  VariantConfig variant;
  ObjectReader reader(errors, value, path);
  reader.refuseUnknown(experimentKeys().at("variants[]"));
  reader.read("name", variant.name, Need::Yes);
  readWord(errors, reader, "strategy", "The strategy", variant.strategy, Need::Yes);
  readWord(errors, reader, "schedule", "The schedule", variant.schedule);
  reader.read("split_size", variant.split_size);
  reader.read("lanes", variant.lanes);
  reader.read("cuts", variant.cuts);
  variant.placement = readPlacement(errors, reader);
  reader.read("warm_up", variant.warm_up);
  reader.read("activation_limit_mib", variant.activation_limit_mib);
  reader.read("stage_times", variant.stage_times);
  reader.read("actions", variant.actions);
  readWord(errors, reader, "precision", "The precision", variant.precision);
  readWord(errors, reader, "batch_norm", "The batch-norm mode", variant.batch_norm);
  reader.read("recompute", variant.recompute);
  reader.read("replicas", variant.replicas);
  variant.suggested_from = readSuggestedFrom(errors, reader);
  return variant;
}

RecordMode readRecordMode(FieldErrors& errors, ObjectReader& root) {
  std::string text = toWord(RecordMode::Blocks);
  root.read("record", text);
  if (const auto mode = fromWord<RecordMode>(text)) return *mode;
  errors.add(root.pathOf("record") + " \"" + text + "\" is not known. Use " + joinOr(words<RecordMode>()) + ".");
  return RecordMode::Blocks;
}

template <class T, class Read>
std::vector<T> readEach(FieldErrors& errors, ObjectReader& root, const char* key, Read read) {
  std::vector<T> items;
  const Json* list = root.list(key, Need::Yes);
  if (list == nullptr) return items;
  for (const Json& item : *list) items.push_back(read(errors, item, indexPath(root.pathOf(key), items.size())));
  return items;
}

Json modelToJson(const ModelConfig& model) {
  Json json{{"arch", model.arch}, {"classes", model.classes}};
  if (model.weights) json["weights"] = *model.weights;
  return json;
}

Json dataToJson(const DataConfig& data) {
  Json json = Json::object();
  json["source"] = toWord(data.source);
  if (!data.path.empty()) json["path"] = data.path;
  json["shape"] = data.shape;
  json["batch"] = data.batch;
  if (data.epochs) {
    json["epochs"] = *data.epochs;
  } else {
    json["steps"] = data.steps;
  }
  if (data.rows) json["rows"] = *data.rows;
  if (data.shuffle) json["shuffle"] = true;
  if (data.skip_unreadable) json["skip_unreadable"] = true;
  return json;
}

/// Only what differs from a constant rate, so that plain experiments stay short.
void addLearningRate(const TrainingConfig& training, Json& json) {
  const TrainingConfig plain;
  if (training.lr_schedule != plain.lr_schedule) json["lr_schedule"] = toWord(training.lr_schedule);
  if (training.lr_warmup != plain.lr_warmup) json["lr_warmup"] = training.lr_warmup;
  if (training.lr_step_size != plain.lr_step_size) json["lr_step_size"] = training.lr_step_size;
  if (training.lr_gamma != plain.lr_gamma) json["lr_gamma"] = training.lr_gamma;
  if (training.lr_min != plain.lr_min) json["lr_min"] = training.lr_min;
}

Json trainingToJson(const TrainingConfig& training) {
  Json json{{"loss", toWord(training.loss)},
            {"optimizer", toWord(training.optimizer)},
            {"lr", training.lr},
            {"momentum", training.momentum},
            {"weight_decay", training.weight_decay},
            {"nesterov", training.nesterov},
            {"seed", training.seed},
            {"precision", toWord(training.precision)},
            {"layout", toWord(training.layout)},
            {"batch_norm", toWord(training.batch_norm)},
            {"recompute", training.recompute}};
  addLearningRate(training, json);
  return json;
}

Json laneToJson(const LaneConfig& lane) {
  Json json = Json::object();
  json["device"] = toString(lane.device);
  if (!lane.name.empty()) json["name"] = lane.name;
  if (lane.threads != LaneConfig{}.threads) json["threads"] = lane.threads;
  if (lane.rank != 0) json["rank"] = lane.rank;
  return json;
}

Json variantToJson(const VariantConfig& variant) {
  Json json{{"name", variant.name}, {"strategy", toWord(variant.strategy)}};
  if (variant.strategy == Strategy::Pipeline || variant.strategy == Strategy::Ddp ||
      variant.schedule != VariantConfig{}.schedule)
    json["schedule"] = toWord(variant.schedule);
  if (variant.split_size) json["split_size"] = *variant.split_size;
  if (variant.lanes) json["lanes"] = *variant.lanes;
  if (variant.cuts) json["cuts"] = *variant.cuts;
  if (variant.placement) json["placement"] = *variant.placement;
  if (variant.warm_up) json["warm_up"] = *variant.warm_up;
  if (variant.activation_limit_mib) json["activation_limit_mib"] = *variant.activation_limit_mib;
  if (variant.stage_times) json["stage_times"] = *variant.stage_times;
  if (variant.actions) json["actions"] = *variant.actions;
  if (variant.precision) json["precision"] = toWord(*variant.precision);
  if (variant.batch_norm) json["batch_norm"] = toWord(*variant.batch_norm);
  if (variant.recompute) json["recompute"] = *variant.recompute;
  if (variant.replicas) json["replicas"] = *variant.replicas;
  if (variant.suggested_from)
    json["suggested_from"] = {{"of", variant.suggested_from->of},
                              {"change", variant.suggested_from->change},
                              {"predicted_ratio", variant.suggested_from->predicted_ratio}};
  return json;
}

}  // namespace

const std::map<std::string, std::vector<std::string>>& experimentKeys() {
  static const std::map<std::string, std::vector<std::string>> keys = {
      {"",
       {"$schema", "name", "model", "data", "training", "lanes", "variants", "repeats", "warmup", "record",
        "record_cost"}},
      {"model", {"arch", "classes", "weights"}},
      {"data", {"source", "path", "shape", "batch", "steps", "epochs", "rows", "shuffle", "skip_unreadable"}},
      {"training",
       {"loss", "optimizer", "lr", "lr_schedule", "lr_warmup", "lr_step_size", "lr_gamma", "lr_min", "momentum",
        "weight_decay", "nesterov", "seed", "precision", "layout", "batch_norm", "recompute"}},
      {"lanes[]", {"device", "name", "threads", "rank"}},
      {"variants[]",
       {"name", "strategy", "schedule", "split_size", "lanes", "cuts", "placement", "warm_up", "activation_limit_mib",
        "stage_times", "actions", "precision", "batch_norm", "recompute", "replicas", "suggested_from", "mend"}},
      {"variants[].suggested_from", {"of", "change", "predicted_ratio"}}};
  return keys;
}

Experiment experimentFromJson(FieldErrors& errors, const Json& value, const std::string& path) {
  Experiment experiment;
  ObjectReader root(errors, value, path);
  root.refuseUnknown(experimentKeys().at(""));
  root.read("name", experiment.name);
  if (const Json* model = root.object("model")) experiment.model = readModel(errors, *model, root.pathOf("model"));
  if (const Json* data = root.object("data")) experiment.data = readData(errors, *data, root.pathOf("data"));
  if (const Json* training = root.object("training"))
    experiment.training = readTraining(errors, *training, root.pathOf("training"));
  experiment.lanes = readEach<LaneConfig>(errors, root, "lanes", readLane);
  experiment.variants = readEach<VariantConfig>(errors, root, "variants", readVariant);
  root.read("repeats", experiment.repeats);
  root.read("warmup", experiment.warmup);
  experiment.record = readRecordMode(errors, root);
  root.read("record_cost", experiment.record_cost);
  return experiment;
}

Json experimentToJson(const Experiment& experiment) {
  Json json{{"name", experiment.name},
            {"model", modelToJson(experiment.model)},
            {"data", dataToJson(experiment.data)},
            {"training", trainingToJson(experiment.training)},
            {"lanes", Json::array()},
            {"variants", Json::array()},
            {"repeats", experiment.repeats},
            {"warmup", experiment.warmup},
            {"record", toWord(experiment.record)}};
  if (experiment.record_cost) json["record_cost"] = *experiment.record_cost;
  for (const LaneConfig& lane : experiment.lanes) json["lanes"].push_back(laneToJson(lane));
  for (const VariantConfig& variant : experiment.variants) json["variants"].push_back(variantToJson(variant));
  return json;
}

}  // namespace lanelab
