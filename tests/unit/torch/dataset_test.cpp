// SPDX-License-Identifier: GPL-3.0-only
// The data sources: what their rows are, and what they say of files that are wrong.
#include "engine/torch/data/dataset.h"

#include <ATen/ops/_upsample_bilinear2d_aa.h>
#include <ATen/ops/bincount.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>
#include <png.h>
#include <sys/stat.h>

#include "engine/torch/data/data_sources.h"
#include "engine/torch/files/tensor_file.h"
#include "tests/unit/torch/data_world.h"

namespace lanelab {
namespace {

using ::testing::HasSubstr;

Dataset loaded(const Experiment& experiment) {
  Result<Dataset> data = Dataset::load(experiment, classifierFor(experiment));
  EXPECT_TRUE(data.ok()) << data.error().message;
  return std::move(data).value();
}

std::string refusal(const Experiment& experiment) {
  const Result<Dataset> data = Dataset::load(experiment, classifierFor(experiment));
  EXPECT_FALSE(data.ok());
  if (data.ok()) return "";
  EXPECT_EQ(data.error().kind, Error::Kind::BadInput);
  return data.error().message;
}

void writePng(const std::string& path, int height, int width, unsigned char red, unsigned char green,
              unsigned char blue) {
  std::vector<unsigned char> pixels;
  for (int i = 0; i < height * width; ++i) pixels.insert(pixels.end(), {red, green, blue});
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(width);
  image.height = static_cast<png_uint_32>(height);
  image.format = PNG_FORMAT_RGB;
  ASSERT_TRUE(png_image_write_to_file(&image, path.c_str(), 0, pixels.data(), 0, nullptr));
}

TEST(Digits, Are1437ToTrainOnAnd360ToValidateWith) {
  const Dataset data = loaded(experimentOn(DataSource::Digits, {3, 16, 16}));
  EXPECT_EQ(data.size(), 1437);
  EXPECT_EQ(data.validationSize(), 360);
  const Samples all = data.rows(0, data.size());
  EXPECT_EQ(all.inputs.sizes(), (std::vector<std::int64_t>{1437, 3, 16, 16}));
  // The first line of the file is a 0 whose third pixel is 5 of 16; the classes are near evenly many.
  EXPECT_EQ(all.targets[0].item<int>(), 0);
  EXPECT_FLOAT_EQ(all.inputs[0][0][0][4].item<float>(), (5.0f - 8) / 8);
  EXPECT_FLOAT_EQ(all.inputs[0][2][1][5].item<float>(), (5.0f - 8) / 8);
  const at::Tensor counts = at::bincount(all.targets);
  EXPECT_EQ(counts.size(0), 10);
  EXPECT_GT(counts.min().item<int>(), 135);
  EXPECT_EQ(data.validationRows(359, 1).targets[0].item<int>(), 8);
}

TEST(Digits, SayWhichShapesTheyTake) {
  EXPECT_THAT(refusal(experimentOn(DataSource::Digits, {3, 20, 16})), HasSubstr("data.shape"));
  EXPECT_THAT(refusal(experimentOn(DataSource::Digits, {2, 16, 16})), HasSubstr("1 or 3 channels"));
  Experiment few = experimentOn(DataSource::Digits, {3, 16, 16});
  few.model.classes = 9;
  EXPECT_THAT(refusal(few), HasSubstr("Set model.classes to 10."));
  few.model.file = "nine.pt2";
  EXPECT_THAT(refusal(few), HasSubstr("Use a network with 10 classes."));
}

TEST(Dataset, ShufflesTheSameRowsByTheSeed) {
  Experiment experiment = experimentOn(DataSource::Digits, {1, 8, 8});
  const Samples plain = loaded(experiment).rows(0, 1437);
  experiment.data.shuffle = true;
  const Samples shuffled = loaded(experiment).rows(0, 1437), again = loaded(experiment).rows(0, 1437);
  EXPECT_FALSE(at::equal(shuffled.targets, plain.targets));
  EXPECT_TRUE(at::equal(shuffled.inputs, again.inputs));
  EXPECT_TRUE(at::equal(at::bincount(shuffled.targets), at::bincount(plain.targets)));
  const std::int64_t first = RowOrder(1437, 0).rowsAt(0, 1)[0];
  EXPECT_TRUE(at::equal(shuffled.inputs[0], plain.inputs[first]));
}

TEST(Cifar10, ReadsPlanesAndClassesOfAllBatches) {
  const test::TemporaryFolder folder;
  folder.write("data_batch_1.bin", cifarRecord(3, 255, 0, 128) + cifarRecord(9, 0, 0, 0));
  folder.write("data_batch_2.bin", cifarRecord(1, 10, 20, 30));
  folder.write("test_batch.bin", cifarRecord(7, 1, 2, 3));
  const Dataset data = loaded(experimentOn(DataSource::Cifar10, {3, 32, 32}, folder.path()));
  ASSERT_EQ(data.size(), 3);
  EXPECT_EQ(data.validationSize(), 1);
  const Samples all = data.rows(0, 3);
  EXPECT_TRUE(at::equal(all.targets, at::tensor({3, 9, 1}).to(at::kLong)));
  EXPECT_NEAR(all.inputs[0][0][5][6].item<float>(), (1.0 - 0.4914) / 0.2470, 1e-5);
  EXPECT_NEAR(all.inputs[0][2][31][31].item<float>(), (128 / 255.0 - 0.4465) / 0.2616, 1e-5);
  EXPECT_NEAR(all.inputs[2][1][0][0].item<float>(), (20 / 255.0 - 0.4822) / 0.2435, 1e-5);
  EXPECT_EQ(data.validationRows(0, 1).targets[0].item<int>(), 7);
  std::vector<std::string> warnings;
  const Experiment cifar = experimentOn(DataSource::Cifar10, {3, 32, 32}, folder.path());
  EXPECT_TRUE(Dataset::check(cifar, classifierFor(cifar), warnings).ok());
  ASSERT_EQ(warnings.size(), 3u);
  EXPECT_THAT(warnings[0], HasSubstr("holds 2 images"));
}

TEST(Cifar10, NamesTheFileThatIsWrong) {
  const test::TemporaryFolder folder;
  const Experiment experiment = experimentOn(DataSource::Cifar10, {3, 32, 32}, folder.path());
  EXPECT_THAT(refusal(experiment), HasSubstr("holds no data_batch_*.bin"));
  folder.write("data_batch_1.bin", cifarRecord(3, 0, 0, 0) + "x");
  EXPECT_THAT(refusal(experiment), HasSubstr("data_batch_1.bin holds 3074 bytes"));
  folder.write("data_batch_1.bin", cifarRecord(3, 0, 0, 0) + cifarRecord(10, 0, 0, 0));
  EXPECT_THAT(refusal(experiment), HasSubstr("class 10 in image 1"));
  EXPECT_THAT(refusal(experimentOn(DataSource::Cifar10, {3, 32, 32}, folder.path() + "/none")),
              HasSubstr("not a folder"));
  EXPECT_THAT(refusal(experimentOn(DataSource::Cifar10, {3, 64, 64}, folder.path())), HasSubstr("data.shape"));
}

class ImageFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    for (int i = 0; i < 6; ++i) {
      m_folder.write("red/.keep", "");
      m_folder.write("green/.keep", "");
      writePng(m_folder.path() + "/red/" + std::to_string(i) + ".png", 10, 14, 255, 0, 0);
      writePng(m_folder.path() + "/green/" + std::to_string(i) + ".PNG", 20, 8, 0, 255, 0);
    }
  }
  Experiment experiment() const { return experimentOn(DataSource::Folder, {3, 8, 8}, m_folder.path()); }
  test::TemporaryFolder m_folder;
};

TEST_F(ImageFolder, TakesFoldersAsClassesInTheOrderOfTheirNamesAndAFifthForValidation) {
  const Dataset data = loaded(experiment());
  EXPECT_EQ(data.size(), 10);
  EXPECT_EQ(data.validationSize(), 2);
  EXPECT_TRUE(data.needsWork());
  const Samples all = data.rows(0, 10);
  EXPECT_TRUE(at::equal(all.targets, at::tensor({0, 0, 0, 0, 0, 1, 1, 1, 1, 1}).to(at::kLong)));
  EXPECT_NEAR(all.inputs[0][1][3][3].item<float>(), (1 - 0.456) / 0.224, 1e-4);
  EXPECT_NEAR(all.inputs[0][0][3][3].item<float>(), -0.485 / 0.229, 1e-4);
  EXPECT_NEAR(all.inputs[9][0][7][0].item<float>(), (1 - 0.485) / 0.229, 1e-4);
}

TEST_F(ImageFolder, TakesTrainAndValWhereTheyAre) {
  std::filesystem::create_directories(m_folder.path() + "/split/train");
  std::filesystem::create_directories(m_folder.path() + "/split/val");
  std::filesystem::copy(m_folder.path() + "/red", m_folder.path() + "/split/train/red");
  std::filesystem::copy(m_folder.path() + "/green", m_folder.path() + "/split/val/red");
  const Dataset data = loaded(experimentOn(DataSource::Folder, {3, 8, 8}, m_folder.path() + "/split"));
  EXPECT_EQ(data.size(), 6);
  EXPECT_EQ(data.validationSize(), 6);
}

TEST_F(ImageFolder, WarnsOfClassesInARow) {
  std::vector<std::string> warnings;
  EXPECT_TRUE(Dataset::check(experiment(), classifierFor(experiment()), warnings).ok());
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0], HasSubstr("data.shuffle"));
}

TEST_F(ImageFolder, NamesWhatIsWrong) {
  Experiment one_class = experiment();
  one_class.model.classes = 1;
  EXPECT_THAT(refusal(one_class), HasSubstr("Set model.classes to 2."));
  EXPECT_THAT(refusal(experimentOn(DataSource::Folder, {3, 8, 8}, m_folder.path() + "/red")),
              HasSubstr("holds no folder"));
  m_folder.write("blue/readme.txt", "none");
  EXPECT_THAT(refusal(experiment()), HasSubstr("blue holds no PNG or JPEG"));
}

TEST_F(ImageFolder, NamesTheImagesThatCannotBeReadBeforeAnyoneTrains) {
  for (int i = 0; i < 6; ++i) m_folder.write("red/bad" + std::to_string(i) + ".png", "no image");
  ASSERT_EQ(::mkfifo((m_folder.path() + "/green/pipe.jpg").c_str(), 0600), 0);
  const std::string text =
      "data.path: 7 of 19 images cannot be read (green/pipe.jpg: a named pipe, not a regular file; red/bad0.png: it is "
      "neither PNG nor JPEG; ";
  EXPECT_THAT(refusal(experiment()), HasSubstr(text));
  EXPECT_THAT(refusal(experiment()),
              HasSubstr("bad3.png: it is neither PNG nor JPEG; ...). Remove them, or set data.skip_unreadable"));
  std::vector<std::string> warnings;
  EXPECT_FALSE(Dataset::check(experiment(), classifierFor(experiment()), warnings).ok());
}

TEST_F(ImageFolder, GoesOnWithoutThemIfAsked) {
  m_folder.write("red/0bad.png", "no image");
  Experiment skipping = experiment();
  skipping.data.skip_unreadable = true;
  std::vector<std::string> warnings;
  EXPECT_TRUE(Dataset::check(skipping, classifierFor(skipping), warnings).ok());
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_EQ(warnings[1],
            "data.path: 1 of 13 images cannot be read (red/0bad.png: it is neither PNG nor JPEG). The run continues "
            "without them.");
  EXPECT_EQ(loaded(skipping).size(), 10);
  EXPECT_EQ(Dataset::countRows(skipping).value(), 10);
  m_folder.write("blue/bad.png", "no image");
  EXPECT_THAT(refusal(skipping), HasSubstr("blue holds no image that can be read"));
}

TEST(LargeImages, HaveTheSameValuesAsIfScaledAtOnce) {
  const test::TemporaryFolder folder;
  std::vector<unsigned char> pixels(3 * 2300 * 2000);
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<unsigned char>((i * i / 7) % 251);
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = 2300;
  image.height = 2000;
  image.format = PNG_FORMAT_RGB;
  image.flags = PNG_IMAGE_FLAG_FAST;
  folder.write("a/.keep", "");
  const std::string path = folder.path() + "/a/0.png";
  ASSERT_TRUE(png_image_write_to_file(&image, path.c_str(), 0, pixels.data(), 0, nullptr));
  const at::Tensor row = loaded(experimentOn(DataSource::Folder, {3, 20, 20}, folder.path())).rows(0, 1).inputs[0];
  const at::Tensor whole = readImage(path)->to(at::kFloat).div_(255).unsqueeze(0).contiguous();
  const at::Tensor scaled = at::_upsample_bilinear2d_aa(whole, {20, 23}, false)[0].narrow(2, 1, 20);
  const at::Tensor mean = at::tensor({0.485f, 0.456f, 0.406f}).view({3, 1, 1}),
                   deviation = at::tensor({0.229f, 0.224f, 0.225f}).view({3, 1, 1});
  EXPECT_TRUE(at::equal(row, scaled.sub(mean).div_(deviation)));
}

TEST(Cifar10, OpensOnlyRegularFiles) {
  const test::TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder.path() + "/data_batch_1.bin").c_str(), 0600), 0);
  EXPECT_THAT(refusal(experimentOn(DataSource::Cifar10, {3, 32, 32}, folder.path())),
              HasSubstr("data_batch_1.bin cannot be read: a named pipe, not a regular file"));
}

TEST(ImageFile, NamesFilesThatAreNoImages) {
  const test::TemporaryFolder folder;
  writePng(folder.path() + "/whole.png", 30, 30, 1, 2, 3);
  ASSERT_TRUE(readImage(folder.path() + "/whole.png").ok());
  const std::string bytes = test::contentOf(folder.file("whole.png"));
  for (const std::string& bad : {bytes.substr(0, bytes.size() / 2), std::string("GIF89a..."), std::string(),
                                 std::string("\xff\xd8\xff\xe0 cut off")}) {
    const std::string path = folder.write("bad.png", bad);
    const Result<at::Tensor> image = readImage(path);
    ASSERT_FALSE(image.ok());
    EXPECT_THAT(image.error().message, HasSubstr("bad.png cannot be read"));
  }
}

TEST(TensorFiles, MayHoldAValidationPart) {
  const test::TemporaryFolder folder;
  const std::string path = folder.path() + "/rows.safetensors";
  const auto ids = [](int n) { return at::zeros({n}, at::kLong); };
  ASSERT_TRUE(writeSafetensors(path, {{"inputs", at::ones({6, 10})},
                                      {"targets", ids(6)},
                                      {"validation_inputs", at::zeros({2, 10})},
                                      {"validation_targets", ids(2)}})
                  .ok());
  const Dataset data = loaded(experimentOn(DataSource::File, {10}, path));
  EXPECT_EQ(data.size(), 6);
  EXPECT_EQ(data.validationSize(), 2);
  ASSERT_TRUE(writeSafetensors(path, {{"inputs", at::ones({6, 10})},
                                      {"targets", ids(6)},
                                      {"validation_inputs", at::zeros({2, 9})},
                                      {"validation_targets", ids(2)}})
                  .ok());
  EXPECT_THAT(refusal(experimentOn(DataSource::File, {10}, path)), HasSubstr("validation_inputs are 2x9"));
}

}  // namespace
}  // namespace lanelab
