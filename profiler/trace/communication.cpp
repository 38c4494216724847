// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/trace/communication.h"

#include <algorithm>
#include <array>
#include <string>

namespace lanelab {

namespace {

/// Names and namespaces of libraries, in lower case.
constexpr std::array<std::string_view, 17> kLibraries = {
    "nccl",        "rccl",      "msccl",        "oneccl",
    "hccl",        "hcom_",     "nvshmem",      "rocshmem",
    "internode",   "intranode", "quickreduce",  "put_signal_",
    "wait_signal", "multimem",  "cross_device", "collective_subgraph",
    "userbuffers"};

/// What a kernel does, with and without underscores.
constexpr std::array<std::string_view, 12> kCollectives = {
    "collective_permute", "all_reduce", "allreduce", "all_gather", "allgather", "reduce_scatter",
    "reducescatter",      "all_to_all", "alltoall",  "all2all",    "sendrecv",  "send_recv"};

/// Parts of one GPU that reduce or gather among themselves.
constexpr std::array<std::string_view, 4> kWithinOne = {"warp", "block", "thread", "cta"};

constexpr std::string_view kAnonymous = "(anonymous namespace)";

/// XLA has hyphens where others have underscores.
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c == '-' ? '_' : c; }

/// The kernel's own name with its namespaces, in lower case, without the arguments of templates and of the call.
std::string ownName(std::string_view name) {
  constexpr std::size_t kMost = 4096;
  std::string own;
  int depth = 0;
  for (std::size_t at = 0; at < std::min(name.size(), kMost); ++at) {
    const char c = name[at];
    if (c == '(' && name.substr(at).starts_with(kAnonymous)) {
      at += kAnonymous.size() - 1;
    } else if (c == '<') {
      ++depth;
    } else if (c == '>') {
      --depth;
    } else if (c == '(' && depth <= 0) {
      break;
    } else if (depth <= 0) {
      own += lower(c);
    }
  }
  return own;
}

bool isWithinOne(std::string_view before) {
  while (before.ends_with('_')) before.remove_suffix(1);
  return std::ranges::any_of(kWithinOne, [&](std::string_view part) { return before.ends_with(part); });
}

}  // namespace

bool isCommunicationKernel(std::string_view name) {
  const std::string own = ownName(name);
  const std::string_view text = own;
  const auto holds = [&](std::string_view word) { return text.find(word) != std::string_view::npos; };
  if (std::ranges::any_of(kLibraries, holds)) return true;
  // TorchInductor names the kernels that it fuses after the operators beside them.
  if (text.starts_with("triton_")) return false;
  return std::ranges::any_of(kCollectives, [&](std::string_view word) {
    const std::size_t at = text.find(word);
    return at != std::string_view::npos && !isWithinOne(text.substr(0, at));
  });
}

}  // namespace lanelab
