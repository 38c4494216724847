// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/joined_calls.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "engine/exported/call_pattern.h"
#include "engine/exported/graph/node_arguments.h"

namespace lanelab {
namespace {

bool isNear(std::optional<double> number, double wanted) {
  return number && std::abs(*number - wanted) <= 1e-6 * std::abs(wanted);
}

class JoinFinder {
 public:
  JoinFinder(const ExportedGraph& graph, const ExportedBlocks& blocks)
      : m_graph(graph), m_flow(blocks.flow), m_around(graph, blocks) {
    for (const ExportedInput& input : graph.inputs)
      if (input.kind == ExportedInput::Kind::Parameter) m_parameters.insert(input.value);
  }

  std::vector<JoinedCalls> find() {
    for (std::size_t i = 0; i < m_graph.nodes.size(); ++i) {
      const ExportedNode& node = m_graph.nodes[i];
      if (!makesOne(node) || !isWholeSum(node)) continue;
      if (node.target == "aten.mul.Tensor") {
        add(rmsNorm(i)) || add(gatedProduct(i)) || add(tanhGelu(i));
      } else if (node.target == "aten.add.Tensor") {
        add(rotaryEmbedding(i));
      } else if (node.target == "aten.rms_norm.default") {
        add(ownRmsNorm(i));
      }
    }
    for (std::size_t v = 0; v < m_graph.values.size(); ++v) add(partsOf(ValueId(v)));
    std::ranges::sort(m_found, {}, &JoinedCalls::place);
    return std::move(m_found);
  }

 private:
  using Found = std::optional<JoinedCalls>;

  static bool makesOne(const ExportedNode& node) { return node.outputs.size() == 1 && node.outputs.front(); }

  bool add(Found found) {
    if (!found || !canBeOne(*found)) return false;
    m_taken.insert(found->nodes.begin(), found->nodes.end());
    m_found.push_back(*std::move(found));
    return true;
  }

  Found result(const CallPattern& pattern, Rule rule, std::vector<ValueId> reads, double epsilon = 0) const {
    const std::vector<std::size_t> nodes = pattern.nodes();
    return JoinedCalls{rule, nodes, std::move(reads), {*m_graph.nodes[nodes.back()].outputs.front()}, epsilon};
  }

  /// weight * (x * rsqrt(mean(x^2) + epsilon)), as transformers' *RMSNorm write it.
  Found rmsNorm(std::size_t last) const {
    CallPattern pattern(m_graph, m_flow, last);
    std::optional<ValueId> x;
    double epsilon = 0;
    const std::optional<ValueId> weight = pattern.beside(m_graph.nodes[last], [&](ValueId factor) {
      const ExportedNode* const product = pattern.take(pattern.uncast(factor), "aten.mul.Tensor");
      if (!product) return false;
      x = pattern.beside(*product, [&](ValueId root) {
        const ExportedNode* const inverse = pattern.take(root, "aten.rsqrt.default");
        const ExportedNode* const sum = inverse ? pattern.take(valueOr(*inverse, "self"), "aten.add.Tensor") : nullptr;
        if (!sum || !numberOr(*sum, "other")) return false;
        epsilon = *numberOr(*sum, "other");
        return takesMeanSquare(pattern, valueOr(*sum, "self"), valueOr(*product, "self"), valueOr(*product, "other"));
      });
      return x.has_value();
    });
    if (!weight || !m_parameters.contains(*weight) || !isRowWeight(*weight, *x)) return std::nullopt;
    return result(pattern, Rule::FusedRmsNorm, {*x, *weight}, epsilon);
  }

  /// mean(x^2) over the last dimension, which stays; `x` is one of both.
  bool takesMeanSquare(CallPattern& pattern, std::optional<ValueId> value, std::optional<ValueId> a,
                       std::optional<ValueId> b) const {
    const ExportedNode* const mean = pattern.take(value, "aten.mean.dim");
    if (!mean || !flagOr(*mean, "keepdim", false) || argumentOf(*mean, "dtype") != nullptr) return false;
    const ExportedNode* const square = pattern.take(valueOr(*mean, "self"), "aten.pow.Tensor_Scalar");
    if (!square || numberOr(*square, "exponent") != 2) return false;
    const std::optional<ValueId> x = valueOr(*square, "self");
    const auto* const dims = std::get_if<std::vector<std::int64_t>>(argumentOf(*mean, "dim"));
    return x && (x == a || x == b) && dims && dims->size() == 1 && isLast(dims->front(), *x);
  }

  Found ownRmsNorm(std::size_t node) const {
    const ExportedNode& call = m_graph.nodes[node];
    const std::optional<ValueId> x = valueOr(call, "input"), weight = valueOr(call, "weight");
    if (!x || !weight || !isRowWeight(*weight, *x)) return std::nullopt;
    return result(CallPattern(m_graph, m_flow, node), Rule::FusedRmsNorm, {*x, *weight},
                  numberOr(call, "eps").value_or(std::numeric_limits<float>::epsilon()));
  }

  /// silu(a) * b, of gated linear units (Shazeer 2020).
  Found gatedProduct(std::size_t last) const {
    CallPattern pattern(m_graph, m_flow, last);
    std::optional<ValueId> gate;
    const std::optional<ValueId> factor = pattern.beside(m_graph.nodes[last], [&](ValueId activated) {
      const ExportedNode* const silu = pattern.take(activated, "aten.silu.default");
      gate = silu ? valueOr(*silu, "self") : std::nullopt;
      return gate.has_value();
    });
    if (!factor || m_graph.value(*factor).sizes != m_graph.value(*gate).sizes) return std::nullopt;
    return result(pattern, Rule::GatedProduct, {*gate, *factor});
  }

  /// 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))), written out as GPT-2 does (Hendrycks, Gimpel 2016).
  Found tanhGelu(std::size_t last) const {
    CallPattern pattern(m_graph, m_flow, last);
    std::optional<ValueId> x;
    const std::optional<ValueId> bent = pattern.beside(m_graph.nodes[last], [&](ValueId value) {
      const ExportedNode* const half = pattern.take(value, "aten.mul.Tensor");
      x = half && numberOr(*half, "other") == 0.5 ? valueOr(*half, "self") : std::nullopt;
      return x.has_value();
    });
    const ExportedNode* const one = pattern.take(bent, "aten.add.Tensor");
    if (!one || numberOr(*one, "other") != 1) return std::nullopt;
    const ExportedNode* const tanh = pattern.take(valueOr(*one, "self"), "aten.tanh.default");
    const ExportedNode* const scaled = tanh ? pattern.take(valueOr(*tanh, "self"), "aten.mul.Tensor") : nullptr;
    if (!scaled || !isNear(numberOr(*scaled, "other"), std::sqrt(2 / M_PI))) return std::nullopt;
    const ExportedNode* const sum = pattern.take(valueOr(*scaled, "self"), "aten.add.Tensor");
    if (!sum) return std::nullopt;
    const std::optional<ValueId> beside = pattern.beside(*sum, [&](ValueId value) {
      const ExportedNode* const cubic = pattern.take(value, "aten.mul.Tensor");
      if (!cubic || !isNear(numberOr(*cubic, "other"), 0.044715)) return false;
      const ExportedNode* const cube = pattern.take(valueOr(*cubic, "self"), "aten.pow.Tensor_Scalar");
      return cube && numberOr(*cube, "exponent") == 3 && valueOr(*cube, "self") == x;
    });
    return beside == x ? result(pattern, Rule::TanhGelu, {*x}) : std::nullopt;
  }

  /// x cos + rotated(x) sin, where rotated puts the negative second half before the first (Su et al. 2021, as
  /// transformers' apply_rotary_pos_emb writes it).
  Found rotaryEmbedding(std::size_t last) const {
    CallPattern pattern(m_graph, m_flow, last);
    std::optional<ValueId> x, sines, cosines;
    const std::optional<ValueId> plain = pattern.beside(m_graph.nodes[last], [&](ValueId value) {
      const ExportedNode* const product = pattern.take(value, "aten.mul.Tensor");
      if (!product) return false;
      sines =
          pattern.beside(*product, [&](ValueId rotated) { return (x = takeRotated(pattern, rotated)).has_value(); });
      return sines.has_value();
    });
    const ExportedNode* const product = pattern.take(plain, "aten.mul.Tensor");
    if (product) cosines = pattern.beside(*product, [&](ValueId value) { return value == *x; });
    if (!cosines || !broadcastsTo(*cosines, *x) || !broadcastsTo(*sines, *x)) return std::nullopt;
    return result(pattern, Rule::RotaryEmbedding, {*x, *cosines, *sines});
  }

  std::optional<ValueId> takeRotated(CallPattern& pattern, ValueId rotated) const {
    const ExportedNode* const joined = pattern.take(rotated, "aten.cat.default");
    const auto* const halves = joined ? std::get_if<std::vector<ValueId>>(argumentOf(*joined, "tensors")) : nullptr;
    if (!halves || halves->size() != 2 || !isLast(integerOr(*joined, "dim").value_or(0), rotated)) return std::nullopt;
    const ExportedNode* const negative = pattern.take((*halves)[0], "aten.neg.default");
    const ExportedNode* const high = negative ? pattern.take(valueOr(*negative, "self"), "aten.slice.Tensor") : nullptr;
    const ExportedNode* const low = pattern.take((*halves)[1], "aten.slice.Tensor");
    const std::optional<ValueId> x = low ? valueOr(*low, "self") : std::nullopt;
    if (!x || !high || valueOr(*high, "self") != x) return std::nullopt;
    const std::optional<std::int64_t> width = lastSize(*x);
    const std::optional<Range> first = rangeOf(*low), second = rangeOf(*high);
    if (!width || *width % 2 != 0 || m_graph.value(*x).sizes.size() != 4 || !first || !second) return std::nullopt;
    const bool halved = first->begin == 0 && first->end == *width / 2 && second->begin == first->end;
    return halved && second->end == *width && isLast(first->dim, *x) && first->dim == second->dim ? x : std::nullopt;
  }

  /// select() of all rows of a dimension, or adjacent slices that are all of it.
  Found partsOf(ValueId value) const {
    std::map<std::size_t, std::vector<std::size_t>> selects, slices;  // by dimension
    for (const std::size_t i : m_around.readersOf(value)) {
      if (i == m_graph.nodes.size()) continue;
      const ExportedNode& node = m_graph.nodes[i];
      if (m_taken.contains(i) || (node.target != "aten.select.int" && node.target != "aten.slice.Tensor")) continue;
      if (!makesOne(node) || valueOr(node, "self") != value) continue;
      const std::size_t dim = dimension(integerOr(node, "dim").value_or(0), value);
      (node.target == "aten.select.int" ? selects : slices)[dim].push_back(i);
    }
    for (const auto& [dim, nodes] : selects)
      if (Found found = allOf(value, dim, nodes)) return found;
    for (const auto& [dim, nodes] : slices)
      if (Found found = allOf(value, dim, nodes)) return found;
    return std::nullopt;
  }

  Found allOf(ValueId value, std::size_t dim, const std::vector<std::size_t>& nodes) const {
    const std::vector<SizeExpression>& sizes = m_graph.value(value).sizes;
    const std::optional<std::int64_t> all = dim < sizes.size() ? sizes[dim].constant() : std::nullopt;
    if (!all || nodes.size() < 2) return std::nullopt;
    std::vector<std::pair<Range, ValueId>> parts;
    for (const std::size_t i : nodes) {
      const std::optional<Range> range = rangeOf(m_graph.nodes[i]);
      if (!range) return std::nullopt;
      parts.emplace_back(*range, *m_graph.nodes[i].outputs.front());
    }
    std::ranges::sort(parts, {}, [](const auto& part) { return part.first.begin; });
    JoinedCalls joined{Rule::JoinedParts, nodes, {value}, {}, 0, dim};
    std::int64_t end = 0;
    for (const auto& [range, made] : parts) {
      if (range.begin != end) return std::nullopt;
      end = range.end;
      joined.makes.push_back(made);
      if (m_graph.nodes[nodes.front()].target == "aten.slice.Tensor") joined.sizes.push_back(range.end - range.begin);
    }
    return end == *all ? Found(joined) : std::nullopt;
  }

  struct Range {
    std::int64_t dim, begin, end;
  };
  /// Of a slice() or select() with constants.
  std::optional<Range> rangeOf(const ExportedNode& node) const {
    const std::optional<ValueId> self = valueOr(node, "self");
    const std::vector<SizeExpression>& sizes = m_graph.value(*self).sizes;
    const std::int64_t dim = integerOr(node, "dim").value_or(0);
    const std::size_t place = dimension(dim, *self);
    const std::optional<std::int64_t> size = place < sizes.size() ? sizes[place].constant() : std::nullopt;
    if (!size) return std::nullopt;
    const auto within = [&](std::int64_t at) { return std::clamp<std::int64_t>(at < 0 ? at + *size : at, 0, *size); };
    if (node.target == "aten.select.int") {
      const std::optional<std::int64_t> index = integerOr(node, "index");
      return index ? std::optional(Range{dim, within(*index), within(*index) + 1}) : std::nullopt;
    }
    for (const char* const name : {"start", "end", "step"})
      if (argumentOf(node, name) != nullptr && !integerOr(node, name)) return std::nullopt;
    if (integerOr(node, "step").value_or(1) != 1) return std::nullopt;
    return Range{dim, within(integerOr(node, "start").value_or(0)), within(integerOr(node, "end").value_or(*size))};
  }

  std::size_t dimension(std::int64_t dim, ValueId value) const {
    const auto count = static_cast<std::int64_t>(m_graph.value(value).sizes.size());
    return static_cast<std::size_t>(dim < 0 ? dim + count : dim);
  }
  bool isLast(std::int64_t dim, ValueId value) const {
    return dimension(dim, value) + 1 == m_graph.value(value).sizes.size();
  }
  std::optional<std::int64_t> lastSize(ValueId value) const {
    const std::vector<SizeExpression>& sizes = m_graph.value(value).sizes;
    return sizes.empty() ? std::nullopt : sizes.back().constant();
  }
  bool isRowWeight(ValueId weight, ValueId x) const {
    return m_graph.value(weight).sizes.size() == 1 && lastSize(weight).value_or(0) > 0 &&
           lastSize(weight) == lastSize(x);
  }
  /// A table whose last size is that of x and whose others are those of x or 1.
  bool broadcastsTo(ValueId table, ValueId x) const {
    const std::vector<SizeExpression>&from = m_graph.value(table).sizes, &to = m_graph.value(x).sizes;
    if (from.size() > to.size() || lastSize(table) != lastSize(x)) return false;
    for (std::size_t i = 1; i <= from.size(); ++i)
      if (from[from.size() - i] != to[to.size() - i] && from[from.size() - i].constant() != 1) return false;
    return true;
  }

  bool isFloat(ValueId value) const { return m_graph.value(value).type == ScalarKind::Float32; }

  bool canBeOne(const JoinedCalls& joined) const {
    const std::vector<std::size_t>& nodes = joined.nodes;
    if (std::ranges::any_of(nodes, [&](std::size_t i) { return m_taken.contains(i); })) return false;
    const std::size_t end = joined.rule == Rule::JoinedParts ? m_graph.nodes.size() : nodes.back();
    const auto is_kept = [&](ValueId value) {
      return isFloat(value) && !m_around.isWritten(value, nodes.front(), end);
    };
    return std::ranges::all_of(joined.reads, is_kept) && m_around.canBeOne(nodes, joined.makes, end);
  }

  const ExportedGraph& m_graph;
  const ValueFlow& m_flow;
  CallSurroundings m_around;
  std::set<ValueId> m_parameters;
  std::set<std::size_t> m_taken;
  std::vector<JoinedCalls> m_found;
};

}  // namespace

std::vector<JoinedCalls> joinedCallsOf(const ExportedGraph& graph, const ExportedBlocks& blocks) {
  return JoinFinder(graph, blocks).find();
}

}  // namespace lanelab
