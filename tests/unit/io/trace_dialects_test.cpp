// SPDX-License-Identifier: GPL-3.0-only
// A file of each writer is read as told, zipped, written and read again, cut anywhere and damaged.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "profiler/io/import/import_folder.h"
#include "profiler/io/import/trace_import.h"
#include "tests/support/written_trace.h"
#include "tests/unit/io/chrome_validator.h"
#include "tests/unit/io/import_told.h"
#include "tests/unit/io/small_world.h"
#include "tests/unit/io/whole_import.h"

namespace lanelab {
namespace {

using LostKinds = std::map<std::string, std::int64_t>;

std::string dataFile(const std::string& name) { return LANELAB_SOURCE_DIR "/tests/data/traces/" + name; }

/// Kinds that tell of a loss, without information.
LostKinds losses(const ImportedTrace& imported) {
  LostKinds problems = imported.counts.problems;
  std::erase_if(problems, [](const auto& entry) { return entry.first.starts_with("overlap"); });
  return problems;
}

class Dialect : public testing::TestWithParam<const char*> {
 protected:
  std::string path() const { return dataFile(GetParam()); }
};

TEST_P(Dialect, IsReadAsTold) {
  const auto imported = wholeImport(importTrace(path()));
  const std::string text = importSummaryJson(*imported) + "\n" + told(*imported);
  const std::string golden = path().substr(0, path().size() - 4) + "txt";
  if (contentOf(golden) != text) writeContent(golden + ".actual", text);
  EXPECT_EQ(contentOf(golden), text) << "If the new text is right: mv '" << golden << ".actual' '" << golden << "'";
}

TEST_P(Dialect, IsTheSameWhenZipped) {
  const TemporaryFolder folder;
  const std::string text = contentOf(path());
  // Two members, as `cat a.gz b.gz` makes them.
  writeContent(folder.file("t"), gzipped(text.substr(0, text.size() / 2)) + gzipped(text.substr(text.size() / 2)));
  EXPECT_EQ(told(*wholeImport(importTrace(folder.file("t")))), told(*wholeImport(importTrace(path()))));
}

TEST_P(Dialect, ComesBackEqualFromOurOwnFile) {
  const auto imported = wholeImport(importTrace(path()));
  const std::string json = toChromeJson(*imported);
  EXPECT_EQ(whatIsWrongWithImport(json), "");
  const auto again = wholeImport(importBytes(json));
  EXPECT_EQ(told(*again), told(*imported));
  EXPECT_EQ(again->counts.problems, LostKinds{});
  EXPECT_EQ(again->counts.categories, imported->counts.categories);
  EXPECT_EQ(again->counts.counters, imported->counts.counters);
  EXPECT_EQ(again->format, imported->format);
}

TEST_P(Dialect, GivesItsWholeEventsWhereverItIsCut) {
  const std::string text = contentOf(path());
  for (std::size_t length = 0; length < text.size(); length += 1 + length % 3) {
    const ReadImport read = importBytes(std::string_view(text).substr(0, length));
    ASSERT_TRUE(read.ok() ? *read != nullptr : !read.error().message.empty()) << length;
    if (read.ok()) toChromeJson(**read);
  }
}

TEST_P(Dialect, SurvivesAnyDamage) {
  const std::string text = contentOf(path());
  std::mt19937 random(7);
  const auto anyPlace = [&](const std::string& damaged) { return random() % damaged.size(); };
  for (int round = 0; round < 400; ++round) {
    std::string damaged = text;
    for (unsigned i = 0; i < 1 + random() % 6; ++i) {
      switch (random() % 4) {
        case 0: damaged[anyPlace(damaged)] = static_cast<char>(random()); break;
        case 1: damaged[anyPlace(damaged)] = "{}[]\",:\\0\n"[random() % 10]; break;
        case 2: damaged.erase(anyPlace(damaged), random() % 40); break;
        default: damaged.insert(anyPlace(damaged), damaged.substr(anyPlace(damaged), random() % 60)); break;
      }
    }
    const ReadImport read = importBytes(damaged);
    ASSERT_TRUE(read.ok() ? *read != nullptr : !read.error().message.empty());
    if (!read.ok()) continue;
    // Whatever could be made of it can be written, and is whole then.
    const std::string json = toChromeJson(**read);
    ASSERT_EQ(whatIsWrongWithImport(json), "") << damaged;
    const auto again = wholeImport(importBytes(json));
    ASSERT_EQ(losses(*again), LostKinds{}) << damaged << "\n" << json;
    ASSERT_EQ(again->counts.spans, (*read)->counts.spans) << damaged << "\n" << json;
    ASSERT_EQ(again->counts.flows, (*read)->counts.flows) << damaged << "\n" << json;
  }
}

INSTANTIATE_TEST_SUITE_P(Files, Dialect,
                         testing::Values("kineto.json", "kineto_2022.json", "bare_array.json", "perfetto.json",
                                         "async.json", "text_micros.json"),
                         [](const auto& file) {
                           return std::string(file.param, std::string_view(file.param).find('.'));
                         });

}  // namespace
}  // namespace lanelab
