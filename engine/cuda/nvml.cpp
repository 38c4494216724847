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

void* deviceAt(const NvmlFunctions& nvml, const std::string& bus) {
  void* device = nullptr;
  const bool found =
      nvml.DeviceGetHandleByPciBusId != nullptr && nvml.DeviceGetHandleByPciBusId(bus.c_str(), &device) == kSuccess;
  return found ? device : nullptr;
}

std::optional<unsigned> powerLimit(const NvmlFunctions& nvml, void* device) {
  unsigned milliwatts = 0;
  const bool known =
      nvml.DeviceGetEnforcedPowerLimit != nullptr && nvml.DeviceGetEnforcedPowerLimit(device, &milliwatts) == kSuccess;
  return known ? std::optional(milliwatts / 1000) : std::nullopt;
}

std::optional<unsigned> highestClock(const NvmlFunctions& nvml, void* device, int clock) {
  unsigned mhz = 0;
  const bool known =
      nvml.DeviceGetMaxClockInfo != nullptr && nvml.DeviceGetMaxClockInfo(device, clock, &mhz) == kSuccess;
  return known ? std::optional(mhz) : std::nullopt;
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
  void* const device = deviceAt(nvml, bus);
  if (device == nullptr) return "unknown";
  return amount("power", powerLimit(nvml, device), "W") + ", " +
         amount("SM", highestClock(nvml, device, kSmClock), "MHz") + ", " +
         amount("memory", highestClock(nvml, device, kMemoryClock), "MHz");
}

}  // namespace lanelab
