// SPDX-License-Identifier: GPL-3.0-only
// The benchmarks of lanelab-bench, each printing a table or returning JSON. They throw std::runtime_error with a
// sentence.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tests/bench/bench.h"

namespace lanelab::bench {

/// Exported networks on one lane with all rules, and with one of them off.
nlohmann::json benchRules(const SingleWorkload& workload, const std::vector<std::string>& files, bool print);
/// The loop's own cost an action, with stages that do nothing, over lanes and schedules.
nlohmann::json benchExecutor(bool print);
/// Two lanes against one lane with the same micro-batches, over schedules, each with the bound that equal stages have.
nlohmann::json benchPipeline(const Workload& workload, bool print);
/// Two lanes that begin each step together against two that go on by themselves, in turns, over schedules that have
/// idle time to gain.
nlohmann::json benchBarrier(const Workload& workload, bool print);
/// What so many busy processes do to the steps of two lanes, and to those of PyTorch in one process of two threads.
nlohmann::json benchBusy(const Workload& workload, int processes, const std::string& python, bool print);
/// Two lanes as in benchPipeline() against torch.distributed.pipelining over gloo, two processes of one thread on the
/// same cores (tests/bench/gloo_peer.py).
nlohmann::json benchPeer(const Workload& workload, const std::string& python, bool print);
/// Replicas on two lanes against DistributedDataParallel over gloo, two processes of one thread on the same cores
/// (tests/bench/ddp_peer.py).
nlohmann::json benchDdp(const Workload& workload, const std::string& python, bool print);
/// One lane of several threads, with fused kernels and with PyTorch's, and two lanes of one, against PyTorch in one
/// process: eager and compiled, both layouts (tests/bench/single_peer.py). With the page faults of a step.
nlohmann::json benchSingle(const SingleWorkload& workload, const std::vector<std::string>& pythons, bool print);
/// Batch norm with ReLU of ResNet-50's shapes at 64 px, fused and by PyTorch's operators.
nlohmann::json benchNorms(int batch, int threads, bool print);
/// Each part of ResNet-50's convolutions by PyTorch's operator and as matrix products, which
/// engine/model/conv_products.h chooses from.
nlohmann::json benchConvolutions(int image, int batch, int threads, bool print);
/// The operators of a step of SingleWorkload: time, bytes and share, by kind of kernels.
nlohmann::json benchOperators(const SingleWorkload& workload, bool print);
/// Updates of a network's parameters by each optimizer, as the lanes do them, against torch.optim
/// (tests/bench/optimizer_peer.py).
nlohmann::json benchOptimizers(const Workload& workload, int threads, const std::string& python, bool print);
/// Memory bandwidth and arithmetic that one and more threads reach.
nlohmann::json benchMachine(int threads, bool print);
/// Time of each block and operator of a micro-batch on one lane, to find a good cut and what limits.
nlohmann::json benchBlocks(const Workload& workload, bool print);
/// What recording costs, by record mode: two lanes, neighbouring steps with and without it.
nlohmann::json benchRecorder(const Workload& workload, bool print);
/// The memory forecast against the measured peak of every lane: schedules, splits, optimizers, cuts of ResNets; with
/// .pt2 files these networks instead, single and cut in two.
nlohmann::json benchMemory(const std::vector<std::string>& files, bool print);

/// How near the predictions of a split-size sweep come to the measured steps. Each round calibrates from scratch and
/// measures right after it, since machines change their speed by more than the goal within minutes; how much they did
/// is printed too.
nlohmann::json benchSweep(const Workload& workload, const std::vector<int>& split_sizes, bool print);

/// Frames of a timeline with so many actions, panned and zoomed, and the hover; offscreen. Only where the desktop part
/// is built.
nlohmann::json benchTimeline(int events, bool print);

/// Times of the exact partition on random chains; where `python` names a Python with torchgpipe, beside that one's
/// block partition.
nlohmann::json benchPartition(const std::string& python, bool print);

/// How long one move of a block on the board takes: the plan, predicted step and memory of the placement that would
/// result. The board promises 50 ms.
nlohmann::json benchPlacing(bool print);

/// How long it takes to find the causes of all idle time in traces of so many events, and the critical paths of their
/// steps.
nlohmann::json benchGaps(std::int64_t events, bool print);

/// How long it takes to add up the spans of traces of so many events by group: all of them, and those of a tenth of the
/// time.
nlohmann::json benchStats(std::int64_t events, bool print);
/// How long a change of a span takes to be answered in a trace of so many spans; and what twenty random changes are
/// predicted to do to a step against two lanes that run with the change imposed, on stages that only take time.
nlohmann::json benchDrag(int spans, bool print);

/// How many CUPTI records a second are decoded, joined with their launch and action, and placed in a trace: hand-built
/// buffers, no GPU. Only where CUPTI's wheel is.
nlohmann::json benchCupti(std::int64_t records, bool print);

/// What a span costs while a run is recorded: time to append it, memory of builder and snapshots, and a poll that finds
/// few new ones.
nlohmann::json benchTrace(std::int64_t events, bool print);

/// What the offload benchmark computes.
struct OffloadWorkload {
  int layers = 8;
  int tokens = 64;   ///< of the prompt that is computed at once
  int generate = 8;  ///< tokens, one pass each, after a prompt of 8
  int threads = 1;   ///< that compute, for each of the two
  int rounds = 7;
  std::string folder;  ///< where the network's files go for the time; empty: the system's folder for such
};
/// Forward passes of a Llama with all weights on disk, against accelerate's disk_offload
/// (tests/bench/accelerate_peer.py), with the files in memory and forgotten.
nlohmann::json benchOffload(const OffloadWorkload& workload, const std::string& python, bool print);

/// How long the list of so many stored runs takes to open with its index, to find one changed run, and to be read from
/// scratch.
nlohmann::json benchRuns(int runs, bool print);

/// What a node of an exported graph costs besides its kernel; and, with the file of a network that was exported, its
/// training against the built-in network of the same name, in contiguous layout, where both use
/// PyTorch's kernels alone.
nlohmann::json benchGraph(const Workload& workload, const std::string& file, bool print);

/// How fast a large trace of another program is read and written into a folder, and how much memory that takes.
nlohmann::json benchImport(int events, bool print);

}  // namespace lanelab::bench
