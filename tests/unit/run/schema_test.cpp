// SPDX-License-Identifier: GPL-3.0-only
// The published schema and the parser must say the same, or an editor would praise what the program refuses.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/json_text.h"
#include "base/whole_file.h"
#include "engine/experiment/experiment.h"
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

/// The part of the schema that describes an object named as in experimentKeys().
const Json& partOf(const Json& root, const std::string& object) {
  if (object.empty()) return root;
  if (const std::size_t dot = object.rfind('.'); dot != std::string::npos)
    return partOf(root, object.substr(0, dot))["properties"][object.substr(dot + 1)];
  if (object.ends_with("[]")) return root["properties"][object.substr(0, object.size() - 2)]["items"];
  return root["properties"][object];
}

TEST(Schema, HasExactlyTheKeysOfTheParser) {
  const Json root = schema();
  for (auto [object, known] : experimentKeys()) {
    const Json& part = partOf(root, object);
    EXPECT_EQ(part["additionalProperties"], Json(false)) << object;
    std::vector<std::string> described;
    for (const auto& [key, value] : part["properties"].items()) described.push_back(key);
    std::sort(described.begin(), described.end());
    std::sort(known.begin(), known.end());
    EXPECT_EQ(described, known) << "of \"" << object << "\"";
  }
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
        EXPECT_TRUE(problems.empty()) << word << ": " << problems.front().message;
        ++words;
      }
    }
  }
  EXPECT_EQ(words, 20);
  std::vector<std::string> archs = root["properties"]["model"]["properties"]["arch"]["enum"];
  EXPECT_EQ(archs, knownArchitectures());
}

}  // namespace
}  // namespace lanelab
