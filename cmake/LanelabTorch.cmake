# SPDX-License-Identifier: GPL-3.0-only
# The PyTorch wheel's LibTorch and CUDA parts as imported targets of our own.
#
# find_package(Torch) is not used: with a CUDA wheel it insists on an installed CUDA toolkit (pytorch#73427), while the wheels already
# carry every header and library that is needed. Libraries are named by file, since the wheels ship versioned sonames only.
#
#   lanelab::torch_cpu    libtorch_cpu and libc10: all that CPU lanes need
#   lanelab::torch_cuda   plus libtorch_cuda, which brings NCCL, and the CUDA runtime: only for the module that is loaded where a driver is
#
# Code that includes LibTorch is compiled with OpenMP: at::parallel_for is a template that runs everything on the calling thread without it.
# The library is LibTorch's own, so that there is one set of threads.
#
# LANELAB_TORCH_PYTHON is the Python to which this PyTorch belongs, for the tests that hold LaneLab against it.
# LANELAB_NVTX_INCLUDE is the folder of the NVTX headers, empty where the wheels bring none.
set(_roots "${LANELAB_TORCH_ROOT}" "$ENV{LANELAB_TORCH_ROOT}")
file(GLOB _venv "${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages")
set(LANELAB_SITE_PACKAGES "")
foreach(_root IN LISTS _roots _venv)
  if(_root AND EXISTS "${_root}/torch/lib/libtorch_cpu.so")
    set(LANELAB_SITE_PACKAGES "${_root}")
    break()
  endif()
endforeach()
if(NOT LANELAB_SITE_PACKAGES)
  message(FATAL_ERROR "LibTorch was not found. Run ./run.sh or ./test.sh, which put it into .venv, or set LANELAB_TORCH_ROOT to a "
                      "site-packages folder that holds torch 2.11 or later, or configure with -DLANELAB_WITH_TORCH=OFF.")
endif()
get_filename_component(LANELAB_TORCH_PYTHON "${LANELAB_SITE_PACKAGES}/../../../bin/python" ABSOLUTE)
if(NOT EXISTS "${LANELAB_TORCH_PYTHON}")  # a folder of packages that is no environment
  find_package(Python3 3.11 REQUIRED COMPONENTS Interpreter)
  set(LANELAB_TORCH_PYTHON "${Python3_EXECUTABLE}")
endif()
set(_torch "${LANELAB_SITE_PACKAGES}/torch")
set(_cuda "${LANELAB_SITE_PACKAGES}/nvidia/cu13")
set(_nccl "${LANELAB_SITE_PACKAGES}/nvidia/nccl")
message(STATUS "LibTorch: ${_torch}")

function(_lanelab_wheel_library name file)
  add_library(${name} SHARED IMPORTED)
  set_target_properties(${name} PROPERTIES IMPORTED_LOCATION "${file}" IMPORTED_NO_SONAME FALSE)
endfunction()

_lanelab_wheel_library(lanelab::c10 "${_torch}/lib/libc10.so")
_lanelab_wheel_library(lanelab::libtorch_cpu "${_torch}/lib/libtorch_cpu.so")

add_library(lanelab::torch_cpu INTERFACE IMPORTED)
target_include_directories(lanelab::torch_cpu SYSTEM INTERFACE "${_torch}/include" "${_torch}/include/torch/csrc/api/include")
target_link_libraries(lanelab::torch_cpu INTERFACE lanelab::libtorch_cpu lanelab::c10)
file(GLOB _openmp "${_torch}/lib/libgomp*.so*")
if(NOT _openmp)
  message(FATAL_ERROR "OpenMP: ${_torch}/lib has no libgomp. LaneLab needs the LibTorch of a PyTorch wheel for Linux.")
endif()
list(GET _openmp 0 _openmp)
_lanelab_wheel_library(lanelab::openmp "${_openmp}")
target_link_libraries(lanelab::torch_cpu INTERFACE lanelab::openmp)
target_compile_options(lanelab::torch_cpu INTERFACE -fopenmp)
# The wheel's libraries refer to CUDA libraries that only the loader's rpath finds.
target_link_options(lanelab::torch_cpu INTERFACE "LINKER:--allow-shlib-undefined"
                    "LINKER:-rpath,${_torch}/lib" "LINKER:-rpath,${_cuda}/lib")

set(LANELAB_NVTX_INCLUDE "")
if(EXISTS "${_cuda}/include/nvtx3/nvToolsExt.h")
  set(LANELAB_NVTX_INCLUDE "${_cuda}/include")
endif()

set(LANELAB_HAS_CUDA_WHEEL OFF)
if(EXISTS "${_torch}/lib/libtorch_cuda.so" AND EXISTS "${_cuda}/include/cuda_runtime_api.h" AND EXISTS "${_nccl}/include/nccl.h")
  set(LANELAB_HAS_CUDA_WHEEL ON)
  file(GLOB _cudart "${_cuda}/lib/libcudart.so.13")
  _lanelab_wheel_library(lanelab::c10_cuda "${_torch}/lib/libc10_cuda.so")
  _lanelab_wheel_library(lanelab::libtorch_cuda "${_torch}/lib/libtorch_cuda.so")
  _lanelab_wheel_library(lanelab::cudart "${_cudart}")
  add_library(lanelab::torch_cuda INTERFACE IMPORTED)
  target_include_directories(lanelab::torch_cuda SYSTEM INTERFACE "${_cuda}/include" "${_nccl}/include")
  target_link_libraries(lanelab::torch_cuda INTERFACE lanelab::torch_cpu lanelab::libtorch_cuda lanelab::c10_cuda lanelab::cudart)
endif()
