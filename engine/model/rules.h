// SPDX-License-Identifier: GPL-3.0-only
// What lanes do otherwise than call by call: named rules over a network's graph. Where each applies is found once
// (engine/exported/graph_rules.h); lanes, the memory forecast and the list of `lanelab-cli summary --rules` follow it
// alike. Each can be switched off (training.rules_off).
//
// Form: ONNX Runtime's rewrite rules (onnxruntime/core/optimizer/rewrite_rule.h), each with what it looks for, its
// condition and its application.
#pragma once

#include <array>
#include <initializer_list>
#include <string_view>

#include "base/words.h"

namespace lanelab {

enum class Rule : unsigned char {
  FusedNorm,
  FusedRmsNorm,
  GatedProduct,
  RotaryEmbedding,
  TanhGelu,
  SelfAttention,
  JoinedParts,
  ConvolutionProduct,
  RemadeActivation,
  SplitBackward,
  FoldedLinear
};
constexpr std::array<Word<Rule>, 11> wordTable(Rule) {
  return {{{Rule::FusedNorm, "fused_norm"},
           {Rule::FusedRmsNorm, "fused_rms_norm"},
           {Rule::GatedProduct, "gated_product"},
           {Rule::RotaryEmbedding, "rotary_embedding"},
           {Rule::TanhGelu, "tanh_gelu"},
           {Rule::SelfAttention, "self_attention"},
           {Rule::JoinedParts, "joined_parts"},
           {Rule::ConvolutionProduct, "convolution_product"},
           {Rule::RemadeActivation, "remade_activation"},
           {Rule::SplitBackward, "split_backward"},
           {Rule::FoldedLinear, "folded_linear"}}};
}

struct RuleText {
  Rule rule;
  std::string_view looks_for, condition, does;  ///< clauses without a full stop
};

/// In the order in which they are listed.
constexpr std::array<RuleText, 11> kRules = {{
    {Rule::FusedNorm, "a batch norm of images in training, alone, or with the sum or activation that alone reads it",
     "kernels fused, channels_last, fp32, CPU lanes",
     "one pass over memory normalises, adds and activates, and the backward makes the mask again; equal to rounding"},
    {Rule::FusedRmsNorm, "a root mean square norm of rows with a weight, as one call or written out",
     "kernels fused, channels_last, fp32, CPU lanes",
     "one pass over memory in the forward and one in the backward; equal to rounding"},
    {Rule::GatedProduct, "a SiLU that is multiplied with a tensor of its size, and read by nobody else",
     "kernels fused, channels_last, fp32, CPU lanes",
     "one pass over memory, and the SiLU is not stored for the backward; equal to rounding"},
    {Rule::RotaryEmbedding, "rotary position embeddings of four-dimensional tensors, written out with halves",
     "kernels fused, channels_last, fp32, CPU lanes",
     "one pass over memory in the forward and one in the backward; equal to rounding"},
    {Rule::TanhGelu, "a GELU by tanh that is written out", "kernels fused, channels_last, fp32, CPU lanes",
     "PyTorch's gelu(), one pass over memory; equal to rounding"},
    {Rule::SelfAttention,
     "torch.nn.MultiheadAttention(batch_first=True) of one tensor, without a mask, in a network without dropout",
     "kernels fused, channels_last, fp32, CPU lanes",
     "the same products and attention, with nothing turned or copied between them; equal to rounding"},
    {Rule::JoinedParts, "all rows or slices of a dimension, taken one by one",
     "kernels fused, channels_last, fp32, CPU lanes",
     "they are taken together, and the backward puts their gradients side by side once; equal numbers"},
    {Rule::ConvolutionProduct, "a convolution with a square kernel of 1 or 3, padded by half of it, without groups",
     "kernels fused or a built-in network, channels_last, fp32, CPU lanes; few pixels, by a measured limit",
     "values, input gradient and weight gradient are each one product of matrices; equal to rounding"},
    {Rule::RemadeActivation, "a batch norm whose ReLU is stored for convolutions and poolings of its block alone",
     "recompute \"activations\"", "the backward makes it again from the norm's input; equal bits"},
    {Rule::SplitBackward, "a convolution or a product with a parameter that no other call of the stage reads",
     "schedules that split the backward (zb-*)", "the weight's gradient is computed later; equal bits"},
    {Rule::FoldedLinear, "a linear layer", "inputs of three or more dimensions that are not in order",
     "one product in every pass, so that passes without gradients give the bits of those with"},
}};

/// A set of rules. Value type.
class Rules {
 public:
  constexpr Rules() = default;
  constexpr Rules(Rule rule) : Rules({rule}) {}  // NOLINT: a rule is a set of one
  constexpr Rules(std::initializer_list<Rule> rules) {
    for (const Rule rule : rules) m_bits |= bitOf(rule);
  }
  static constexpr Rules all() {
    Rules rules;
    for (const RuleText& text : kRules) rules.m_bits |= bitOf(text.rule);
    return rules;
  }

  constexpr bool has(Rule rule) const { return (m_bits & bitOf(rule)) != 0; }
  constexpr Rules without(Rules less) const {
    less.m_bits = m_bits & ~less.m_bits;
    return less;
  }
  constexpr Rules with(Rules more) const {
    more.m_bits |= m_bits;
    return more;
  }
  constexpr bool operator==(const Rules&) const = default;

 private:
  static constexpr unsigned bitOf(Rule rule) { return 1U << static_cast<unsigned>(rule); }
  unsigned m_bits = 0;
};

/// What kernels "fused" does on CPU lanes in fp32 and channels_last, and nowhere else.
constexpr Rules kFusedKernels = {Rule::FusedNorm, Rule::FusedRmsNorm,  Rule::GatedProduct, Rule::RotaryEmbedding,
                                 Rule::TanhGelu,  Rule::SelfAttention, Rule::JoinedParts};

}  // namespace lanelab
