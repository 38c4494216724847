// SPDX-License-Identifier: GPL-3.0-only
#include "engine/record/run_store.h"
#include "base/atomic_file.h"
#include "base/whole_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/termination.h"
#include "engine/record/run_tables.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/experiment/small_experiment.h"

namespace lanelab {
namespace {

namespace fs = std::filesystem;

RunRecord recordWith(int repeats) {
  RunRecord record;
  record.id = "first";
  record.started = "2026-01-02T03:04:05Z";
  record.experiment = test::smallExperiment();
  record.unit = {.others = true};
  record.environment = {{"host", "here"}, {"cpu", "a \"quoted\" one"}};
  VariantRecord variant;
  variant.name = "Single";
  variant.strategy = Strategy::Single;
  variant.split_size = 8;
  for (int i = 0; i < repeats; ++i) variant.repeats.push_back({1.0 + i, {0.5, 0.5 + i}, {2.25, 2.0}});
  variant.lanes = {{"cpu:0", "cpu:0", 1.0, 0.75, 0.25, 1024, {1000, 0, 0, 0, 0, 0}}, {"cpu:1", "cpu:1", 0, 0, 0, 0}};
  record.variants = {variant};
  EXPECT_TRUE(refreshStatistics(record).ok());
  return record;
}

class RunStore : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(m_root); }
  void TearDown() override { fs::permissions(m_root, fs::perms::owner_all, fs::perm_options::add); }
  std::string at(const std::string& name) const { return (m_root / name).string(); }
  const test::TemporaryFolder m_folder;
  const fs::path m_root = m_folder.file("runs");
};

TEST_F(RunStore, WritesTheRecordAndTheTables) {
  Result<RunFolder> folder = RunFolder::create(at("a/b/run"));
  ASSERT_TRUE(folder.ok()) << folder.error().message;
  RunRecord record = recordWith(5);
  record.status = RunStatus::Done;
  ASSERT_TRUE(folder->write(record).ok());
  const Result<RunRecord> back = readRun(at("a/b/run"));
  ASSERT_TRUE(back.ok()) << back.error().message;
  EXPECT_EQ(toJson(*back), toJson(record));
  EXPECT_EQ(*readWholeFile(at("a/b/run/samples.csv"), 4096),
            "variant,repeat,seconds,images_per_second,last_loss\r\nSingle,0,1,16,2\r\nSingle,1,2,8,2\r\nSingle,2,3,5."
            "333333333333333,2\r\n"
            "Single,3,4,4,2\r\nSingle,4,5,3.2,2\r\n");
  EXPECT_EQ(readWholeFile(at("a/b/run/steps.csv"), 4096)->substr(0, 65),
            "variant,repeat,step,seconds,loss\r\nSingle,0,0,0.5,2.25\r\nSingle,0,1");
  EXPECT_EQ(*readWholeFile(at("a/b/run/lanes.csv"), 4096),
            "variant,lane,device,window_s,busy_s,idle_s,busy_share,idle_share,peak_bytes,forecast_bytes,windows\r\n"
            "Single,cpu:0,cpu:0,1,0.75,0.25,0.75,0.25,1024,1000,step\r\nSingle,cpu:1,cpu:1,,,,,,0,,\r\n");
}

TEST_F(RunStore, RecordsTheStepBarrierAndTheWindowsOfLanes) {
  RunRecord record = recordWith(1);
  EXPECT_EQ(toJson(record).find("step_barrier"), std::string::npos) << "as in files of earlier versions";
  record.variants[0].step_barrier = StepBarrier::None;
  record.variants[0].windows = WindowKind::Period;
  const Result<RunRecord> back = parseRunRecord(toJson(record), "it");
  ASSERT_TRUE(back.ok()) << back.error().message;
  EXPECT_EQ(back->variants[0].step_barrier, StepBarrier::None);
  EXPECT_EQ(back->variants[0].windows, WindowKind::Period);
}

TEST_F(RunStore, LeavesNothingAsideAndNoLockAtTheEnd) {
  {
    Result<RunFolder> folder = RunFolder::create(at("run"));
    ASSERT_TRUE(folder.ok());
    ASSERT_TRUE(folder->write(recordWith(1)).ok());
    ASSERT_TRUE(folder->write(recordWith(2)).ok());
  }
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(at("run"))) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector<std::string>{"lanes.csv", "run.json", "samples.csv", "steps.csv"}));
}

TEST_F(RunStore, ARunningRecordIsRunningOnlyWhileItsOwnerLives) {
  {
    Result<RunFolder> folder = RunFolder::create(at("run"));
    ASSERT_TRUE(folder.ok());
    ASSERT_TRUE(folder->write(recordWith(1)).ok());
    EXPECT_EQ(readRun(at("run"))->status, RunStatus::Running);
  }
  EXPECT_EQ(readRun(at("run"))->status, RunStatus::Interrupted);
}

TEST_F(RunStore, AKilledRunKeepsWhatItMeasuredAndReadsInterrupted) {
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    Result<RunFolder> folder = RunFolder::create(at("killed"));
    if (!folder.ok()) ::_exit(1);
    for (int repeats = 1;; ++repeats) {  // ends by the signal only
      if (!folder->write(recordWith(1 + repeats % 400)).ok()) ::_exit(1);
      if (repeats == 20 && ::write(ready[1], "x", 1) != 1) ::_exit(1);
    }
  }
  ::close(ready[1]);
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);  // ends at once, too, should the child fail
  ::close(ready[0]);
  EXPECT_EQ(readRun(at("killed"))->status, RunStatus::Running);
  ::kill(child, SIGKILL);
  int how = 0;
  ::waitpid(child, &how, 0);
  EXPECT_TRUE(WIFSIGNALED(how));
  const Result<RunRecord> record = readRun(at("killed"));
  ASSERT_TRUE(record.ok()) << record.error().message;
  EXPECT_EQ(record->status, RunStatus::Interrupted);
  EXPECT_GE(record->variants.front().repeats.size(), 1u);
  EXPECT_FALSE(RunFolder::create(at("killed")).ok()) << "what was measured must not be written over";
}

TEST_F(RunStore, ARunThatASignalEndsIsCancelledAndLeavesNoPart) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::alarm(20);
    endOnSignals({}, "");
    Result<RunFolder> folder = RunFolder::create(at("run"));
    RunRecord record = recordWith(3);
    record.status = RunStatus::Running;
    if (!folder.ok() || !folder->write(record).ok()) ::_exit(1);
    const PartialFile partial(pathBeside(at("run") + "/trace"));
    std::ofstream(partial.path()) << "half";
    ::kill(::getpid(), SIGTERM);
    for (;;) ::pause();  // work that does not listen
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  const Result<RunRecord> record = readRun(at("run"));
  ASSERT_TRUE(record.ok()) << record.error().message;
  EXPECT_EQ(record->status, RunStatus::Cancelled);
  EXPECT_EQ(record->variants.front().repeats.size(), 3u);
  for (const auto& entry : fs::directory_iterator(at("run")))
    EXPECT_NE(entry.path().filename().string().front(), '.') << entry.path();
}

TEST_F(RunStore, RefusesAFolderThatHoldsSomething) {
  { std::ofstream(at("precious.txt")) << "data"; }
  const Result<RunFolder> folder = RunFolder::create(m_root.string());
  ASSERT_FALSE(folder.ok());
  EXPECT_EQ(folder.error().kind, Error::Kind::BadInput);
  EXPECT_NE(folder.error().message.find("is not empty. Name another one"), std::string::npos) << folder.error().message;
  const Result<RunFolder> file = RunFolder::create(at("precious.txt"));
  ASSERT_FALSE(file.ok());
  EXPECT_NE(file.error().message.find("is not a folder"), std::string::npos) << file.error().message;
  EXPECT_EQ(*readWholeFile(at("precious.txt"), 100), "data");
}

TEST_F(RunStore, TwoRunsDoNotShareAFolder) {
  Result<RunFolder> first = RunFolder::create(at("run"));
  ASSERT_TRUE(first.ok());
  for (const bool written : {false, true}) {
    if (written) {
      ASSERT_TRUE(first->write(recordWith(1)).ok());
      EXPECT_FALSE(RunFolder::reopen(at("run")).ok()) << "to resume a run that is running";
    }
    const Result<RunFolder> second = RunFolder::create(at("run"));
    ASSERT_FALSE(second.ok());
    EXPECT_EQ(second.error().kind, Error::Kind::BadInput);
    EXPECT_NE(second.error().message.find("Another process is using the run folder"), std::string::npos)
        << second.error().message;
  }
}

/// Killed, it leaves its lock file behind, which nobody holds.
TEST_F(RunStore, ALockOfAProcessThatEndedIsFree) {
  fs::create_directories(at("run"));
  std::ofstream(at("run/.lock")) << "";
  std::ofstream(at("run/run.json")) << toJson(recordWith(1));
  const std::string half = pathBeside(at("run/pipeline.checkpoint"));
  std::ofstream(half) << "half";
  EXPECT_TRUE(RunFolder::reopen(at("run")).ok());
  EXPECT_FALSE(fs::exists(half)) << "each kill would leave another one";
  fs::create_directories(at("early"));
  std::ofstream(at("early/.lock")) << "";
  EXPECT_TRUE(RunFolder::create(at("early")).ok()) << "killed before its first write";
}

TEST_F(RunStore, AFolderThatWasRemovedIsASentenceAndItsSuccessorIsLeftAlone) {
  Result<RunFolder> first = RunFolder::create(at("run"));
  ASSERT_TRUE(first.ok());
  fs::remove_all(at("run"));
  const Status gone = first->write(recordWith(1));
  ASSERT_FALSE(gone.ok());
  EXPECT_NE(gone.error().message.find("cannot be written: it was removed or moved"), std::string::npos)
      << gone.error().message;
  Result<RunFolder> second = RunFolder::create(at("run"));
  ASSERT_TRUE(second.ok()) << second.error().message;
  ASSERT_TRUE(second->write(recordWith(1)).ok());
  EXPECT_FALSE(first->write(recordWith(1)).ok());
  first->discard();
  EXPECT_TRUE(fs::exists(at("run/run.json")));
  { const RunFolder ended = std::move(*first); }
  EXPECT_TRUE(second->write(recordWith(1)).ok()) << "its lock is still there";
}

TEST_F(RunStore, AnEmptyFolderIsTaken) { EXPECT_TRUE(RunFolder::create(m_root.string()).ok()); }

TEST_F(RunStore, DiscardTakesBackWhatItMade) {
  Result<RunFolder> folder = RunFolder::create(at("a/b"));
  ASSERT_TRUE(folder.ok());
  ASSERT_TRUE(folder->write(recordWith(1)).ok());
  folder->discard();
  EXPECT_TRUE(fs::is_empty(m_root));
}

TEST_F(RunStore, AReadOnlyFolderIsNamedWithTheFix) {
  if (::geteuid() == 0) {
    // Root may write everywhere but here.
    const Result<RunFolder> folder = RunFolder::create("/proc/lanelab-run");
    ASSERT_FALSE(folder.ok());
    EXPECT_NE(folder.error().message.find("/proc/lanelab-run cannot be made"), std::string::npos)
        << folder.error().message;
    EXPECT_NE(folder.error().message.find("Choose another folder"), std::string::npos) << folder.error().message;
    return;
  }
  fs::permissions(m_root, fs::perms::owner_write, fs::perm_options::remove);
  const Result<RunFolder> folder = RunFolder::create(at("run"));
  ASSERT_FALSE(folder.ok());
  EXPECT_NE(folder.error().message.find("it may not be written"), std::string::npos) << folder.error().message;
}

TEST_F(RunStore, AFullDiskIsASentenceAndTheFileBeforeStays) {
  const Status full = writeFileAtomically("/dev/full/run.json", "x");  // no folder at all: an error, not a crash
  ASSERT_FALSE(full.ok());
  ASSERT_TRUE(writeFileAtomically(at("run.json"), "before").ok());
  // A limit on file size stands for the full disk: the write fails half way in the same place.
  rlimit old{};
  ::getrlimit(RLIMIT_FSIZE, &old);
  const auto handler = ::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{1024, old.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  const Status status = writeFileAtomically(at("run.json"), std::string(100000, 'x'));
  ::setrlimit(RLIMIT_FSIZE, &old);
  ::signal(SIGXFSZ, handler);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().message.find("run.json cannot be written"), std::string::npos) << status.error().message;
  EXPECT_EQ(*readWholeFile(at("run.json"), 100), "before");
  EXPECT_EQ(std::distance(fs::directory_iterator(m_root), fs::directory_iterator()), 1)
      << "the part that was written aside is gone";
}

TEST_F(RunStore, PipesAndDevicesAreRefusedAtOnce) {
  fs::create_directories(m_root / "run");
  for (const char* name : {"run/run.json", "run/.lock", "experiment.json"})
    ASSERT_EQ(::mkfifo(at(name).c_str(), 0600), 0);
  const Result<RunRecord> run = readRun(at("run"));
  ASSERT_FALSE(run.ok());
  EXPECT_NE(run.error().message.find("run.json cannot be read (a named pipe, not a regular file)"), std::string::npos)
      << run.error().message;
  EXPECT_TRUE(holdsRuns(m_root.string()));
  EXPECT_FALSE(readExperiment(at("experiment.json")).ok());
  EXPECT_NE(readWholeFile("/dev/zero", 1 << 20).error().message.find("a device, not a regular file"),
            std::string::npos);
}

TEST_F(RunStore, ACorruptRunIsAnErrorAndStaysARun) {
  struct Case {
    const char* name;
    std::string text;
    const char* says;
  };
  const std::string good = toJson(recordWith(2));
  const std::vector<Case> cases = {
      {"empty", "", "line 1"},
      {"cut", good.substr(0, good.size() / 2), "not valid JSON"},
      {"list", "[1,2]", "must be an object"},
      {"newer", "{\"schema\": 99, \"id\": \"x\", \"status\": \"done\", \"experiment\": {}}", "newer LaneLab"},
      {"status",
       "{\"schema\": 1, \"id\": \"x\", \"status\": \"asleep\", \"experiment\": {\"lanes\":[],\"variants\":[]}}",
       "asleep"},
      {"times",
       "{\"schema\": 1, \"id\": \"x\", \"status\": \"done\", \"experiment\": {\"lanes\":[],\"variants\":[]}, "
       "\"variants\": [{\"name\": \"A\", "
       "\"repeats\": [{\"seconds\": \"fast\"}]}]}",
       "variants[0].repeats[0].seconds"},
      {"binary", std::string("\0\1\2\3", 4), "line 1"}};
  for (const Case& c : cases) {
    fs::create_directories(m_root / c.name);
    std::ofstream(m_root / c.name / "run.json") << c.text;
    const Result<RunRecord> record = readRun(at(c.name));
    ASSERT_FALSE(record.ok()) << c.name;
    EXPECT_NE(record.error().message.find(c.says), std::string::npos) << record.error().message;
    EXPECT_NE(record.error().message.find(c.name), std::string::npos) << record.error().message;
  }
  EXPECT_TRUE(holdsRuns(m_root.string()));
  EXPECT_NE(readRun(at("nowhere")).error().message.find("is not a run folder"), std::string::npos);
  EXPECT_NE(readRun(m_root.string()).error().message.find("has no run.json"), std::string::npos);
}

TEST_F(RunStore, AFolderHoldsRunsIfOneOfItsFoldersIsARun) {
  EXPECT_FALSE(holdsRuns(at("absent")));
  fs::create_directories(m_root / "no run");
  EXPECT_FALSE(holdsRuns(m_root.string()));
  Result<RunFolder> folder = RunFolder::create(at("a run"));
  ASSERT_TRUE(folder.ok());
  ASSERT_TRUE(folder->write(recordWith(1)).ok());
  EXPECT_TRUE(holdsRuns(m_root.string()));
}

TEST_F(RunStore, NamesFoldersAndFilesAfterExperimentAndVariant) {
  const std::string path = defaultRunPath(m_root.string(), "My Lab");
  EXPECT_EQ(fs::path(path).filename().string().rfind("my-lab-20", 0), 0u) << path;
  EXPECT_EQ(tracePathOf("runs/x", "Model parallel"), "runs/x/trace-model-parallel.json.gz");
  Result<RunFolder> folder = RunFolder::create(at("run"));
  ASSERT_TRUE(folder.ok());
  EXPECT_EQ(folder->weightsPath("Model parallel"), at("run/weights-model-parallel.safetensors"));
  // What a killed run left is read where there is no whole trace.
  std::ofstream(at("run/trace-single.lltrace")) << "x";
  EXPECT_EQ(tracePathOf(at("run"), "Single"), at("run/trace-single.lltrace"))
      << "of version 0.1.0, so that the reader says so";
  EXPECT_EQ(folder->liveTracePath("Single"), at("run/trace-single.perfetto-trace"));
  std::ofstream(at("run/trace-single.perfetto-trace")) << "x";
  EXPECT_EQ(tracePathOf(at("run"), "Single"), at("run/trace-single.perfetto-trace"));
  EXPECT_EQ(folder->tracePath("Single"), at("run/trace-single.json.gz"));
  std::ofstream(at("run/trace-single.json.gz")) << "x";
  EXPECT_EQ(tracePathOf(at("run"), "Single"), at("run/trace-single.json.gz"));
}

TEST_F(RunStore, LongNamesGetShortFileNames) {
  const std::string name(10'000, 'n');
  Result<RunFolder> folder = RunFolder::create(defaultRunPath(at(""), name));
  ASSERT_TRUE(folder.ok()) << folder.error().message;
  std::ofstream(folder->tracePath(name)) << "x";
  EXPECT_TRUE(fs::exists(tracePathOf(folder->path(), name)));
  EXPECT_NE(folder->tracePath(name), folder->tracePath(name + "n"));
}

TEST_F(RunStore, FindsTracesThatEarlierVersionsNamedAtFullLength) {
  const std::string name(100, 'n');
  const std::string path = at("trace-" + name + ".json.gz");
  std::ofstream(path) << "x";
  EXPECT_EQ(fs::path(tracePathOf(at(""), name)), fs::path(path));
}

TEST_F(RunStore, NamesAPathThatIsTooLong) {
  const Result<RunFolder> folder = RunFolder::create(at(std::string(10'000, 'n')));
  ASSERT_FALSE(folder.ok());
  EXPECT_EQ(folder.error().kind, Error::Kind::BadInput);
  EXPECT_THAT(folder.error().message, testing::HasSubstr("file name too long"));
  const Status written = writeFileAtomically(at(std::string(10'000, 'n')), "x");
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().kind, Error::Kind::BadInput);
  EXPECT_THAT(written.error().message, testing::HasSubstr("file name too long"));
}

TEST_F(RunStore, WritesAFileWithTheLongestName) {
  const std::string path = at(std::string(255, 'n'));
  const Status written = writeFileAtomically(path, "x");
  EXPECT_TRUE(written.ok()) << written.error().message;
  EXPECT_TRUE(fs::exists(path));
}

TEST(RunTables, DefuseNamesOfVariantsLanesAndDevices) {
  RunRecord record;
  VariantRecord variant;
  variant.name = "=1+1";
  variant.repeats.push_back({});
  variant.lanes.push_back({});
  variant.lanes.back().name = "@SUM(A1)";
  variant.lanes.back().device = "-2+3";
  record.variants.push_back(variant);
  EXPECT_THAT(samplesCsv(record), testing::HasSubstr("\r\n'=1+1,"));
  EXPECT_THAT(lanesCsv(record), testing::HasSubstr("\r\n'=1+1,'@SUM(A1),'-2+3,"));
}

}  // namespace
}  // namespace lanelab
