// SPDX-License-Identifier: GPL-3.0-only
#include "engine/library/run_labels.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <thread>
#include <tuple>

#include "tests/support/temporary_folder.h"
#include "tests/support/written_labels.h"

namespace lanelab {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class RunLabelsTest : public testing::Test {
 protected:
  const test::TemporaryFolder m_folder;
};

TEST_F(RunLabelsTest, AreDefaultWhereNoneWereWritten) {
  const Result<RunLabels> labels = readLabels(m_folder.path());
  ASSERT_TRUE(labels.ok());
  EXPECT_EQ(*labels, RunLabels{});
}

TEST_F(RunLabelsTest, ReadBackAsTheyWereWritten) {
  const RunLabels labels{"Two cores", {"night", "cpu, 2"}, "First line\n\"second\"", true};
  ASSERT_TRUE(test::writeLabels(m_folder.path(), labels).ok());
  EXPECT_EQ(*readLabels(m_folder.path()), labels);
}

TEST_F(RunLabelsTest, DefaultLabelsLeaveNoFile) {
  ASSERT_TRUE(test::writeLabels(m_folder.path(), {"name", {}, "", false}).ok());
  ASSERT_TRUE(test::writeLabels(m_folder.path(), {" ", {"", "  "}, "", false}).ok());
  EXPECT_TRUE(std::filesystem::is_empty(m_folder.path()));
}

TEST_F(RunLabelsTest, TagsAreTrimmedAndStoredOnce) {
  RunLabels labels;
  for (const char* tag : {" a ", "b", "a", ""}) addTag(labels, tag);
  EXPECT_THAT(labels.tags, ElementsAre("a", "b"));
  removeTag(labels, " a");
  EXPECT_THAT(labels.tags, ElementsAre("b"));
}

TEST_F(RunLabelsTest, ManyWhoChangeThemAtOnceLoseNothing) {
  std::vector<std::thread> writers;
  for (int i = 0; i < 10; ++i) {
    writers.emplace_back([this, i] {
      const auto change = [i](RunLabels& labels) {
        addTag(labels, "tag " + std::to_string(i));
        if (i % 3 == 0) labels.star = true;
        if (i == 4) labels.note = "by the fifth";
        if (i == 7) labels.name = "by the eighth";
      };
      EXPECT_TRUE(changeLabels(m_folder.path(), change).ok());
    });
  }
  for (std::thread& writer : writers) writer.join();
  const RunLabels labels = readLabels(m_folder.path()).value();
  EXPECT_EQ(labels.tags.size(), 10u);
  EXPECT_EQ(std::tie(labels.name, labels.note, labels.star), std::tuple("by the eighth", "by the fifth", true));
}

TEST_F(RunLabelsTest, DamagedOnesAreNotReplacedByAChange) {
  const std::string path = m_folder.write("labels.json", "{");
  EXPECT_FALSE(changeLabels(m_folder.path(), [](RunLabels& labels) { labels.star = true; }).ok());
  EXPECT_EQ(test::contentOf(path), "{");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(m_folder.path()), {}), 1);
}

TEST_F(RunLabelsTest, ADamagedFileIsNamedAndAHugeTextRefused) {
  m_folder.write("labels.json", R"({"schema": 1, "tags": [1]})");
  const Result<RunLabels> labels = readLabels(m_folder.path());
  ASSERT_FALSE(labels.ok());
  EXPECT_THAT(labels.error().message, HasSubstr("labels.json: tags[0]"));
  m_folder.write("labels.json", R"({"schema": 1})");
  const Status written = test::writeLabels(m_folder.path(), {"", {}, std::string(kMostLabelBytes + 1, 'x'), false});
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().kind, Error::Kind::BadInput);
  EXPECT_THAT(written.error().message, HasSubstr("64 KiB"));
}

}  // namespace
}  // namespace lanelab
