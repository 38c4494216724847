// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/graph/size_expression.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <set>
#include <span>
#include <utility>

#include "engine/files/clipped_name.h"

namespace lanelab {

enum class SizeOperation : unsigned char { Number, Symbol, Add, Mul, Pow, FloorDiv, Mod, Min, Max, Floor, Ceiling };

/// An operation on the values that the terms before it left, or a value.
struct SizeTerm {
  SizeOperation operation = SizeOperation::Number;
  std::int64_t number = 0, divisor = 1;  ///< Number
  std::string symbol;                    ///< Symbol
  std::size_t operands = 0;

  bool operator==(const SizeTerm&) const = default;
};

namespace {

constexpr std::size_t kLongestText = 64 << 10;
constexpr int kDeepestSize = 64;
constexpr std::int64_t kLargestExponent = 64;

struct UnreadSize {
  std::string why;
};

struct SizeFunction {
  std::string_view name;
  SizeOperation operation;
  std::size_t fewest, most;  ///< operands
};

constexpr std::size_t kAnyOperands = std::numeric_limits<std::size_t>::max();
constexpr std::array kSizeFunctions = {
    SizeFunction{"Add", SizeOperation::Add, 1, kAnyOperands},
    SizeFunction{"Mul", SizeOperation::Mul, 1, kAnyOperands},
    SizeFunction{"Pow", SizeOperation::Pow, 2, 2},
    SizeFunction{"PowByNatural", SizeOperation::Pow, 2, 2},
    SizeFunction{"FloorDiv", SizeOperation::FloorDiv, 2, 2},
    SizeFunction{"CleanDiv", SizeOperation::FloorDiv, 2, 2},
    SizeFunction{"Mod", SizeOperation::Mod, 2, 2},
    SizeFunction{"PythonMod", SizeOperation::Mod, 2, 2},
    SizeFunction{"Min", SizeOperation::Min, 1, kAnyOperands},
    SizeFunction{"Max", SizeOperation::Max, 1, kAnyOperands},
    SizeFunction{"floor", SizeOperation::Floor, 1, 1},
    SizeFunction{"ceiling", SizeOperation::Ceiling, 1, 1},
    SizeFunction{"Identity", SizeOperation::Add, 1, 1},
};

bool isNameLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Calls within calls, as srepr writes them.
class SizeParser {
 public:
  explicit SizeParser(std::string_view text) : m_text(text) {}

  std::vector<SizeTerm> read() {
    if (m_text.size() > kLongestText) throw UnreadSize{"it is longer than 64 KiB"};
    call(0);
    skipSpaces();
    if (m_at != m_text.size()) unexpected();
    return std::move(m_terms);
  }

 private:
  [[noreturn]] void unexpected() const {
    if (m_at >= m_text.size()) throw UnreadSize{"it ends too early"};
    throw UnreadSize{"it has " + clippedName(m_text.substr(m_at, 20)) + " where none is expected"};
  }

  void skipSpaces() {
    while (m_at < m_text.size() && m_text[m_at] == ' ') ++m_at;
  }
  bool accept(char c) {
    skipSpaces();
    const bool there = m_at < m_text.size() && m_text[m_at] == c;
    m_at += there ? 1 : 0;
    return there;
  }
  void expect(char c) {
    if (!accept(c)) unexpected();
  }

  std::string_view name() {
    skipSpaces();
    const std::size_t from = m_at;
    while (m_at < m_text.size() && isNameLetter(m_text[m_at])) ++m_at;
    if (m_at == from) unexpected();
    return m_text.substr(from, m_at - from);
  }

  std::int64_t integer() {
    skipSpaces();
    std::int64_t value = 0;
    const char* const from = m_text.data() + m_at;
    const auto [end, error] = std::from_chars(from, m_text.data() + m_text.size(), value);
    if (error == std::errc::result_out_of_range) throw UnreadSize{"it has a number that leaves 64 bits"};
    if (error != std::errc()) unexpected();
    m_at += static_cast<std::size_t>(end - from);
    return value;
  }

  void call(int depth) {
    if (depth > kDeepestSize) throw UnreadSize{"it is nested deeper than " + std::to_string(kDeepestSize) + " levels"};
    const std::string_view function = name();
    expect('(');
    if (function == "Integer") {
      m_terms.push_back({SizeOperation::Number, integer(), 1, {}, 0});
    } else if (function == "Rational") {
      rational();
    } else if (function == "Symbol") {
      symbol();
    } else {
      operation(function, depth);
    }
    expect(')');
  }

  void rational() {
    const std::int64_t number = integer();
    expect(',');
    const std::int64_t divisor = integer();
    if (divisor <= 0) throw UnreadSize{"it has a fraction whose divisor is not positive"};
    m_terms.push_back({SizeOperation::Number, number, divisor, {}, 0});
  }

  void symbol() {
    skipSpaces();
    const char quote = m_at < m_text.size() ? m_text[m_at] : '\0';
    if (quote != '\'' && quote != '"') unexpected();
    ++m_at;
    const std::string_view text = name();
    expect(quote);
    while (accept(',')) {  // what sympy may assume of it: positive=True
      name();
      expect('=');
      name();
    }
    m_terms.push_back({SizeOperation::Symbol, 0, 1, std::string(text), 0});
  }

  void operation(std::string_view name, int depth) {
    const auto* const function = std::ranges::find(kSizeFunctions, name, &SizeFunction::name);
    if (function == kSizeFunctions.end())
      throw UnreadSize{"it uses " + clippedName(name) +
                       "; sums, products, integer powers, floor, ceiling, FloorDiv, Mod, Min and Max are supported"};
    std::size_t operands = 0;
    do {
      call(depth + 1);
      ++operands;
    } while (accept(','));
    if (operands < function->fewest || operands > function->most)
      throw UnreadSize{"it has " + std::string(name) + " with " + std::to_string(operands) + " operands"};
    m_terms.push_back({function->operation, 0, 1, {}, operands});
  }

  std::string_view m_text;
  std::size_t m_at = 0;
  std::vector<SizeTerm> m_terms;
};

/// Lowest terms, positive divisor.
struct Fraction {
  std::int64_t number = 0, divisor = 1;
};
__extension__ using Wide = __int128;

std::optional<Fraction> fraction(Wide number, Wide divisor) {
  if (divisor == 0) return std::nullopt;
  Wide a = number < 0 ? -number : number, b = divisor < 0 ? -divisor : divisor;
  while (b != 0) a = std::exchange(b, a % b);
  const Wide common = divisor < 0 ? -a : a;
  number /= common;
  divisor /= common;
  constexpr Wide kMost = std::numeric_limits<std::int64_t>::max();
  if (number > kMost || number < -kMost || divisor > kMost) return std::nullopt;
  return Fraction{static_cast<std::int64_t>(number), static_cast<std::int64_t>(divisor)};
}

std::int64_t floorOf(const Fraction& f) { return f.number / f.divisor - (f.number % f.divisor < 0 ? 1 : 0); }

std::optional<Fraction> fractionSum(const Fraction& a, const Fraction& b) {
  // Each product stays below 2^126, so their sum fits.
  return fraction(Wide{a.number} * b.divisor + Wide{b.number} * a.divisor, Wide{a.divisor} * b.divisor);
}

std::optional<Fraction> fractionProduct(const Fraction& a, const Fraction& b) {
  return fraction(Wide{a.number} * b.number, Wide{a.divisor} * b.divisor);
}

std::optional<Fraction> fractionPower(Fraction base, const Fraction& exponent) {
  if (exponent.divisor != 1 || exponent.number > kLargestExponent || exponent.number < -kLargestExponent)
    return std::nullopt;
  if (exponent.number < 0) {
    const auto inverse = fraction(base.divisor, base.number);
    if (!inverse) return std::nullopt;
    base = *inverse;
  }
  std::optional<Fraction> result = Fraction{1, 1};
  const std::int64_t times = exponent.number < 0 ? -exponent.number : exponent.number;
  for (std::int64_t i = 0; i < times && result; ++i) result = fractionProduct(*result, base);
  return result;
}

std::optional<Fraction> floorQuotient(const Fraction& a, const Fraction& b) {
  const auto quotient = fraction(Wide{a.number} * b.divisor, Wide{a.divisor} * b.number);
  return quotient ? std::optional(Fraction{floorOf(*quotient), 1}) : std::nullopt;
}

/// a - b * floor(a / b): the sign is the divisor's, as in Python.
std::optional<Fraction> fractionModulo(const Fraction& a, const Fraction& b) {
  const auto quotient = floorQuotient(a, b);
  const auto whole = quotient ? fractionProduct(*quotient, b) : std::nullopt;
  return whole ? fractionSum(a, {-whole->number, whole->divisor}) : std::nullopt;
}

bool isLess(const Fraction& a, const Fraction& b) { return Wide{a.number} * b.divisor < Wide{b.number} * a.divisor; }

/// Of the first two operands, or of one with itself.
std::optional<Fraction> combined(SizeOperation operation, const Fraction& a, const Fraction& b) {
  switch (operation) {
    case SizeOperation::Add: return fractionSum(a, b);
    case SizeOperation::Mul: return fractionProduct(a, b);
    case SizeOperation::Pow: return fractionPower(a, b);
    case SizeOperation::FloorDiv: return floorQuotient(a, b);
    case SizeOperation::Mod: return fractionModulo(a, b);
    case SizeOperation::Min: return isLess(b, a) ? b : a;
    case SizeOperation::Max: return isLess(a, b) ? b : a;
    default: return std::nullopt;
  }
}

std::optional<Fraction> applied(SizeOperation operation, std::span<const Fraction> operands) {
  std::optional<Fraction> value = operands.front();
  if (operation == SizeOperation::Floor) return Fraction{floorOf(*value), 1};
  if (operation == SizeOperation::Ceiling) return Fraction{-floorOf({-value->number, value->divisor}), 1};
  for (const Fraction& next : operands.subspan(1)) {
    value = combined(operation, *value, next);
    if (!value) return std::nullopt;
  }
  return value;
}

std::optional<std::int64_t> evaluated(const std::vector<SizeTerm>& terms, const SymbolValues& values) {
  std::vector<Fraction> stack;
  for (const SizeTerm& term : terms) {
    std::optional<Fraction> value;
    if (term.operation == SizeOperation::Number) {
      value = fraction(term.number, term.divisor);
    } else if (term.operation == SizeOperation::Symbol) {
      const auto found = values.find(term.symbol);
      if (found != values.end()) value = Fraction{found->second, 1};
    } else {
      value = applied(term.operation, std::span(stack).last(term.operands));
      stack.resize(stack.size() - term.operands);
    }
    if (!value) return std::nullopt;
    stack.push_back(*value);
  }
  return stack.back().divisor == 1 ? std::optional(stack.back().number) : std::nullopt;
}

/// How tightly an operator binds in text(): a part in a tighter one gets brackets.
enum class TextBinding : unsigned char { Sum, Product, Power, Atom };
struct TextPart {
  std::string text;
  TextBinding binding = TextBinding::Atom;
};

struct SizeNotation {
  SizeOperation operation;
  const char* before;   ///< of a call: "max("
  const char* between;  ///< operands
  TextBinding binding;
};
constexpr std::array kSizeNotations = {
    SizeNotation{SizeOperation::Add, "", " + ", TextBinding::Sum},
    SizeNotation{SizeOperation::Mul, "", "*", TextBinding::Product},
    SizeNotation{SizeOperation::Pow, "", "**", TextBinding::Power},
    SizeNotation{SizeOperation::FloorDiv, "", "//", TextBinding::Product},
    SizeNotation{SizeOperation::Mod, "", " % ", TextBinding::Product},
    SizeNotation{SizeOperation::Min, "min(", ", ", TextBinding::Atom},
    SizeNotation{SizeOperation::Max, "max(", ", ", TextBinding::Atom},
    SizeNotation{SizeOperation::Floor, "floor(", ", ", TextBinding::Atom},
    SizeNotation{SizeOperation::Ceiling, "ceil(", ", ", TextBinding::Atom},
};

TextPart operationText(const SizeNotation& notation, std::span<const TextPart> operands) {
  const bool call = *notation.before != '\0';
  std::string text = notation.before;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    // Only sums and products may stand side by side without brackets: a//b//c would be ambiguous to a reader.
    const bool same = operands[i].binding == notation.binding && i == 0 && notation.binding != TextBinding::Power;
    const bool bare = call || operands[i].binding > notation.binding || same;
    if (i > 0) text += notation.between;
    text += bare ? operands[i].text : "(" + operands[i].text + ")";
  }
  return {text + (call ? ")" : ""), notation.binding};
}

TextPart leafText(const SizeTerm& term) {
  if (term.operation == SizeOperation::Symbol) return {term.symbol, TextBinding::Atom};
  if (term.divisor == 1) return {std::to_string(term.number), TextBinding::Atom};
  return {std::to_string(term.number) + "/" + std::to_string(term.divisor), TextBinding::Product};
}

}  // namespace

Result<SizeExpression> SizeExpression::parse(std::string_view srepr) {
  try {
    auto terms = std::make_shared<const std::vector<SizeTerm>>(SizeParser(srepr).read());
    SizeExpression expression;
    const bool has_symbols =
        std::ranges::any_of(*terms, [](const SizeTerm& term) { return term.operation == SizeOperation::Symbol; });
    if (has_symbols) {
      expression.m_terms = std::move(terms);
      return expression;
    }
    const auto value = evaluated(*terms, {});
    if (!value) throw UnreadSize{"it is not an integer of 64 bits"};
    return SizeExpression(*value);
  } catch (const UnreadSize& unread) {
    return Error::badInput("the size {} cannot be read: {}", clippedName(srepr), unread.why);
  }
}

std::optional<std::int64_t> SizeExpression::constant() const {
  return m_terms ? std::nullopt : std::optional(m_constant);
}

std::vector<std::string> SizeExpression::symbols() const {
  std::set<std::string> names;
  if (m_terms) {
    for (const SizeTerm& term : *m_terms)
      if (term.operation == SizeOperation::Symbol) names.insert(term.symbol);
  }
  return {names.begin(), names.end()};
}

std::optional<std::int64_t> SizeExpression::evaluate(const SymbolValues& values) const {
  return m_terms ? evaluated(*m_terms, values) : std::optional(m_constant);
}

std::string SizeExpression::text() const {
  if (!m_terms) return std::to_string(m_constant);
  std::vector<TextPart> stack;
  for (const SizeTerm& term : *m_terms) {
    if (term.operands == 0) {
      stack.push_back(leafText(term));
      continue;
    }
    const auto* const notation = std::ranges::find(kSizeNotations, term.operation, &SizeNotation::operation);
    TextPart part = operationText(*notation, std::span(stack).last(term.operands));
    stack.resize(stack.size() - term.operands);
    stack.push_back(std::move(part));
  }
  return stack.back().text;
}

bool SizeExpression::operator==(const SizeExpression& other) const {
  if (!m_terms || !other.m_terms) return !m_terms && !other.m_terms && m_constant == other.m_constant;
  return m_terms == other.m_terms || *m_terms == *other.m_terms;
}

}  // namespace lanelab
