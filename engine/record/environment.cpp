// SPDX-License-Identifier: GPL-3.0-only
#include "engine/record/environment.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string_view>

#include "base/text.h"

namespace lanelab {
namespace {

std::string orUnknown(const std::string& text) { return text.empty() ? "unknown" : text; }

/// The rest of the first line that begins with `key`, without blanks, separators and quotes around it.
std::string lineValue(const char* path, std::string_view key, char separator) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(key)) continue;
    const std::size_t at = line.find(separator);
    if (at == std::string::npos) continue;
    return std::string(trimmed(std::string_view(line).substr(at + 1), " \t\""));
  }
  return {};
}

std::string hostName() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? orUnknown(name) : "unknown";
}

std::string systemName() {
  utsname kernel{};
  const std::string name = orUnknown(lineValue("/etc/os-release", "PRETTY_NAME", '='));
  return ::uname(&kernel) == 0 ? name + ", " + kernel.sysname + " " + kernel.release + " " + kernel.machine : name;
}

std::string memorySize() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? formatBytes(static_cast<std::int64_t>(pages) * page) : "unknown";
}

/// Of the sources that this program was built from, as git saw them when CMake configured.
std::string uncommittedChanges() {
  constexpr std::string_view kGit = LANELAB_GIT;
  return kGit == "unknown" ? "unknown" : kGit.ends_with("-dirty") ? "yes" : "no";
}

std::string firstLineOf(const char* path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return orUnknown(line);
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "not set" : *value == '\0' ? "set, empty" : value;
}

}  // namespace

EnvironmentFacts environmentFacts() {
  EnvironmentFacts facts = {{"lanelab", lanelabVersion()},
                            {"git", LANELAB_GIT},
                            {"uncommitted changes", uncommittedChanges()},
                            {"build", LANELAB_BUILD},
                            {"compiler", "g++ " __VERSION__},
                            {"host", hostName()},
                            {"system", systemName()},
                            {"cpu", orUnknown(lineValue("/proc/cpuinfo", "model name", ':'))},
                            {"cores", std::to_string(::sysconf(_SC_NPROCESSORS_ONLN))},
                            {"cpu governor", firstLineOf("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")},
                            {"memory", memorySize()}};
  // What decides which kernels a run uses, how its threads are placed and how its memory is allocated.
  for (const char* name : {"ATEN_CPU_CAPABILITY", "CUBLAS_WORKSPACE_CONFIG", "CUDA_DEVICE_ORDER",
                           "CUDA_LAUNCH_BLOCKING", "GOMP_CPU_AFFINITY", "MALLOC_ARENA_MAX", "MKL_CBWR",
                           "MKL_ENABLE_INSTRUCTIONS", "NCCL_ALGO", "NCCL_PROTO", "OMP_PROC_BIND", "ONEDNN_MAX_CPU_ISA",
                           "PYTORCH_ALLOC_CONF", "PYTORCH_CUDA_ALLOC_CONF", "TORCH_ALLOW_TF32_CUBLAS_OVERRIDE"})
    if (std::getenv(name) != nullptr) facts.emplace_back(name, variable(name));
  for (const char* name : {"OMP_NUM_THREADS", "MKL_NUM_THREADS", "CUDA_VISIBLE_DEVICES", "NVIDIA_TF32_OVERRIDE"})
    facts.emplace_back(name, variable(name));
  return facts;
}

std::string factOf(const EnvironmentFacts& facts, const std::string& name) {
  const auto fact = std::ranges::find(facts, name, [](const auto& each) { return each.first; });
  return fact == facts.end() ? std::string() : fact->second;
}

std::string lanelabVersion() { return LANELAB_VERSION; }

bool isThisMachine(const EnvironmentFacts& facts) {
  const auto here = environmentFacts();
  const auto same = [&](const char* name) {
    const std::string own = factOf(here, name);
    return !own.empty() && factOf(facts, name) == own;
  };
  return same("cpu") && same("cores");
}

}  // namespace lanelab
