// SPDX-License-Identifier: GPL-3.0-only
// ResNet's blocks: stem, basic block, bottleneck, head.
#pragma once

#include "engine/torch/nn/layers.h"
#include "engine/torch/nn/network_block.h"

#include <optional>

namespace lanelab {

/// conv1, bn1, relu, maxpool.
class StemBlock : public NetworkBlock {
 public:
  StemBlock(std::string name, std::int64_t in);
  at::Tensor forward(const at::Tensor& input, bool training) override;

 private:
  ConvLayer m_conv;
  NormLayer m_norm;
};

/// What a residual block is made of: `width` channels inside, `out` channels at its end.
struct ResidualShape {
  std::int64_t in, width, out, stride;
  bool bottleneck;  ///< 1x1, 3x3, 1x1 instead of 3x3, 3x3
};

/// BasicBlock and Bottleneck: two or three convolutions beside the identity or a 1x1 projection.
class ResidualBlock : public NetworkBlock {
 public:
  ResidualBlock(std::string name, const ResidualShape& shape);
  at::Tensor forward(const at::Tensor& input, bool training) override;

 private:
  struct Unit {
    ConvLayer conv;
    NormLayer norm;
  };
  std::vector<Unit> m_branch;
  std::optional<Unit> m_projection;
};

/// avgpool, flatten, fc.
class HeadBlock : public NetworkBlock {
 public:
  HeadBlock(std::string name, std::int64_t in, std::int64_t classes);
  at::Tensor forward(const at::Tensor& input, bool training) override;

 private:
  LinearLayer m_fc;
};

}  // namespace lanelab
