// SPDX-License-Identifier: GPL-3.0-only
// For losses_test.py: loss_values LOSS SHIFT SMOOTHING SPLIT CASE.safetensors OUT.safetensors [LOSS ...]. Takes the
// loss of the tensors `output` and `targets` by micro-batches of SPLIT samples on one thread, and writes their sum, the
// gradient of the output, and the right answers where the targets are ids; so for each six arguments.
#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>

#include <algorithm>
#include <iostream>

#include "engine/torch/files/tensor_file.h"
#include "engine/torch/lanes/step_loss.h"

namespace lanelab {
namespace {

void losses(const LossRule& rule, std::int64_t split, const std::string& file, const std::string& out) {
  const Result<TensorMap> data = readSafetensors(file);
  if (!data.ok()) throw std::runtime_error(data.error().message);
  const at::Tensor output = data->at("output").clone().requires_grad_(), targets = data->at("targets");
  const std::int64_t samples = targets.size(0);
  StepLoss step(rule, /*replicas=*/1, /*counts_correct=*/false);
  step.beginStep();
  step.beginBatch(targets);
  at::Tensor loss, correct;
  for (std::int64_t begin = 0; begin < samples; begin += split) {
    const std::int64_t count = std::min(split, samples - begin);
    const at::Tensor rows = output.narrow(0, begin, count), wanted = targets.narrow(0, begin, count);
    const double weight = static_cast<double>(count) / static_cast<double>(samples);
    const at::Tensor part = step.add(rows, targetsFor(rule, wanted, output.size(-1)), weight);
    part.backward();
    loss = loss.defined() ? loss + part.detach() : part.detach();
    if (wanted.is_floating_point()) continue;
    const at::Tensor hits = countCorrect(rule, rows, wanted);
    correct = correct.defined() ? correct + hits : hits;
  }
  NamedTensors results{{"loss", loss}, {"gradient", output.grad()}};
  if (correct.defined()) results.emplace_back("correct", correct);
  const Status written = writeSafetensors(out, results);
  if (!written.ok()) throw std::runtime_error(written.error().message);
}

void caseOf(char** words) {
  const auto kind = fromWord<Loss>(words[0]);
  if (!kind) throw std::runtime_error(std::string("no loss is called ") + words[0]);
  const LossRule rule(*kind, words[1] == std::string("1"), std::stod(words[2]));
  losses(rule, std::stol(words[3]), words[4], words[5]);
}

}  // namespace
}  // namespace lanelab

int main(int count, char** words) {
  if (count < 7 || count % 6 != 1) {
    std::cerr << "Usage: loss_values LOSS SHIFT SMOOTHING SPLIT CASE.safetensors OUT.safetensors [LOSS ...]\n";
    return 1;
  }
  try {
    at::set_num_threads(1);
    for (int first = 1; first < count; first += 6) lanelab::caseOf(words + first);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
  }
  return 1;
}
