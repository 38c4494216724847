// SPDX-License-Identifier: GPL-3.0-only
#include "engine/experiment/experiment.h"
#include "base/whole_file.h"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <limits>

#include "engine/experiment/edits/network_edits.h"
#include "engine/experiment/edits/placement_edits.h"
#include "engine/experiment/setting_name.h"
#include "engine/memory/variant_memory.h"
#include "engine/record/run_store.h"
#include "tests/support/resolved.h"

namespace lanelab {
namespace {

const std::string kSource = LANELAB_SOURCE_DIR;

std::string demoText() {
  const Result<std::string> text = readWholeFile(kSource + "/resources/experiments/demo.json", 1 << 20);
  EXPECT_TRUE(text.ok());
  return text.ok() ? *text : "";
}

Experiment demo() {
  const Result<Experiment> experiment = parseExperiment(demoText(), "demo.json");
  EXPECT_TRUE(experiment.ok());
  return experiment.ok() ? *experiment : Experiment{};
}

TEST(ExperimentFile, EpochsStandInPlaceOfSteps) {
  const std::string rest = R"(, "lanes": [{"device": "cpu:0"}], "variants": [{"name": "A", "strategy": "single"}]})";
  const Result<Experiment> epochs = parseExperiment(R"({"data": {"source": "digits", "epochs": 3})" + rest, "file");
  ASSERT_TRUE(epochs.ok()) << epochs.error().message;
  EXPECT_EQ(epochs->data.epochs, 3);
  EXPECT_EQ(toJson(*epochs).find("\"steps\""), std::string::npos);
  const Result<Experiment> both =
      parseExperiment(R"({"data": {"source": "digits", "epochs": 3, "steps": 3})" + rest, "file");
  ASSERT_FALSE(both.ok());
  EXPECT_NE(both.error().message.find("data.epochs replaces steps"), std::string::npos) << both.error().message;
}

TEST(ExperimentFile, ClassesAreThoseThatTheNetworkUsuallyHas) {
  const std::string rest = R"(, "lanes": [{"device": "cpu:0"}], "variants": [{"name": "A", "strategy": "single"}]})";
  const auto classes = [&](const std::string& model) {
    const Result<Experiment> experiment = parseExperiment(R"({"model": )" + model + rest, "file");
    EXPECT_TRUE(experiment.ok()) << experiment.error().message;
    return experiment.ok() ? experiment->model.classes : -1;
  };
  EXPECT_EQ(classes(R"({"arch": "toy"})"), 5);
  EXPECT_EQ(classes(R"({"arch": "linear"})"), 2);
  EXPECT_EQ(classes(R"({"arch": "resnet18"})"), 1000);
  EXPECT_EQ(classes(R"({"arch": "toy", "classes": 7})"), 7);
}

TEST(ExperimentFile, AnotherNetworkHasItsUsualClassesUnlessTheyWereChosen) {
  Experiment experiment;
  experiment.data.shape = {10};
  experiment.model = {"linear", 2, std::nullopt};
  setArchitecture(experiment, "toy");
  EXPECT_EQ(experiment.model.classes, 5);
  experiment.model.classes = 4;
  setArchitecture(experiment, "linear");
  EXPECT_EQ(experiment.model.classes, 4);
}

TEST(ExperimentFile, TheShippedExperimentsAreRightAndMatchTheTutorial) {
  for (const std::string name : {"demo", "tutorial"}) {
    const Result<Experiment> experiment = readExperiment(kSource + "/resources/experiments/" + name + ".json");
    ASSERT_TRUE(experiment.ok()) << experiment.error().message;
    EXPECT_EQ(experiment->name, name);
    for (const ExperimentProblem& problem : test::problemsIn(*experiment))
      ADD_FAILURE() << problem.where << ": " << problem.message;
    ASSERT_EQ(experiment->variants.size(), 3u);
    EXPECT_EQ(experiment->variants[1].cuts, std::vector<std::string>{"layer3.0"});
  }
  const Result<Experiment> digits = readExperiment(kSource + "/resources/experiments/digits.json");
  ASSERT_TRUE(digits.ok()) << digits.error().message;
  EXPECT_TRUE(test::problemsIn(*digits).empty());
  const Result<Experiment> tutorial = readExperiment(kSource + "/resources/experiments/tutorial.json");
  EXPECT_EQ(tutorial->data.batch, 120);
  EXPECT_EQ(tutorial->data.shape, (Shape{3, 128, 128}));
  EXPECT_EQ(tutorial->variants[2].split_size, 20);
  EXPECT_EQ(tutorial->repeats, 10);
}

TEST(ExperimentFile, LeavesTheShapeOfASampleToItsNetwork) {
  const auto shapeOf = [](const std::string& model, const std::string& data) {
    return parseExperiment(
               R"({"model": {)" + model + R"(}, "data": {)" + data +
                   R"(}, "lanes": [{"device": "cpu:0"}], "variants": [{"name": "S", "strategy": "single"}]})",
               "e.json")
        .value()
        .data.shape;
  };
  EXPECT_EQ(shapeOf(R"("arch": "toy")", R"("batch": 4)"), Shape{10});
  EXPECT_EQ(shapeOf(R"("arch": "linear")", ""), (Shape{3, 128, 128}));
  EXPECT_EQ(shapeOf(R"("arch": "linear")", R"("shape": [5])"), Shape{5});
  EXPECT_EQ(shapeOf(R"("arch": "resnet18")", ""), (Shape{3, 128, 128}));
}

TEST(ExperimentFile, TheBundledSchedulesAreAllDefined) {
  const Result<Experiment> experiment = readExperiment(kSource + "/resources/experiments/schedules.json");
  ASSERT_TRUE(experiment.ok()) << experiment.error().message;
  for (const ExperimentProblem& problem : test::problemsIn(*experiment))
    ADD_FAILURE() << problem.where << ": " << problem.message;
  EXPECT_EQ(experiment->variants.size(), 6u);
}

TEST(ExperimentFile, TheBundledMemoryExampleHasTheEndsOfTheCurve) {
  const Result<Experiment> experiment = readExperiment(kSource + "/resources/experiments/memory.json");
  ASSERT_TRUE(experiment.ok()) << experiment.error().message;
  for (const ExperimentProblem& problem : test::problemsIn(*experiment))
    ADD_FAILURE() << problem.where << ": " << problem.message;
  std::vector<std::int64_t> peaks;
  for (const std::vector<LaneForecast>& variant : forecastMemory(*resolve(*experiment))) {
    peaks.push_back(0);
    for (const LaneForecast& lane : variant) peaks.back() = std::max(peaks.back(), lane.at_peak.total());
  }
  ASSERT_EQ(peaks.size(), 5u);
  const std::int64_t gpipe = peaks[0], v_half = peaks[1], v_min = peaks[2], recomputed = peaks[3], plain = peaks[4];
  EXPECT_GT(gpipe, 3 * plain);
  EXPECT_GT(plain, v_min);
  EXPECT_GT(v_half, v_min);
  EXPECT_GT(v_min, recomputed);
  for (const std::size_t v_shaped : {1, 2}) {
    VariantConfig of_curve = experiment->variants[4];
    setSchedule(*experiment, resolve(*experiment)->model(), experiment->variants[v_shaped].schedule, of_curve);
    EXPECT_EQ(experiment->variants[v_shaped].cuts, of_curve.cuts) << "as the curve of 1F1B cuts it";
  }
}

TEST(ExperimentFile, TheBundledStrategiesAreAllThereAre) {
  const Result<Experiment> experiment = readExperiment(kSource + "/resources/experiments/replicas.json");
  ASSERT_TRUE(experiment.ok()) << experiment.error().message;
  for (const ExperimentProblem& problem : test::problemsIn(*experiment))
    ADD_FAILURE() << problem.where << ": " << problem.message;
  std::vector<std::string> strategies;
  for (const VariantConfig& variant : experiment->variants) strategies.push_back(toWord(variant.strategy));
  EXPECT_EQ(strategies, (std::vector<std::string>{"single", "data-parallel", "ddp", "model-parallel", "pipeline"}));
}

TEST(ExperimentFile, AMinimalFileTakesTheDefaults) {
  const Result<Experiment> experiment =
      parseExperiment(R"({"lanes":[{"device":"cpu:0"}],"variants":[{"name":"A","strategy":"single"}]})", "small.json");
  ASSERT_TRUE(experiment.ok()) << experiment.error().message;
  Experiment expected;
  expected.lanes = {LaneConfig{}};
  expected.variants = {VariantConfig{"A", Strategy::Single, ScheduleKind::Gpipe, {}, {}, {}, {}}};
  EXPECT_EQ(*experiment, expected);
}

Experiment everythingSet() {
  Experiment e;
  e.name = "all \"keys\"";
  e.model = {"resnet18", 7, "weights.safetensors"};
  e.data = {DataSource::File, {3, 32, 48}, 9, 3, "rows.safetensors", 2, true};
  e.training = {.loss = Loss::CrossEntropy,
                .label_smoothing = 0.25,
                .optimizer = OptimizerKind::Sgd,
                .lr = 0.1,
                .lr_schedule = LrSchedule::Cosine,
                .lr_warmup = 3,
                .lr_step_size = 7,
                .lr_gamma = 0.5,
                .lr_min = 1e-5,
                .momentum = 0.9,
                .weight_decay = 1e-4,
                .nesterov = true,
                .clip_grad_norm = 1.5,
                .seed = std::numeric_limits<std::uint64_t>::max(),
                .layout = Layout::Contiguous,
                .kernels = Kernels::Aten};
  e.lanes = {{Device::cpu(0), "first", 2}, {Device::cuda(1), "", 1}};
  e.lanes[1].memory_limit_mib = 6144.5;
  e.variants = {
      {"One", Strategy::Single, ScheduleKind::Gpipe, 3, std::vector<int>{1}, std::nullopt, std::nullopt},
      {"Two", Strategy::Pipeline, ScheduleKind::OneFOneB, 4, std::nullopt, std::vector<std::string>{}, std::nullopt},
      {"Three", Strategy::ModelParallel, ScheduleKind::Gpipe, std::nullopt, std::vector<int>{1, 0}, std::nullopt,
       std::map<std::string, int>{{"stem", 0}, {"head", 1}}}};
  e.variants[1].precision = Precision::Bf16;
  e.variants[1].batch_norm = BatchNormMode::Deferred;
  e.variants[1].recompute = std::vector<int>{0, 2};
  e.variants[2].recompute = std::vector<int>{};
  e.repeats = 6;
  e.warmup = 0;
  e.record = RecordMode::Operators;
  return e;
}

TEST(ExperimentFile, WhatIsWrittenReadsBackEqual) {
  for (const Experiment& experiment : {everythingSet(), demo()}) {
    const std::string text = toJson(experiment);
    const Result<Experiment> back = parseExperiment(text, "written");
    ASSERT_TRUE(back.ok()) << back.error().message << "\n" << text;
    EXPECT_EQ(*back, experiment) << text;
  }
}

struct RecomputeWord {
  const char* text;
  VariantRecompute value;
};

TEST(ExperimentFile, RecomputeIsAWordOrOfAVariantStages) {
  const RecomputeWord words[] = {{"false", Recompute::None},
                                 {"\"activations\"", Recompute::Activations},
                                 {"true", Recompute::Stage},
                                 {"[]", std::vector<int>{}},
                                 {"[0, 1]", std::vector<int>{0, 1}}};
  for (const auto& [text, value] : words) {
    Experiment experiment = demo();
    if (const auto* const all = std::get_if<Recompute>(&value)) experiment.training.recompute = *all;
    experiment.variants[0].recompute = value;
    const std::string written = toJson(experiment);
    EXPECT_NE(written.find(std::string("\"recompute\": ") + text), std::string::npos) << written;
    const Result<Experiment> back = parseExperiment(written, "written");
    ASSERT_TRUE(back.ok()) << back.error().message;
    EXPECT_EQ(*back, experiment) << text;
  }
}

TEST(ExperimentFile, ListsOfNumbersStayOnOneLine) {
  const std::string text = toJson(demo());
  EXPECT_NE(text.find("\"shape\": [3, 64, 64]"), std::string::npos) << text;
  EXPECT_NE(text.find("{ \"device\": \"cpu:0\" }"), std::string::npos) << text;
  EXPECT_NE(text.find("\"lr\": 0.001"), std::string::npos) << text;
}

struct BadFile {
  const char* name;
  std::string text;
  std::vector<std::string> says;
};

void PrintTo(const BadFile& bad, std::ostream* out) { *out << bad.name; }

/// The demo with one value changed, as --set would.
std::string with(const std::string& assignment) {
  const Result<std::string> text = setJsonValue(demoText(), assignment);
  EXPECT_TRUE(text.ok()) << assignment;
  return text.ok() ? *text : "";
}

std::string demoReplacing(const std::string& what, const std::string& by) {
  std::string text = demoText();
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

class BadText : public testing::TestWithParam<BadFile> {};

TEST_P(BadText, IsRefusedWithPlaceAndFix) {
  const Result<Experiment> experiment = parseExperiment(GetParam().text, "bad.json");
  ASSERT_FALSE(experiment.ok());
  EXPECT_EQ(experiment.error().kind, Error::Kind::BadInput);
  EXPECT_EQ(experiment.error().message.rfind("bad.json: ", 0), 0u) << experiment.error().message;
  for (const std::string& part : GetParam().says)
    EXPECT_NE(experiment.error().message.find(part), std::string::npos) << experiment.error().message;
  for (const char c : experiment.error().message)
    EXPECT_TRUE(c >= ' ' && c <= '~') << "a message is plain text, whatever the file held";
}

INSTANTIATE_TEST_SUITE_P(
    ExperimentFile, BadText,
    testing::Values(
        BadFile{"Empty", "", {"line 1, column 1", "unexpected end of input"}},
        BadFile{"NotJson", "model = resnet50\n", {"not valid JSON at line 1, column 1"}},
        BadFile{"MissingComma", "{\n  \"name\": \"a\"\n  \"repeats\": 3\n}", {"line 3, column"}},
        BadFile{"CutOff", "{\"name\": \"a", {"line 1"}}, BadFile{"Trailing", "{} {}", {"line 1", "unexpected"}},
        BadFile{"Binary", std::string("\x89PNG\r\n\0\0", 8), {"line 1"}},
        BadFile{"BadUtf8", "{\"name\": \"\xff\"}", {"line 1"}},
        BadFile{"List", "[]", {"the file must be an object", "a list"}},
        BadFile{"TooDeep", std::string(100000, '['), {"nested deeper than 64"}},
        BadFile{"NotANumber", demoReplacing("0.001", "NaN"), {"line", "numbers must be finite"}},
        BadFile{"NegativeInfinity", demoReplacing("0.001", "-Infinity"), {"line", "numbers must be finite"}},
        BadFile{"TooLargeNumber", demoReplacing("0.001", "1e999"), {"line", "the number is too large"}},
        BadFile{"TwiceSameKey",
                demoReplacing("\"classes\": 1000,", "\"classes\": 1000, \"classes\": 10,"),
                {"model.classes is given twice"}},
        BadFile{"TwiceInList",
                demoReplacing("\"split_size\": 8,", "\"split_size\": 8, \"split_size\": 5,"),
                {"variants[2].split_size is given twice"}},
        BadFile{
            "UnknownKey", with("training.learning_rat=1"), {"training.learning_rat is not known here", "Known are"}},
        BadFile{
            "MisspeltKey", with("variants[2].splitsize=4"), {"variants[2].splitsize", "Did you mean \"split_size\"?"}},
        BadFile{"UnknownSource",
                with("data.source=\"digit\""),
                {"data.source: The data source \"digit\" is not known", "Did you mean \"digits\"?"}},
        BadFile{"UnknownLoss", with("training.loss=\"mes\""), {"training.loss: ", "mse"}},
        BadFile{"UnknownOptimizer", with("training.optimizer=\"lion\""), {"training.optimizer: ", "sgd or adam"}},
        BadFile{"UnknownRateSchedule",
                with("training.lr_schedule=\"cosin\""),
                {"training.lr_schedule: ", "Did you mean \"cosine\"?"}},
        BadFile{"UnknownPrecision",
                with("training.precision=\"fp16\""),
                {"training.precision: ", "Known are fp32, bf16 or tf32"}},
        BadFile{"PrecisionOfAVariant",
                with("variants[1].precision=\"bf61\""),
                {"variants[1].precision: ", "Did you mean \"bf16\"?"}},
        BadFile{
            "NormOfAVariant", with("variants[1].batch_norm=\"sync\""), {"variants[1].batch_norm: ", "synchronised"}},
        BadFile{
            "UnknownLayout", with("training.layout=\"nhwc\""), {"training.layout: ", "channels_last or contiguous"}},
        BadFile{"UnknownNorm",
                with("training.batch_norm=\"defered\""),
                {"training.batch_norm: ", "Did you mean \"deferred\"?"}},
        BadFile{"OddDevice", with("lanes[1].device=\"gpu:0\""), {"lanes[1].device: ", "cpu:K"}},
        BadFile{"SlicedDevice", with("lanes[1].device=\"cuda:0/sm:32\""), {"lanes[1].device: ", "cuda:K"}},
        BadFile{"NegativeDevice", with("lanes[1].device=\"cpu:-1\""), {"lanes[1].device: ", "K from 0"}},
        BadFile{"UnknownStrategy", with("variants[1].strategy=\"fsdp\""), {"variants[1].strategy: ", "ddp"}},
        BadFile{"UnknownSchedule", with("variants[2].schedule=\"zerobubble\""), {"variants[2].schedule: ", "gpipe"}},
        BadFile{"UnknownTopKey", with("model_=1"), {"model_", "Did you mean \"model\"?"}},
        BadFile{"TextForNumber",
                with("variants[2].split_size=\"many\""),
                {"variants[2].split_size must be a whole number, not the text \"many\""}},
        BadFile{"HalfSample", with("data.batch=1.5"), {"data.batch must be a whole number, not 1.5"}},
        BadFile{"TooLargeForInt", with("data.batch=3000000000"), {"data.batch must be from", "not 3000000000"}},
        BadFile{"HugeFloat", with("data.batch=1e300"), {"data.batch must be from"}},
        BadFile{
            "NegativeSeed", with("training.seed=-1"), {"training.seed must be from 0 to 18446744073709551615, not -1"}},
        BadFile{"NumberForText", with("model.arch=50"), {"model.arch must be a text in double quotes, not 50"}},
        BadFile{"NullForNumber", with("repeats=null"), {"repeats must be a whole number, not null"}},
        BadFile{"ObjectForList", with("lanes={}"), {"lanes must be a list"}},
        BadFile{"ListForObject", with("data=[1]"), {"data must be an object {...}, not a list"}},
        BadFile{"LaneNoObject", with("lanes[1]=3"), {"lanes[1] must be an object"}},
        BadFile{"TextInShape", with("data.shape=[3,\"a\",4]"), {"data.shape[1] must be a whole number"}},
        BadFile{"TextForSwitch",
                with("training.recompute=\"yes\""),
                {"training.recompute must be true, false or \"activations\""}},
        BadFile{"WordForStages",
                with("variants[2].recompute=\"stage\""),
                {"variants[2].recompute must be true, false, \"activations\" or a list of stages such as [0, 1], not "
                 "the text \"stage\""}},
        BadFile{
            "UnknownRecord", with("record=all"), {"record \"all\" is not known", "off, actions, blocks or operators"}},
        BadFile{"NoLanes", "{\"variants\": []}", {"lanes is missing"}},
        BadFile{"NamelessVariant", with("variants[0]={\"strategy\":\"single\"}"), {"variants[0].name is missing"}},
        BadFile{"PlacementText",
                with("variants[1].placement={\"stem\":\"zero\"}"),
                {"variants[1].placement.stem must be a whole number"}}),
    [](const auto& bad) { return std::string(bad.param.name); });

TEST(ExperimentFile, AFileAbove16MiBIsRefusedUnread) {
  const std::string path = testing::TempDir() + "lanelab_huge.json";
  { std::ofstream(path) << "{"; }
  std::filesystem::resize_file(path, 3ull << 30);  // sparse: 3 GB on paper only
  const Result<Experiment> experiment = readExperiment(path);
  std::filesystem::remove(path);
  ASSERT_FALSE(experiment.ok());
  EXPECT_NE(experiment.error().message.find("larger than 16 MiB"), std::string::npos) << experiment.error().message;
}

TEST(ExperimentFile, AMissingFileAndAFolderAreNamed) {
  EXPECT_NE(readExperiment("no/such/file.json").error().message.find("no/such/file.json does not exist"),
            std::string::npos);
  EXPECT_NE(readExperiment(kSource).error().message.find("is a folder"), std::string::npos);
}

TEST(ExperimentFile, RelativePathsCountFromItsFolder) {
  const std::string folder = testing::TempDir() + "lanelab_relative";
  std::filesystem::create_directories(folder);
  {
    std::ofstream(folder + "/e.json")
        << R"({"model":{"weights":"../w.pth"},"data":{"source":"file","path":"rows.safetensors"},"lanes":[],"variants":[]})";
  }
  const Result<Experiment> experiment = readExperiment(folder + "/e.json");
  ASSERT_TRUE(experiment.ok()) << experiment.error().message;
  EXPECT_EQ(experiment->data.path, folder + "/rows.safetensors");
  EXPECT_EQ(experiment->model.weights, std::filesystem::path(testing::TempDir() + "w.pth").lexically_normal().string());
  const Result<Experiment> typed = readExperiment(folder + "/e.json", {"data.path=here.safetensors"});
  ASSERT_TRUE(typed.ok()) << typed.error().message;
  EXPECT_EQ(typed->data.path, (std::filesystem::current_path() / "here.safetensors").string());
  std::filesystem::remove_all(folder);
}

TEST(SetValue, ChangesOneValueAndReadsItAsJsonOrText) {
  struct Case {
    const char* assignment;
    std::function<bool(const Experiment&)> holds;
  };
  const std::vector<Case> cases = {
      {"training.lr=0.1", [](const Experiment& e) { return e.training.lr == 0.1; }},
      {"variants[2].split_size=12", [](const Experiment& e) { return e.variants[2].split_size == 12; }},
      {"variants.Pipeline.split_size=3", [](const Experiment& e) { return e.variants[2].split_size == 3; }},
      {"variants.model-parallel.cuts=[\"layer2.0\"]",
       [](const Experiment& e) { return e.variants[1].cuts->front() == "layer2.0"; }},
      {"data.shape=[3,32,32]",
       [](const Experiment& e) {
         return e.data.shape == Shape{3, 32, 32};
       }},
      {"data.shape[2]=96",
       [](const Experiment& e) {
         return e.data.shape == Shape{3, 64, 96};
       }},
      {"name=a=b", [](const Experiment& e) { return e.name == "a=b"; }},
      {"model.weights=null", [](const Experiment& e) { return !e.model.weights; }},
      {"lanes[1].threads=2", [](const Experiment& e) { return e.lanes[1].threads == 2; }},
  };
  for (const Case& c : cases) {
    const Result<Experiment> experiment = parseExperiment(with(c.assignment), "set");
    ASSERT_TRUE(experiment.ok()) << c.assignment << ": " << experiment.error().message;
    EXPECT_TRUE(c.holds(*experiment)) << c.assignment;
  }
}

TEST(SettingName, IsWhatPeopleCallTheKey) {
  for (const auto& [key, variant, name] :
       std::vector<std::array<std::string, 3>>{{"data.shape", "", "input size"},
                                               {"data.batch", "", "batch"},
                                               {"training.lr", "", "learning rate"},
                                               {"model.classes", "", "number of classes"},
                                               {"repeats", "", "number of repeats"},
                                               {"variants.Pipeline.schedule", "Pipeline", "schedule"},
                                               {"variants.a.b.split_size", "a.b", "split size"},
                                               {"lanes[0].device", "", "lanes[0].device"},
                                               {"cpu governor", "", "cpu governor"}}) {
    EXPECT_EQ(settingName(key), (SettingName{variant, name, key != name})) << key;
  }
}

TEST(SetValue, SaysWhatIsWrongWithAnAssignment) {
  for (const auto& [assignment, says] :
       std::vector<std::pair<std::string, std::string>>{{"training.lr", "write KEY=VALUE"},
                                                        {"=3", "write KEY=VALUE"},
                                                        {"variants[7].name=x", "none of the 3 elements"},
                                                        {"variants.Nobody.name=x", "none of the 3 elements"},
                                                        {"name.first=x", "below a plain value"}}) {
    const Result<std::string> text = setJsonValue(demoText(), assignment);
    ASSERT_FALSE(text.ok()) << assignment;
    EXPECT_NE(text.error().message.find(says), std::string::npos) << text.error().message;
  }
}

}  // namespace
}  // namespace lanelab
