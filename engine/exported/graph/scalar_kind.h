// SPDX-License-Identifier: GPL-3.0-only
// Types of the numbers in tensors of an exported graph: ElementType's, and those that parameters of lanes never have.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "base/words.h"
#include "engine/model/module_tree.h"

namespace lanelab {

enum class ScalarKind : unsigned char {
  UInt8,
  Int8,
  Int16,
  Int32,
  Int64,
  Float16,
  Float32,
  Float64,
  Complex32,
  Complex64,
  Complex128,
  Bool,
  BFloat16,
  UInt16,
  Float8E4M3Fn,
  Float8E5M2,
  Float8E4M3FnUz,
  Float8E5M2FnUz
};

/// PyTorch's names.
constexpr std::array<Word<ScalarKind>, 18> wordTable(ScalarKind) {
  return {{{ScalarKind::UInt8, "uint8"},
           {ScalarKind::Int8, "int8"},
           {ScalarKind::Int16, "int16"},
           {ScalarKind::Int32, "int32"},
           {ScalarKind::Int64, "int64"},
           {ScalarKind::Float16, "float16"},
           {ScalarKind::Float32, "float32"},
           {ScalarKind::Float64, "float64"},
           {ScalarKind::Complex32, "complex32"},
           {ScalarKind::Complex64, "complex64"},
           {ScalarKind::Complex128, "complex128"},
           {ScalarKind::Bool, "bool"},
           {ScalarKind::BFloat16, "bfloat16"},
           {ScalarKind::UInt16, "uint16"},
           {ScalarKind::Float8E4M3Fn, "float8_e4m3fn"},
           {ScalarKind::Float8E5M2, "float8_e5m2"},
           {ScalarKind::Float8E4M3FnUz, "float8_e4m3fnuz"},
           {ScalarKind::Float8E5M2FnUz, "float8_e5m2fnuz"}}};
}

std::int64_t bytesOf(ScalarKind kind);
/// Whether autograd can differentiate by it: floats and complex numbers.
bool isDifferentiable(ScalarKind kind);
/// None for bool, complex, uint16 and float8.
std::optional<ElementType> elementType(ScalarKind kind);
/// By the number in torch/_export/serde/schema.py, which is not that of c10::ScalarType: 7 is float32.
std::optional<ScalarKind> scalarKindOfSchema(std::int64_t number);

}  // namespace lanelab
