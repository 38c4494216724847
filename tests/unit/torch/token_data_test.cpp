// SPDX-License-Identifier: GPL-3.0-only
// Tokens from texts, files and a seed: what the rows are, and what is said of data that do not fit the network.
#include "engine/torch/data/dataset.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "engine/torch/files/tensor_file.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/torch/data_world.h"

namespace lanelab {
namespace {

using ::testing::HasSubstr;

/// Takes 4 tokens, and predicts one at each position.
ModelSpec network(std::int64_t vocabulary, Shape output = {4, 256}, Shape input = {4}) {
  ModelSpec spec;
  spec.input = std::move(input);
  spec.vocabulary = vocabulary;
  spec.gives_loss = output.empty();
  spec.blocks.resize(1);
  spec.blocks[0].output = std::move(output);
  return spec;
}

Experiment experimentFor(const ModelSpec& model, DataSource source, const std::string& path = "") {
  Experiment experiment = experimentOn(source, model.input, path);
  experiment.data.batch = 3;
  experiment.data.steps = 4;
  if (model.gives_loss) experiment.training.loss = Loss::Output;
  return experiment;
}

Dataset loaded(const Experiment& experiment, const ModelSpec& model) {
  std::vector<std::string> warnings;
  const Status checked = Dataset::check(experiment, model, warnings);
  EXPECT_TRUE(checked.ok()) << (checked.ok() ? "" : checked.error().message);
  Result<Dataset> data = Dataset::load(experiment, model);
  EXPECT_TRUE(data.ok()) << (data.ok() ? "" : data.error().message);
  return std::move(data).value();
}

std::string refusal(const Experiment& experiment, const ModelSpec& model) {
  const Result<Dataset> data = Dataset::load(experiment, model);
  if (data.ok()) return "nothing is refused";
  EXPECT_EQ(data.error().kind, Error::Kind::BadInput);
  EXPECT_THAT(data.error().message, HasSubstr("data.path: "));
  return data.error().message;
}

at::Tensor rowsOf(std::vector<std::int64_t> values, std::int64_t columns) {
  return at::tensor(values, at::TensorOptions().dtype(at::kLong)).view({-1, columns});
}

TEST(Text, IsWindowsOfBytesWithTheNextByteAsTarget) {
  const test::TemporaryFolder folder;
  const std::string path = folder.write("abc.txt", "abcdefghijkl\xc3\xa9");  // 14 bytes
  const ModelSpec model = network(256);
  const Experiment experiment = experimentFor(model, DataSource::Text, path);
  const Dataset data = loaded(experiment, model);
  EXPECT_EQ(data.size(), 3);
  EXPECT_EQ(Dataset::countRows(experiment).value(), 3);
  EXPECT_EQ(data.validationSize(), 0);
  const Samples all = data.rows(1, 3);  // wraps round
  EXPECT_TRUE(at::equal(all.inputs, rowsOf({'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'a', 'b', 'c', 'd'}, 4)));
  EXPECT_TRUE(at::equal(all.targets, rowsOf({'f', 'g', 'h', 'i', 'j', 'k', 'l', 0xc3, 'b', 'c', 'd', 'e'}, 4)));
}

TEST(Text, HasNoTargetsWhereTheNetworkGivesItsLoss) {
  const test::TemporaryFolder folder;
  const ModelSpec model = network(256, {});
  const Dataset data = loaded(experimentFor(model, DataSource::Text, folder.write("a.txt", "abcdefghi")), model);
  EXPECT_EQ(data.rows(0, 2).inputs.sizes(), (std::vector<std::int64_t>{2, 4}));
  EXPECT_EQ(data.rows(0, 2).targets.sizes(), (std::vector<std::int64_t>{2, 0}));
}

struct BadText {
  const char* name;
  std::string text;
  std::int64_t vocabulary;
  const char* says;
};

class BadTexts : public ::testing::TestWithParam<BadText> {};

TEST_P(BadTexts, AreRefused) {
  const BadText& bad = GetParam();
  const test::TemporaryFolder folder;
  const ModelSpec model = network(bad.vocabulary, {4, bad.vocabulary});
  const Experiment experiment = experimentFor(model, DataSource::Text, folder.write("a.txt", bad.text));
  EXPECT_THAT(refusal(experiment, model), HasSubstr(bad.says));
  std::vector<std::string> warnings;
  EXPECT_FALSE(Dataset::check(experiment, model, warnings).ok());
}

INSTANTIATE_TEST_SUITE_P(
    All, BadTexts,
    ::testing::Values(BadText{"Empty", "", 256, "has 0 bytes, and one sample needs 5"},
                      BadText{"AByteTooShort", "abcd", 256,
                              "has 4 bytes, and one sample needs 5: an input of 4 tokens"},
                      BadText{"AboveTheVocabulary", "abc\nde\xc3\xa9xyz", 128,
                              "a.txt, in line 2, is 195, and the network has 128 tokens, from 0 to 127"},
                      BadText{"FarAboveIt", "abcdefgh", 100, "byte 3 of "}),
    [](const auto& named) { return std::string(named.param.name); });

TEST(Text, NamesFilesThatCannotBeRead) {
  const test::TemporaryFolder folder;
  const ModelSpec model = network(256);
  ASSERT_EQ(::mkfifo((folder.path() + "/pipe.txt").c_str(), 0600), 0);
  for (const auto& [path, says] : {std::pair{"/nowhere.txt", "does not exist"}, std::pair{"", "is a folder"},
                                   std::pair{"/pipe.txt", "a named pipe, not a regular file"}})
    EXPECT_THAT(refusal(experimentFor(model, DataSource::Text, folder.path() + path), model), HasSubstr(says));
  const auto rows = Dataset::countRows(experimentFor(model, DataSource::Text, folder.path() + "/nowhere.txt"));
  EXPECT_THAT(rows.error().message, HasSubstr("nowhere.txt cannot be read"));
}

struct FileOf {
  const char* name;
  at::Tensor inputs;
  std::optional<at::Tensor> targets;
  ModelSpec model;
  Loss loss = Loss::CrossEntropy;
  const char* says = "";  ///< empty: it fits
};

at::Tensor ids(std::vector<std::int64_t> values, at::ScalarType type = at::kLong) {
  return rowsOf(std::move(values), 4).to(type);
}

class TokenFiles : public ::testing::TestWithParam<FileOf> {};

TEST_P(TokenFiles, FitOrAreRefused) {
  const FileOf& file = GetParam();
  const test::TemporaryFolder folder;
  const std::string path = folder.path() + "/rows.safetensors";
  NamedTensors tensors{{"inputs", file.inputs}};
  if (file.targets) tensors.emplace_back("targets", *file.targets);
  ASSERT_TRUE(writeSafetensors(path, tensors).ok());
  Experiment experiment = experimentFor(file.model, DataSource::File, path);
  experiment.training.loss = file.loss;
  if (std::string(file.says).empty()) {
    const Dataset data = loaded(experiment, file.model);
    EXPECT_EQ(data.size(), 2);
    EXPECT_EQ(Dataset::countRows(experiment).value(), 2);
    const Samples rows = data.rows(0, 2);
    const bool tokens = file.model.vocabulary > 0;
    EXPECT_TRUE(at::equal(rows.inputs, file.inputs.to(tokens ? at::kLong : at::kFloat)));
    if (file.targets && file.loss != Loss::Output) {
      EXPECT_TRUE(at::equal(rows.targets.to(at::kDouble), file.targets->to(at::kDouble)));
    }
  } else {
    EXPECT_THAT(refusal(experiment, file.model), HasSubstr(file.says));
  }
}

const at::Tensor kRows = ids({1, 2, 3, 4, 5, 6, 7, 8});

INSTANTIATE_TEST_SUITE_P(
    All, TokenFiles,
    ::testing::Values(
        FileOf{"Int64", kRows, kRows, network(9)}, FileOf{"Int32", kRows.to(at::kInt), kRows.to(at::kByte), network(9)},
        FileOf{"Bytes", ids({200, 255, 0, 1, 2, 3, 4, 5}, at::kByte), kRows.to(at::kInt), network(1000)},
        FileOf{"OneClassForATextOfTokens", kRows, at::tensor({0, 1}).to(at::kLong), network(9, {2})},
        FileOf{"NoTargetsWhereTheNetworkGivesItsLoss", kRows, {}, network(9, {}), Loss::Output},
        FileOf{"TargetsThatAreNotUsed", kRows, at::ones({7}), network(9, {}), Loss::Output},
        FileOf{"NumbersInTheShapeOfTheOutput", at::randn({2, 4}), at::randn({2, 1, 3}), network(0, {1, 3}), Loss::Mse},
        FileOf{"NumbersOfTokens", kRows, at::randn({2, 4, 3}), network(9, {4, 3}), Loss::Mse},
        FileOf{"NoTargets", kRows, {}, network(9), Loss::CrossEntropy, "no tensors named inputs and targets"},
        FileOf{"TokenTooLarge", ids({1, 2, 3, 4, 5, 9, 10, 8}), kRows, network(9), Loss::CrossEntropy,
               "inputs[1, 1] is 9, and the network has 9 tokens, from 0 to 8"},
        FileOf{"NegativeToken", ids({1, 2, 3, -1, 5, 9, 10, 8}, at::kInt), kRows, network(9), Loss::CrossEntropy,
               "inputs[0, 3] is -1"},
        FileOf{"BytesAboveASmallVocabulary", ids({200, 255, 0, 1, 2, 3, 4, 5}, at::kByte), kRows, network(9),
               Loss::CrossEntropy, "inputs[0, 0] is 200"},
        FileOf{"TargetTooLarge", kRows, ids({1, 2, 3, 4, 5, 6, 300, 8}), network(9), Loss::CrossEntropy,
               "targets[1, 2] is 300, and the network has 256 tokens"},
        FileOf{"Padding", kRows, ids({1, -100, 3, 4, 5, 6, -100, 8}), network(9)},
        FileOf{"PaddingInBytes", kRows, ids({-100, -100, 3, 4, 5, 6, 7, 8}, at::kChar), network(9, {4, 100})},
        FileOf{"NothingButPadding", kRows, at::full({2, 4}, -100).to(at::kInt), network(9)},
        FileOf{"PaddingAmongInputs", ids({1, -100, 3, 4, 5, 6, 7, 8}), kRows, network(9), Loss::CrossEntropy,
               "inputs[0, 1] is -100, and the network has 9 tokens"},
        FileOf{"AnotherNegativeTarget", kRows, ids({1, -100, 3, 4, 5, 6, -7, 8}), network(9), Loss::CrossEntropy,
               "targets[1, 2] is -7, and the network has 256 tokens, from 0 to 255. Write the file again, with -100 "
               "for padding"},
        FileOf{"PaddedClasses", kRows, at::tensor({-100, 1}).to(at::kLong), network(9, {2})},
        FileOf{"ANegativeClass", kRows, at::tensor({-100, -2}).to(at::kLong), network(9, {2}), Loss::CrossEntropy,
               "a class id is -2. Count classes from 0, and write -100 for padding"},
        FileOf{"PaddedClassesAsOneHotRows", kRows, at::tensor({-100, 1}).to(at::kLong), network(9, {2}), Loss::Mse,
               "a class id is -100. Count classes from 0; only cross_entropy leaves out targets of -100"},
        FileOf{"NumbersForTokens", kRows.to(at::kFloat), kRows, network(9), Loss::CrossEntropy,
               "inputs are 2x4 of type F32, and must be tokens [N, 4] of an integer type"},
        FileOf{"TargetsOfAnotherLength", kRows, ids({1, 2, 3, 4, 5, 6, 7, 8}).narrow(1, 0, 3).contiguous(), network(9),
               Loss::CrossEntropy, "targets are 2x3 of type I64, and must be token ids [N, 4] of an integer type"},
        FileOf{"TargetsOfAnotherShape", at::randn({2, 4}), at::randn({2, 3}), network(0, {1, 3}), Loss::Mse,
               "targets are 2x3 of type F32, and must be numbers [N, 1, 3] of a floating-point type"},
        FileOf{"IdsForNumbers", at::randn({2, 4}), kRows, network(0, {1, 4}), Loss::Mse, "must be numbers [N, 1, 4]"}),
    [](const auto& named) { return std::string(named.param.name); });

TEST(TokenFile, NamesTheValidationPart) {
  const test::TemporaryFolder folder;
  const std::string path = folder.path() + "/rows.safetensors";
  const ModelSpec model = network(9);
  ASSERT_TRUE(writeSafetensors(path, {{"inputs", kRows},
                                      {"targets", kRows},
                                      {"validation_inputs", ids({9, 0, 0, 0})},
                                      {"validation_targets", ids({0, 0, 0, 0})}})
                  .ok());
  EXPECT_THAT(refusal(experimentFor(model, DataSource::File, path), model), HasSubstr("validation_inputs[0, 0] is 9"));
}

TEST(RandomTokens, AreOfTheVocabularyAndTheSameEveryTime) {
  const ModelSpec model = network(50, {4, 7});
  Experiment experiment = experimentFor(model, DataSource::Random);
  experiment.data.rows = 200;
  const Samples rows = loaded(experiment, model).rows(0, 200), again = loaded(experiment, model).rows(200, 200);
  EXPECT_TRUE(at::equal(rows.inputs, again.inputs)) << "each epoch has the same rows";
  EXPECT_TRUE(at::equal(rows.targets, again.targets));
  EXPECT_EQ(rows.inputs.scalar_type(), at::kLong);
  EXPECT_EQ(rows.inputs.sizes(), (std::vector<std::int64_t>{200, 4}));
  EXPECT_EQ(rows.targets.sizes(), (std::vector<std::int64_t>{200, 4}));
  EXPECT_EQ(rows.inputs.min().item<int>(), 0);
  EXPECT_EQ(rows.inputs.max().item<int>(), 49);
  EXPECT_EQ(rows.targets.min().item<int>(), 0);
  EXPECT_EQ(rows.targets.max().item<int>(), 6);
  experiment.training.seed = 1;
  EXPECT_FALSE(at::equal(rows.inputs, loaded(experiment, model).rows(0, 200).inputs));
}

TEST(RandomTargets, HaveTheShapeOfTheOutput) {
  const ModelSpec model = network(0, {2, 8, 8}, {3, 8, 8});
  Experiment experiment = experimentFor(model, DataSource::Random);
  experiment.training.loss = Loss::Mse;
  const Samples rows = loaded(experiment, model).rows(0, 3);
  EXPECT_EQ(rows.targets.sizes(), (std::vector<std::int64_t>{3, 2, 8, 8}));
  EXPECT_EQ(rows.targets.scalar_type(), at::kFloat);
}

}  // namespace
}  // namespace lanelab
