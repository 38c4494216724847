# SPDX-License-Identifier: GPL-3.0-only
# The PyTorch that LaneLab is built with: that of LANELAB_TORCH_ROOT, else of .venv.
#
# LANELAB_SITE_PACKAGES is the folder of packages that holds it.
# LANELAB_TORCH_PYTHON is the Python to which this PyTorch belongs, for the tests that hold LaneLab against it.
include(LanelabTorchTargets)
lanelab_find_torch(LANELAB_SITE_PACKAGES ${LANELAB_TORCH_ROOT} $ENV{LANELAB_TORCH_ROOT} "${PROJECT_SOURCE_DIR}/.venv")
if(NOT LANELAB_SITE_PACKAGES)
  message(FATAL_ERROR "LibTorch was not found. Run ./run.sh or ./test.sh, which put it into .venv, or set LANELAB_TORCH_ROOT to a "
                      "Python environment that has torch 2.11 or later, or configure with -DLANELAB_WITH_TORCH=OFF.")
endif()
get_filename_component(LANELAB_TORCH_PYTHON "${LANELAB_SITE_PACKAGES}/../../../bin/python" ABSOLUTE)
if(NOT EXISTS "${LANELAB_TORCH_PYTHON}")  # a folder of packages that is no environment
  find_package(Python3 3.11 REQUIRED COMPONENTS Interpreter)
  set(LANELAB_TORCH_PYTHON "${Python3_EXECUTABLE}")
endif()
lanelab_use_torch("${LANELAB_SITE_PACKAGES}")
message(STATUS "LibTorch ${LANELAB_TORCH_VERSION}: ${LANELAB_SITE_PACKAGES}/torch")
# Errors of LibTorch's macros name the file that they are in: from the root of the repository or of the packages, not of one machine.
target_compile_options(lanelab::torch_cpu INTERFACE "-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=" "-fmacro-prefix-map=${LANELAB_SITE_PACKAGES}/=")
