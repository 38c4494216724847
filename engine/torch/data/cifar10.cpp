// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/data/data_sources.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/tensor.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>

#include "base/text.h"
#include "engine/experiment/training_targets.h"
#include "engine/files/readable_bytes.h"
#include "engine/torch/data/dataset.h"

namespace lanelab {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kPixels = 3 * 32 * 32, kRecord = 1 + kPixels, kRecordsAFile = 10000;
constexpr int kClasses = 10;

struct BinaryFile {
  std::string path;
  std::int64_t records = 0;
};

struct Files {
  std::vector<BinaryFile> training, validation;
};

Error badFile(const std::string& path, const std::string& why) {
  return Error::badInput("data.path: {} {}. Get the binary version of CIFAR-10 (cifar-10-binary.tar.gz) again.", path,
                         why);
}

Result<BinaryFile> measured(const fs::path& path) {
  const Result<ReadableBytes> file = openBytes(path.string());
  if (!file.ok()) return badFile(path.string(), "cannot be read: " + file.error().message);
  const auto bytes = static_cast<std::int64_t>(file->size);
  if (bytes == 0 || bytes % kRecord != 0) {
    return badFile(path.string(), "holds " + std::to_string(bytes) +
                                      " bytes, which is not a whole number of images of " + std::to_string(kRecord) +
                                      " bytes");
  }
  return BinaryFile{path.string(), bytes / kRecord};
}

Result<Files> cifarFiles(const std::string& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    return Error::badInput("data.path: {} is not a folder. Name the folder with CIFAR-10's data_batch_1.bin.", folder);
  }
  std::vector<fs::path> batches;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (name.starts_with("data_batch_") && name.ends_with(".bin")) batches.push_back(it->path());
  }
  if (batches.empty())
    return Error::badInput(
        "data.path: {} holds no data_batch_*.bin. Name the folder that holds CIFAR-10's binary files.", folder);
  std::sort(batches.begin(), batches.end());
  Files files;
  for (const fs::path& batch : batches) {
    Result<BinaryFile> file = measured(batch);
    if (!file.ok()) return file.error();
    files.training.push_back(std::move(*file));
  }
  const fs::path test = fs::path(folder) / "test_batch.bin";
  if (fs::exists(test, error)) {
    Result<BinaryFile> file = measured(test);
    if (!file.ok()) return file.error();
    files.validation.push_back(std::move(*file));
  }
  return files;
}

std::int64_t recordsOf(const std::vector<BinaryFile>& files) {
  std::int64_t records = 0;
  for (const BinaryFile& file : files) records += file.records;
  return records;
}

/// [records, 3073] bytes.
Result<at::Tensor> readRecords(const std::vector<BinaryFile>& files) {
  at::Tensor bytes = at::empty({recordsOf(files), kRecord}, at::TensorOptions().dtype(at::kByte));
  auto* to = bytes.mutable_data_ptr<std::uint8_t>();
  for (const BinaryFile& file : files) {
    const Result<ReadableBytes> source = openBytes(file.path);
    if (!source.ok() || !source->read(0, to, static_cast<std::uint64_t>(file.records * kRecord)))
      return badFile(file.path, "cannot be read");
    for (std::int64_t record = 0; record < file.records; ++record) {
      if (to[record * kRecord] >= kClasses) {
        return badFile(file.path, "has class " + std::to_string(to[record * kRecord]) + " in image " +
                                      std::to_string(record) + ", and there are 0 to 9 only");
      }
    }
    to += file.records * kRecord;
  }
  return bytes;
}

class Cifar10Rows final : public RowSource {
 public:
  Cifar10Rows(at::Tensor records, at::MemoryFormat format)
      : m_records(std::move(records)),
        m_format(format),
        m_mean(at::tensor({0.4914f, 0.4822f, 0.4465f}).view({1, 3, 1, 1})),
        m_deviation(at::tensor({0.2470f, 0.2435f, 0.2616f}).view({1, 3, 1, 1})) {}

  std::int64_t size() const override { return m_records.size(0); }

  Samples rows(const std::vector<std::int64_t>& numbers) const override {
    const at::Tensor some = at::index_select(m_records, 0, at::tensor(numbers, at::TensorOptions().dtype(at::kLong)));
    const at::Tensor pixels = some.narrow(1, 1, kPixels).to(at::kFloat).div_(255).view({some.size(0), 3, 32, 32});
    return {pixels.sub(m_mean).div_(m_deviation).contiguous(m_format), some.select(1, 0).to(at::kLong)};
  }

 private:
  at::Tensor m_records;
  at::MemoryFormat m_format;
  at::Tensor m_mean, m_deviation;
};

}  // namespace

Status checkCifar10(const Experiment& experiment, std::vector<std::string>& warnings) {
  if (experiment.data.shape != Shape{3, 32, 32}) {
    return Error::badInput("data.shape: CIFAR-10's images are [3, 32, 32], not [{}]. {}.",
                           formatShape(experiment.data.shape), shapeAdvice(experiment.model, {3, 32, 32}));
  }
  if (experiment.model.classes < kClasses) {
    return Error::badInput("model.classes: CIFAR-10 has 10 classes, and the model has {}. {}.",
                           experiment.model.classes, classesAdvice(experiment.model, kClasses));
  }
  const Result<Files> files = cifarFiles(experiment.data.path);
  if (!files.ok()) return files.error();
  for (const auto* part : {&files->training, &files->validation}) {
    for (const BinaryFile& file : *part) {
      if (file.records != kRecordsAFile)
        warnings.push_back(file.path + " holds " + std::to_string(file.records) +
                           " images; CIFAR-10's own files hold 10000 each.");
    }
  }
  return {};
}

Result<std::int64_t> countCifar10(const Experiment& experiment) {
  const Result<Files> files = cifarFiles(experiment.data.path);
  return files.ok() ? Result<std::int64_t>(recordsOf(files->training)) : Result<std::int64_t>(files.error());
}

Result<DataParts> openCifar10(const Experiment& experiment) {
  std::vector<std::string> warnings;
  if (const Status fits = checkCifar10(experiment, warnings); !fits.ok()) return fits.error();
  const Result<Files> files = cifarFiles(experiment.data.path);
  if (!files.ok()) return files.error();
  DataParts parts;
  for (auto [part, some] :
       {std::pair{&parts.training, &files->training}, std::pair{&parts.validation, &files->validation}}) {
    if (some->empty()) continue;
    Result<at::Tensor> records = readRecords(*some);
    if (!records.ok()) return records.error();
    *part = std::make_shared<Cifar10Rows>(std::move(*records), imageFormat(experiment.training));
  }
  return parts;
}

}  // namespace lanelab
