// SPDX-License-Identifier: GPL-3.0-only
// Files that are only written in part do not outlive the program, and files that are none are not opened.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <filesystem>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/atomic_file.h"
#include "base/regular_file.h"
#include "tests/support/temporary_folder.h"

namespace lanelab {
namespace {

namespace fs = std::filesystem;

class Folder : public testing::Test {
 protected:
  std::string at(const std::string& name) const { return m_folder.file(name); }
  std::string written(const std::string& path) const {
    test::writeContent(path, "text");
    return path;
  }

 private:
  const test::TemporaryFolder m_folder;
};

using PartialFiles = Folder;
using RegularFiles = Folder;

TEST_F(PartialFiles, AreRemovedWhileTheyLive) {
  const PartialFile partial(written(pathBeside(at("result"))));
  {
    const PartialFile other(pathBeside(at("other")));
    written(other.path());
    EXPECT_EQ(other.renameTo(at("other")), 0);
  }
  removePartialFiles();
  EXPECT_FALSE(fs::exists(partial.path()));
  EXPECT_TRUE(fs::exists(at("other")));
}

TEST_F(PartialFiles, AreRemovedIfWhoeverWritesThemGivesUp) {
  std::string path;
  {
    PartialFile partial(pathBeside(at("result")));
    path = partial.path();
    ASSERT_TRUE(partial.create().ok());
    EXPECT_TRUE(fs::exists(path));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(PartialFiles, OfAKilledProgramAreFoundByTheirNamesAndNothingElseIs) {
  const std::vector<std::string> left = {pathBeside(at("run.json")), pathBeside(at(std::string(250, 'x')))};
  std::vector<std::string> kept = {at("run.json"),
                                   at(".hidden"),
                                   at(".notes.tmp"),
                                   at("run.json.0123456789abcdef.tmp"),
                                   at(".run.json.0123456789abcdeg.tmp"),
                                   at(".0123456789abcdef.tmp")};
  for (const std::string& path : left) written(path);
  for (const std::string& path : kept) written(path);
  kept.push_back(pathBeside(at("folder")));
  fs::create_directory(kept.back());
  removeLeftParts(at(""));
  for (const std::string& path : left) EXPECT_FALSE(fs::exists(path)) << path;
  for (const std::string& path : kept) EXPECT_TRUE(fs::exists(path)) << path;
  removeLeftParts(at("absent"));
}

TEST_F(PartialFiles, AreMadeAnewAndNeverThroughALinkOfSomebodyElse) {
  PartialFile partial(pathBeside(at("result")));
  fs::create_symlink(written(at("precious")), partial.path());
  EXPECT_FALSE(partial.create().ok());
  EXPECT_EQ(errno, EEXIST);
  EXPECT_EQ(test::contentOf(at("precious")), "text");
  fs::remove(partial.path());
  EXPECT_TRUE(partial.create().ok());
}

TEST_F(PartialFiles, TakeThePlaceOfTheirTargetOrGo) {
  written(at("target"));
  const PartialFile partial(pathBeside(at("target")));
  test::writeContent(partial.path(), "new");
  EXPECT_EQ(partial.renameTo(at("target")), 0);
  EXPECT_EQ(test::contentOf(at("target")), "new");
  test::writeContent(partial.path(), "stored");
  EXPECT_EQ(partial.renameTo(at("target"), Durable::Yes), 0);
  EXPECT_EQ(test::contentOf(at("target")), "stored");
  EXPECT_EQ(partial.renameTo(at("target"), Durable::Yes), ENOENT) << "there is nothing to store";
  written(partial.path());
  EXPECT_EQ(partial.renameTo(at("no/such/folder")), ENOENT);
  EXPECT_FALSE(fs::exists(partial.path()));
}

TEST_F(PartialFiles, NeverTakeThePlaceOfADeviceOrAPipe) {
  ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
  fs::create_symlink("/dev/full", at("device"));
  fs::create_symlink("/proc/self/fd/1", at("stdout"));
  for (const char* target : {"pipe", "device", "stdout"}) {
    const fs::file_type before = fs::symlink_status(at(target)).type();
    const PartialFile partial(pathBeside(at(target)));
    written(partial.path());
    EXPECT_EQ(partial.renameTo(at(target)), ENOTSUP) << target;
    EXPECT_EQ(fs::symlink_status(at(target)).type(), before) << target;
    EXPECT_FALSE(fs::exists(partial.path()));
    const Status status = writeFileAtomically(at(target), "x");
    ASSERT_FALSE(status.ok());
    EXPECT_NE(status.error().message.find("Choose the name of a file"), std::string::npos) << status.error().message;
  }
}

TEST_F(PartialFiles, OfKilledProgramsAreRemovedByTheNextThatWritesTheSameTarget) {
  const std::string digits = "0123456789abcdef";
  const std::vector<std::string> abandoned = {".result." + digits + ".tmp", ".result." + digits + ".tmp.html"};
  const std::vector<std::string> others = {
      "result." + digits + ".tmp", ".result.tmp", ".result." + digits + "0.tmp",    ".result.0123456789abcdeg.tmp",
      ".result." + digits,         "result",      ".result.csv." + digits + ".tmp", ".other." + digits + ".tmp"};
  for (const auto* names : {&abandoned, &others})
    for (const std::string& name : *names) written(at(name));
  fs::create_directory(at(".result.00000000000000aa.tmp"));
  fs::create_symlink(at("result"), at(".result.00000000000000bb.tmp"));
  ASSERT_EQ(::mkfifo(at(".result.00000000000000cc.tmp").c_str(), 0600), 0);

  ASSERT_TRUE(writeFileAtomically(at("result"), "new").ok());
  for (const std::string& name : abandoned) EXPECT_FALSE(fs::exists(at(name))) << name;
  for (const std::string& name : others) EXPECT_TRUE(fs::exists(at(name))) << name;
  for (const char* name : {"aa", "bb", "cc"})
    EXPECT_TRUE(fs::exists(fs::symlink_status(at(".result.00000000000000" + std::string(name) + ".tmp")))) << name;
  EXPECT_EQ(test::contentOf(at("result")), "new");
}

TEST_F(PartialFiles, ThatAreStillWrittenAreLeftAlone) {
  PartialFile mine = PartialFile::beside(at("result"));
  { const FileHandle written = mine.create(); }  // closed, and not yet renamed
  std::vector<std::thread> others;
  for (int i = 0; i < 4; ++i)
    others.emplace_back([&] {
      for (int round = 0; round < 25; ++round) EXPECT_TRUE(writeFileAtomically(at("result"), "other").ok());
    });
  for (std::thread& other : others) other.join();
  EXPECT_TRUE(fs::exists(mine.path()));
  EXPECT_EQ(mine.renameTo(at("result")), 0);
  EXPECT_EQ(std::distance(fs::directory_iterator(fs::path(mine.path()).parent_path()), {}), 1);
}

TEST_F(PartialFiles, HaveNamesThatNobodyCanPredict) {
  std::set<std::string> names;
  for (int i = 0; i < 1000; ++i) names.insert(pathBeside(at("result")));
  EXPECT_EQ(names.size(), 1000u);
  std::set<char> digits;  // at one place: a counter or the number of the process would leave most of them out
  for (const std::string& name : names) digits.insert(name[name.size() - 8]);
  EXPECT_EQ(digits.size(), 16u);
  EXPECT_EQ(names.begin()->find(std::to_string(::getpid()) + "-"), std::string::npos);
}

TEST_F(PartialFiles, LieBesideTheirTargetUnderAShortNameOfTheirOwn) {
  const std::string target = at(std::string(250, 'x'));
  const std::string path = pathBeside(target);
  EXPECT_EQ(fs::path(path).parent_path(), fs::path(target).parent_path());
  EXPECT_NE(path, pathBeside(target));
  EXPECT_TRUE(fs::exists(written(path)));
}

TEST_F(RegularFiles, AreOpenedAndNothingElseIs) {
  ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
  fs::create_directory(at("folder"));
  fs::create_symlink(at("pipe"), at("link to pipe"));
  fs::create_symlink(written(at("file")), at("link to file"));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  at("socket").copy(address.sun_path, sizeof address.sun_path - 1);
  const int server = ::socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(::bind(server, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  const struct {
    std::string path, reason;
  } cases[] = {{at("file"), ""},
               {at("link to file"), ""},
               {at("pipe"), "a named pipe, not a regular file"},
               {at("link to pipe"), "a named pipe, not a regular file"},
               {at("folder"), "a folder, not a regular file"},
               {at("socket"), "a socket, not a regular file"},
               {"/dev/zero", "a device, not a regular file"},
               {at("absent"), "no such file or directory"}};
  for (const auto& [path, reason] : cases) {
    EXPECT_EQ(whyNotRegularFile(path), reason) << path;
    EXPECT_EQ(openRegularFile(path).file != nullptr, reason.empty()) << path;
  }
  ::close(server);
}

/// A writer that waits for a reader would continue, and what it writes would be lost.
TEST_F(RegularFiles, APipeIsNotOpenedForAMomentEither) {
  ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
  const int events = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  ASSERT_GE(::inotify_add_watch(events, at("pipe").c_str(), IN_OPEN), 0);
  char event[sizeof(inotify_event) + NAME_MAX + 1];
  EXPECT_NE(whyNotRegularFile(at("pipe")), "");
  EXPECT_EQ(::read(events, event, sizeof event), -1) << "it was opened";
  ::close(::open(at("pipe").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  EXPECT_GT(::read(events, event, sizeof event), 0) << "the watch sees who opens it";
  ::close(events);
}

}  // namespace
}  // namespace lanelab
