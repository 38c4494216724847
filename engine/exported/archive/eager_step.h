// SPDX-License-Identifier: GPL-3.0-only
// One step of eager PyTorch of a network as its factory built it, for .pt2 archives that have its numbers
// (extra/lanelab_eager.json): what `lanelab-cli check` holds the imported network against.
//
// Format: {"version": 1, "torch": "2.11.0", "batch": 2, "seed": 0, "ids": 60, "input_sum": ..., "loss": [LOSS, MOVED],
// "gradients": {NAME: [NORM, SUM, MOVED]}}. The input is drawn as torch.randn() or, with "ids", torch.randint() draws
// it from this seed; "input_sum" is the sum of its absolute values. The loss is the mean of the squared output. Or
// {"version": 1, "torch": ..., "left_out": "random"}, where a step cannot be repeated. Written by lanelab_export.py.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/words.h"
#include "engine/files/readable_bytes.h"

namespace lanelab {

struct EagerStep {
  enum class LeftOut : unsigned char { Nothing, Random, NotFinite, TooLarge };
  struct Gradient {
    std::string name;  ///< of the parameter in named_parameters()
    double norm = 0, sum = 0;
    double moved = 0;  ///< by weights that differ in their last bits: norm, or sum per square root of its elements
  };
  std::string torch_version;
  LeftOut left_out = LeftOut::Nothing;  ///< else nothing below is set
  std::int64_t batch = 0;
  std::uint64_t seed = 0;
  std::int64_t ids = 0;  ///< of a network of tokens: they are below this; else 0
  double input_sum = 0, loss = 0, loss_moved = 0;
  std::vector<Gradient> gradients;  ///< of trained parameters that the loss depends on
};

constexpr std::array<Word<EagerStep::LeftOut>, 4> wordTable(EagerStep::LeftOut) {
  return {{{EagerStep::LeftOut::Nothing, "nothing"},
           {EagerStep::LeftOut::Random, "random"},
           {EagerStep::LeftOut::NotFinite, "not finite"},
           {EagerStep::LeftOut::TooLarge, "too large"}}};
}

/// Nothing if the archive has none. Any thread; linear in the record, which has at most 4 MiB. Errors (BadInput) begin
/// with the path: the record is not what the script writes, or of another version.
Result<std::optional<EagerStep>> readEagerStep(const std::string& path);
/// From bytes; `place` names them in errors.
Result<std::optional<EagerStep>> readEagerStep(ReadableBytes source, const std::string& place);

}  // namespace lanelab
