// SPDX-License-Identifier: GPL-3.0-only
#include "engine/model/module_tree.h"

#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/json_fields.h"
#include "base/text.h"
#include "engine/model/shape.h"

namespace lanelab {
namespace {

/// Room for the sum of many tensors.
constexpr std::int64_t kMostElements = std::int64_t{1} << 48;

class TreeReader {
 public:
  explicit TreeReader(FieldErrors& errors) : m_errors(errors) {}

  ModuleTree read(const Json& json, std::string name, const std::string& path) {
    ModuleTree module;
    module.name = std::move(name);
    ObjectReader reader(m_errors, json, path);
    reader.refuseUnknown({"class", "parameters", "buffers", "children"});
    reader.read("class", module.class_name, ObjectReader::Need::Yes);
    std::set<std::string> names;
    eachOf(reader, "parameters", path, names, [&](const std::string& key, const Json& value, const std::string& at) {
      module.parameters.push_back(tensor(key, value, at, true));
    });
    eachOf(reader, "buffers", path, names, [&](const std::string& key, const Json& value, const std::string& at) {
      module.buffers.push_back(tensor(key, value, at, false));
    });
    eachOf(reader, "children", path, names, [&](const std::string& key, const Json& value, const std::string& at) {
      module.children.push_back(read(value, key, at));
    });
    return module;
  }

 private:
  template <class Take>
  void eachOf(ObjectReader& reader, const char* group, const std::string& path, std::set<std::string>& names,
              Take take) {
    const Json* const object = reader.object(group);
    if (object == nullptr) return;
    for (const auto& [key, value] : object->items()) {
      const std::string at = joinPath(path, key);
      if (key.empty() || key.find('.') != std::string::npos)
        m_errors.add(joinPath(path, group) + " has the name \"" + key +
                     "\": a name must not be empty or hold a dot, since dots part the names of a path.");
      if (!names.insert(key).second)
        m_errors.add(at + " is named twice in its module: each parameter, buffer and child needs a name of its own.");
      take(key, value, at);
    }
  }

  TreeTensor tensor(const std::string& name, const Json& json, const std::string& path, bool parameter) {
    TreeTensor tensor;
    tensor.name = name;
    ObjectReader reader(m_errors, json, path);
    reader.refuseUnknown(parameter ? std::vector<std::string>{"shape", "dtype", "tie"}
                                   : std::vector<std::string>{"shape", "dtype"});
    reader.read("shape", tensor.shape, ObjectReader::Need::Yes);
    std::string type;
    reader.read("dtype", type, ObjectReader::Need::Yes);
    const auto known = fromWord<ElementType>(type);
    if (!known && !type.empty())
      m_errors.add(path + ".dtype is \"" + type + "\": choose " + joinOr(words<ElementType>()) + ".");
    tensor.type = known.value_or(ElementType::Float32);
    checkShape(tensor, path);
    if (!parameter) return tensor;
    std::optional<std::string> tie;
    reader.read("tie", tie);
    if (tie && tie->empty())
      m_errors.add(path + ".tie is empty: give all parameters that are one tensor the same name, or leave it out.");
    tensor.tie = tie.value_or("");
    if (!tensor.tie.empty()) checkTie(tensor, path);
    return tensor;
  }

  void checkShape(const TreeTensor& tensor, const std::string& path) {
    std::int64_t elements = 1;
    bool none = false;
    for (const std::int64_t size : tensor.shape) {
      if (size < 0) return m_errors.add(path + ".shape holds " + std::to_string(size) + ": a size is 0 or more.");
      none = none || size == 0;
      if (size > 0 && elements > kMostElements / size) elements = kMostElements + 1;
      elements *= size > 0 && elements <= kMostElements ? size : 1;
    }
    if (!none && elements > kMostElements)
      m_errors.add(path + ".shape has more than 2^48 elements, which no machine holds.");
  }

  void checkTie(const TreeTensor& tensor, const std::string& path) {
    const auto [first, fresh] = m_ties.try_emplace(tensor.tie, Tied{path, tensor.shape, tensor.type});
    if (fresh || (first->second.shape == tensor.shape && first->second.type == tensor.type)) return;
    m_errors.add(path + " is tied to " + first->second.path + " (\"" + tensor.tie +
                 "\") but has another shape or dtype: tied parameters are one tensor.");
  }

  struct Tied {
    std::string path;
    std::vector<std::int64_t> shape;
    ElementType type;
  };
  FieldErrors& m_errors;
  std::map<std::string, Tied> m_ties;
};

}  // namespace

std::int64_t bytesOf(ElementType type) {
  constexpr std::array<std::int64_t, 9> kBytes = {8, 4, 2, 2, 8, 4, 2, 1, 1};
  return kBytes[static_cast<std::size_t>(type)];
}

bool isFloating(ElementType type) { return type <= ElementType::BFloat16; }

std::int64_t TreeTensor::bytes() const { return bytesOf(type) * numbersOf(shape); }

Result<ElementType> parseElementType(std::string_view text) {
  if (const auto type = fromWord<ElementType>(text)) return *type;
  return Error::badInput("There is no type \"{}\": {}", std::string(text), nearestHint(text, words<ElementType>()));
}

ModuleTree narrowedTo(ModuleTree tree, ElementType type) {
  const auto narrow = [type](std::vector<TreeTensor>& tensors) {
    for (TreeTensor& tensor : tensors)
      if (isFloating(tensor.type) && bytesOf(tensor.type) > bytesOf(type)) tensor.type = type;
  };
  narrow(tree.parameters);
  narrow(tree.buffers);
  for (ModuleTree& child : tree.children) child = narrowedTo(std::move(child), type);
  return tree;
}

Result<ModuleTree> parseModuleTree(std::string_view json, const std::string& place) {
  return readJson(json, place,
                  [](FieldErrors& errors, const Json& root) { return TreeReader(errors).read(root, "", ""); });
}

std::string childPath(std::string_view module, std::string_view name) {
  std::string path(module);
  if (!path.empty()) path += '.';
  return path.append(name);
}

}  // namespace lanelab
