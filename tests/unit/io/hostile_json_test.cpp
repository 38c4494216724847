// SPDX-License-Identifier: GPL-3.0-only
// JSON that is made to be slow, large or endless. What a test here shows is that it ends: ctest's time limit is the
// measure.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <random>

#include "profiler/io/chrome/event_digest.h"
#include "profiler/io/chrome/event_splitter.h"
#include "profiler/io/chrome/json_scan.h"
#include "profiler/io/import/trace_import.h"
#include "profiler/io/source/byte_source.h"
#include "profiler/io/source/import_limits.h"
#include "tests/support/sanitized.h"
#include "tests/unit/io/small_world.h"

namespace lanelab {
namespace {

using Problems = std::map<std::string, std::int64_t>;

std::string x(const std::string& name, const std::string& rest = R"("ts":1,"dur":1)") {
  return R"({"ph":"X","name":")" + name + R"(","pid":0,"tid":0,)" + rest + "}";
}

std::string repeated(const std::string& text, std::size_t bytes) {
  std::string many;
  many.reserve(bytes + text.size());
  while (many.size() < bytes) many += text;
  return many;
}

void writeZipped(const std::string& path, const std::string& text, int times) {
  const gzFile file = gzopen(path.c_str(), "wb1");
  for (int i = 0; i < times; ++i) gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
}

const std::vector<std::string>& fragments() {
  static const std::vector<std::string> all = {R"({"ph":"X","args":{)",
                                               "[",
                                               "\"",
                                               R"({"a":)",
                                               "},{",
                                               R"({"ph":"X","name":")",
                                               "\\",
                                               R"("\u)",
                                               "[{",
                                               R"({"traceEvents":[)",
                                               R"(,{"ph")",
                                               "{",
                                               "}",
                                               "]",
                                               ",",
                                               "\n{\"ph\":\"X\"",
                                               R"(,{"a":")",
                                               "\n{\"",
                                               R"(,{"ph":1,)",
                                               R"({"ph":"X","name":"a","ts":1,"dur":1})",
                                               "\x01",
                                               "\xFF",
                                               " ",
                                               "1",
                                               "]}"};
  return all;
}

/// What stands before a repetition: nothing, a list, a list with an event that does not end.
constexpr std::array<const char*, 4> kFronts = {"", R"({"traceEvents":[)", "[", R"([{"ph":"X","name":")"};

TEST(HostileJson, RepeatedFragmentsTakeNoTime) {
  for (const std::string& fragment : fragments())
    for (const char* const front : kFronts) {
      const ReadImport read = importBytes(front + repeated(fragment, 30'000));
      EXPECT_TRUE(read.ok() ? *read != nullptr : !read.error().message.empty()) << front << fragment;
    }
}

TEST(HostileJson, RepeatedMixturesTakeNoTime) {
  std::mt19937 random(11);
  for (int round = 0; round < 30; ++round) {
    std::string mixture;
    for (unsigned i = 0; i < 2 + random() % 3; ++i) mixture += fragments()[random() % fragments().size()];
    const ReadImport read =
        importBytes(kFronts[random() % kFronts.size()] + repeated(mixture, 40'000) + x("last") + "]");
    EXPECT_TRUE(read.ok() ? *read != nullptr : !read.error().message.empty()) << mixture;
  }
}

TEST(HostileJson, EventsBehindMuchDamageAreFound) {
  for (const std::string& damage : {std::string(R"(,{"ph":1,)"), std::string(R"(,{"a":")"), std::string("[")}) {
    const ReadImport read =
        importBytes("[" + repeated(damage, 600'000) + "\n\n" + repeated("," + x("good") + "\n", 120'000) + "]");
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_GE((*read)->counts.spans, 1'000) << damage;
  }
}

TEST(HostileJson, NestingHasNoDepthThatMatters) {
  const std::string deep = repeated("[", 300'000) + repeated("]", 300'000);
  const ReadImport read = importBytes("[" + x("first") + "," +
                                      x("deep", R"("ts":1,"dur":1,"args":{"a":)" + deep + "}") + "," + x("last") + "]");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ((*read)->counts.spans, 3);
  EXPECT_EQ((*read)->counts.problems, Problems{});
}

TEST(HostileJson, BlanksWithoutEndAreNotKept) {
  for (const char* const front :
       {"", "[", "[]", R"({"traceEvents":[]})", R"({"traceEvents":[] })", R"({"a")", R"({"a": )"}) {
    const ReadImport read = importBytes(front + std::string(3'000'000, ' '));
    EXPECT_TRUE(read.ok() ? *read != nullptr : !read.error().message.empty()) << front;
  }
}

TEST(HostileJson, OneLongWordTakesNoTime) {
  for (const char* const front : {"[", R"({"a":)", R"({"otherData":)"}) {
    const ReadImport read = importBytes(front + std::string(3'000'000, '1'));
    EXPECT_TRUE(read.ok() ? *read != nullptr : !read.error().message.empty()) << front;
  }
}

/// Gives one byte a call, which is the worst for whoever begins again with each piece.
class DripSource : public ByteSource {
 public:
  explicit DripSource(std::string_view text) : m_text(text) {}
  std::size_t read(char* to, std::size_t room) override {
    const std::size_t count = m_text.copy(to, std::min<std::size_t>(room, 1));
    m_text.remove_prefix(count);
    return count;
  }

 private:
  std::string_view m_text;
};

TEST(HostileJson, ATextInDripsIsReadAsAWhole) {
  const std::string text =
      R"({"otherData":{"a":1},"traceName":"t", "traceEvents" : [)" + x("a") + ",17,\n" + x("b") + R"(], "c": 12})";
  Problems problems;
  DripSource source(text);
  EventSplitter cutter(source, problems);
  std::vector<std::string> events;
  while (const auto event = cutter.next()) events.emplace_back(*event);
  EXPECT_EQ(events, (std::vector<std::string>{x("a"), x("b")}));
  EXPECT_EQ(problems, (Problems{{"damaged_text", 1}}));
  EXPECT_EQ(cutter.fields(),
            (std::map<std::string, std::string>{{"otherData", R"({"a":1})"}, {"traceName", ""}, {"c", ""}}));
}

TEST(EventsKeyScan, FindsTheKeyInPieces) {
  const std::string text = R"({"a":"traceEvents","trace"traceEvents":3,"traceEvents" :
 [)";
  for (std::size_t cut = 0; cut < text.size(); ++cut) {
    EventsKeyScan scan;
    ASSERT_EQ(scan.run(std::string_view(text).substr(0, cut)), std::string_view::npos) << cut;
    ASSERT_EQ(scan.run(std::string_view(text).substr(cut)), text.size() - 1 - cut) << cut;
  }
}

TEST(NextEventWithin, LooksNearWithoutAnAllowance) {
  const std::string far = "{\"a\":1 ,{\"b\":\"" + std::string(300, 'x') + "\",\"ph\":\"X\"}";
  const std::string near = R"({"a":1 ,{"b":"x","ph":"X"})";
  std::size_t much = 1'000'000;
  std::size_t nothing = 0;
  EXPECT_EQ(nextEventWithin(far, 1, far.size(), much), 8u);
  EXPECT_LT(much, 1'000'000u);
  EXPECT_EQ(nextEventWithin(far, 1, far.size(), nothing), std::string_view::npos);
  EXPECT_EQ(nextEventWithin(near, 1, near.size(), nothing), 8u);
}

TEST(NextEventWithin, NeverSpendsMoreThanItMay) {
  const std::string text = repeated(",{\"a\":1}", 100'000) + R"("ph")";
  std::size_t allowance = 50'000;
  EXPECT_NE(nextEventWithin(text, 1, text.size(), allowance), 0u);
  EXPECT_LE(allowance, 50'000u);
}

TEST(HostileJson, LongNamesAreCut) {
  const std::string name(300'000, 'n');
  const std::string accents = repeated("\xC3\xA4", 200'001);
  const ReadImport read =
      importBytes("[" + x(name) + "," + x(accents) + "," + x("a") +
                  R"(,{"ph":"M","name":"thread_name","pid":0,"tid":0,"args":{"name":")" + std::string(5000, 't') +
                  R"("}},{"ph":"C","name":")" + std::string(5000, 'c') + R"(","pid":0,"ts":1,"args":{"v":1}}])");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ((*read)->counts.problems, (Problems{{"long_name", 4}}));
  for (const std::string& each : (*read)->trace->names) EXPECT_LE(each.size(), 65'536u);
  EXPECT_EQ((*read)->trace->tracks[0].name.size(), 256u);
  EXPECT_EQ((*read)->trace->counters[0].name.size(), 256u);
}

TEST(HostileJson, CountersHaveALimit) {
  std::string json = "[";
  for (int event = 0; event < 40; ++event) {
    json += R"({"ph":"C","name":"c","pid":)" + std::to_string(event) + R"(,"ts":1,"args":{)";
    for (int series = 0; series < 2000; ++series) json += (series > 0 ? ",\"" : "\"") + std::to_string(series) + "\":1";
    json += "}},";
  }
  const ReadImport read = importBytes(json);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ((*read)->trace->counters.size(), 65'536u);
  EXPECT_EQ((*read)->counts.problems, (Problems{{"too_many_counters", 80'000 - 65'536}}));
}

TEST(EventDigest, KeepsWhatEventsAreReadFor) {
  const std::string args =
      R"("args":{"step":3,"a":[1,{"b":"}"}],"text":")" + std::string(100'000, 'x') + R"(","device":"cpu:0"})";
  const EventDigest digest = eventDigest(R"({"ph":"X","stack":["{",2],)" + args + R"(,"ts":1})");
  EXPECT_FALSE(digest.cut);
  EXPECT_EQ(digest.text.substr(0, 50), R"({"ph":"X","stack":null,"args":{"step":3,"a":null,")");
  EXPECT_TRUE(digest.text.ends_with(R"(xxx","device":"cpu:0"},"ts":1})"));
  EXPECT_LT(digest.text.size(), 66'000u);
}

TEST(EventDigest, LeavesOutMembersBeyondItsRoomButNotThoseOfTheEvent) {
  std::string members;
  for (int i = 0; i < 100'000; ++i) members += "\"k" + std::to_string(i) + "\":1,";
  const EventDigest digest = eventDigest(R"({"ph":"X","args":{)" + members + R"("z":1},"ts":5})");
  EXPECT_TRUE(digest.cut);
  EXPECT_LT(digest.text.size(), kMostEventBytes + 1000);
  EXPECT_TRUE(digest.text.ends_with(R"(:1},"ts":5})"));
}

TEST(EventDigest, CutsNoEscapeAndNoCharacter) {
  for (const std::string& piece :
       {std::string("\\\\"), std::string("\\n"), std::string("\\ud83d\\ude00"), std::string("\xF0\x9F\x98\x80")})
    for (std::size_t shift = 0; shift < 12; ++shift) {
      const std::string event = R"({"ph":"X","name":")" + std::string(shift, 'a') + repeated(piece, 300'000) +
                                R"(","pid":0,"tid":0,"ts":1,"dur":1})";
      const ReadImport read = importBytes("[" + event + "]");
      ASSERT_TRUE(read.ok()) << read.error().message;
      EXPECT_EQ((*read)->counts.spans, 1);
      EXPECT_FALSE((*read)->counts.problems.contains("damaged_event")) << piece << " " << shift;
    }
}

std::int64_t peakKilobytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

TEST(HostileJson, ALargeEventTakesLittleMoreThanItsText) {
  if (test::kAddressSanitizer) GTEST_SKIP() << "the sanitizer retains what was freed";
  const TemporaryFolder folder;
  writeContent(folder.file("t.json"),
               "[" + x("first") + "," +
                   x("large", R"("args":{"a":")" + std::string(20'000'000, 'x') + R"("},"ts":1,"dur":1)") + "]");
  ASSERT_TRUE(importBytes("[]").ok());
  const std::int64_t before = peakKilobytes();
  const ReadImport read = importTrace(folder.file("t.json"));
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ((*read)->counts.spans, 2);
  EXPECT_LT(peakKilobytes(), before + 3 * 20'000);
}

TEST(ImportLimits, EndWhatUnpacksTooFarWithASentence) {
  const TemporaryFolder folder;
  writeZipped(folder.file("t.json.gz"), "[" + repeated(x("a") + ",\n", 500'000), 1);
  ImportLimits limits;
  limits.unpacked_bytes = 256 << 10;
  const ReadImport read = importTrace(folder.file("t.json.gz"), limits);
  EXPECT_FALSE(read.ok());
  EXPECT_EQ(read.error().message,
            folder.file("t.json.gz") +
                " unpacks to more than 262144 bytes. Record fewer steps, or allow more with --max-unpacked "
                "of lanelab-cli or with LANELAB_MAX_UNPACKED, "
                "such as 64GiB.");
  EXPECT_TRUE(importTrace(folder.file("t.json.gz")).ok());
  writeContent(folder.file("plain.json"), "[" + repeated(x("a") + ",\n", 500'000));
  EXPECT_TRUE(importTrace(folder.file("plain.json"), limits).ok()) << "nothing is unpacked";
}

TEST(ImportLimits, NothingButBracketsIsNotUnpackedToItsEnd) {
  const TemporaryFolder folder;
  for (const char* const text : {"[", "{", "[{"}) {
    writeZipped(folder.file("t.json.gz"), repeated(text, 4'000'000), 5);
    const ReadImport read = importTrace(folder.file("t.json.gz"));
    EXPECT_FALSE(read.ok()) << text;
    EXPECT_NE(read.error().message.find(folder.file("t.json.gz")), std::string::npos);
  }
}

TEST(ImportLimits, AStopEndsTheImport) {
  const TemporaryFolder folder;
  writeContent(folder.file("t.json"), "[" + x("a") + "]");
  std::stop_source source;
  source.request_stop();
  const ReadImport read = importTrace(folder.file("t.json"), {.stop = source.get_token()});
  EXPECT_FALSE(read.ok());
  EXPECT_EQ(read.error().message, folder.file("t.json") + " was not imported: the import was cancelled.");
}

TEST(ImportLimits, ComeFromTheEnvironment) {
  const TemporaryFolder folder;
  writeZipped(folder.file("t.json.gz"), "[" + repeated(x("a") + ",\n", 100'000), 1);
  const std::pair<const char*, const char*> table[] = {{"", ""},
                                                       {"50kB", "unpacks to more than 50000 bytes"},
                                                       {"1MiB", ""},
                                                       {"much", "LANELAB_MAX_UNPACKED: \"much\" is not a size"}};
  for (const auto& [value, error] : table) {
    ::setenv("LANELAB_MAX_UNPACKED", value, 1);
    const ReadImport read = importTraceByEnvironment(folder.file("t.json.gz"));
    EXPECT_EQ(read.ok(), *error == '\0') << value;
    const std::string message = read.ok() ? "" : read.error().message;
    EXPECT_NE(message.find(error), std::string::npos) << message;
  }
  ::unsetenv("LANELAB_MAX_UNPACKED");
}

TEST(ImportLimits, SizesAreReadAsUsersWriteThem) {
  const std::pair<const char*, std::optional<std::int64_t>> table[] = {{"17", 17},
                                                                       {"4kB", 4000},
                                                                       {"4 KiB", 4096},
                                                                       {"20GiB", std::int64_t{20} << 30},
                                                                       {"3tb", 3'000'000'000'000},
                                                                       {"0", std::nullopt},
                                                                       {"-1", std::nullopt},
                                                                       {"", std::nullopt},
                                                                       {"1.5GB", std::nullopt},
                                                                       {"9000000000 TiB", std::nullopt},
                                                                       {"7 apples", std::nullopt}};
  for (const auto& [text, bytes] : table) EXPECT_EQ(bytesOfSize(text), bytes) << text;
  EXPECT_EQ(sizeOfBytes(std::int64_t{8} << 30), "8 GiB");
  EXPECT_EQ(sizeOfBytes(1500), "1500 bytes");
}

TEST(ImportTrace, ReadsRegularFilesOnly) {
  const TemporaryFolder folder;
  ASSERT_EQ(::mkfifo(folder.file("pipe").c_str(), 0600), 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  folder.file("socket").copy(address.sun_path, sizeof address.sun_path - 1);
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  const std::pair<std::string, const char*> table[] = {
      {folder.file("pipe"), "a named pipe, not a regular file. Copy the trace to a file first."},
      {folder.file("socket"), "not a regular file. Copy the trace to a file first."},
      {"/dev/zero", "a device, not a regular file. Copy the trace to a file first."},
      {folder.path(), "a folder, not a regular file. Copy the trace to a file first."},
      {folder.file("none"), "no such file or directory. Choose a trace file that you may read."}};
  for (const auto& [path, reason] : table) {
    const ReadImport read = importTrace(path);
    EXPECT_FALSE(read.ok());
    EXPECT_EQ(read.error().message.rfind(path + " cannot be read: ", 0), 0u) << read.error().message;
    EXPECT_NE(read.error().message.find(reason), std::string::npos) << read.error().message;
  }
  ::close(socket);
}

TEST(HostileJson, ManyOverlapsWithManyFlowsTakeNoTime) {
  std::string json = "[";
  for (int i = 0; i < 8'000; ++i) {
    const std::string ts = std::to_string(i);
    json += x("a", R"("ts":)" + ts + R"(,"dur":100000)") + R"(,{"ph":"s","id":)" + ts + R"(,"pid":0,"tid":0,"ts":)" +
            ts + R"(},{"ph":"f","id":)" + ts + R"(,"pid":0,"tid":0,"ts":)" + ts + "},";
  }
  const ReadImport read = importBytes(json);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ((*read)->counts.flows, 8'000);
  for (const ImportedFlowEnd& end : (*read)->flow_ends)
    ASSERT_EQ((*read)->trace->tracks[end.row].spans.startOf((*read)->trace->tracks[end.row].spans.firstFrom(end.time)),
              end.time);
}

TEST(HostileJson, DeepStacksOfHalvesTakeNoTime) {
  std::string json = "[";
  const int depth = 10'000;
  for (int i = 0; i < depth; ++i)
    json += R"({"ph":"B","pid":0,"tid":0,"name":"n)" + std::to_string(i) + R"(","ts":)" + std::to_string(i) + "},";
  for (int i = 0; i < depth; ++i)
    json +=
        R"({"ph":"E","pid":0,"tid":0,"name":"n)" + std::to_string(i) + R"(","ts":)" + std::to_string(depth + i) + "},";
  const ReadImport read = importBytes(json);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ((*read)->counts.spans, depth);
  EXPECT_FALSE((*read)->counts.problems.contains("unmatched_end"));
}

}  // namespace
}  // namespace lanelab
