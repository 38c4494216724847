// SPDX-License-Identifier: GPL-3.0-only
// The choices an experiment makes among named values, with the words that files have for them.
#pragma once

#include "base/words.h"

namespace lanelab {

enum class Strategy { Single, ModelParallel, Pipeline, DataParallel, Ddp };
constexpr std::array<Word<Strategy>, 5> wordTable(Strategy) {
  return {{{Strategy::Single, "single"},
           {Strategy::ModelParallel, "model-parallel"},
           {Strategy::Pipeline, "pipeline"},
           {Strategy::DataParallel, "data-parallel"},
           {Strategy::Ddp, "ddp"}}};
}

/// Bf16: weights and activations; fp32 masters and batch norms. Tf32: products on GPUs.
enum class Precision { Fp32, Bf16, Tf32 };
constexpr std::array<Word<Precision>, 3> wordTable(Precision) {
  return {{{Precision::Fp32, "fp32"}, {Precision::Bf16, "bf16"}, {Precision::Tf32, "tf32"}}};
}

/// See TrainingModes.
enum class BatchNormMode { MicroBatch, Deferred, Synchronised };
constexpr std::array<Word<BatchNormMode>, 3> wordTable(BatchNormMode) {
  return {{{BatchNormMode::MicroBatch, "micro-batch"},
           {BatchNormMode::Deferred, "deferred"},
           {BatchNormMode::Synchronised, "synchronised"}}};
}

enum class DataSource { Random, File, Text, Digits, Cifar10, Folder };
constexpr std::array<Word<DataSource>, 6> wordTable(DataSource) {
  return {{{DataSource::Random, "random"},
           {DataSource::File, "file"},
           {DataSource::Text, "text"},
           {DataSource::Digits, "digits"},
           {DataSource::Cifar10, "cifar10"},
           {DataSource::Folder, "folder"}}};
}

/// Mse: against one-hot targets if the targets are class ids. Output: the network gives it.
enum class Loss { Mse, CrossEntropy, Output };
constexpr std::array<Word<Loss>, 3> wordTable(Loss) {
  return {{{Loss::Mse, "mse"}, {Loss::CrossEntropy, "cross_entropy"}, {Loss::Output, "output"}}};
}

enum class OptimizerKind { Sgd, Adam };
constexpr std::array<Word<OptimizerKind>, 2> wordTable(OptimizerKind) {
  return {{{OptimizerKind::Sgd, "sgd"}, {OptimizerKind::Adam, "adam"}}};
}

enum class Layout { ChannelsLast, Contiguous };
constexpr std::array<Word<Layout>, 2> wordTable(Layout) {
  return {{{Layout::ChannelsLast, "channels_last"}, {Layout::Contiguous, "contiguous"}}};
}

/// Fused: of engine/torch/kernels where they fit, which is on CPU lanes, in fp32 and channels_last. Aten: PyTorch's.
enum class Kernels { Fused, Aten };
constexpr std::array<Word<Kernels>, 2> wordTable(Kernels) {
  return {{{Kernels::Fused, "fused"}, {Kernels::Aten, "aten"}}};
}

/// What a stage computes again in the backward instead of keeping it (activation checkpointing). Activations: ReLUs of
/// batch norms, from the norms' inputs. Stage: its whole forward, from the stage's input. Files say false,
/// "activations" and true.
enum class Recompute { None, Activations, Stage };
constexpr std::array<Word<Recompute>, 3> wordTable(Recompute) {
  return {{{Recompute::None, "none"}, {Recompute::Activations, "activations"}, {Recompute::Stage, "stage"}}};
}

/// See learning_rate.h.
enum class LrSchedule { Constant, Step, Cosine };
constexpr std::array<Word<LrSchedule>, 3> wordTable(LrSchedule) {
  return {{{LrSchedule::Constant, "constant"}, {LrSchedule::Step, "step"}, {LrSchedule::Cosine, "cosine"}}};
}

enum class RecordMode { Off, Actions, Blocks, Operators };
constexpr std::array<Word<RecordMode>, 4> wordTable(RecordMode) {
  return {{{RecordMode::Off, "off"},
           {RecordMode::Actions, "actions"},
           {RecordMode::Blocks, "blocks"},
           {RecordMode::Operators, "operators"}}};
}

}  // namespace lanelab
