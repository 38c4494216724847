// SPDX-License-Identifier: GPL-3.0-only
// Sizes of an exported graph that depend on the batch: integers with symbols, as sympy's srepr writes them, such as
// "Mul(Integer(17), Symbol('s77', positive=True, integer=True))".
//
// Sums, products, integer powers, floor and ceiling of fractions, floor division, modulo, minimum and maximum;
// everything else is refused by name. Thread: immutable values.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace lanelab {

/// Values of symbols, by their names ("s77").
using SymbolValues = std::map<std::string, std::int64_t, std::less<>>;

struct SizeTerm;

class SizeExpression {
 public:
  SizeExpression(std::int64_t constant = 0) : m_constant(constant) {}  // NOLINT(google-explicit-constructor)
  /// Errors (BadInput) are the reason alone, and name what is not understood. Linear in the text, whose length and
  /// nesting are limited.
  static Result<SizeExpression> parse(std::string_view srepr);

  std::optional<std::int64_t> constant() const;  ///< if no symbol is in it
  std::vector<std::string> symbols() const;      ///< sorted, each once
  /// Nothing if a symbol is missing, a divisor is 0, the result is not an integer, or a value leaves 64 bits.
  std::optional<std::int64_t> evaluate(const SymbolValues& values) const;
  std::string text() const;  ///< for readers: "17*s77"
  /// The same terms in the same order: "s77 + 1" and "1 + s77" differ.
  bool operator==(const SizeExpression& other) const;

 private:
  std::int64_t m_constant = 0;                             ///< without terms
  std::shared_ptr<const std::vector<SizeTerm>> m_terms{};  ///< in postfix order; null for a constant
};

}  // namespace lanelab
