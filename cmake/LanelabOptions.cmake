# SPDX-License-Identifier: GPL-3.0-only
# Options, warnings, sanitizers, linker and compiler cache, all in one place.
option(LANELAB_WITH_QT "Build the window (Qt 6 Widgets and Charts)" ON)
option(LANELAB_WITH_TORCH "Build what needs LibTorch" ON)
option(LANELAB_WERROR "Warnings are errors" OFF)
option(LANELAB_UNITY "Compile several files at a time: sooner built from nothing, later after a change" OFF)
set(LANELAB_SANITIZE "" CACHE STRING "Sanitizers, such as address,undefined or thread")
set(LANELAB_TORCH_ROOT "" CACHE PATH "A Python environment, or its site-packages, that holds torch; empty: the environment variable, then .venv")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
# The heavy work is in LibTorch, so -O3 would only buy compile time.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG" CACHE STRING "Flags of the Release build type" FORCE)
# Dev: light optimisation, since -O0 makes torch and Qt tests crawl, and no debug information, which is most of the link time.
set(CMAKE_CXX_FLAGS_DEV "-O1" CACHE STRING "Flags of the Dev build type")
if(LANELAB_SANITIZE)
  # Compiles in two thirds of the time that -O1 takes, and nothing is optimised away before the sanitizers see it.
  set(CMAKE_CXX_FLAGS_DEV "-O0 -g1" CACHE STRING "Flags of the Dev build type" FORCE)
endif()
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Without collecting garbage, which g++ begins at 128 MB, a file takes a tenth less time and a third more memory.
  add_compile_options(--param=ggc-min-expand=1000 --param=ggc-min-heapsize=4000000)
endif()

find_program(LANELAB_CCACHE ccache)
if(LANELAB_CCACHE)
  # Sloppiness that a precompiled header needs; base_dir lets two build folders share objects.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1 "${LANELAB_CCACHE}")
endif()
find_program(LANELAB_MOLD mold)
find_program(LANELAB_LLD ld.lld)
if(LANELAB_MOLD)
  add_link_options(-fuse-ld=mold)
elseif(LANELAB_LLD)
  add_link_options(-fuse-ld=lld)
endif()

add_library(lanelab_warnings INTERFACE)
target_compile_options(lanelab_warnings INTERFACE -Wall -Wextra -Wpedantic -Wnon-virtual-dtor -Woverloaded-virtual
                       $<$<BOOL:${LANELAB_WERROR}>:-Werror>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" OR NOT LANELAB_UNITY)
  target_compile_options(lanelab_warnings INTERFACE -Wshadow)  # of files compiled together clang++ sees the names of one shadowed in the next
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # g++ 12 sees overlaps, bounds and overflows in std::string's operator+ that are not there (GCC bugs 105651 and 105329); whether it does
  # hangs on the lengths of literals, and so on the folder that the sources lie in.
  target_compile_options(lanelab_warnings INTERFACE -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
endif()
if(LANELAB_SANITIZE)
  add_compile_options(-fsanitize=${LANELAB_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${LANELAB_SANITIZE})
endif()

include(GNUInstallDirs)
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
