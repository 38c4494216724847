// SPDX-License-Identifier: GPL-3.0-only
// How an experiment trains: each option is a member and its row, which is all that file, checks, schema and form need.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/experiment/choices.h"
#include "engine/experiment/fields.h"
#include "engine/model/rules.h"

namespace lanelab {

struct TrainingConfig {
  Loss loss = Loss::Mse;
  bool loss_shift = false;
  double label_smoothing = 0;
  OptimizerKind optimizer = OptimizerKind::Sgd;
  double lr = 0.001;
  LrSchedule lr_schedule = LrSchedule::Constant;
  int lr_warmup = 0;
  int lr_step_size = 10;
  double lr_gamma = 0.1;
  double lr_min = 0;
  double momentum = 0;
  double weight_decay = 0;
  bool nesterov = false;
  std::optional<double> clip_grad_norm = {};
  std::uint64_t seed = 0;
  Precision precision = Precision::Fp32;
  Layout layout = Layout::ChannelsLast;
  Kernels kernels = Kernels::Fused;
  std::vector<Rule> rules_off = {};
  BatchNormMode batch_norm = BatchNormMode::MicroBatch;
  Recompute recompute = Recompute::None;
  bool step_barrier = true;
  bool operator==(const TrainingConfig&) const = default;
};

template <class See>
void describeFields(const TrainingConfig*, See& see) {
  using C = TrainingConfig;
  see(Field(
      "loss", &C::loss, "loss",
      "mse: mean squared error; uses one-hot targets if targets are class ids. cross_entropy: of class ids, or of "
      "a token id at each position, mean over all tokens; targets of -100 are padding and are left out. output: the "
      "network returns its loss, and targets are not used; each micro-batch is weighted by its samples, so a mean over "
      "valid tokens depends on the micro-batch size.",
      {.label = "Loss"}));
  see(Field("loss_shift", &C::loss_shift, "shift of the targets",
            "cross_entropy of tokens only: the prediction at position t is compared with the target at t + 1, so the "
            "last prediction and the first target are left out.",
            {.if_changed = true, .label = "Shift targets"}));
  see(Field(
      "label_smoothing", &C::label_smoothing, "label smoothing",
      "cross_entropy only, as in torch.nn.functional.cross_entropy: this share of each target is spread evenly over "
      "all classes. Validation losses have it, too.",
      {.low = 0, .high = 1, .if_changed = true, .label = "Label smoothing"}));
  see(Field("optimizer", &C::optimizer, "optimizer", "", {.label = "Optimizer"}));
  see(Field("lr", &C::lr, "learning rate", "", {.low = 0, .label = "Learning rate"}));
  see(Field("lr_schedule", &C::lr_schedule, "learning-rate schedule",
            "How the learning rate changes over a repeat's steps, as torch.optim.lr_scheduler's ConstantLR, StepLR and "
            "CosineAnnealingLR.",
            {.if_changed = true, .label = "LR schedule"}));
  see(Field("lr_warmup", &C::lr_warmup, "number of warm-up steps of the learning rate",
            "Steps over which the learning rate rises at the start, from lr / (lr_warmup + 1).",
            {.low = 0, .high = kLargestCount, .if_changed = true, .label = "LR warm-up steps"}));
  see(Field("lr_step_size", &C::lr_step_size, "step interval of the learning rate",
            "step only: steps from one learning rate to the next.",
            {.low = 1, .high = kLargestCount, .if_changed = true, .label = "Step interval"}));
  see(Field("lr_gamma", &C::lr_gamma, "factor from one learning rate to the next",
            "step only: the factor from one learning rate to the next.",
            {.low = 0, .if_changed = true, .label = "Gamma"}));
  see(Field("lr_min", &C::lr_min, "lowest learning rate", "cosine only: the learning rate at the end of the curve.",
            {.low = 0, .if_changed = true, .label = "Minimum LR"}));
  see(Field("momentum", &C::momentum, "momentum", "sgd only.", {.low = 0, .label = "Momentum"}));
  see(Field("weight_decay", &C::weight_decay, "weight decay", "", {.low = 0, .label = "Weight decay"}));
  see(Field("nesterov", &C::nesterov, "Nesterov momentum", "sgd with a momentum above 0.", {.label = "Nesterov"}));
  see(Field("clip_grad_norm", &C::clip_grad_norm, "largest gradient norm",
            "Before each update all gradients are scaled down together if their norm over all parameters and stages is "
            "larger, as by torch.nn.utils.clip_grad_norm_. A network of several stages has the step barrier then.",
            {.low = 0, .above_low = true, .label = "Clip gradient norm", .placeholder = "not clipped"}));
  see(Field("seed", &C::seed, "seed",
            "Seeds the initial model as torch.manual_seed does, the random data and the order of the repeats.",
            {.label = "Seed"}));
  see(Field("precision", &C::precision, "precision",
            "bf16: convolutions, linear layers and activations; fp32 master weights in the optimizer, fp32 batch "
            "norms and loss. tf32: fp32 with TensorFloat-32 products, on GPUs only.",
            {.label = "Precision"}));
  see(Field("layout", &C::layout, "memory layout", "", {.label = "Layout"}));
  see(Field(
      "kernels", &C::kernels, "kernels",
      "fused: on CPU lanes in fp32 and channels_last each batch norm of images is done with the sum and the activation "
      "behind it, convolutions of few pixels as products of matrices, and what transformers write out call by call in "
      "one call, by LaneLab's kernels, which go over memory less often; values are PyTorch's to rounding. aten: "
      "PyTorch's operators, and its bits.",
      {.if_changed = true, .label = "Kernels"}));
  see(Field("rules_off", &C::rules_off, "rule",
            "Rules that lanes do not follow: those up to convolution_product are the kernels of LaneLab, "
            "remade_activation is what recompute \"activations\" does, split_backward what zb-* schedules need of a "
            "layer, folded_linear one product for a linear layer. `lanelab-cli summary --rules` shows where each "
            "applies.",
            {.unique_items = true, .if_changed = true}));
  see(Field("batch_norm", &C::batch_norm, "batch-norm mode",
            "micro-batch: each micro-batch is normalised by itself and updates the running statistics. deferred: the "
            "same, but they are updated once per step, with the statistics of the whole batch. synchronised: the whole "
            "batch is normalised together, as on a single device; slow, because no stage can start before the "
            "previous one has finished the whole batch.",
            {.label = "Batch norm"}));
  see(Field(
      "recompute", &C::recompute, "recomputation",
      "Activation checkpointing: less memory, more time, the same numbers. true: each stage stores only its input "
      "of a micro-batch and computes its whole forward again in the backward. activations: the ReLU of a batch "
      "norm that convolutions and poolings of its block alone need is not stored, and computed again from the norm's "
      "input, which is stored anyway.",
      {.label = "Recompute"}));
  see(Field("step_barrier", &C::step_barrier, "step barrier",
            "Whether all lanes begin each step together. Without it each lane begins its next step as soon as its own "
            "stages have been updated and its input is there, so the drain of a step overlaps with the fill of the "
            "next: the same numbers, less idle time. Replicas, several processes, stages that share a parameter and "
            "clip_grad_norm over several stages need the barrier and have it whatever is set here.",
            {.if_changed = true, .label = "Step barrier"}));
}

/// Copies of the parameters that the optimizer keeps.
int optimizerStates(const TrainingConfig& training);

}  // namespace lanelab
