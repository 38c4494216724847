// SPDX-License-Identifier: GPL-3.0-only
// What NVIDIA's management library says of GPUs: the driver, limits of power and clocks. The library is a part of the
// driver and is opened at run time; what it does not answer is "unknown". Any thread.
#pragma once

#include <string>

namespace lanelab {

/// The library's functions that are used, under its names without "nvml"; 0 is success. Null without the library.
struct NvmlFunctions {
  int (*Init)() = nullptr;
  int (*SystemGetDriverVersion)(char* version, unsigned length) = nullptr;
  int (*DeviceGetHandleByPciBusId)(const char* bus, void** device) = nullptr;
  int (*DeviceGetEnforcedPowerLimit)(void* device, unsigned* milliwatts) = nullptr;
  int (*DeviceGetMaxClockInfo)(void* device, int clock, unsigned* mhz) = nullptr;
};

/// Of this machine; opened and initialized by the first call, for good.
const NvmlFunctions& nvmlHere();

/// "580.95.05".
std::string gpuDriver(const NvmlFunctions& nvml);
/// "power 700 W, SM 1980 MHz, memory 2619 MHz" of the GPU at this PCI address, "0000:3b:00.0".
std::string gpuLimits(const NvmlFunctions& nvml, const std::string& bus);

}  // namespace lanelab
