// SPDX-License-Identifier: GPL-3.0-only
#include "engine/record/run_record.h"

#include <algorithm>
#include <limits>

#include "base/json_table.h"
#include "base/quantile.h"
#include "base/text.h"
#include "engine/experiment/experiment_json.h"
#include "engine/record/record_json.h"
#include "engine/record/run_trust.h"
#include "engine/record/speed_words.h"

namespace lanelab {
namespace {

constexpr int kRunSchema = 1;
constexpr int kMostReadStages = 1 << 16;  // far above every model: a damaged file must not ask for memory

/// `what` begins the sentence about an unknown word.
template <Worded E>
void wordField(FieldWriter& field, const char* key, const char*, E word, bool is_set = true) {
  field.ifSet(key, word, is_set);
}
template <Worded E>
void wordField(FieldReader& field, const char* key, const char* what, E& word, bool = true) {
  readWord(field.errors(), field, key, what, word);
}

}  // namespace

void fieldsOf(auto& field, StructOf<EpochResult> auto& epoch) {
  field.orNull("loss", epoch.loss, true, std::numeric_limits<double>::quiet_NaN());  // NaN itself is written as null
  field("accuracy", epoch.accuracy);
  field("validation_loss", epoch.validation_loss);
  field("validation_accuracy", epoch.validation_accuracy);
  field("last_step", epoch.last_step);
}

void fieldsOf(auto& field, StructOf<RepeatRecord> auto& repeat) {
  field("seconds", repeat.seconds, Need::Yes);
  field("step_seconds", repeat.step_seconds);
  field("losses", repeat.losses);
  field.ifSet("epochs", repeat.epochs);
  field.ifSet("core_shares", repeat.core_shares);
}

void fieldsOf(auto& field, StructOf<MachineLoad> auto& load) {
  field("busy_cores", load.busy_cores, Need::Yes);
  field("cores", load.cores, Need::Yes);
}

void fieldsOf(auto& field, StructOf<MemoryParts> auto& parts) {
  field("parameters", parts.parameters);
  field("gradients", parts.gradients);
  field("optimizer", parts.optimizer);
  field("activations", parts.activations);
  field("transfers", parts.transfers);
  field("workspace", parts.workspace);
}

void fieldsOf(auto& field, StructOf<LaneRecord> auto& lane) {
  const bool recorded = lane.window_seconds > 0;
  field("name", lane.name, Need::Yes);
  field("device", lane.device);
  field.orNull("window_seconds", lane.window_seconds, recorded);
  field.orNull("busy_seconds", lane.busy_seconds, recorded);
  field.orNull("idle_seconds", lane.idle_seconds, recorded);
  field.orNull("cpu_seconds", lane.cpu_seconds, lane.cpu_seconds > 0);
  field("peak_bytes", lane.peak_bytes);
  field.derived("forecast_bytes", lane.forecast.total());
  field("forecast", lane.forecast);
  field.ifSet("replica", lane.replica, lane.replica >= 0);
}

void fieldsOf(auto& field, StructOf<StageMeans> auto& stage) {
  field("forward", stage.forward);
  field("backward", stage.backward);
  field("weight", stage.weight);
  field("update", stage.update);
}

void fieldsOf(auto& field, StructOf<ScheduleBound> auto& bound) {
  field("step_seconds", bound.step_seconds, Need::Yes);
  field("order_seconds", bound.order_seconds, Need::Yes);
  field("work_seconds", bound.work_seconds, Need::Yes);
  field("step_idle", bound.step_idle);
  field("order_idle", bound.order_idle);
  field("stages", bound.stages);
}

void fieldsOf(auto& field, StructOf<GpuActivity> auto& activity) {
  field("kernels", activity.kernels);
  field("copies", activity.copies);
  field("memsets", activity.memsets);
  field("graph_nodes", activity.graph_nodes);
  field("dropped", activity.dropped);
  field("without_time", activity.without_time);
  field("unattributed_kernels", activity.unattributed);
  field("kernels_before_launch", activity.before_launch);
  field("clock_steps", activity.clock_steps);
  field("clock_residual_ns", activity.clock_residual);
  field("overhead_ns", activity.overhead);
}

void fieldsOf(auto& field, StructOf<RankClock> auto& clock) {
  field("rank", clock.rank);
  field("offset_ns", clock.offset);
  field("clock_residual_ns", clock.residual);
}

void fieldsOf(auto& field, StructOf<ForecastRange> auto& range) {
  field("low", range.low);
  field("high", range.high);
}

void fieldsOf(auto& field, StructOf<WaterfallStep> auto& step) {
  wordField(field, "with", "What a replay takes into account", step.takes);
  field("idle_of_total", step.of_total, Need::Yes);
  field("idle_of_busy", step.of_busy, Need::Yes);
}

void fieldsOf(auto& field, StructOf<StepPrediction> auto& prediction) {
  field("name", prediction.variant, Need::Yes);
  field("split_size", prediction.split_size, Need::Yes);
  field("micro_batches", prediction.micro_batches);
  field("step_seconds", prediction.step_seconds, Need::Yes);
  field.ifSet("range90_seconds", prediction.range);
  field.derived("origin", "predicted");
}

namespace {

Json summaryToJson(const VariantRecord& variant) {
  const Summary& summary = variant.summary;
  return {{"n", summary.n},
          {"mean", numberOrNull(summary.mean, summary.n > 0)},
          {"std", numberOrNull(summary.std, summary.n > 1)},
          {"median", numberOrNull(summary.median, summary.n > 0)},
          {"ci95", intervalToJson(summary.ci95)},
          {"images_per_second", numberOrNull(variant.samples_per_second, summary.n > 0)},
          {"outliers", summary.outliers}};
}

/// The stages that compute their whole forward again.
std::vector<int> wholeStages(const std::vector<Recompute>& recompute) {
  std::vector<int> stages;
  for (std::size_t i = 0; i < recompute.size(); ++i) {
    if (recompute[i] == Recompute::Stage) stages.push_back(static_cast<int>(i));
  }
  return stages;
}

bool recomputesActivations(const std::vector<Recompute>& recompute) {
  return std::ranges::find(recompute, Recompute::Activations) != recompute.end();
}

void modesFields(FieldWriter& field, const VariantRecord& variant) {
  field("precision", variant.modes.precision);
  field("batch_norm", variant.modes.batch_norm);
  field("recompute", wholeStages(variant.modes.recompute));
  if (recomputesActivations(variant.modes.recompute)) field("recompute_activations", true);
}
/// Runs of versions that knew no modes have none of these keys.
void modesFields(FieldReader& field, VariantRecord& variant) {
  VariantConfig own;
  readWord(field.errors(), field, "precision", "The precision", own.precision);
  readWord(field.errors(), field, "batch_norm", "The batch-norm mode", own.batch_norm);
  std::vector<int> whole;
  bool activations = false;
  field("recompute", whole);
  field("recompute_activations", activations);
  own.recompute = activations ? VariantRecompute(Recompute::Activations) : VariantRecompute(whole);
  const int stages = std::clamp(variant.stages, 0, kMostReadStages);
  variant.modes = variantModes({}, own, static_cast<std::size_t>(stages));
}

void sizesField(FieldWriter& field, const std::vector<std::vector<int>>& steps) { field.ifSet("replica_sizes", steps); }
void sizesField(FieldReader& field, std::vector<std::vector<int>>& steps) {
  const Json* list = field.list("replica_sizes");
  if (list == nullptr) return;
  for (const Json& step : *list) {
    if (!step.is_array())
      field.errors().add(indexPath(field.pathOf("replica_sizes"), steps.size()) + " must be a list of numbers.");
    std::vector<int>& sizes = steps.emplace_back();
    for (const Json& size : step) sizes.push_back(size.is_number_integer() ? size.get<int>() : 0);
  }
}

/// Where others were recorded, a lane that the variant does not use has no window, which is 0 and not unknown.
void lanesField(FieldWriter& field, const std::vector<LaneRecord>& lanes) {
  const bool recorded = std::ranges::any_of(lanes, [](const LaneRecord& lane) { return lane.window_seconds > 0; });
  Json list = Json::array();
  for (const LaneRecord& lane : lanes) {
    Json& json = list.emplace_back(jsonOf(lane));
    if (!recorded || lane.window_seconds > 0 || lane.forecast.total() > 0) continue;
    for (const char* key : {"window_seconds", "busy_seconds", "idle_seconds"}) json[key] = 0;
  }
  field("lanes", list);
}
void lanesField(FieldReader& field, std::vector<LaneRecord>& lanes) { field("lanes", lanes); }

void intervalField(FieldWriter& field, const char* key, const std::optional<Interval>& interval, bool written) {
  if (written) field(key, intervalToJson(interval));
}
void intervalField(FieldReader& field, const char* key, std::optional<Interval>& interval, bool) {
  std::optional<std::vector<double>> ends;
  field.read(key, ends);
  field.check(!ends || ends->size() == 2, key, " must be two numbers, low and high.");
  if (ends && ends->size() == 2) interval = {ends->front(), ends->back()};
}

}  // namespace

/// cost_ratio and ci95 are null and not_measured tells why if it was not measured.
void fieldsOf(auto& field, StructOf<RecordingCost> auto& cost) {
  field("mode", cost.mode, Need::Yes);
  field.orNull("cost_ratio", cost.cost_ratio, cost.pairs > 0);
  intervalField(field, "ci95", cost.ci95, true);
  field("pairs", cost.pairs);
  field.ifSet("cpu_ratio", cost.cpu_ratio);
  intervalField(field, "cpu_ci95", cost.cpu_ci95, cost.cpu_ci95.has_value());
  field.ifSet("not_measured", cost.not_measured, !cost.not_measured.empty());
}

void fieldsOf(auto& field, StructOf<VariantRecord> auto& variant) {
  field("name", variant.name, Need::Yes);
  field.derived("origin", "measured");
  wordField(field, "strategy", "The strategy", variant.strategy);
  field("stages", variant.stages);
  field("split_size", variant.split_size);
  field("micro_batches", variant.micro_batches);
  modesFields(field, variant);
  field("repeats", variant.repeats);
  field.ifSet("replicas", variant.replicas, variant.replicas > 1);
  wordField(field, "step_barrier", "The step barrier", variant.step_barrier,
            variant.step_barrier != StepBarrier::Asked);
  wordField(field, "windows", "The windows of the lanes", variant.windows, variant.windows != WindowKind::Step);
  sizesField(field, variant.replica_sizes);
  field.ifSet("unfinished", variant.unfinished);
  field.derived("summary", summaryToJson(variant));
  lanesField(field, variant.lanes);
  field.ifSet("bound", variant.bound);
  field.ifSet("recording", variant.recording);
  field.ifSet("gpu_activity", variant.gpu);
  field.ifSet("waterfall", variant.waterfall);
  field.ifSet("rank_clocks", variant.rank_clocks);
}

namespace {

Json trustToJson(const RunTrust& trust) {
  Json reasons = Json::array();
  for (const TrustReason& reason : trust.reasons)
    reasons.push_back({{"kind", toWord(reason.kind)}, {"number", reason.number}, {"text", reason.text.message}});
  return {{"sentence", trust.sentence.message}, {"doubts", std::move(reasons)}};
}

Json comparisonToJson(const RunRecord& record) {
  Json rows = Json::array();
  for (const auto& [variant, ratio] : record.comparison)
    rows.push_back({{"name", variant},
                    {"ratio", ratio.ratio},
                    {"ci95", intervalToJson(ratio.ci95)},
                    {"smallest_difference", numberOrNull(ratio.smallest_difference, ratio.ci95.has_value())},
                    {"verdict", verdictText(ratio).message}});
  return Json{{"baseline", record.baseline}, {"variants", std::move(rows)}};
}

RunStatus readStatus(FieldErrors& errors, ObjectReader& root) {
  std::string text;
  root.read("status", text, Need::Yes);
  const auto status = fromWord<RunStatus>(text);
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
  FieldReader root(errors, value, "");
  int schema = 0;
  root.read("schema", schema, Need::Yes);
  if (schema > kRunSchema)
    errors.add("it is of schema " + std::to_string(schema) + ", and this version reads up to " +
               std::to_string(kRunSchema) + ". Use a newer LaneLab.");
  root.read("id", record.id, Need::Yes);
  record.status = readStatus(errors, root);
  root.read("error", record.error);
  root.read("started", record.started);
  root.read("finished", record.finished);
  root.read("warnings", record.warnings);
  if (const Json* experiment = root.object("experiment", Need::Yes))
    record.experiment = experimentFromJson(errors, *experiment, "experiment");
  root.read("images_per_repeat", record.samples);
  root.read("tokens_per_sample", record.unit.tokens);
  // Earlier versions did not write it.
  const auto& shape = record.experiment.data.shape;
  bool images = record.unit.tokens == 0 && (shape.empty() || SampleUnit::isImage(shape));
  root.read("samples_are_images", images);
  record.unit.others = record.unit.tokens == 0 && !images;
  record.environment = readEnvironment(errors, root);
  root.ifSet("load", record.load);
  root("variants", record.variants);
  root("predictions", record.predictions);
  if (const Json* comparison = root.object("comparison"))
    ObjectReader(errors, *comparison, "comparison").read("baseline", baseline);
  return record;
}

}  // namespace

void retainClocks(std::vector<RankClock>& kept, const std::vector<RankClock>& newer) {
  for (const RankClock& clock : newer) {
    const auto known = std::ranges::find(kept, clock.rank, &RankClock::rank);
    if (known == kept.end())
      kept.push_back(clock);
    else
      *known = {clock.rank, clock.offset, std::max(known->residual, clock.residual)};
  }
}

std::vector<double> VariantRecord::seconds() const {
  std::vector<double> seconds;
  for (const RepeatRecord& repeat : repeats) seconds.push_back(repeat.seconds);
  return seconds;
}

std::vector<double> VariantRecord::stepMedians() const {
  std::vector<double> medians;
  for (const RepeatRecord& repeat : repeats)
    if (!repeat.step_seconds.empty()) medians.push_back(medianOf(repeat.step_seconds));
  return medians;
}

const VariantRecord* RunRecord::find(const std::string& variant) const {
  const auto found = std::ranges::find(variants, variant, &VariantRecord::name);
  return found == variants.end() ? nullptr : &*found;
}

const ComparisonRow* RunRecord::compared(const std::string& variant) const {
  const auto found = std::ranges::find(comparison, variant, &ComparisonRow::variant);
  return found == comparison.end() ? nullptr : &*found;
}

Status refreshStatistics(RunRecord& record, const std::string& baseline) {
  if (!baseline.empty() && record.find(baseline) == nullptr) {
    std::vector<std::string> names;
    for (const VariantRecord& variant : record.variants) names.push_back(variant.name);
    return Error::badInput("There is no variant \"{}\" to compare with. Choose {}.", baseline, joinOr(names));
  }
  record.comparison.clear();
  if (!baseline.empty()) record.baseline = baseline;
  if (record.find(record.baseline) == nullptr)
    record.baseline = record.variants.empty() ? "" : record.variants.front().name;
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  const double samples = record.samplesPerRepeat();
  for (VariantRecord& variant : record.variants) {
    variant.summary = summarise(variant.seconds());
    variant.samples_per_second = variant.summary.mean > 0 ? samples / variant.summary.mean : kUnknown;
  }
  for (const VariantRecord& variant : record.variants) {
    ComparisonRow row{variant.name, compareTimes(record.find(record.baseline)->seconds(), variant.seconds())};
    if (variant.name == record.baseline) {
      row.ratio = Ratio{};
      row.ratio.word = Ratio::Word::Baseline;
    }
    record.comparison.push_back(std::move(row));
  }
  return {};
}

std::string toJson(const RunRecord& record) {
  Json json{{"schema", kRunSchema},
            {"id", record.id},
            {"status", toWord(record.status)},
            {"started", record.started},
            {"finished", record.finished}};
  if (!record.error.empty()) json["error"] = record.error;
  json["warnings"] = record.warnings;
  json["experiment"] = experimentToJson(record.experiment);
  if (record.samples > 0) json["images_per_repeat"] = record.samples;
  if (record.unit.tokens > 0) json["tokens_per_sample"] = record.unit.tokens;
  if (record.unit.others) json["samples_are_images"] = false;
  json["environment"] = Json::object();
  for (const auto& [key, value] : record.environment) json["environment"][key] = value;
  if (record.load) json["load"] = jsonOf(*record.load);
  json["trust"] = trustToJson(runTrust(record));
  json["variants"] = jsonOf(record.variants);
  if (!record.predictions.empty()) json["predictions"] = jsonOf(record.predictions);
  json["comparison"] = comparisonToJson(record);
  return prettyJson(json);
}

std::optional<FinalAccuracy> finalAccuracy(const VariantRecord& variant) {
  FinalAccuracy found{.validation = 0};
  for (const RepeatRecord& repeat : variant.repeats) {
    if (repeat.epochs.empty() || !repeat.epochs.back().accuracy) continue;
    const EpochResult& last = repeat.epochs.back();
    ++found.repeats;
    found.training += *last.accuracy;
    if (!last.validation_accuracy) found.validation.reset();
    if (found.validation) *found.validation += *last.validation_accuracy;
  }
  if (found.repeats == 0) return std::nullopt;
  found.training /= found.repeats;
  if (found.validation) *found.validation /= found.repeats;
  return found;
}

Result<RunRecord> parseRunRecord(const std::string& json, const std::string& place) {
  std::string baseline;
  Result<RunRecord> record = readJson(
      json, place, [&](FieldErrors& errors, const Json& value) { return recordFromJson(errors, value, baseline); });
  if (!record.ok()) return record;
  // Summaries and comparison follow from the repeats, so they are computed again and cannot contradict them.
  if (const Status refreshed = refreshStatistics(*record, baseline); !refreshed.ok())
    return Error::badInput("{}: comparison.baseline: {}", place, refreshed.error());
  return record;
}

Json intervalToJson(const std::optional<Interval>& interval) {
  return interval ? Json::array({interval->low, interval->high}) : Json();
}
Json memoryToJson(const MemoryParts& parts) { return jsonOf(parts); }
Json recordingToJson(const RecordingCost& cost) { return jsonOf(cost); }

}  // namespace lanelab
