// SPDX-License-Identifier: GPL-3.0-only
// Makes the application only when tests run, so that listing them needs no display.
#include <gtest/gtest.h>

#include "tests/gui/gui_application.h"

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  if (::testing::GTEST_FLAG(list_tests)) return RUN_ALL_TESTS();
  const lanelab::test::GuiApplication app(argc, argv);
  return RUN_ALL_TESTS();
}
