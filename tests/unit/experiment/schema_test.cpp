// SPDX-License-Identifier: GPL-3.0-only
// The published schema and the parser must say the same, or an editor would praise what the program refuses.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/json_text.h"
#include "base/whole_file.h"
#include "engine/experiment/experiment.h"
#include "engine/experiment/experiment_schema.h"
#include "engine/record/run_store.h"
#include "tests/support/resolved.h"

namespace lanelab {
namespace {

Json schema() {
  const Result<std::string> text =
      readWholeFile(std::string(LANELAB_SOURCE_DIR) + "/resources/schema/experiment.schema.json", 1 << 20);
  EXPECT_TRUE(text.ok());
  Result<Json> json = parseJsonText(text.ok() ? *text : "{}", "experiment.schema.json");
  EXPECT_TRUE(json.ok()) << json.error().message;
  return json.ok() ? std::move(*json) : Json::object();
}

/// The part of the schema that describes an object: "training", "lanes[]".
const Json& partOf(const Json& root, const std::string& object) {
  if (object.empty()) return root;
  if (object.ends_with("[]")) return root["properties"][object.substr(0, object.size() - 2)]["items"];
  return root["properties"][object];
}

TEST(Schema, IsThatOfTheFields) {
  const Result<std::string> text =
      readWholeFile(std::string(LANELAB_SOURCE_DIR) + "/resources/schema/experiment.schema.json", 1 << 20);
  ASSERT_TRUE(text.ok());
  EXPECT_EQ(*text, experimentSchema())
      << "Write it again: lanelab-cli schema > resources/schema/experiment.schema.json";
}

TEST(Schema, SaysWhatEachValueIsFor) {
  const std::pair<const char*, const char*> table[] = {
      {"training.lr_min", "cosine only: the learning rate at the end of the curve."},
      {"variants[2].replicas",
       "ddp only, if a replica does not have one lane for each stage. Default: the lanes divided by the stages."},
      {"repeats", "Counted repeats of each variant; a confidence interval needs 5."},
      {"variants[0].suggested_from.change", "Such as Move layer3.0 to lane 0."},
      {"data", ""},
      {"training.no_such_key", ""},
      {"training.lr.deeper", ""},
      {"", ""}};
  for (const auto& [place, description] : table) EXPECT_EQ(fieldDescription(place), description) << place;
}

/// A value just beyond a limit of the schema, by place; the places of variants that no other value disturbs.
struct Beyond {
  std::string place;
  Json value;
};

std::vector<Beyond> valuesBeyond(const std::string& object, const Json& part) {
  std::vector<Beyond> beyond;
  for (const auto& [key, limits] : part["properties"].items()) {
    const std::string place = object.empty() ? key : object + "." + key;
    if (limits.contains("minimum") && limits["minimum"] == 0 && limits["type"] == "number")
      beyond.push_back({place, -0.5});
    else if (limits.contains("minimum"))
      beyond.push_back({place, limits["minimum"].get<std::int64_t>() - 1});
    if (limits.contains("maximum") && limits["maximum"].get<double>() <= 1e6)
      beyond.push_back({place, limits["maximum"].get<std::int64_t>() + 1});
    if (limits.contains("exclusiveMinimum")) beyond.push_back({place, limits["exclusiveMinimum"]});
    if (limits.contains("maxLength"))
      beyond.push_back({place, std::string(limits["maxLength"].get<std::size_t>() + 1, 'x')});
    if (limits.contains("minLength")) beyond.push_back({place, ""});
  }
  return beyond;
}

TEST(Schema, EveryLimitIsOneOfTheProgram) {
  const Json root = schema();
  Experiment base;
  base.model = {"resnet18", 10, std::nullopt};
  base.data = {DataSource::Random, {3, 64, 64}, 4, 1, ""};
  base.lanes = {LaneConfig{}};
  base.variants = {{"A", Strategy::Pipeline, ScheduleKind::List, 2, {}, std::vector<std::string>{}, {}}};
  int limits = 0;
  for (const std::string object : {"", "model", "data", "training", "lanes[]", "variants[]"}) {
    std::string place = object;
    if (const std::size_t at = place.find("[]"); at != std::string::npos) place.replace(at, 2, "[0]");
    for (const Beyond& beyond : valuesBeyond(place, partOf(root, object))) {
      const bool ddp = beyond.place.ends_with(".replicas");
      base.variants[0].strategy = ddp ? Strategy::Ddp : Strategy::Pipeline;
      base.variants[0].schedule = ddp ? ScheduleKind::Gpipe : ScheduleKind::List;
      const Result<std::string> text = setJsonValue(toJson(base), beyond.place + "=" + beyond.value.dump());
      ASSERT_TRUE(text.ok());
      const Result<Experiment> experiment = parseExperiment(*text, "beyond");
      std::vector<ExperimentProblem> problems;
      if (experiment.ok()) problems = test::problemsIn(*experiment);
      const bool refused = !experiment.ok() || std::any_of(problems.begin(), problems.end(), [&](const auto& problem) {
        return problem.where == beyond.place;
      });
      EXPECT_TRUE(refused) << beyond.place << " = " << beyond.value;
      ++limits;
    }
  }
  EXPECT_GE(limits, 30);
}

TEST(Schema, DefaultsAreThoseOfTheProgram) {
  Json file{{"lanes", Json::array({Json::object({{"device", "cpu:0"}})})},
            {"variants", Json::array({Json::object({{"name", "A"}, {"strategy", "single"}})})}};
  const Result<Experiment> plain = parseExperiment(file.dump(), "plain");
  ASSERT_TRUE(plain.ok()) << plain.error().message;
  const Json root = schema();
  int defaults = 0;
  const auto copyDefaults = [&](const std::string& object, Json& target) {
    for (const auto& [key, description] : partOf(root, object)["properties"].items()) {
      if (!description.contains("default")) continue;
      target[key] = description["default"];
      ++defaults;
    }
  };
  copyDefaults("", file);
  for (const char* object : {"model", "data", "training"}) copyDefaults(object, file[object]);
  copyDefaults("lanes[]", file["lanes"][0]);
  copyDefaults("variants[]", file["variants"][0]);
  EXPECT_GE(defaults, 22);
  const Result<Experiment> explicitly = parseExperiment(file.dump(), "explicit");
  ASSERT_TRUE(explicitly.ok()) << explicitly.error().message;
  EXPECT_EQ(*explicitly, *plain);
}

TEST(Schema, EveryListedWordIsAllowedByTheProgram) {
  const Json root = schema();
  Experiment base;
  base.model = {"resnet18", 10, std::nullopt};
  base.data = {DataSource::Random, {3, 64, 64}, 4, 1, ""};
  base.lanes = {LaneConfig{}};
  base.variants = {{"A", Strategy::Pipeline, ScheduleKind::Gpipe, 2, {}, std::vector<std::string>{}, {}}};
  int words = 0;
  for (const std::string object : {"model", "data", "training"}) {
    for (const auto& [key, description] : root["properties"][object]["properties"].items()) {
      if (!description.contains("enum") || key == "arch") continue;
      for (const Json& word : description["enum"]) {
        const Result<std::string> text = setJsonValue(toJson(base), object + "." + key + "=" + word.dump());
        ASSERT_TRUE(text.ok());
        Result<Experiment> experiment = parseExperiment(*text, "word");
        ASSERT_TRUE(experiment.ok()) << experiment.error().message;
        experiment->data.path = "rows.safetensors";
        if (word == "tf32") experiment->lanes[0].device = Device::cuda(0);
        const auto problems = test::problemsIn(*experiment);
        const bool other_network = word == "text" || word == "output";  // known, and not of this one
        EXPECT_EQ(problems.empty(), !other_network) << word << (problems.empty() ? "" : problems.front().message);
        ++words;
      }
    }
  }
  EXPECT_EQ(words, 27);
  std::vector<std::string> archs = root["properties"]["model"]["properties"]["arch"]["enum"];
  EXPECT_EQ(archs, knownArchitectures());
}

}  // namespace
}  // namespace lanelab
