// SPDX-License-Identifier: GPL-3.0-only
// A network as a tree of modules with their parameters and buffers, as torch.nn.Module registers them: what a device
// map is made for.
//
// Nothing is allocated: tensors are shapes and types. Names hold no dot; order is order of registration.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/words.h"

namespace lanelab {

enum class ElementType : unsigned char { Float64, Float32, Float16, BFloat16, Int64, Int32, Int16, Int8, UInt8 };
constexpr std::array<Word<ElementType>, 9> wordTable(ElementType) {
  return {{{ElementType::Float64, "float64"},
           {ElementType::Float32, "float32"},
           {ElementType::Float16, "float16"},
           {ElementType::BFloat16, "bfloat16"},
           {ElementType::Int64, "int64"},
           {ElementType::Int32, "int32"},
           {ElementType::Int16, "int16"},
           {ElementType::Int8, "int8"},
           {ElementType::UInt8, "uint8"}}};
}
std::int64_t bytesOf(ElementType type);
bool isFloating(ElementType type);
/// "float32" or another of PyTorch's names above. BadInput names the nearest.
Result<ElementType> parseElementType(std::string_view text);

struct TreeTensor {
  std::string name;
  std::vector<std::int64_t> shape;  ///< [] is one element
  ElementType type = ElementType::Float32;
  std::string tie;  ///< parameters with the same text, which is not "", are one tensor; "": on its own

  std::int64_t bytes() const;
};

struct ModuleTree {
  std::string name;  ///< within its parent; "" for the root
  std::string class_name;
  std::vector<TreeTensor> parameters;
  std::vector<TreeTensor> buffers;
  std::vector<ModuleTree> children;
};

/// Reads a module tree file. Errors (BadInput) begin with `place` and name the path of the module: unknown keys, dots
/// in names, a name used twice in a module, unknown types, negative or huge shapes, ties of different shape or type.
Result<ModuleTree> parseModuleTree(std::string_view json, const std::string& place);

/// The tree with floating-point tensors that are wider than `type` counted in it, and all others as they are:
/// accelerate's `dtype`.
ModuleTree narrowedTo(ModuleTree tree, ElementType type);

/// "layer1" + "0" -> "layer1.0"; "" + "conv1" -> "conv1".
std::string childPath(std::string_view module, std::string_view name);

}  // namespace lanelab
