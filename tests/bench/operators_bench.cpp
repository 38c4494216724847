// SPDX-License-Identifier: GPL-3.0-only
// The operators of a training step: how long each takes, how many bytes its tensors have, and its share of the step,
// with both kinds of kernels.
#include <ATen/core/Tensor.h>
#include <ATen/record_function.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>

#include "engine/torch/train/torch_executor.h"
#include "tests/bench/benches.h"

namespace lanelab::bench {
namespace {

constexpr std::size_t kShown = 14;

struct OperatorUse {
  double seconds = 0;  ///< without the operators inside it
  double bytes = 0;    ///< of its tensors, in and out, as often as it was called
  int calls = 0;
};

/// Of all threads, since the last clearing.
struct Profile {
  std::mutex mutex;
  std::map<std::string, OperatorUse> uses;
};

Profile& profile() {
  static Profile instance;
  return instance;
}

template <class Values>
double bytesOf(const Values& values) {
  double bytes = 0;
  for (const c10::IValue& value : values) {
    if (value.isTensor() && value.toTensor().defined()) bytes += static_cast<double>(value.toTensor().nbytes());
  }
  return bytes;
}

struct Open : at::ObserverContext {
  explicit Open(double bytes_in) : bytes(bytes_in) {}

  std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
  Open* outer = nullptr;
  double inside = 0;  ///< seconds of operators inside
  double bytes;       ///< of inputs, which are there at the begin only
};

thread_local Open* t_open = nullptr;

std::unique_ptr<at::ObserverContext> begins(const at::RecordFunction& function) {
  auto open = std::make_unique<Open>(bytesOf(function.inputs()));
  open->outer = std::exchange(t_open, open.get());
  return open;
}

void ends(const at::RecordFunction& function, at::ObserverContext* context) {
  auto* const open = static_cast<Open*>(context);
  t_open = open->outer;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - open->begin).count();
  if (open->outer) open->outer->inside += seconds;
  const std::lock_guard lock(profile().mutex);
  OperatorUse& use = profile().uses[function.name()];
  use.seconds += seconds - open->inside;
  use.bytes += open->bytes + bytesOf(function.outputs());
  ++use.calls;
}

std::vector<std::pair<std::string, OperatorUse>> usesOf(const SingleWorkload& w, Kernels kernels, double& step) {
  const auto executor = makeTorchExecutor();
  Contestant contestant = w.contestant(kernels, *executor);
  contestant.runRound();
  profile().uses.clear();
  const at::CallbackHandle handle =
      at::addGlobalCallback(at::RecordFunctionCallback(&begins, &ends)
                                .needsInputs(true)
                                .needsOutputs(true)
                                .scopes({at::RecordScope::FUNCTION, at::RecordScope::BACKWARD_FUNCTION}));
  step = 0;
  for (const double seconds : contestant.runSteps()) step += seconds / w.model.steps;
  at::removeCallback(handle);
  std::vector<std::pair<std::string, OperatorUse>> uses(profile().uses.begin(), profile().uses.end());
  std::ranges::sort(uses, std::greater(), [](const auto& one) { return one.second.seconds; });
  uses.resize(std::min(uses.size(), kShown));
  return uses;
}

}  // namespace

nlohmann::json benchOperators(const SingleWorkload& workload, bool print) {
  nlohmann::json all = nlohmann::json::object();
  for (const Kernels kernels : {Kernels::Aten, Kernels::Fused}) {
    double step = 0;
    nlohmann::json& rows = all[toWord(kernels)] = nlohmann::json::array();
    const auto uses = usesOf(workload, kernels, step);
    const double steps = workload.model.steps;
    if (print)
      std::printf("%s kernels, %.1f ms a step, %d thread(s)\n%-52s %8s %10s %8s %10s %8s\n", toWord(kernels).c_str(),
                  step * 1e3, workload.threads, "operator, without those inside it", "calls", "ms a step", "share %",
                  "MB a step", "GB/s");
    for (const auto& [name, use] : uses) {
      rows.push_back({{"operator", name},
                      {"calls", use.calls / steps},
                      {"seconds", use.seconds / steps},
                      {"share", use.seconds / steps / step},
                      {"bytes", use.bytes / steps}});
      if (print)
        std::printf("%-52s %8.0f %10.2f %8.1f %10.1f %8.1f\n", name.c_str(), use.calls / steps,
                    use.seconds / steps * 1e3, use.seconds / steps / step * 100, use.bytes / steps * 1e-6,
                    use.bytes / use.seconds * 1e-9);
    }
  }
  return all;
}

}  // namespace lanelab::bench
