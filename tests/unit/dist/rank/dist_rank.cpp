// SPDX-License-Identifier: GPL-3.0-only
// One process of a run for the tests, its place read from the environment. Prints what it computed; a failure goes to
// standard error, exit 1.
//
// dist_rank exchange | ring | lists | clocks | gather BYTES | gather-on | train STEPS | train-then-fail STEPS |
// mixed-shapes | mixed-counts | skips WAY | broken-pipe | listeners
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>

#include <netdb.h>
#include <sys/socket.h>

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <stdexcept>

#include "engine/dist/rank_channels.h"
#include "engine/dist/run_peers.h"
#include "engine/experiment/resolution.h"
#include "engine/torch/train/torch_session.h"
#include "tests/support/skip_network.h"

namespace lanelab {
namespace {

void exchange(RunPeers& peers) {
  for (const std::string& text : peers.exchange(std::string(static_cast<std::size_t>(peers.rank()) * 3, 'x')))
    std::cout << text.size() << " ";
  std::cout << std::endl;
}

/// Everyone sends to the next before it receives from the one before; large enough not to fit into a socket's memory.
void ring(RunPeers& peers) {
  const int next = (peers.rank() + 1) % peers.size(), before = (peers.rank() + peers.size() - 1) % peers.size();
  const auto to = peers.openSender(next, "ring");
  const auto from = peers.openReceiver(before, "ring");
  for (int turn = 0; turn < 3; ++turn) {
    const at::Tensor mine =
        at::ones({16 - turn, 64, 64, 64}).mul_(peers.rank() + 10 * turn).contiguous(at::MemoryFormat::ChannelsLast);
    to->send(7, {mine});
    to->send(8, {at::zeros({})});
    const at::Tensor got = from->receive(7).at(0);
    from->receive(8);
    std::cout << got.size(0) << " " << got.mean().item<double>() << " "
              << got.is_contiguous(at::MemoryFormat::ChannelsLast) << std::endl;
  }
}

/// Values of several types in one packet, of which one is undefined at times; the last of an epoch are smaller.
void lists(RunPeers& peers) {
  if (peers.rank() == 0) {
    const auto to = peers.openSender(1, "lists");
    for (const int rows : {4, 2}) {
      const at::Tensor ids = at::arange(rows);
      to->send(3, {at::ones({rows, 2}), rows == 2 ? at::Tensor() : at::ones({rows}), ids, ids.gt(1), at::ones({0, 2})});
    }
    return;
  }
  const auto from = peers.openReceiver(0, "lists");
  for (int turn = 0; turn < 2; ++turn) {
    for (const at::Tensor& value : from->receive(3)) {
      if (value.defined()) std::cout << value.scalar_type() << value.sizes() << value.sum().item<double>() << " ";
      if (!value.defined()) std::cout << "undefined ";
    }
    std::cout << std::endl;
  }
}

/// Each clock's offset and residual, twice over the same channels.
void clocks(const std::shared_ptr<Peers>& peers) {
  RankChannels channels(peers);
  for (int turn = 0; turn < 2; ++turn) {
    for (const ClockReading& clock : channels.readClocks()) std::cout << clock.offset << " " << clock.residual << " ";
    std::cout << std::endl;
  }
}

/// Each rank has `bytes` times its rank, twice.
void gather(const std::shared_ptr<Peers>& peers, int bytes) {
  RankChannels channels(peers);
  const auto part = [&](int rank) {
    std::string text(static_cast<std::size_t>(rank) * static_cast<std::size_t>(bytes), '\0');
    for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>(i * 31 + static_cast<std::size_t>(rank));
    return text;
  };
  for (int turn = 0; turn < 2; ++turn) {
    channels.gather(part(peers->rank()), [&](int rank, const std::string& got) {
      std::cout << rank << (got == part(rank) ? " right " : " wrong ");
    });
  }
  std::cout << std::endl;
}

/// Until a rank is lost.
void gatherOn(const std::shared_ptr<Peers>& peers) {
  RankChannels channels(peers);
  for (bool first = true;; first = false) {
    channels.gather("a few bytes", [](int, const std::string&) {});
    channels.readClocks();
    if (first) std::cout << "gathered" << std::endl;
  }
}

void mixedShapes(RunPeers& peers) {
  if (peers.rank() == 0) {
    const auto to = peers.openSender(1, "mixed");
    to->send(1, {at::ones({2, 3})});
    to->send(1, {at::ones({2, 4})});
  } else {
    const auto from = peers.openReceiver(0, "mixed");
    from->receive(1);
    from->receive(1);
  }
}

void mixedCounts(RunPeers& peers) {
  if (peers.rank() == 0) {
    const auto to = peers.openSender(1, "mixed");
    to->send(1, {at::ones({2}), at::ones({2})});
    to->send(1, {at::ones({2})});
  } else {
    const auto from = peers.openReceiver(0, "mixed");
    from->receive(1);
    from->receive(1);
  }
}

/// The toy's three blocks as stages on lanes of the ranks in turn, which recompute, split their backwards or clip their
/// gradients together.
Experiment skipsOverRanks(const std::string& way, int ranks) {
  Experiment experiment;
  experiment.model = {"toy", 5, std::nullopt};
  experiment.data.shape = {10};
  experiment.data.batch = 10;
  experiment.data.steps = 3;
  experiment.training.lr = 0.1;
  experiment.record = RecordMode::Off;
  for (int lane = 0; lane < 3; ++lane) experiment.lanes.push_back({Device::cpu(lane), "", 1, lane % ranks});
  VariantConfig variant;
  variant.strategy = Strategy::Pipeline;
  variant.split_size = 3;
  variant.placement = std::map<std::string, int>{{"net1", 0}, {"relu", 1}, {"net2", 2}};
  variant.schedule = way == "split" ? ScheduleKind::ZbH1 : ScheduleKind::OneFOneB;
  if (way == "clip") experiment.training.clip_grad_norm = 0.01;
  if (way == "recompute") variant.recompute = std::vector<int>{0, 1, 2};
  experiment.variants = {variant};
  return experiment;
}

std::string differences(const TensorMap& actual, const TensorMap& wanted) {
  std::string names;
  for (const auto& [name, tensor] : wanted) {
    const auto found = actual.find(name);
    if (found == actual.end() || !at::equal(found->second, tensor)) names += " " + name;
  }
  return actual.size() == wanted.size() && names.empty() ? "equal" : "other" + names;
}

/// Rank 0 compares what all have trained with the undivided network.
void skips(const std::shared_ptr<Peers>& peers, const std::string& way) {
  const Experiment experiment = skipsOverRanks(way, peers->size());
  const auto resolution = resolve(experiment);
  const Result<VariantPlan>& plan = resolution->variants().at(0).plan();
  if (!plan.ok()) throw std::runtime_error(plan.error().message);
  const auto inputs = test::skipInputs(experiment, resolution->model());
  auto opened = TorchSession::open(std::make_shared<const TrainingJob>(
      TrainingJob{experiment, resolution->model(), *plan, inputs, nullptr, [peers] { return peers; }}));
  if (!opened.ok()) throw std::runtime_error(opened.error().message);
  auto& session = static_cast<TorchSession&>(**opened);
  const RepeatOutcome outcome = session.runRepeat({});
  if (!outcome.failure.ok()) throw std::runtime_error(outcome.failure.error().message);
  const TensorMap weights = session.gather(TorchSession::Which::Weights).value();
  const TensorMap gradients = session.gather(TorchSession::Which::Gradients).value();
  if (peers->rank() != 0) return;
  const PlainResult wanted = test::trainUndivided(experiment, resolution->model(), *inputs, 3);
  std::cout << "losses " << (outcome.losses == wanted.losses ? "equal" : "other") << ", gradients "
            << differences(gradients, wanted.gradients) << ", weights " << differences(weights, wanted.weights)
            << std::endl;
}

/// As a write to the socket of a rank that is gone does.
void brokenPipe(RunPeers& peers) {
  std::raise(SIGPIPE);
  exchange(peers);
}

/// The addresses at which this process listens.
void listeners(RunPeers& peers) {
  exchange(peers);
  constexpr int kMostDescriptors = 1024;
  for (int descriptor = 0; descriptor < kMostDescriptors; ++descriptor) {
    int listens = 0;
    socklen_t size = sizeof listens;
    sockaddr_storage address{};
    socklen_t length = sizeof address;
    char name[NI_MAXHOST] = "";
    if (getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0 || listens == 0) continue;
    getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &length);
    getnameinfo(reinterpret_cast<sockaddr*>(&address), length, name, sizeof name, nullptr, 0, NI_NUMERICHOST);
    std::cout << "listens at " << name << std::endl;
  }
}

void train(RunPeers& peers, int steps) {
  at::Tensor weight = at::ones({4, 4}).requires_grad_();
  const auto link = peers.joinReplicas({"layer", peers.rank(), peers.size(), {"weight"}, {weight}, {}});
  for (int step = 0; step < steps; ++step) {
    weight.mutable_grad() = at::Tensor();
    link->beginStep();
    const at::Tensor loss = at::linear(at::ones({1, 4}) * (peers.rank() + 1), weight).sum();
    link->beforeLastBackward();
    loss.backward();
    link->afterLastBackward();
    if (step == 0) std::cout << "gradient " << weight.grad().mean().item<double>() << std::endl;
  }
}

void run(const std::shared_ptr<RunPeers>& all, const std::string& task, const std::string& word) {
  RunPeers& peers = *all;
  if (task == "lists") return lists(peers);
  if (task == "mixed-counts") return mixedCounts(peers);
  if (task == "skips") return skips(all, word);
  const int steps = word.empty() ? 1 : std::atoi(word.c_str());
  if (task == "clocks") return clocks(all);
  if (task == "gather") return gather(all, steps);
  if (task == "gather-on") return gatherOn(all);
  if (task == "exchange") return exchange(peers);
  if (task == "ring") return ring(peers);
  if (task == "mixed-shapes") return mixedShapes(peers);
  if (task == "listeners") return listeners(peers);
  if (task == "broken-pipe") return brokenPipe(peers);
  train(peers, steps);
  if (task == "train-then-fail" && peers.rank() == 1) throw std::runtime_error("lane 0 has no memory left");
  if (task == "train-then-fail") train(peers, steps);
}

int runAsRank(const std::string& task, const std::string& word) {
  std::shared_ptr<RunPeers> peers;
  try {
    const auto place = worldPlace(processEnvironment());
    if (!place.ok()) throw std::runtime_error(place.error().message);
    const auto timeout = worldTimeout(processEnvironment());
    if (!timeout.ok()) throw std::runtime_error(timeout.error().message);
    peers = *place ? joinWorld(**place, *timeout) : lanePeers();
    run(peers, task, word);
    peers->leave();
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << std::endl;
    if (peers) peers->abandon(error.what());
    if (peers) peers->leave();
    return 1;
  }
}

}  // namespace
}  // namespace lanelab

int main(int count, char** words) {
  lanelab::leaveProgram(lanelab::runAsRank(count > 1 ? words[1] : "", count > 2 ? words[2] : ""));
}
