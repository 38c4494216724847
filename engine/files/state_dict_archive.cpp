// SPDX-License-Identifier: GPL-3.0-only
#include "engine/files/state_dict_archive.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "engine/files/clipped_name.h"
#include "engine/files/pickle_reader.h"
#include "engine/files/safetensors_header.h"

namespace lanelab {

namespace {

using Kind = PickleNode::Kind;
using Tensors = std::map<std::string, StoredTensor>;

constexpr std::uint64_t kLargestPickle = std::uint64_t{64} << 20;
constexpr std::size_t kMostSides = 16;
constexpr std::int64_t kLargestSide = std::int64_t{1} << 40;
constexpr int kDeepestParameter = 4;
constexpr std::uint64_t kMostCopies = 4;  ///< tensors that are not contiguous, in sizes of all storages together

struct UnsoundDict {
  std::string why;
};

const PickleNode& require(const PickleNode* node, Kind kind, const char* what) {
  if (!node || node->kind != kind) throw UnsoundDict{std::string("its pickle has no ") + what + " where one belongs"};
  return *node;
}

const PickleNode& item(const PickleNode& list, std::size_t i, Kind kind, const char* what) {
  return require(i < list.items.size() ? list.items[i] : nullptr, kind, what);
}

std::string storageType(const std::string& global) {
  static const std::map<std::string_view, const char*> types = {
      {"torch FloatStorage", "F32"},     {"torch DoubleStorage", "F64"}, {"torch HalfStorage", "F16"},
      {"torch BFloat16Storage", "BF16"}, {"torch LongStorage", "I64"},   {"torch IntStorage", "I32"},
      {"torch ShortStorage", "I16"},     {"torch CharStorage", "I8"},    {"torch ByteStorage", "U8"},
      {"torch BoolStorage", "BOOL"}};
  const auto found = types.find(global);
  if (found == types.end()) throw UnsoundDict{"it holds a storage of the unknown type " + clippedName(global)};
  return found->second;
}

/// Is it a call of OrderedDict, or a plain dictionary?
bool isDictionary(const PickleNode& node) {
  return node.kind == Kind::Dict || (node.kind == Kind::Call && node.items[0]->text == "collections OrderedDict");
}

/// The state dict itself, or the entry of a checkpoint that holds it.
const PickleNode& dictionaryOf(const PickleNode& root) {
  if (!isDictionary(root)) throw UnsoundDict{"it holds no dictionary of tensors"};
  for (const char* const name : {"state_dict", "model_state_dict", "model"}) {
    for (const auto& [key, value] : root.entries) {
      if (key->kind == Kind::Text && key->text == name && isDictionary(*value)) return *value;
    }
  }
  return root;
}

std::vector<std::int64_t> integers(const PickleNode& list) {
  std::vector<std::int64_t> values;
  if (list.items.size() > kMostSides) throw UnsoundDict{"it holds a tensor of too many dimensions"};
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const std::int64_t value = item(list, i, Kind::Int, "integer").integer;
    if (value < 0 || value > kLargestSide) throw UnsoundDict{"it holds a tensor of an impossible shape"};
    values.push_back(value);
  }
  return values;
}

/// Elements of the shape, at most `limit`; nothing if they are more.
std::optional<std::int64_t> elementsWithin(const std::vector<std::int64_t>& shape, std::int64_t limit) {
  if (std::ranges::find(shape, 0) != shape.end()) return 0;
  std::int64_t count = 1;
  for (const std::int64_t n : shape) {
    if (n > limit / count) return std::nullopt;
    count *= n;
  }
  return count <= limit ? std::optional(count) : std::nullopt;
}

/// Does the last element lie in the storage?
bool staysInside(const StoredTensor& tensor) {
  double last = static_cast<double>(tensor.offset) + 1;
  for (std::size_t i = 0; i < tensor.shape.size(); ++i)
    last += static_cast<double>(tensor.shape[i] - 1) * static_cast<double>(tensor.strides[i]);
  return last <= static_cast<double>(tensor.storage_elements);
}

/// In the order of rows, without gaps; sides of 1 may have any stride.
bool isContiguous(const StoredTensor& tensor) {
  std::int64_t stride = 1;
  for (std::size_t i = tensor.shape.size(); i-- > 0; stride *= tensor.shape[i])
    if (tensor.shape[i] != 1 && tensor.strides[i] != stride) return false;
  return true;
}

class StateDict {
 public:
  explicit StateDict(const ZipArchive& archive) : m_archive(archive) {}

  Tensors read(const PickleNode& root) {
    Tensors tensors;
    for (const auto& [key, value] : dictionaryOf(root).entries) {
      const std::string& name = require(key, Kind::Text, "name").text;
      if (auto tensor = tensorOf(*value)) tensors[name] = std::move(*tensor);
    }
    if (m_copied_bytes > kMostCopies * m_storage_bytes)
      throw UnsoundDict{"its tensors share storages, and copies of them would be far larger than the file"};
    return tensors;
  }

  std::uint64_t bytes() const { return m_storage_bytes + m_copied_bytes; }

 private:
  std::optional<StoredTensor> tensorOf(const PickleNode& node) {
    const PickleNode* call = &node;
    for (int depth = 0; call->kind == Kind::Call; ++depth) {
      const std::string& function = call->items[0]->text;
      if (depth > kDeepestParameter)
        throw UnsoundDict{"it holds parameters within parameters, nested deeper than " +
                          std::to_string(kDeepestParameter) + " levels"};
      if (function == "torch._utils _rebuild_tensor_v2") return rebuilt(item(*call, 1, Kind::List, "argument"));
      if (function != "torch._utils _rebuild_parameter") break;
      call = &item(item(*call, 1, Kind::List, "argument"), 0, Kind::Call, "tensor");
    }
    return std::nullopt;
  }

  StoredTensor rebuilt(const PickleNode& arguments) {
    StoredTensor tensor = storageOf(item(arguments, 0, Kind::Persistent, "storage"));
    tensor.offset = item(arguments, 1, Kind::Int, "offset").integer;
    tensor.shape = integers(item(arguments, 2, Kind::List, "shape"));
    tensor.strides = integers(item(arguments, 3, Kind::List, "strides"));
    if (tensor.offset < 0 || tensor.shape.size() != tensor.strides.size())
      throw UnsoundDict{"it holds a tensor of an impossible shape"};
    const auto elements = elementsWithin(tensor.shape, tensor.storage_elements);
    if (!elements) throw UnsoundDict{"it holds a tensor that has more elements than its storage"};
    if (*elements > 0 && !staysInside(tensor)) throw UnsoundDict{"it holds a tensor that reaches beyond its storage"};
    if (*elements > 0 && !isContiguous(tensor))
      m_copied_bytes += static_cast<std::uint64_t>(*elements) * elementBytes(tensor.dtype);
    return tensor;
  }

  StoredTensor storageOf(const PickleNode& persistent) {
    const PickleNode& id = item(persistent, 0, Kind::List, "storage");
    StoredTensor tensor;
    tensor.dtype = storageType(item(id, 1, Kind::Global, "storage type").text);
    const std::string& key = item(id, 2, Kind::Text, "storage key").text;
    tensor.record = m_archive.folder() + "data/" + key;
    const ZipRecord* const record = m_archive.find(tensor.record);
    if (!record) throw UnsoundDict{"its storage " + clippedName(key) + " is missing"};
    const auto [known, added] = m_types.emplace(record, tensor.dtype);
    if (known->second != tensor.dtype) throw UnsoundDict{"its storage " + clippedName(key) + " has two types"};
    if (added) m_storage_bytes += record->bytes;
    tensor.storage_elements = static_cast<std::int64_t>(record->bytes / elementBytes(tensor.dtype));
    return tensor;
  }

  const ZipArchive& m_archive;
  std::map<const ZipRecord*, std::string> m_types;
  std::uint64_t m_storage_bytes = 0, m_copied_bytes = 0;
};

/// Takes "module." off if every name has it.
Tensors withoutModulePrefix(Tensors tensors) {
  constexpr std::string_view kPrefix = "module.";
  const bool all = std::ranges::all_of(tensors, [&](const auto& named) { return named.first.starts_with(kPrefix); });
  if (!all) return tensors;
  Tensors bare;
  for (auto& [name, tensor] : tensors) bare[name.substr(kPrefix.size())] = std::move(tensor);
  return bare;
}

std::string recordText(const ZipArchive& archive, const ZipRecord& record) {
  Result<std::string> text = archive.text(record, kLargestPickle);
  if (!text.ok()) throw UnsoundDict{"its pickle cannot be read: " + text.error().message};
  return std::move(text).value();
}

StateDictArchive opened(ZipArchive archive) {
  const ZipRecord* const pickle = archive.find(archive.folder() + "data.pkl");
  if (!pickle) throw UnsoundDict{"it holds no data.pkl; TorchScript programs and other archives are not state dicts"};
  const ZipRecord* const order = archive.find(archive.folder() + "byteorder");
  if (order && recordText(archive, *order) != "little") throw UnsoundDict{"it is big-endian"};
  const Result<PickleTree> tree = readPickle(recordText(archive, *pickle));
  if (!tree.ok()) throw UnsoundDict{"its pickle is not sound: " + tree.error().message};
  StateDict dict(archive);
  Tensors tensors = withoutModulePrefix(dict.read(*tree->root));
  return {std::move(archive), std::move(tensors), dict.bytes()};
}

}  // namespace

Result<StateDictArchive> openStateDict(ReadableBytes source) {
  Result<ZipArchive> archive = ZipArchive::open(std::move(source));
  if (!archive.ok()) return archive.error();
  try {
    return opened(std::move(*archive));
  } catch (const UnsoundDict& unsound) {
    return Error::badInput(verbatim(unsound.why));
  }
}

}  // namespace lanelab
