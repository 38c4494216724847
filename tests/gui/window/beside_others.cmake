# SPDX-License-Identifier: GPL-3.0-only
# Read by ctest once the tests of test_gui_window are found. Two windows steal each other's time, and whoever watches a run or a measurement needs the whole
# machine; the others may run beside a test that has no window.
foreach(test IN LISTS test_gui_window_TESTS)
  if(NOT test MATCHES "^(Run|Sweep|Planning|LongWork|SteppedWork|Suggestion|StaleSuggestions|WhatIf|Templates|BusyMachine|Check)")
    set_tests_properties("${test}" PROPERTIES RUN_SERIAL OFF RESOURCE_LOCK window)
  endif()
endforeach()
