// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/graph/scalar_kind.h"

namespace lanelab {

std::int64_t bytesOf(ScalarKind kind) {
  constexpr std::array<std::int64_t, 18> kBytes = {1, 1, 2, 4, 8, 2, 4, 8, 4, 8, 16, 1, 2, 2, 1, 1, 1, 1};
  return kBytes[static_cast<std::size_t>(kind)];
}

bool isDifferentiable(ScalarKind kind) {
  return (kind >= ScalarKind::Float16 && kind <= ScalarKind::Complex128) || kind == ScalarKind::BFloat16 ||
         kind >= ScalarKind::Float8E4M3Fn;
}

std::optional<ElementType> elementType(ScalarKind kind) { return fromWord<ElementType>(toWord(kind)); }

std::optional<ScalarKind> scalarKindOfSchema(std::int64_t number) {
  // 1 to 13 without gaps, then 28 to 32.
  if (number >= 1 && number <= 13) return static_cast<ScalarKind>(number - 1);
  if (number >= 28 && number <= 32) return static_cast<ScalarKind>(number - 15);
  return std::nullopt;
}

}  // namespace lanelab
