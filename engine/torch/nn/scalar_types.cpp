// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/nn/scalar_types.h"

namespace lanelab {

at::ScalarType torchTypeOf(ScalarKind type) {
  switch (type) {
    case ScalarKind::UInt8: return at::kByte;
    case ScalarKind::Int8: return at::kChar;
    case ScalarKind::Int16: return at::kShort;
    case ScalarKind::Int32: return at::kInt;
    case ScalarKind::Int64: return at::kLong;
    case ScalarKind::Float16: return at::kHalf;
    case ScalarKind::Float32: return at::kFloat;
    case ScalarKind::Float64: return at::kDouble;
    case ScalarKind::Complex32: return at::kComplexHalf;
    case ScalarKind::Complex64: return at::kComplexFloat;
    case ScalarKind::Complex128: return at::kComplexDouble;
    case ScalarKind::Bool: return at::kBool;
    case ScalarKind::BFloat16: return at::kBFloat16;
    case ScalarKind::UInt16: return at::kUInt16;
    case ScalarKind::Float8E4M3Fn: return at::kFloat8_e4m3fn;
    case ScalarKind::Float8E5M2: return at::kFloat8_e5m2;
    case ScalarKind::Float8E4M3FnUz: return at::kFloat8_e4m3fnuz;
    case ScalarKind::Float8E5M2FnUz: return at::kFloat8_e5m2fnuz;
  }
  return at::kFloat;
}

}  // namespace lanelab
