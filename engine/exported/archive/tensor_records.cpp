// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/archive/tensor_records.h"

#include <set>

#include "base/text.h"
#include "engine/exported/archive/program_json.h"
#include "engine/files/clipped_name.h"

namespace lanelab {
namespace {

constexpr std::int64_t kLargestTensorSide = std::int64_t{1} << 48;
constexpr std::size_t kMostTensorSides = 64;
constexpr std::int64_t kStridedLayout = 7;
/// A record may hold several views, which become tensors of their own.
constexpr std::uint64_t kMostTensorCopies = 4;
__extension__ using WideBytes = __int128;

std::int64_t sideOf(JsonElement element) {
  const auto [tag, value] = choiceOf(element);
  if (tag != "as_int") throw UnreadProgram{"it has a size that is not an integer"};
  return integerWithin(value, 0, kLargestTensorSide);
}

/// Bytes from the record's begin to the end of the last element, and those of all elements.
struct TensorExtent {
  WideBytes reach = 0, bytes = 0;
};

TensorExtent extentOf(const ExportedTensor& tensor) {
  constexpr WideBytes kFar = WideBytes{1} << 96;
  WideBytes last = tensor.offset, elements = 1;
  for (std::size_t i = 0; i < tensor.sizes.size(); ++i) {
    last += WideBytes{tensor.sizes[i] - 1} * tensor.strides[i];
    elements = elements > kFar ? elements : elements * tensor.sizes[i];
    if (tensor.sizes[i] == 0) return {};
  }
  return {(last + 1) * bytesOf(tensor.type), elements * bytesOf(tensor.type)};
}

ExportedTensor tensorOf(JsonElement meta, const std::string& record_name) {
  ExportedTensor tensor;
  tensor.record = record_name;
  const std::int64_t number = integerOf(fieldOf(meta, "dtype"));
  const auto kind = scalarKindOfSchema(number);
  if (!kind) throw UnreadProgram{"its type of numbers " + std::to_string(number) + " is not known"};
  tensor.type = *kind;
  if (integerOf(fieldOf(meta, "layout")) != kStridedLayout) throw UnreadProgram{"it is sparse, which is not supported"};
  tensor.sizes = listWith<std::int64_t>(fieldOf(meta, "sizes"), sideOf);
  tensor.strides = listWith<std::int64_t>(fieldOf(meta, "strides"), sideOf);
  tensor.offset = sideOf(fieldOf(meta, "storage_offset"));
  if (tensor.sizes.size() != tensor.strides.size() || tensor.sizes.size() > kMostTensorSides)
    throw UnreadProgram{"its sizes and strides do not match"};
  return tensor;
}

void checkExtent(const ExportedTensor& tensor, const ZipRecord& record) {
  const TensorExtent extent = extentOf(tensor);
  const WideBytes there{record.bytes};
  if (extent.bytes > 0 && record.bytes == 0)
    throw UnreadProgram{"its record is empty: the network was exported without values of its weights",
                        "Export it outside of FakeTensorMode."};
  if (extent.reach > there || extent.bytes > there)
    throw UnreadProgram{"it is not within the " + formatBytes(static_cast<std::int64_t>(record.bytes)) +
                        " of its record " + clippedName(tensor.record)};
}

class RecordReader {
 public:
  RecordReader(const ZipArchive& archive, WeightRecipe& recipe, TensorRecords& records)
      : m_archive(archive), m_recipe(recipe), m_records(records) {}

  void readGroup(const std::string& group, const std::string& config) {
    const std::string folder = m_archive.folder() + "data/" + group + "/";
    const ProgramJson json(m_archive, folder + config);
    for (const auto& [name, entry] : objectOf(fieldOf(json.root(), "config"))) {
      const std::string key(name);
      const auto place = m_records.try_emplace(key);
      if (!place.second) throw UnreadProgram{"its tensor " + clippedName(key) + " is there twice"};
      const JsonElement element = entry;
      within([&] { return "its tensor " + clippedName(key); }, [&] { read(element, folder, place.first->second); });
    }
  }

  void checkTotal() const {
    std::uint64_t records = 0;
    for (const ZipRecord* record : m_used) records += record->bytes;
    WideBytes tensors = 0;
    for (const ExportedTensor& tensor : m_views) tensors += extentOf(tensor).bytes;
    if (tensors > WideBytes{kMostTensorCopies} * records)
      throw UnreadProgram{"its tensors share records, and copies of them would be far larger than the file"};
  }

 private:
  void read(JsonElement entry, const std::string& folder, TensorRecord& to) {
    const std::string record_name = folder + std::string(textOf(fieldOf(entry, "path_name")));
    const auto meta = optionalField(entry, "tensor_meta");
    if (!meta || flagOf(fieldOf(entry, "use_pickle"))) {
      to.problem = "is pickled, and pickles are not read since they can run code";
      return;
    }
    if (const auto requires_grad = optionalField(*meta, "requires_grad")) to.requires_grad = flagOf(*requires_grad);
    if (m_recipe.has(record_name)) {
      to.tensor = tensorOf(*meta, record_name);
      m_recipe.addTensor(to.tensor);
      return;
    }
    const ZipRecord* const record = m_archive.find(record_name);
    if (!record) throw UnreadProgram{"its record " + clippedName(record_name) + " is missing"};
    to.tensor = tensorOf(*meta, record_name);
    checkExtent(to.tensor, *record);
    m_used.insert(record);
    m_views.insert(to.tensor);
  }

  const ZipArchive& m_archive;
  WeightRecipe& m_recipe;
  TensorRecords& m_records;
  std::set<const ZipRecord*> m_used;
  std::set<ExportedTensor> m_views;  ///< tied tensors are one
};

}  // namespace

TensorRecords readTensorRecords(const ZipArchive& archive, WeightRecipe& recipe, const std::string& model) {
  TensorRecords records;
  RecordReader reader(archive, recipe, records);
  reader.readGroup("weights", model + "_weights_config.json");
  reader.readGroup("constants", model + "_constants_config.json");
  reader.checkTotal();
  return records;
}

}  // namespace lanelab
