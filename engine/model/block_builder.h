// SPDX-License-Identifier: GPL-3.0-only
// Builds one BlockSpec layer by layer, following the shape of a sample through it.
//
// What a layer keeps for backward is what PyTorch's autograd saves (derivatives.yaml): a convolution, a linear layer
// and a batch norm their input, a ReLU its output, a max pooling its input and int64 indices, an average to 1x1 and a
// sum nothing. A tensor that two layers keep is counted once. Batch norm's saved mean and deviation are per
// micro-batch, not per sample, and are left out.
#pragma once

#include "engine/model/model_spec.h"

namespace lanelab {

class BlockBuilder {
 public:
  /// `input_kept`: the block before keeps this block's input already (it ends in a ReLU), so it is not counted again.
  BlockBuilder(std::string name, std::string type, std::string group, Shape input, bool input_kept);

  void conv(const std::string& name, std::int64_t channels, std::int64_t kernel,
            std::int64_t stride);  ///< padding kernel/2, no bias
  void batchNorm(const std::string& name);
  void relu();  ///< applies it; the module, which may be applied several times, is listed once by listRelu
  void listRelu(const std::string& name);
  void maxPool(const std::string& name);      ///< 3x3, stride 2, padding 1
  void averagePool(const std::string& name);  ///< to 1x1
  void linear(const std::string& name, std::int64_t features);
  void returnToInput();  ///< the second branch of a residual block begins
  void sum();            ///< adds the second branch to the first, or the input where there is no second

  const Shape& shape() const { return m_shape; }
  bool outputKept() const { return m_kept; }  ///< the `input_kept` of the next block
  BlockSpec finish();

 private:
  void keep();  ///< a layer saves the tensor that flows here
  /// A layer made a new one.
  void produce(OpKind kind, Shape shape, std::int64_t kernel = 1, std::int64_t stride = 1);
  void list(const std::string& name, const std::string& type, std::int64_t parameters, std::int64_t macs);

  BlockSpec m_block;
  Shape m_input;
  Shape m_shape;
  bool m_input_kept;
  bool m_at_input = true;
  bool m_kept;
  int m_value = 0;   ///< what flows here, as the block's operations number it
  int m_first = -1;  ///< the end of the first branch, while the second is built
};

}  // namespace lanelab
