// SPDX-License-Identifier: GPL-3.0-only
#include "engine/memory/convolution_memory.h"

#include <algorithm>

namespace lanelab {
namespace {

constexpr std::int64_t kFewImages = 16;       // below, one thread does plain 1x1 convolutions without oneDNN
constexpr std::int64_t kBlockedChannels = 8;  // images with fewer are read as they are
constexpr std::int64_t kSmallCopies = 4;      // of a weight gradient, for each thread

}  // namespace

ConvolutionMemory::ConvolutionMemory(const ConvGeometry& conv, const TrainingMemory& training, int threads)
    : m_conv(conv),
      m_training(training),
      m_threads(threads),
      m_x(conv.n * conv.in * conv.height * conv.width * training.element_bytes),
      m_y(conv.pixels() * conv.out * training.element_bytes),
      m_w(conv.in * conv.out * conv.kernel * conv.kernel * training.element_bytes) {
  if (!conv.plain()) m_windows = conv.pixels() * conv.kernel * conv.kernel * conv.in * training.element_bytes;
}

ConvolutionMemory::Way ConvolutionMemory::wayOf(bool ProductChoice::*part) const {
  if (m_threads == 0) return Way::Plain;
  const bool fp32 = m_training.element_bytes == kFloatBytes;
  const bool ordered = m_training.channels_last || m_conv.height * m_conv.width == 1;  // one pixel is in both orders
  const bool products = m_training.rules.has(Rule::ConvolutionProduct);
  if (ordered && fp32 && products && chooseProducts(m_conv, m_training.simd).*part) return Way::Product;
  if (!fp32 && m_training.simd != Simd::Avx512) return Way::Columns;
  if (m_conv.plain() && fp32 && m_conv.n < kFewImages && m_threads == 1) return Way::Plain;
  return m_training.channels_last ? Way::OneDnnLast : Way::OneDnnFirst;
}

/// A product reads the weight in channels_last order.
std::int64_t ConvolutionMemory::productCopies() const { return m_windows + (m_training.channels_last ? 0 : m_w); }

/// Without AVX-512 oneDNN's weight gradient takes another way for images that are narrower than the kernel.
bool ConvolutionMemory::isSmallForOneDnn() const {
  const Way way = wayOf(&ProductChoice::weight_gradient);
  return (way == Way::OneDnnLast || way == Way::OneDnnFirst) && m_training.simd != Simd::Avx512 && m_conv.kernel > 1 &&
         m_conv.width < m_conv.kernel;
}

ConvolutionMemory::Passing ConvolutionMemory::forward() const {
  const std::int64_t reordered = m_conv.in < kBlockedChannels ? 0 : m_x;
  switch (wayOf(&ProductChoice::forward)) {
    case Way::Plain: return {};
    case Way::Product: return {0, productCopies()};
    case Way::Columns: return {0, m_windows};
    case Way::OneDnnLast: return {0, m_w};
    case Way::OneDnnFirst: return {reordered + m_w + m_y, m_y};
  }
  return {};
}

ConvolutionMemory::Passing ConvolutionMemory::inputGradient() const {
  switch (wayOf(&ProductChoice::input_gradient)) {
    case Way::Plain:
    case Way::Columns: return {};
    case Way::Product: return {0, productCopies()};
    case Way::OneDnnLast: return {0, m_w};
    case Way::OneDnnFirst: return {m_y + m_w + m_x, m_x};
  }
  return {};
}

ConvolutionMemory::WeightPart ConvolutionMemory::weightGradient(bool first) const {
  const Way way = wayOf(&ProductChoice::weight_gradient);
  if (way == Way::Product && m_training.channels_last) return {m_windows + (first ? m_w : 0), !first};
  if (isSmallForOneDnn()) return {(1 + kSmallCopies * m_threads) * m_w + m_threads * m_windows / m_conv.n, false};
  switch (way) {
    case Way::Plain: return {};
    case Way::Product:
    case Way::Columns: return {m_windows + m_w, false};
    case Way::OneDnnLast: return {3 * m_w, false};
    case Way::OneDnnFirst: return {std::max(m_y + m_x + m_w, 2 * m_w), false};
  }
  return {};
}

}  // namespace lanelab
