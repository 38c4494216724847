// SPDX-License-Identifier: GPL-3.0-only
// What a convolution's parts copy beside their results, as PyTorch 2.11 with oneDNN 3.10 does on a CPU
// (ATen/native/mkldnn/Conv.cpp).
#include <algorithm>

#include "engine/memory/stage_replay.h"

namespace lanelab {
namespace {

constexpr std::int64_t kFewImages = 16;       // below, one thread does plain 1x1 convolutions without oneDNN
constexpr std::int64_t kBlockedChannels = 8;  // images with fewer are read as they are
constexpr std::int64_t kSmallCopies = 4;      // of a weight gradient, for each thread

}  // namespace

ConvGeometry StageReplay::geometryOf(const Op& op) const {
  return {m_samples, op.op.from[0], op.op.from[1], op.op.from[2], op.op.to[0], op.op.kernel, op.op.stride};
}

StageReplay::ConvBytes StageReplay::convBytes(const Op& op) const {
  const std::int64_t each = m_stage.m_training.element_bytes;
  ConvBytes bytes{bytesOf(op.op.from), bytesOf(op.op.to), weightNumbers(op.op) * each};
  if (op.op.kind != OpKind::Convolution) return bytes;
  const ConvGeometry g = geometryOf(op);
  if (!g.plain()) bytes.windows = g.pixels() * g.kernel * g.kernel * g.in * each;
  return bytes;
}

StageReplay::Way StageReplay::wayOf(const Op& op, bool ProductChoice::*part) const {
  const TrainingMemory& training = m_stage.m_training;
  if (op.op.kind != OpKind::Convolution || m_stage.m_threads == 0) return Way::Plain;
  const bool fp32 = training.element_bytes == 4;
  const ConvGeometry g = geometryOf(op);
  const bool ordered = training.channels_last || g.height * g.width == 1;  // a single pixel is in both orders
  if (ordered && fp32 && chooseProducts(g, training.simd).*part) return Way::Product;
  if (!fp32 && training.simd != Simd::Avx512) return Way::Columns;
  if (g.plain() && fp32 && m_samples < kFewImages && m_stage.m_threads == 1) return Way::Plain;
  return training.channels_last ? Way::OneDnnLast : Way::OneDnnFirst;
}

/// A product reads the weight in channels_last order.
std::int64_t StageReplay::productCopies(const ConvBytes& bytes) const {
  return bytes.windows + (m_stage.m_training.channels_last ? 0 : bytes.w);
}

/// Without AVX-512 oneDNN's weight gradient takes another way for images that are narrower than the kernel.
bool StageReplay::isSmallForOneDnn(const Op& op) const {
  const Way way = wayOf(op, &ProductChoice::weight_gradient);
  return (way == Way::OneDnnLast || way == Way::OneDnnFirst) && m_stage.m_training.simd != Simd::Avx512 &&
         op.op.kernel > 1 && geometryOf(op).width < op.op.kernel;
}

void StageReplay::convForward(const Op& op) {
  const ConvBytes bytes = convBytes(op);
  const Way way = wayOf(op, &ProductChoice::forward);
  const std::int64_t reordered = op.op.from[0] < kBlockedChannels ? 0 : bytes.x;
  if (way == Way::OneDnnFirst) passing(reordered + bytes.w + bytes.y);
  allocate(op.output_storage);
  if (way == Way::Product) passing(productCopies(bytes));
  if (way == Way::Columns) passing(bytes.windows);
  if (way == Way::OneDnnLast) passing(bytes.w);
  if (way == Way::OneDnnFirst) passing(bytes.y);
}

int StageReplay::inputGradient(const Op& op) {
  const ConvBytes bytes = convBytes(op);
  const Way way = wayOf(op, &ProductChoice::input_gradient);
  if (way == Way::OneDnnFirst) passing(bytes.y + bytes.w + bytes.x);
  const int made = make(bytes.x);
  if (way == Way::Product) passing(productCopies(bytes));
  if (way == Way::OneDnnLast) passing(bytes.w);
  if (way == Way::OneDnnFirst) passing(bytes.x);
  return made;
}

void StageReplay::weightGradient(const Op& op, bool first) {
  const ConvBytes bytes = convBytes(op);
  const Way way = wayOf(op, &ProductChoice::weight_gradient);
  const std::int64_t each = m_stage.m_training.element_bytes;
  if (way == Way::Product && m_stage.m_training.channels_last) {
    passing(bytes.windows + (first ? bytes.w : 0));  // a later one is added within the product
    if (first) land(weightNumbers(op.op), each, first);
    return;
  }
  if (way == Way::Product || way == Way::Columns) passing(bytes.windows + bytes.w);
  if (isSmallForOneDnn(op)) {
    const ConvGeometry g = geometryOf(op);
    passing((1 + kSmallCopies * m_stage.m_threads) * bytes.w + m_stage.m_threads * bytes.windows / g.n);
  } else if (way == Way::OneDnnLast) {
    passing(3 * bytes.w);
  } else if (way == Way::OneDnnFirst) {
    passing(std::max(bytes.y + bytes.x + bytes.w, 2 * bytes.w));
  }
  land(weightNumbers(op.op), each, first);
  if (op.op.kind == OpKind::Linear) land(op.op.to[0], each, first);
}

}  // namespace lanelab
