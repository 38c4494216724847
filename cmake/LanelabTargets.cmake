# SPDX-License-Identifier: GPL-3.0-only
# A library for one folder or for rooms that belong together, one test program per folder; includes are rooted at the repository ("engine/schedule/schedule.h").

# lanelab_sources(VARIABLE [folder...]): the files of these folders below the current one, or of the current one itself.
function(lanelab_sources variable)
  set(rooms ${ARGN})
  if(NOT rooms)
    set(rooms .)
  endif()
  set(sources)
  foreach(room IN LISTS rooms)
    file(GLOB of_room CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${room}/*.cpp" "${CMAKE_CURRENT_SOURCE_DIR}/${room}/*.h")
    list(APPEND sources ${of_room})
  endforeach()
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()

# lanelab_library(NAME [ROOMS folder...] [EXCLUDE regex] [LINKS ...] [PRIVATE_LINKS ...]): a static library of all .cpp files of these folders below the
# current one, or of the current one itself. Who may include whom among the rooms is the business of tests/arch.
function(lanelab_library name)
  cmake_parse_arguments(ARG "" "EXCLUDE" "ROOMS;LINKS;PRIVATE_LINKS" ${ARGN})
  lanelab_sources(sources ${ARG_ROOMS})
  if(ARG_EXCLUDE)
    list(FILTER sources EXCLUDE REGEX "${ARG_EXCLUDE}")
  endif()
  add_library(${name} STATIC ${sources})
  if(LANELAB_SANITIZE)
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)  # only what the tests link
  endif()
  lanelab_unite(${name})
  lanelab_guide_fuzzing(${name})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_include_directories(${name} PUBLIC "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>" "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/lanelab>")
  target_link_libraries(${name} PUBLIC ${ARG_LINKS} PRIVATE ${ARG_PRIVATE_LINKS} $<BUILD_INTERFACE:lanelab_warnings>)
  list(LENGTH sources count)
  if(count GREATER 30)
    lanelab_precompile(${name} "${PROJECT_SOURCE_DIR}/cmake/std_pch.h")
  endif()
endfunction()

# lanelab_unite(TARGET): LANELAB_BATCH of its files are compiled at a time where LANELAB_UNITY is set: headers are most of what a file takes.
set(LANELAB_FILES_AT_A_TIME "" CACHE STRING "Files that are compiled at a time where LANELAB_UNITY is set; empty: by folder")
if(LANELAB_FILES_AT_A_TIME)
  set(LANELAB_BATCH ${LANELAB_FILES_AT_A_TIME})
elseif(LANELAB_SANITIZE)
  set(LANELAB_BATCH 32)  # nobody waits for one file of these presets
else()
  set(LANELAB_BATCH 16)
endif()
function(lanelab_unite name)
  if(LANELAB_UNITY)
    set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${LANELAB_BATCH})
    # Each file is "included"; and what g++ 12 takes for uninitialised in a moved variant hangs on the files before it. Preset dev keeps both.
    target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage;-Wno-maybe-uninitialized>)
  endif()
endfunction()

# lanelab_precompile(TARGET HEADER...): the headers are read once for the target, which pays where the time to read them is most of what a file takes;
# not where its files are compiled in three batches or fewer.
function(lanelab_precompile name)
  get_target_property(sources ${name} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  list(LENGTH sources count)
  math(EXPR fewest "3 * ${LANELAB_BATCH}")
  if(LANELAB_UNITY AND count LESS_EQUAL fewest)
    return()
  endif()
  target_precompile_headers(${name} PRIVATE ${ARGN})
  # Lets ccache work with it.
  target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess> "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")
endfunction()

# lanelab_test(NAME LABEL label LINKS ... [ROOMS folder...] [TIMEOUT s] [NO_MAIN] [BY_SUITE] [ENVIRONMENT ...] [PRECOMPILE header...]): a GoogleTest program of
# all .cpp files of these folders, or of the current one, each test known to ctest by its own name; BY_SUITE: each suite, for programs with LibTorch, which
# take longer to start than most of their tests. Tests limit their own waits; the ctest limit only ends what hangs all the same.
# The tests' own files are not optimised: to compile one takes a quarter less then, and their time goes into the libraries, which are.
function(lanelab_test name)
  cmake_parse_arguments(ARG "NO_MAIN;SERIAL;BY_SUITE" "LABEL;TIMEOUT" "LINKS;ENVIRONMENT;PRECOMPILE;ROOMS" ${ARGN})
  lanelab_sources(sources ${ARG_ROOMS})
  if(NOT sources)
    return()
  endif()
  find_package(GTest REQUIRED)
  include(GoogleTest)
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE ${ARG_LINKS} test_support GTest::gtest GTest::gmock lanelab_warnings)
  if(NOT ARG_NO_MAIN)
    target_link_libraries(${name} PRIVATE GTest::gtest_main)
  endif()
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_compile_definitions(${name} PRIVATE LANELAB_SOURCE_DIR="${PROJECT_SOURCE_DIR}" LANELAB_BINARY_DIR="${PROJECT_BINARY_DIR}")
  target_compile_options(${name} PRIVATE -O0)
  if(LANELAB_SANITIZE MATCHES "undefined")
    # These three checks are a third of what a test file takes; the libraries have them, and a null pointer stops the address sanitizer, too.
    target_compile_options(${name} PRIVATE -fno-sanitize=null,alignment,vptr)
  endif()
  lanelab_unite(${name})
  list(LENGTH sources count)
  if(count GREATER 5)
    set(headers "${PROJECT_SOURCE_DIR}/cmake/test_pch.h" ${ARG_PRECOMPILE})
    if(gui_test_main IN_LIST ARG_LINKS)
      list(APPEND headers "${PROJECT_SOURCE_DIR}/tests/gui/gui_test_pch.h")
    endif()
    lanelab_precompile(${name} ${headers})
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 60)
  endif()
  if(ARG_BY_SUITE)
    set(program "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${name}")
    configure_file("${PROJECT_SOURCE_DIR}/cmake/suite_tests.cmake.in" ${name}_suites.cmake @ONLY)
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${CMAKE_CURRENT_BINARY_DIR}/${name}_suites.cmake")
    return()
  endif()
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
    PROPERTIES LABELS "${ARG_LABEL}" RUN_SERIAL ${ARG_SERIAL} TIMEOUT ${ARG_TIMEOUT} ENVIRONMENT "${ARG_ENVIRONMENT}")
endfunction()
