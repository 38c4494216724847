# SPDX-License-Identifier: GPL-3.0-only
# LANELAB_FUZZ: whether the fuzz targets (tests/fuzz) are built, which needs the address sanitizer and clang++ with libFuzzer.
set(LANELAB_FUZZ OFF)
if(LANELAB_SANITIZE MATCHES "address" AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_FLAGS "-fsanitize=fuzzer,${LANELAB_SANITIZE}")
  check_cxx_source_compiles("#include <cstddef>\nextern \"C\" int LLVMFuzzerTestOneInput(const unsigned char*, std::size_t) { return 0; }" LANELAB_LINKS_FUZZER)
  unset(CMAKE_REQUIRED_FLAGS)
  set(LANELAB_FUZZ ${LANELAB_LINKS_FUZZER})
  if(NOT LANELAB_FUZZ)
    message(STATUS "No libFuzzer (libclang-rt-dev): the fuzz targets are left out")
  endif()
endif()

# The libraries whose code guides libFuzzer's search: readers of files and what is below them.
set(LANELAB_FUZZED base engine_core engine_files engine_library profiler_io)

# lanelab_guide_fuzzing(TARGET): counts which of its code an input reaches, if it is one of these. Costs the tests a few percent of their time.
function(lanelab_guide_fuzzing name)
  if(LANELAB_FUZZ AND name IN_LIST LANELAB_FUZZED)
    target_compile_options(${name} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
endfunction()
