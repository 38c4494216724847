// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/import/import_folder.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "profiler/io/import/trace_import.h"
#include "tests/unit/io/import_told.h"
#include "tests/unit/io/small_world.h"

namespace lanelab {
namespace {

TEST(ImportFolder, IsWrittenOnceAndReadAgain) {
  const TemporaryFolder folder;
  const auto imported = fileNamed("kineto.json");
  const std::string into = folder.file("runs/imported");
  EXPECT_EQ(whyNoImportInto(into), "");
  EXPECT_FALSE(holdsImport(into));
  ASSERT_TRUE(writeImport(*imported, "kineto.json", into).ok());
  EXPECT_TRUE(holdsImport(into));
  EXPECT_EQ(whyNoImportInto(into), "");
  const ReadImport again = importTrace(importedTracePath(into));
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(told(**again), told(*imported));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(into), {}), 2);
}

TEST(ImportFolder, SaysWhatIsInTheWay) {
  const TemporaryFolder folder;
  writeContent(folder.file("file"), "x");
  EXPECT_NE(whyNoImportInto(folder.file("file")), "");
  EXPECT_NE(whyNoImportInto(folder.path()), "");
  const ReadImport imported = importBytes("[]");
  ASSERT_TRUE(imported.ok()) << imported.error().message;
  EXPECT_FALSE(writeImport(**imported, "t", folder.file("file/in")).ok());
}

}  // namespace
}  // namespace lanelab
