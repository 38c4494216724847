# SPDX-License-Identifier: GPL-3.0-only
# The PyTorch wheel's LibTorch and CUDA parts as imported targets of our own; installed, too, for programs that are built with LaneLab's libraries.
#
# find_package(Torch) is not used: with a CUDA wheel it insists on an installed CUDA toolkit (pytorch#73427), while the wheels already
# carry every header and library that is needed. Libraries are named by file, since the wheels ship versioned sonames only.
#
#   lanelab::torch_cpu    libtorch_cpu and libc10: all that CPU lanes need
#   lanelab::torch_cuda   plus libtorch_cuda, which brings NCCL, and the CUDA runtime: only for the module that is loaded where a driver is
#
# Code that includes LibTorch is compiled with OpenMP: at::parallel_for is a template that runs everything on the calling thread without it.
# The library is LibTorch's own, so that there is one set of threads.

# lanelab_package_folders(VARIABLE root...): the folders of packages that these may mean: one itself, one around a folder torch, those of an environment.
function(lanelab_package_folders variable)
  set(_folders "")
  foreach(_root ${ARGN})
    file(GLOB _of_environment "${_root}/lib/python3*/site-packages")
    get_filename_component(_around "${_root}" DIRECTORY)
    list(APPEND _folders "${_root}" ${_of_environment} "${_around}")
  endforeach()
  set(${variable} ${_folders} PARENT_SCOPE)
endfunction()

# lanelab_find_torch(VARIABLE root...): the first folder of packages that holds LibTorch; empty if none does.
function(lanelab_find_torch variable)
  lanelab_package_folders(_folders ${ARGN})
  set(${variable} "" PARENT_SCOPE)
  foreach(_folder IN LISTS _folders)
    if(EXISTS "${_folder}/torch/lib/libtorch_cpu.so")
      set(${variable} "${_folder}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

function(_lanelab_wheel_library name file)
  add_library(${name} SHARED IMPORTED)
  set_target_properties(${name} PROPERTIES IMPORTED_LOCATION "${file}" IMPORTED_NO_SONAME FALSE)
endfunction()

# lanelab_use_torch(folder): makes the targets from this folder of packages, and sets
#   LANELAB_TORCH_VERSION    such as 2.15.0
#   LANELAB_NVTX_INCLUDE     the folder of the NVTX headers, empty where the wheels bring none
#   LANELAB_HAS_CUDA_WHEEL   whether there is lanelab::torch_cuda
macro(lanelab_use_torch site_packages)
  set(_torch "${site_packages}/torch")
  set(_cuda "${site_packages}/nvidia/cu13")
  set(_nccl "${site_packages}/nvidia/nccl")
  file(STRINGS "${_torch}/version.py" _version REGEX "^__version__ = ")
  string(REGEX REPLACE ".*'([0-9.]+).*" "\\1" LANELAB_TORCH_VERSION "${_version}")

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
endmacro()
