// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/data/data_sources.h"

#include <ATen/ops/_upsample_bilinear2d_aa.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/tensor.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <string>

#include "base/stop_point.h"
#include "base/text.h"
#include "engine/experiment/training_targets.h"
#include "engine/files/image_check.h"
#include "engine/files/image_pixels.h"
#include "engine/torch/data/dataset.h"

namespace lanelab {

namespace {

namespace fs = std::filesystem;

struct ImageEntry {
  std::string path;
  std::int64_t id = 0;
};

constexpr std::size_t kValidationEvery = 5;
constexpr std::size_t kMostNamed = 5;  ///< of the images that cannot be read
constexpr std::int64_t kPixelsAtOnce = std::int64_t{4} << 20;

/// Sorted, so that ids and rows are the same on every machine.
std::vector<fs::path> entriesOf(const fs::path& folder, bool folders) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::error_code ignored;
    if (it->path().filename().string().starts_with(".")) continue;
    // What has an image's name and is none, such as a named pipe, is for the check of the images to report.
    if (it->is_directory(ignored) == folders && (folders || isImageName(it->path().string())))
      found.push_back(it->path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

struct ImageClass {
  fs::path folder;
  std::vector<fs::path> images;
};
using ImageClasses = std::vector<ImageClass>;

at::Tensor resized(const at::Tensor& image, std::int64_t high, std::int64_t wide) {
  return at::_upsample_bilinear2d_aa(image.unsqueeze(0).contiguous(), {high, wide}, /*align_corners=*/false).squeeze(0);
}

/// Values from 0 to 1 at another size. A large image's rows are narrowed some at a time, so that it is never in memory
/// as floats, which take four times as much; PyTorch scales rows before columns, too, so the values are the same.
at::Tensor scaledImage(const at::Tensor& bytes, std::int64_t high, std::int64_t wide) {
  const std::int64_t height = bytes.size(1), width = bytes.size(2);
  const auto floats = [&](std::int64_t from, std::int64_t rows) {
    return bytes.narrow(1, from, rows).to(at::kFloat).div_(255);
  };
  if (height * width <= kPixelsAtOnce) return resized(floats(0, height), high, wide);
  const std::int64_t band = std::max<std::int64_t>(1, kPixelsAtOnce / width);
  at::Tensor narrow = at::empty({3, height, wide}, at::TensorOptions().dtype(at::kFloat));
  for (std::int64_t from = 0; from < height; from += band) {
    const std::int64_t rows = std::min(band, height - from);
    narrow.narrow(1, from, rows).copy_(resized(floats(from, rows), rows, wide));
  }
  return resized(narrow, high, wide);
}

at::Tensor channelValues(float red, float green, float blue) { return at::tensor({red, green, blue}).view({3, 1, 1}); }

Error unreadableImage(const std::string& path, const std::string& why) {
  return Error::badInput("{} cannot be read: {}. Take the image out of the folder, or save it again as PNG or JPEG.",
                         path, why);
}

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
    Samples samples{
        at::empty({count, 3, m_height, m_width}, at::TensorOptions().dtype(at::kFloat).memory_format(m_format)),
        at::empty({count}, at::TensorOptions().dtype(at::kLong))};
    for (std::int64_t i = 0; i < count; ++i) {
      stopPoint();
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
    return cut(*image).sub(m_mean).div_(m_deviation);
  }

  /// Scaled so that it covers the wanted size, then cut to it around the middle.
  at::Tensor cut(const at::Tensor& image) const {
    const double height = static_cast<double>(image.size(1)), width = static_cast<double>(image.size(2));
    const double scale = std::max(static_cast<double>(m_height) / height, static_cast<double>(m_width) / width);
    const auto rounded = [scale](double side) { return static_cast<std::int64_t>(std::llround(side * scale)); };
    const std::int64_t high = std::max(m_height, rounded(height)), wide = std::max(m_width, rounded(width));
    return scaledImage(image, high, wide)
        .narrow(1, (high - m_height) / 2, m_height)
        .narrow(2, (wide - m_width) / 2, m_width);
  }

  std::vector<ImageEntry> m_entries;
  std::int64_t m_height, m_width;
  at::MemoryFormat m_format;
  at::Tensor m_mean, m_deviation;
};

Error badFolder(const std::string& sentence) { return Error::badInput("data.path: {}", sentence); }

Result<ImageClasses> classesOf(const fs::path& folder, const Experiment& experiment) {
  std::error_code error;
  if (!fs::is_directory(folder, error))
    return badFolder(folder.string() + " is not a folder. Name one with a folder of images for each class.");
  ImageClasses classes;
  for (fs::path& one : entriesOf(folder, true)) classes.push_back({std::move(one), {}});
  if (classes.empty())
    return badFolder(folder.string() +
                     " holds no folder. Put the images of each class into a folder of their own in it.");
  if (static_cast<std::int64_t>(classes.size()) > experiment.model.classes) {
    return Error::badInput("model.classes: {} holds {} classes, and the model has {}. {}.", folder.string(),
                           classes.size(), experiment.model.classes,
                           classesAdvice(experiment.model, static_cast<std::int64_t>(classes.size())));
  }
  for (ImageClass& one : classes) {
    one.images = entriesOf(one.folder, false);
    if (one.images.empty())
      return badFolder(one.folder.string() + " holds no PNG or JPEG file. Add some, or take the folder out.");
  }
  return classes;
}

/// What data.path holds, before any file is looked into.
struct Listing {
  ImageClasses training;
  ImageClasses validation;  ///< empty: every fifth image of a class to train on
};

Result<Listing> listed(const Experiment& experiment) {
  const Shape& shape = experiment.data.shape;
  if (shape.size() != 3 || shape[0] != 3) {
    return Error::badInput(
        "data.shape: images from a folder have 3 channels, so it must be 3 x height x width, not [{}].",
        formatShape(shape));
  }
  const fs::path folder = experiment.data.path;
  std::error_code error;
  const bool divided = fs::is_directory(folder / "train", error) && fs::is_directory(folder / "val", error);
  Result<ImageClasses> training = classesOf(divided ? folder / "train" : folder, experiment);
  if (!training.ok()) return training.error();
  if (!divided) return Listing{std::move(*training), {}};
  Result<ImageClasses> validation = classesOf(folder / "val", experiment);
  if (!validation.ok()) return validation.error();
  const auto name = [](const ImageClass& one) { return one.folder.filename(); };
  if (!std::ranges::equal(*validation, *training, {}, name, name)) {
    return badFolder((folder / "train").string() + " and " + (folder / "val").string() +
                     " do not hold the same classes. Name their folders alike.");
  }
  return Listing{std::move(*training), std::move(*validation)};
}

/// "3 of 1,200 images cannot be read (a/1.png: it is neither PNG nor JPEG; ...)".
std::string unreadableText(const std::vector<std::string>& paths, const std::vector<UnreadableImage>& unreadable,
                           const fs::path& folder) {
  std::string text = groupedDigits(static_cast<std::int64_t>(unreadable.size())) + " of " +
                     groupedDigits(static_cast<std::int64_t>(paths.size())) +
                     (paths.size() == 1 ? " image" : " images") + " cannot be read (";
  for (std::size_t i = 0; i < std::min(unreadable.size(), kMostNamed); ++i) {
    const std::string name = fs::path(paths[unreadable[i].index]).lexically_relative(folder).string();
    text += (i ? "; " : "") + name + ": " + unreadable[i].reason;
  }
  return text + (unreadable.size() > kMostNamed ? "; ...)" : ")");
}

Status removeImages(Listing& listing, const std::set<fs::path>& images) {
  for (ImageClasses* part : {&listing.training, &listing.validation}) {
    for (ImageClass& one : *part) {
      std::erase_if(one.images, [&](const fs::path& image) { return images.contains(image); });
      if (one.images.empty())
        return badFolder(one.folder.string() + " holds no image that can be read. Add some, or take the folder out.");
    }
  }
  return {};
}

std::vector<std::string> pathsOf(const Listing& listing) {
  std::vector<std::string> paths;
  for (const ImageClasses* part : {&listing.training, &listing.validation}) {
    for (const ImageClass& one : *part)
      for (const fs::path& image : one.images) paths.push_back(image.string());
  }
  return paths;
}

/// Only readable images are left in the listing.
Status checkImages(Listing& listing, const Experiment& experiment, std::vector<std::string>& warnings) {
  const std::vector<std::string> paths = pathsOf(listing);
  const std::vector<UnreadableImage> unreadable = findUnreadableImages(paths);
  if (unreadable.empty()) return {};
  const std::string text = unreadableText(paths, unreadable, experiment.data.path);
  if (!experiment.data.skip_unreadable)
    return badFolder(text + ". Remove them, or set data.skip_unreadable to true to skip them.");
  warnings.push_back("data.path: " + text + ". The run continues without them.");
  std::set<fs::path> out;
  for (const UnreadableImage& image : unreadable) out.insert(paths[image.index]);
  return removeImages(listing, out);
}

bool validates(const Listing& listing, std::size_t place) {
  return listing.validation.empty() && place % kValidationEvery == kValidationEvery - 1;
}

}  // namespace

Result<at::Tensor> readImage(const std::string& path) {
  const Result<std::string> bytes = imageBytes(path);
  if (!bytes.ok()) return unreadableImage(path, bytes.error().message);
  const Result<Pixels> image = decodeImage(*bytes);
  if (!image.ok()) return unreadableImage(path, image.error().message);
  const auto release = [held = image->bytes](void*) {};
  return at::from_blob(image->bytes.get(), {image->height, image->width, 3}, release,
                       at::TensorOptions().dtype(at::kByte))
      .permute({2, 0, 1});
}

Result<DataParts> openImageFolder(const Experiment& experiment, std::vector<std::string>& warnings) {
  Result<Listing> listing = listed(experiment);
  if (!listing.ok()) return listing.error();
  if (const Status checked = checkImages(*listing, experiment, warnings); !checked.ok()) return checked.error();
  std::vector<ImageEntry> training, validation;
  for (std::size_t id = 0; id < listing->training.size(); ++id) {
    const std::vector<fs::path>& images = listing->training[id].images;
    for (std::size_t i = 0; i < images.size(); ++i)
      (validates(*listing, i) ? validation : training).push_back({images[i].string(), static_cast<std::int64_t>(id)});
  }
  for (std::size_t id = 0; id < listing->validation.size(); ++id)
    for (const fs::path& image : listing->validation[id].images)
      validation.push_back({image.string(), static_cast<std::int64_t>(id)});
  DataParts parts{std::make_shared<ImageRows>(std::move(training), experiment), nullptr};
  if (!validation.empty()) parts.validation = std::make_shared<ImageRows>(std::move(validation), experiment);
  return parts;
}

Result<std::int64_t> countImageFolder(const Experiment& experiment) {
  Result<Listing> listing = listed(experiment);
  if (!listing.ok()) return listing.error();
  std::vector<std::string> warnings;
  const Status checked = experiment.data.skip_unreadable ? checkImages(*listing, experiment, warnings) : Status();
  if (!checked.ok()) return checked.error();
  std::int64_t images = 0;
  for (const ImageClass& one : listing->training)
    for (std::size_t i = 0; i < one.images.size(); ++i) images += validates(*listing, i) ? 0 : 1;
  return images;
}

}  // namespace lanelab
