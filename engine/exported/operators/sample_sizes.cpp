// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/operators/sample_sizes.h"

#include <algorithm>

namespace lanelab {
namespace {

/// An example of two samples, since sizes of 1 may have any stride.
constexpr std::int64_t kExampleBatch = 2;

/// The shape with -1 replaced by what is left of `elements`.
Shape completed(Shape shape, std::int64_t elements) {
  const auto open = std::ranges::find(shape, -1);
  if (open == shape.end()) return shape;
  *open = 1;
  const std::int64_t others = numbersOf(shape);
  *open = others > 0 ? elements / others : 0;
  return shape;
}

}  // namespace

SampleSizes::SampleSizes(const ExportedProgram& program)
    : m_graph(program.graph), m_symbol(program.batch_symbol), m_static_batch(program.static_batch) {}

std::optional<std::int64_t> SampleSizes::at(const SizeExpression& size, std::int64_t batch) const {
  const auto constant = size.constant();
  return constant ? constant : size.evaluate({{m_symbol, batch}});
}

std::optional<std::int64_t> SampleSizes::count(const std::vector<SizeExpression>& sizes, std::int64_t batch) const {
  std::int64_t elements = 1;
  for (const SizeExpression& size : sizes) {
    const auto one = at(size, batch);
    if (!one || *one < 0 || __builtin_mul_overflow(elements, *one, &elements)) return std::nullopt;
  }
  return elements;
}

std::int64_t SampleSizes::elementsOf(const std::vector<SizeExpression>& sizes) const {
  if (m_symbol.empty()) {
    const bool shared = sizes.empty() || sizes.front().constant() != m_static_batch;
    return shared ? 0 : count(sizes, 1).value_or(0) / m_static_batch;
  }
  const auto one = count(sizes, 1), two = count(sizes, 2);
  return one && two ? std::max<std::int64_t>(*two - *one, 0) : 0;
}

std::int64_t SampleSizes::bytes(ValueId id) const { return elements(id) * bytesOf(m_graph.value(id).type); }

Shape SampleSizes::shape(ValueId id) const {
  const std::vector<SizeExpression>& sizes = m_graph.value(id).sizes;
  Shape shape;
  for (const SizeExpression& size : sizes) shape.push_back(at(size, 1).value_or(0));
  if (shape.empty()) return shape;
  const bool first = m_symbol.empty() ? shape.front() == m_static_batch : sizes.front().text() == m_symbol;
  if (first) shape.erase(shape.begin());
  return shape;
}

Shape SampleSizes::evaluated(const std::vector<SizeExpression>& sizes) const {
  Shape shape;
  for (const SizeExpression& size : sizes) shape.push_back(at(size, kExampleBatch).value_or(0));
  return shape;
}

Shape SampleSizes::wholeShape(ValueId id) const { return evaluated(m_graph.value(id).sizes); }

bool SampleSizes::isContiguous(ValueId id) const {
  return lanelab::isContiguous(wholeShape(id), evaluated(m_graph.value(id).strides));
}

bool SampleSizes::canBeViewedAs(ValueId id, const Shape& wanted) const {
  const Shape sizes = wholeShape(id), strides = evaluated(m_graph.value(id).strides);
  const Shape shape = completed(wanted, numbersOf(sizes));
  if (numbersOf(shape) != numbersOf(sizes)) return false;
  if (numbersOf(sizes) == 0 || sizes.empty() || strides.size() != sizes.size()) return true;
  // As at::detail::computeStride: what is one piece of memory must be whole sizes of the new shape.
  std::size_t left = shape.size();
  std::int64_t base = strides.back(), piece = 1, made = 1;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    piece *= sizes[i];
    if (i > 0 && (sizes[i - 1] == 1 || strides[i - 1] == piece * base)) continue;
    while (left > 0 && (made < piece || shape[left - 1] == 1)) made *= shape[--left];
    if (made != piece) return false;
    if (i > 0) base = strides[i - 1];
    piece = made = 1;
  }
  return left == 0;
}

bool SampleSizes::canBeGrouped(ValueId id, const std::vector<std::vector<std::size_t>>& groups) const {
  const Shape sizes = wholeShape(id), strides = evaluated(m_graph.value(id).strides);
  if (strides.size() != sizes.size()) return true;
  for (const std::vector<std::size_t>& group : groups) {
    std::optional<std::int64_t> next;  // the stride that the dimension before must have
    for (std::size_t i = group.size(); i-- > 0;) {
      const std::size_t dim = group[i];
      if (sizes[dim] == 1) continue;
      if (next && strides[dim] != *next) return false;
      next = strides[dim] * sizes[dim];
    }
  }
  return true;
}

}  // namespace lanelab
