// SPDX-License-Identifier: GPL-3.0-only
#include "engine/cuda/nvml.h"

#include <gtest/gtest.h>

#include <cstring>

namespace lanelab {
namespace {

constexpr int kNotSupported = 3;

int version(char* text, unsigned length) {
  std::strncpy(text, "580.95.05", length);
  return 0;
}
int handle(const char* bus, void** device) {
  static int gpu = 0;
  *device = &gpu;
  return std::strcmp(bus, "0000:3b:00.0") == 0 ? 0 : kNotSupported;
}
int power(void*, unsigned* milliwatts) {
  *milliwatts = 700'000;
  return 0;
}
int clock(void*, int clock, unsigned* mhz) {
  *mhz = clock == 1 ? 1980 : 2619;
  return clock == 1 || clock == 2 ? 0 : kNotSupported;
}

NvmlFunctions fake() {
  return {[] { return 0; }, version, handle, power, clock};
}

TEST(Nvml, NamesTheDriverAndTheLimitsOfAGpu) {
  EXPECT_EQ(gpuDriver(fake()), "580.95.05");
  EXPECT_EQ(gpuLimits(fake(), "0000:3b:00.0"), "power 700 W, SM 1980 MHz, memory 2619 MHz");
}

TEST(Nvml, WhatItDoesNotAnswerIsUnknown) {
  NvmlFunctions nvml = fake();
  nvml.DeviceGetEnforcedPowerLimit = [](void*, unsigned*) { return kNotSupported; };
  EXPECT_EQ(gpuLimits(nvml, "0000:3b:00.0"), "power unknown, SM 1980 MHz, memory 2619 MHz");
  nvml.DeviceGetMaxClockInfo = nullptr;
  EXPECT_EQ(gpuLimits(nvml, "0000:3b:00.0"), "power unknown, SM unknown, memory unknown");
  EXPECT_EQ(gpuLimits(fake(), "0000:5e:00.0"), "unknown") << "no such GPU";
  nvml.SystemGetDriverVersion = [](char*, unsigned) { return kNotSupported; };
  EXPECT_EQ(gpuDriver(nvml), "unknown");
}

TEST(Nvml, WithoutTheLibraryAllIsUnknown) {
  EXPECT_EQ(gpuDriver({}), "unknown");
  EXPECT_EQ(gpuLimits({}, "0000:3b:00.0"), "unknown");
  EXPECT_FALSE(gpuDriver(nvmlHere()).empty()) << "whatever this machine has";
}

}  // namespace
}  // namespace lanelab
