// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/devices/cuda_platform.h"

#include <dlfcn.h>

#include <filesystem>

namespace lanelab {

namespace {

struct Opened {
  const CudaPlatform* platform = nullptr;
  std::string why_not;
};

std::string moduleBesideProgram() {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? "liblanelab_cuda.so" : (program.parent_path() / "liblanelab_cuda.so").string();
}

Opened open() {
  if (!::dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL)) return {nullptr, "no NVIDIA driver was found on this machine"};
  const std::string path = moduleBesideProgram();
  void* const module = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!module) return {nullptr, "the CUDA part of LaneLab could not be loaded (" + std::string(::dlerror()) + ")"};
  const auto factory = reinterpret_cast<CudaFactory>(::dlsym(module, kCudaFactoryName));
  if (!factory) return {nullptr, path + " is of another version of LaneLab"};
  const CudaPlatform* const platform = factory();
  return {platform, platform ? "" : "the NVIDIA driver reports no usable GPU"};
}

}  // namespace

const CudaPlatform* cudaPlatform(std::string* why_not) {
  static const Opened opened = open();
  if (why_not) *why_not = opened.why_not;
  return opened.platform;
}

}  // namespace lanelab
