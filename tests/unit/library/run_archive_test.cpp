// SPDX-License-Identifier: GPL-3.0-only
#include "engine/library/run_archive.h"

#include <gmock/gmock.h>
#include <zlib.h>

#include <fstream>

#include "base/whole_file.h"
#include "tests/support/written_labels.h"
#include "tests/unit/files/zip_writer.h"
#include "tests/unit/library/library_world.h"

namespace lanelab {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> filesBelow(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (!it->is_directory()) names.push_back(it->path().lexically_relative(folder).string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string contentOf(const fs::path& path) { return *readWholeFile(path.string(), 1 << 24); }

test::ZipPart checkedPart(const std::string& name, const std::string& content) {
  test::ZipPart part = test::stored(name, content);
  part.crc = static_cast<std::uint32_t>(::crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size()));
  return part;
}

class RunArchiveTest : public test::LibraryTest {
 protected:
  std::string record() const { return toJson(test::doneRecord("one")); }
  std::string archiveOf(const std::vector<test::ZipPart>& parts) const {
    return m_folder.write("made.zip", test::zipOf(parts));
  }
  std::string elsewhere() const { return m_folder.file("elsewhere"); }

  /// Checks that the archive is refused and leaves nothing; returns the sentence.
  std::string whyRefused(const std::string& archive, const ArchiveLimits& limits = {}) const {
    const Result<std::string> run = importRunArchive(archive, elsewhere(), {}, limits);
    EXPECT_FALSE(run.ok());
    EXPECT_THAT(filesBelow(m_folder.file("elsewhere")), IsEmpty());
    EXPECT_FALSE(fs::exists(m_folder.file("x")));
    if (run.ok()) return {};
    EXPECT_EQ(run.error().kind, Error::Kind::BadInput) << run.error().message;
    return run.error().message;
  }
};

TEST_F(RunArchiveTest, BringsARunToAnotherMachine) {
  const std::string folder = writeRun("one");
  ASSERT_TRUE(test::writeLabels(folder, {"Shared", {"night"}, "note", true}).ok());
  std::ofstream(folder + "/trace-pipeline.json.gz") << std::string(5000, 'x');
  std::ofstream(folder + "/weights-pipeline.safetensors") << "large";
  std::ofstream(folder + "/.hidden") << "own";
  const std::string archive = m_folder.file("one.zip");
  ASSERT_TRUE(writeRunArchive(folder, {{"experiment.json", "{}"}, {"report.html", "<p>"}}, archive).ok());
  EXPECT_TRUE(isRunArchive(archive));

  const Result<std::string> run = importRunArchive(archive, elsewhere());
  ASSERT_TRUE(run.ok()) << run.error().message;
  EXPECT_EQ(*run, elsewhere() + "/one");
  EXPECT_THAT(filesBelow(*run), ElementsAre("experiment.json", "labels.json", "lanes.csv", "report.html", "run.json",
                                            "samples.csv", "steps.csv", "trace-pipeline.json.gz"));
  for (const char* name : {"run.json", "labels.json", "trace-pipeline.json.gz", "steps.csv"})
    EXPECT_EQ(contentOf(fs::path(*run) / name), contentOf(fs::path(folder) / name)) << name;
  RunEntry entry = readEntry(*run);
  entry.folder = folder;
  EXPECT_EQ(entry, readEntry(folder));
}

TEST_F(RunArchiveTest, OpenedTwiceIsOneRunAndAnotherOfItsNameIsBesideIt) {
  const std::string archive = m_folder.file("one.zip");
  ASSERT_TRUE(writeRunArchive(writeRun("one"), {}, archive).ok());
  EXPECT_EQ(*importRunArchive(archive, root.string()), at("one")) << "the run itself is there";
  EXPECT_EQ(*importRunArchive(archive, elsewhere()), elsewhere() + "/one");
  EXPECT_EQ(*importRunArchive(archive, elsewhere()), elsewhere() + "/one");
  const std::string other = archiveOf({checkedPart("one/run.json", toJson(test::doneRecord("other")))});
  EXPECT_EQ(*importRunArchive(other, elsewhere()), elsewhere() + "/one-2");
}

TEST_F(RunArchiveTest, ExportsOverAnOlderFileAndLeavesNoneAfterAStop) {
  const std::string folder = writeRun("one");
  const std::string archive = m_folder.write("one.zip", "older");
  std::stop_source source;
  source.request_stop();
  EXPECT_EQ(writeRunArchive(folder, {}, archive, {{}, source.get_token()}).error().kind, Error::Kind::Cancelled);
  EXPECT_EQ(contentOf(archive), "older");
  for (const auto& entry : std::filesystem::directory_iterator(m_folder.path()))
    EXPECT_NE(entry.path().extension(), ".tmp") << entry.path();
  ASSERT_TRUE(writeRunArchive(folder, {}, archive).ok());
  EXPECT_TRUE(isRunArchive(archive));
  EXPECT_THAT(writeRunArchive(folder, {}, m_folder.file("absent/one.zip")).error().message,
              HasSubstr("absent/one.zip cannot be written"));
  EXPECT_FALSE(writeRunArchive(m_folder.path(), {}, archive).ok());
}

TEST_F(RunArchiveTest, NamesThatMeanAnotherPlaceAreRefused) {
  for (const char* name : {"../x", "one/../../x", "/tmp/x", "one/sub/x", "one/.lock", "one/a\\x", "two/x", "x",
                           "one/c:x", "one/a\nb", "one/\xff",
                           "one/\u202e"
                           "x"}) {
    SCOPED_TRACE(name);
    whyRefused(archiveOf({checkedPart("one/run.json", record()), checkedPart(name, "x")}));
  }
  for (const char* folder : {"..", ".", "/", ""}) {
    SCOPED_TRACE(folder);
    whyRefused(archiveOf({checkedPart(std::string(folder) + "/run.json", record())}));
  }
}

TEST_F(RunArchiveTest, DamagedAndForeignFilesAreRefused) {
  EXPECT_THAT(whyRefused(m_folder.write("no.zip", "text")), HasSubstr("no.zip cannot be opened as a run"));
  EXPECT_THAT(whyRefused(archiveOf({checkedPart("one/data.pkl", "x")})), HasSubstr("it has no run.json"));
  EXPECT_THAT(whyRefused(archiveOf({checkedPart("one/run.json", "{}")})), HasSubstr("run.json cannot be read"));
  test::ZipPart wrong = checkedPart("one/steps.csv", "a,b");
  wrong.crc ^= 1;
  EXPECT_THAT(whyRefused(archiveOf({checkedPart("one/run.json", record()), wrong})),
              HasSubstr("steps.csv in it is damaged"));
  EXPECT_FALSE(isRunArchive(m_folder.file("no.zip")));
  EXPECT_FALSE(isRunArchive(archiveOf({checkedPart("one/data.pkl", "x")})));
  EXPECT_FALSE(isRunArchive(m_folder.path()));
}

TEST_F(RunArchiveTest, AnArchiveCutAnywhereIsRefused) {
  const std::string archive = m_folder.file("one.zip");
  ASSERT_TRUE(writeRunArchive(writeRun("one"), {}, archive).ok());
  const std::string whole = contentOf(archive);
  for (std::size_t length = 0; length < whole.size(); length += 1 + whole.size() / 200)
    whyRefused(m_folder.write("cut.zip", whole.substr(0, length)));
}

TEST_F(RunArchiveTest, LimitsHold) {
  const std::string archive =
      archiveOf({checkedPart("one/run.json", record()), checkedPart("one/a", std::string(100'000, 'a'))});
  ASSERT_TRUE(importRunArchive(archive, m_folder.file("fits")).ok());
  EXPECT_THAT(whyRefused(archive, {.files = 1}), HasSubstr("more than 1 file"));
  EXPECT_THAT(whyRefused(archive, {.file_bytes = 99'999}), HasSubstr("a in it is too large"));
  EXPECT_THAT(whyRefused(archive, {.bytes = 100'000}), HasSubstr("97.7 KiB"));
}

}  // namespace
}  // namespace lanelab
