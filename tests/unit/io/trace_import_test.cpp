#include "profiler/io/trace_import.h"

#include <gtest/gtest.h>

#include "profiler/io/import_folder.h"
#include "profiler/io/imported_writer.h"
#include "tests/unit/io/import_told.h"
#include "tests/unit/io/small_world.h"

namespace lanelab {
namespace {

std::string dataFile(const std::string& name) { return LANELAB_SOURCE_DIR "/tests/data/traces/" + name; }

std::shared_ptr<const ImportedTrace> imported(const std::string& name) {
  ReadImport read = importTrace(dataFile(name));
  EXPECT_TRUE(read.imported) << read.error;
  return read.imported;
}

TEST(Print, All) {
  for (const char* name : {"kineto.json", "kineto_2022.json", "bare_array.json", "perfetto.json", "async.json", "text_micros.json"}) {
    auto i = imported(name);
    printf("%s\n%s\n%s\n", name, importSummaryJson(*i).c_str(), told(*i).c_str());
    auto again = importJson(toChromeJson(*i));
    ASSERT_TRUE(again.imported) << again.error;
    EXPECT_EQ(told(*again.imported), told(*i)) << toChromeJson(*i);
  printf("%s\n", importSummaryJson(*again.imported).c_str());
  }
}

}  // namespace
}  // namespace lanelab
