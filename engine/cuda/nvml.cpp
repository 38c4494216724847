// SPDX-License-Identifier: GPL-3.0-only
#include "engine/cuda/nvml.h"

#include <dlfcn.h>

#include <array>
#include <optional>

namespace lanelab {
namespace {

constexpr int kSuccess = 0;
constexpr int kSmClock = 1, kMemoryClock = 2;  // nvmlClockType_t

template <class Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
}

NvmlFunctions openNvml() {
  NvmlFunctions nvml;
  void* const library = ::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nvml;
  find(library, "nvmlInit_v2", nvml.Init);
  if (nvml.Init == nullptr || nvml.Init() != kSuccess) return {};
  find(library, "nvmlSystemGetDriverVersion", nvml.SystemGetDriverVersion);
  find(library, "nvmlDeviceGetHandleByPciBusId_v2", nvml.DeviceGetHandleByPciBusId);
  find(library, "nvmlDeviceGetEnforcedPowerLimit", nvml.DeviceGetEnforcedPowerLimit);
  find(library, "nvmlDeviceGetMaxClockInfo", nvml.DeviceGetMaxClockInfo);
  return nvml;
}

/// What a function of the library says; nothing where it is missing or fails.
template <class Value, class Function, class... Arguments>
std::optional<Value> answerOf(Function function, Arguments... arguments) {
  Value value{};
  return function != nullptr && function(arguments..., &value) == kSuccess ? std::optional(value) : std::nullopt;
}

std::string amount(const std::string& name, std::optional<unsigned> number, const char* unit) {
  return name + (number ? " " + std::to_string(*number) + " " + unit : " unknown");
}

}  // namespace

const NvmlFunctions& nvmlHere() {
  static const NvmlFunctions nvml = openNvml();
  return nvml;
}

std::string gpuDriver(const NvmlFunctions& nvml) {
  std::array<char, 96> version{};
  const bool known = nvml.SystemGetDriverVersion != nullptr &&
                     nvml.SystemGetDriverVersion(version.data(), static_cast<unsigned>(version.size() - 1)) == kSuccess;
  return known && version.front() != '\0' ? version.data() : "unknown";
}

std::string gpuLimits(const NvmlFunctions& nvml, const std::string& bus) {
  const auto device = answerOf<void*>(nvml.DeviceGetHandleByPciBusId, bus.c_str());
  if (!device || *device == nullptr) return "unknown";
  const auto milliwatts = answerOf<unsigned>(nvml.DeviceGetEnforcedPowerLimit, *device);
  const auto highest = [&](int clock) { return answerOf<unsigned>(nvml.DeviceGetMaxClockInfo, *device, clock); };
  return amount("power", milliwatts ? std::optional(*milliwatts / 1000) : std::nullopt, "W") + ", " +
         amount("SM", highest(kSmClock), "MHz") + ", " + amount("memory", highest(kMemoryClock), "MHz");
}

}  // namespace lanelab
