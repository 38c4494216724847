// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/self_attention.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "engine/exported/call_pattern.h"
#include "engine/exported/operators/operator_traits.h"

namespace lanelab {
namespace {

constexpr std::size_t kParts = 3;  ///< queries, keys and values

class AttentionFinder {
 public:
  AttentionFinder(const ExportedGraph& graph, const ExportedBlocks& blocks)
      : m_graph(graph), m_flow(blocks.flow), m_around(graph, blocks) {}

  /// None beside a dropout, whose mask follows the order in memory.
  std::vector<SelfAttention> find() const {
    std::vector<SelfAttention> found;
    if (std::ranges::any_of(m_graph.nodes, isRandom)) return found;
    for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
      if (const auto attention = endingAt(i); attention && isAlone(*attention)) found.push_back(*attention);
    std::ranges::sort(found, {}, &SelfAttention::project);
    return found;
  }

 private:
  using Sizes = std::vector<SizeExpression>;
  using Dims = std::vector<std::int64_t>;

  std::optional<SelfAttention> endingAt(std::size_t last) const {
    SelfAttention found;
    CallPattern back(m_graph, m_flow, last), layers(m_graph, m_flow), core(m_graph, m_flow);
    const ExportedNode& turned = m_graph.nodes[last];
    if (turned.target != "aten.transpose.int" || turned.outputs.size() != 1 || !turned.outputs.front()) return {};
    if (!swaps(turned, 0, 1)) return {};
    found.made = *turned.outputs.front();
    const ExportedNode* const viewed = takeView(back, valueOr(turned, "self"));
    if (!viewed || !valueOr(*viewed, "self")) return {};
    found.projected = *valueOr(*viewed, "self");
    found.back = back.nodes();

    const ExportedNode* const output = layers.take(found.projected, "aten.linear.default");
    if (!output || !valueOr(*output, "input")) return {};
    found.mixed = *valueOr(*output, "input");
    const ExportedNode* const attention = takeAttention(core, found);
    if (!attention) return {};
    const std::optional<ValueId> packed = takeParts(core, *attention);
    if (!packed) return {};
    found.packed = *packed;
    found.calls = core.nodes();

    CallPattern project(m_graph, m_flow), turn(m_graph, m_flow);
    const ExportedNode* const input = project.take(packed, "aten.linear.default");
    const ExportedNode* const first = input ? turn.take(valueOr(*input, "input"), "aten.transpose.int") : nullptr;
    if (!first || !swaps(*first, 0, 1) || !valueOr(*first, "self")) return {};
    found.project = project.nodes().front();
    found.rows = *first->outputs.front();
    return hasItsSizes(found) ? std::optional(found) : std::nullopt;
  }

  const ExportedNode* takeView(CallPattern& pattern, std::optional<ValueId> value) const {
    const ExportedNode* const view = pattern.take(value, "aten.view.default");
    return view ? view : pattern.take(value, "aten.reshape.default");
  }

  /// Back from its result in rows, tokens first.
  const ExportedNode* takeAttention(CallPattern& core, SelfAttention& found) const {
    const ExportedNode* const rows = takeView(core, found.mixed);
    if (!rows) return nullptr;
    std::optional<ValueId> value = valueOr(*rows, "self");
    if (const ExportedNode* const copy = core.take(value, "aten.contiguous.default")) value = valueOr(*copy, "self");
    const ExportedNode* const turned = core.take(value, "aten.permute.default");
    if (!turned || !isList(*turned, "dims", {2, 0, 1, 3})) return nullptr;
    const ExportedNode* const call = core.take(valueOr(*turned, "self"), "aten.scaled_dot_product_attention.default");
    if (!call || valueOr(*call, "attn_mask") || numberOr(*call, "dropout_p").value_or(0) != 0) return nullptr;
    found.attention = static_cast<std::size_t>(m_flow.makers[valueOr(*turned, "self")->index()]);
    found.causal = flagOr(*call, "is_causal", false);
    found.scale = numberOr(*call, "scale");
    const std::optional<ValueId> query = valueOr(*call, "query");
    const Sizes sizes = query ? m_graph.value(*query).sizes : Sizes();
    if (sizes.size() != 4 || !sizes[1].constant() || !sizes[2].constant()) return nullptr;
    found.heads = *sizes[1].constant();
    found.tokens = *sizes[2].constant();
    return call;
  }

  /// What queries, keys and values are thirds of.
  std::optional<ValueId> takeParts(CallPattern& core, const ExportedNode& attention) const {
    const Sizes heads = m_graph.value(*valueOr(attention, "query")).sizes;
    std::optional<ValueId> packed;
    const char* const names[kParts] = {"query", "key", "value"};
    for (std::size_t part = 0; part < kParts; ++part) {
      const std::optional<ValueId> read = valueOr(attention, names[part]);
      if (!read || m_graph.value(*read).sizes != heads) return std::nullopt;
      const std::optional<ValueId> whole = takePart(core, *read, static_cast<std::int64_t>(part));
      if (!whole || (packed && packed != whole)) return std::nullopt;
      packed = whole;
    }
    const ExportedNode* const copy = core.take(packed, "aten.contiguous.default");
    const ExportedNode* const squeezed = copy ? core.take(valueOr(*copy, "self"), "aten.squeeze.dim") : nullptr;
    const ExportedNode* const thirds = squeezed ? core.take(valueOr(*squeezed, "self"), "aten.transpose.int") : nullptr;
    const ExportedNode* const spread = thirds ? core.take(valueOr(*thirds, "self"), "aten.unsqueeze.default") : nullptr;
    const ExportedNode* const cut = spread ? core.take(valueOr(*spread, "self"), "aten.unflatten.int") : nullptr;
    if (!cut || !isDim(*squeezed, "dim", -2) || !isDim(*spread, "dim", 0) || !isDim(*cut, "dim", -1)) return {};
    const auto* const sizes = std::get_if<Dims>(argumentOf(*cut, "sizes"));
    const bool in_thirds = sizes && sizes->size() == 2 && sizes->front() == std::int64_t{kParts};
    return in_thirds && swaps(*thirds, 0, -2) ? valueOr(*cut, "self") : std::nullopt;
  }

  /// samples, heads, tokens, width of a head, from the part-th of tokens, samples, width.
  std::optional<ValueId> takePart(CallPattern& core, ValueId heads, std::int64_t part) const {
    const ExportedNode* const apart = takeView(core, heads);
    const ExportedNode* const turned = apart ? core.take(valueOr(*apart, "self"), "aten.transpose.int") : nullptr;
    const ExportedNode* const cut = turned ? takeView(core, valueOr(*turned, "self")) : nullptr;
    const ExportedNode* const row = cut ? core.take(valueOr(*cut, "self"), "aten.select.int") : nullptr;
    if (!row || !swaps(*turned, 0, 1) || !isDim(*row, "dim", 0) || integerOr(*row, "index") != part) return {};
    const Sizes &all = m_graph.value(heads).sizes, &rows = m_graph.value(*cut->outputs.front()).sizes;
    return rows.size() == 3 && rows[0] == all[2] && rows[2] == all[3] ? valueOr(*row, "self") : std::nullopt;
  }

  /// So that views, whose sizes are not looked at one by one, are what they are in PyTorch.
  bool hasItsSizes(const SelfAttention& found) const {
    const Sizes &rows = m_graph.value(found.rows).sizes, &packed = m_graph.value(found.packed).sizes;
    const Sizes &made = m_graph.value(found.made).sizes, &mixed = m_graph.value(found.mixed).sizes;
    if (rows.size() != 3 || packed.size() != 3 || made.size() != 3 || mixed.size() != 2) return false;
    const std::optional<std::int64_t> width = mixed.back().constant(), all = packed.back().constant();
    const bool in_heads = width && all && found.heads > 0 && *width % found.heads == 0 && *all == 3 * *width;
    const Sizes& query = m_graph.value(*valueOr(m_graph.nodes[found.attention], "query")).sizes;
    return in_heads && rows[0].constant() == found.tokens && query[0] == rows[1] &&
           query[3].constant() == *width / found.heads && made[0] == rows[1] && made[1] == rows[0];
  }

  bool isDim(const ExportedNode& node, std::string_view name, std::int64_t wanted) const {
    const std::optional<ValueId> self = valueOr(node, "self");
    const std::optional<std::int64_t> dim = integerOr(node, name);
    // unsqueeze() counts the dimension that it adds, but 0 is the first anyway.
    const auto count = self ? static_cast<std::int64_t>(m_graph.value(*self).sizes.size()) : 0;
    return dim && (*dim < 0 ? *dim + count : *dim) == (wanted < 0 ? wanted + count : wanted);
  }
  bool swaps(const ExportedNode& node, std::int64_t a, std::int64_t b) const {
    return (isDim(node, "dim0", a) && isDim(node, "dim1", b)) || (isDim(node, "dim0", b) && isDim(node, "dim1", a));
  }
  static bool isList(const ExportedNode& node, std::string_view name, const Dims& wanted) {
    const ExportedArgument* const argument = argumentOf(node, name);
    const auto* const list = argument ? std::get_if<Dims>(argument) : nullptr;
    return list && *list == wanted;
  }

  /// All in one block and in fp32; nobody else reads what is between, which is in another order, or writes.
  bool isAlone(const SelfAttention& found) const {
    std::vector<std::size_t> nodes = found.nodes();
    nodes.push_back(found.project);
    nodes.push_back(static_cast<std::size_t>(m_flow.makers[found.rows.index()]));
    nodes.push_back(static_cast<std::size_t>(m_flow.makers[found.projected.index()]));
    std::ranges::sort(nodes);
    const auto is_float = [&](std::size_t i) {
      return m_graph.value(*m_graph.nodes[i].outputs.front()).type == ScalarKind::Float32;
    };
    return std::ranges::all_of(nodes, is_float) && m_around.canBeOne(nodes, {found.made}, m_graph.nodes.size());
  }

  const ExportedGraph& m_graph;
  const ValueFlow& m_flow;
  CallSurroundings m_around;
};

}  // namespace

std::vector<std::size_t> SelfAttention::nodes() const {
  std::vector<std::size_t> all = calls;
  all.insert(all.end(), back.begin(), back.end());
  return all;
}

std::vector<SelfAttention> selfAttentionsOf(const ExportedGraph& graph, const ExportedBlocks& blocks) {
  return AttentionFinder(graph, blocks).find();
}

}  // namespace lanelab
