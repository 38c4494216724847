#include "engine/torch/state_dict_zip.h"

#include <ATen/ops/empty.h>
#include <caffe2/serialize/inline_container.h>

#include <algorithm>
#include <optional>

#include "engine/torch/pickle_reader.h"
#include "engine/torch/torch_errors.h"

namespace lanelab {

namespace {

using Kind = PickleNode::Kind;
using Archive = caffe2::serialize::PyTorchStreamReader;

struct Unsound {
  std::string why;
};

const PickleNode& require(const PickleNode* node, Kind kind, const char* what) {
  if (!node || node->kind != kind) throw Unsound{std::string("its pickle has no ") + what + " where one belongs"};
  return *node;
}

const PickleNode& item(const PickleNode& list, std::size_t i, Kind kind, const char* what) {
  return require(i < list.items.size() ? list.items[i] : nullptr, kind, what);
}

at::ScalarType storageType(const std::string& global) {
  static const std::map<std::string, at::ScalarType> types = {
      {"torch FloatStorage", at::kFloat}, {"torch DoubleStorage", at::kDouble}, {"torch HalfStorage", at::kHalf},
      {"torch BFloat16Storage", at::kBFloat16}, {"torch LongStorage", at::kLong}, {"torch IntStorage", at::kInt},
      {"torch ShortStorage", at::kShort}, {"torch CharStorage", at::kChar}, {"torch ByteStorage", at::kByte}, {"torch BoolStorage", at::kBool}};
  const auto found = types.find(global);
  if (found == types.end()) throw Unsound{"it holds a storage of the unknown type " + global};
  return found->second;
}

/// Is it a call of OrderedDict, or a plain dictionary?
bool isDictionary(const PickleNode& node) {
  return node.kind == Kind::Dict || (node.kind == Kind::Call && node.items[0]->text == "collections OrderedDict");
}

std::vector<std::int64_t> integers(const PickleNode& list, std::size_t limit) {
  std::vector<std::int64_t> values;
  if (list.items.size() > limit) throw Unsound{"it holds a tensor of too many dimensions"};
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const std::int64_t value = item(list, i, Kind::Int, "integer").integer;
    if (value < 0 || value > std::int64_t{1} << 40) throw Unsound{"it holds a tensor of an impossible shape"};
    values.push_back(value);
  }
  return values;
}

class StateDict {
 public:
  explicit StateDict(Archive& archive) : m_archive(archive) {}

  TensorMap read(const PickleNode& root) {
    const PickleNode& dict = dictionaryOf(root);
    TensorMap tensors;
    for (const auto& [key, value] : dict.entries) {
      const std::string& name = require(key, Kind::Text, "name").text;
      if (auto tensor = tensorOf(*value)) tensors[name] = *tensor;
    }
    return tensors;
  }

 private:
  /// The state dict itself, or the entry of a checkpoint that holds it.
  static const PickleNode& dictionaryOf(const PickleNode& root) {
    if (!isDictionary(root)) throw Unsound{"it holds no dictionary of tensors"};
    for (const char* const name : {"state_dict", "model_state_dict", "model"}) {
      for (const auto& [key, value] : root.entries) {
        if (key->kind == Kind::Text && key->text == name && isDictionary(*value)) return *value;
      }
    }
    return root;
  }

  std::optional<at::Tensor> tensorOf(const PickleNode& node) {
    if (node.kind != Kind::Call) return std::nullopt;
    const std::string& function = node.items[0]->text;
    const PickleNode& arguments = item(node, 1, Kind::List, "argument");
    if (function == "torch._utils _rebuild_parameter") return tensorOf(item(arguments, 0, Kind::Call, "tensor"));
    if (function != "torch._utils _rebuild_tensor_v2") return std::nullopt;
    return rebuild(arguments);
  }

  at::Tensor rebuild(const PickleNode& arguments) {
    const at::Tensor storage = storageOf(item(arguments, 0, Kind::Persistent, "storage"));
    const std::int64_t offset = item(arguments, 1, Kind::Int, "offset").integer;
    const auto shape = integers(item(arguments, 2, Kind::List, "shape"), 16);
    const auto strides = integers(item(arguments, 3, Kind::List, "strides"), 16);
    if (offset < 0 || shape.size() != strides.size()) throw Unsound{"it holds a tensor of an impossible shape"};
    double last = static_cast<double>(offset) + 1;
    bool empty = false;
    for (std::size_t i = 0; i < shape.size(); ++i) {
      empty = empty || shape[i] == 0;
      last += static_cast<double>(shape[i] - 1) * static_cast<double>(strides[i]);
    }
    if (!empty && last > static_cast<double>(storage.numel())) throw Unsound{"it holds a tensor that reaches beyond its storage"};
    return storage.as_strided(shape, strides, offset).contiguous();
  }

  at::Tensor storageOf(const PickleNode& persistent) {
    const PickleNode& id = item(persistent, 0, Kind::List, "storage");
    const at::ScalarType type = storageType(item(id, 1, Kind::Global, "storage type").text);
    const std::string& key = item(id, 2, Kind::Text, "storage key").text;
    auto found = m_storages.find(key);
    if (found == m_storages.end()) {
      const std::string record = "data/" + key;
      if (!m_archive.hasRecord(record)) throw Unsound{"its storage " + key + " is missing"};
      auto [data, bytes] = m_archive.getRecord(record);
      at::Tensor storage = at::empty({static_cast<std::int64_t>(bytes / c10::elementSize(type))}, at::TensorOptions().dtype(type));
      std::memcpy(storage.data_ptr(), data.get(), storage.nbytes());
      found = m_storages.emplace(key, storage).first;
    }
    if (found->second.scalar_type() != type) throw Unsound{"its storage " + key + " has two types"};
    return found->second;
  }

  Archive& m_archive;
  std::map<std::string, at::Tensor> m_storages;
};

/// Takes "module." off when every name has it.
TensorMap withoutModulePrefix(TensorMap tensors) {
  const std::string prefix = "module.";
  const bool all = std::all_of(tensors.begin(), tensors.end(), [&](const auto& named) { return named.first.rfind(prefix, 0) == 0; });
  if (!all) return tensors;
  TensorMap bare;
  for (auto& [name, tensor] : tensors) bare[name.substr(prefix.size())] = tensor;
  return bare;
}

TensorMap readArchive(const std::string& path) {
  Archive archive(path);
  if (!archive.hasRecord("data.pkl")) throw Unsound{"it holds no data.pkl; TorchScript programs and other archives are not state dicts"};
  if (archive.hasRecord("byteorder")) {
    auto [order, bytes] = archive.getRecord("byteorder");
    if (std::string_view(static_cast<const char*>(order.get()), bytes) != "little") throw Unsound{"it is big-endian"};
  }
  auto [data, bytes] = archive.getRecord("data.pkl");
  const Result<PickleTree> tree = readPickle({static_cast<const char*>(data.get()), bytes});
  if (!tree.ok()) throw Unsound{"its pickle is not sound: " + tree.error().message};
  return withoutModulePrefix(StateDict(archive).read(*tree->root));
}

}  // namespace

Result<TensorMap> readStateDictZip(const std::string& path) {
  std::string why;
  try {
    return readArchive(path);
  } catch (const Unsound& unsound) {
    why = unsound.why;
  } catch (const std::exception& error) {
    why = plainMessage(error);
  }
  return Error::badInput(path + " cannot be read as a PyTorch state dict: " + why +
                         ". Save it with torch.save(model.state_dict(), path), or as safetensors.");
}

}  // namespace lanelab
