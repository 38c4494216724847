#include "engine/torch/image_folder.h"

#include <ATen/ops/_upsample_bilinear2d_aa.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/tensor.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "engine/base/text.h"
#include "engine/torch/dataset.h"
#include "engine/torch/image_file.h"

namespace lanelab {

namespace {

namespace fs = std::filesystem;

struct ImageEntry {
  std::string path;
  std::int64_t id = 0;
};

constexpr std::size_t kValidationEvery = 5;

/// Sorted, so that ids and rows are the same on every machine.
std::vector<fs::path> entriesOf(const fs::path& folder, bool folders) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::error_code ignored;
    if (it->path().filename().string().starts_with(".")) continue;
    if (folders ? it->is_directory(ignored) : it->is_regular_file(ignored) && isImageName(it->path().string())) found.push_back(it->path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<std::string> namesOf(const std::vector<fs::path>& folders) {
  std::vector<std::string> names;
  for (const fs::path& folder : folders) names.push_back(folder.filename().string());
  return names;
}

at::Tensor channelValues(float red, float green, float blue) { return at::tensor({red, green, blue}).view({3, 1, 1}); }

class ImageRows final : public RowSource {
 public:
  ImageRows(std::vector<ImageEntry> entries, const Experiment& experiment)
      : m_entries(std::move(entries)),
        m_height(experiment.data.shape[1]),
        m_width(experiment.data.shape[2]),
        m_format(imageFormat(experiment.training)),
        m_mean(channelValues(0.485f, 0.456f, 0.406f)),
        m_deviation(channelValues(0.229f, 0.224f, 0.225f)) {}

  std::int64_t size() const override { return static_cast<std::int64_t>(m_entries.size()); }

  Samples rows(const std::vector<std::int64_t>& numbers) const override {
    const auto count = static_cast<std::int64_t>(numbers.size());
    Samples samples{at::empty({count, 3, m_height, m_width}, at::TensorOptions().dtype(at::kFloat).memory_format(m_format)),
                    at::empty({count}, at::TensorOptions().dtype(at::kLong))};
    for (std::int64_t i = 0; i < count; ++i) {
      const ImageEntry& entry = m_entries[static_cast<std::size_t>(numbers[static_cast<std::size_t>(i)])];
      samples.inputs.select(0, i).copy_(normalised(entry.path));
      samples.targets.mutable_data_ptr<std::int64_t>()[i] = entry.id;
    }
    return samples;
  }

 private:
  at::Tensor normalised(const std::string& path) const {
    const Result<at::Tensor> image = readImage(path);
    if (!image.ok()) throw std::runtime_error(image.error().message);
    return cut(image->to(at::kFloat).div_(255)).sub(m_mean).div_(m_deviation);
  }

  /// Scaled so that it covers the wanted size, then cut to it around the middle.
  at::Tensor cut(const at::Tensor& image) const {
    const double height = static_cast<double>(image.size(1)), width = static_cast<double>(image.size(2));
    const double scale = std::max(static_cast<double>(m_height) / height, static_cast<double>(m_width) / width);
    const auto rounded = [scale](double side) { return static_cast<std::int64_t>(std::llround(side * scale)); };
    const std::int64_t high = std::max(m_height, rounded(height)), wide = std::max(m_width, rounded(width));
    const at::Tensor scaled = at::_upsample_bilinear2d_aa(image.unsqueeze(0).contiguous(), {high, wide}, /*align_corners=*/false).squeeze(0);
    return scaled.narrow(1, (high - m_height) / 2, m_height).narrow(2, (wide - m_width) / 2, m_width);
  }

  std::vector<ImageEntry> m_entries;
  std::int64_t m_height, m_width;
  at::MemoryFormat m_format;
  at::Tensor m_mean, m_deviation;
};

Error badFolder(const std::string& sentence) { return Error::badInput("data.path: " + sentence); }

Result<std::vector<fs::path>> classesOf(const fs::path& folder, const Experiment& experiment) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) return badFolder(folder.string() + " is no folder. Name one that holds a folder of images for each class.");
  std::vector<fs::path> classes = entriesOf(folder, true);
  if (classes.empty()) return badFolder(folder.string() + " holds no folder. Put the images of each class into a folder of their own in it.");
  if (static_cast<std::int64_t>(classes.size()) > experiment.model.classes) {
    return Error::badInput("model.classes: " + folder.string() + " holds " + std::to_string(classes.size()) + " classes, and the model has " +
                           std::to_string(experiment.model.classes) + ". Set it to " + std::to_string(classes.size()) + ".");
  }
  for (const fs::path& one : classes) {
    if (entriesOf(one, false).empty()) return badFolder(one.string() + " holds no PNG or JPEG file. Add some, or take the folder out.");
  }
  return classes;
}

/// Every fifth of a class, from its fifth on, is for validation.
DataParts dividedParts(const std::vector<fs::path>& classes, const Experiment& experiment) {
  std::vector<ImageEntry> training, validation;
  for (std::size_t id = 0; id < classes.size(); ++id) {
    const std::vector<fs::path> images = entriesOf(classes[id], false);
    for (std::size_t i = 0; i < images.size(); ++i) {
      (i % kValidationEvery == kValidationEvery - 1 ? validation : training).push_back({images[i].string(), static_cast<std::int64_t>(id)});
    }
  }
  DataParts parts{std::make_shared<ImageRows>(std::move(training), experiment), nullptr};
  if (!validation.empty()) parts.validation = std::make_shared<ImageRows>(std::move(validation), experiment);
  return parts;
}

std::shared_ptr<const RowSource> wholePart(const std::vector<fs::path>& classes, const Experiment& experiment) {
  std::vector<ImageEntry> entries;
  for (std::size_t id = 0; id < classes.size(); ++id) {
    for (const fs::path& image : entriesOf(classes[id], false)) entries.push_back({image.string(), static_cast<std::int64_t>(id)});
  }
  return std::make_shared<ImageRows>(std::move(entries), experiment);
}

}  // namespace

Result<DataParts> openImageFolder(const Experiment& experiment) {
  const Shape& shape = experiment.data.shape;
  if (shape.size() != 3 || shape[0] != 3) {
    return Error::badInput("data.shape: images from a folder have 3 channels, so it must be 3 x height x width, not [" + formatShape(shape) + "].");
  }
  const fs::path folder = experiment.data.path;
  std::error_code error;
  const bool divided = fs::is_directory(folder / "train", error) && fs::is_directory(folder / "val", error);
  const Result<std::vector<fs::path>> classes = classesOf(divided ? folder / "train" : folder, experiment);
  if (!classes.ok()) return classes.error();
  if (!divided) return dividedParts(*classes, experiment);
  const Result<std::vector<fs::path>> validation = classesOf(folder / "val", experiment);
  if (!validation.ok()) return validation.error();
  if (namesOf(*validation) != namesOf(*classes)) {
    return badFolder((folder / "train").string() + " and " + (folder / "val").string() + " do not hold the same classes. Name their folders alike.");
  }
  return DataParts{wholePart(*classes, experiment), wholePart(*validation, experiment)};
}

}  // namespace lanelab
