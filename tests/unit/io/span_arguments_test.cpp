// SPDX-License-Identifier: GPL-3.0-only
// The arguments of a span of an imported trace, found again in its file: Perfetto's annotations and Nsight's columns.
#include "profiler/io/import/span_arguments.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <fstream>

#include "profiler/io/import/imported_writer.h"
#include "profiler/io/import/trace_import.h"
#include "profiler/io/perfetto/perfetto_writer.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/io/packet_texts.h"
#include "tests/unit/io/small_world.h"

namespace lanelab {
namespace {

using test::TemporaryFolder;

/// A file, and the spans of its import by name; of several with a name the one with that place among them.
class SpanArguments : public ::testing::Test {
 protected:
  void write(const std::string& bytes) const { std::ofstream(path, std::ios::binary) << bytes; }
  void writeSql(const std::string& sql) const {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
    char* problem = nullptr;
    EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &problem), SQLITE_OK) << problem;
    sqlite3_close(database);
  }

  EventArguments of(const std::string& name, int place = 0) const {
    const ReadImport read = importTrace(path);
    EXPECT_TRUE(read.ok()) << messageOf(read);
    if (!read.ok()) return {};
    const Trace& trace = *(*read)->trace;
    for (std::size_t track = 0; track < trace.tracks.size(); ++track) {
      for (const Span& span : trace.tracks[track].spans) {
        if (trace.nameOf(span) != name || place-- > 0) continue;
        const auto found = readArguments(path, *soughtEvent(**read, track, span));
        EXPECT_TRUE(found.ok()) << messageOf(found);
        return found.ok() ? *found : EventArguments();
      }
    }
    ADD_FAILURE() << "no span " << name;
    return {};
  }
  template <class Value>
  static std::string messageOf(const Result<Value>& result) {
    return result.ok() ? "" : result.error().message;
  }

  const TemporaryFolder folder;
  const std::string path = folder.file("trace");
};

constexpr std::uint64_t kAnnotatedSequence = 7;

/// An event on the track, at that time: 1 begins and 2 ends a slice.
std::string annotatedEvent(
    std::uint64_t time, std::uint64_t type, std::uint64_t track,
    const std::function<void(ProtobufText&)>& put = [](ProtobufText&) {}) {
  return packet([&](ProtobufText& p) {
    p.varint(8, time);
    p.varint(10, kAnnotatedSequence);
    p.bytes(11, message([&](ProtobufText& e) {
              e.varint(9, type);
              e.varint(11, track);
              put(e);
            }));
  });
}

/// The fields of a debug annotation with this name.
std::string annotation(const std::string& name, const std::function<void(ProtobufText&)>& put) {
  return message([&](ProtobufText& a) {
    a.bytes(10, name);
    put(a);
  });
}

std::function<void(ProtobufText&)> sliceWith(const std::string& name, const std::vector<std::string>& annotations) {
  return [=](ProtobufText& e) {
    e.bytes(23, name);
    for (const std::string& one : annotations) e.bytes(4, one);
  };
}

std::string numberAnnotation(const std::string& name, std::int64_t value) {
  return annotation(name, [=](ProtobufText& a) { a.varint(4, static_cast<std::uint64_t>(value)); });
}

std::string threadTrack(std::uint64_t uuid, std::uint64_t pid, std::uint64_t tid) {
  return packet([&](ProtobufText& p) {
    p.bytes(60, message([&](ProtobufText& t) {
              t.varint(1, uuid);
              t.bytes(4, message([&](ProtobufText& d) {
                        d.varint(1, pid);
                        d.varint(2, tid);
                      }));
            }));
  });
}

/// Interned texts of the sequence: field of InternedData, number, text.
std::string internedTexts(const std::vector<std::tuple<std::uint32_t, std::uint64_t, std::string>>& texts) {
  return packet([&](ProtobufText& p) {
    p.varint(10, kAnnotatedSequence);
    p.bytes(12, message([&](ProtobufText& d) {
              for (const auto& each : texts) {
                d.bytes(std::get<0>(each), message([&](ProtobufText& n) {
                          n.varint(1, std::get<1>(each));
                          n.bytes(2, std::get<2>(each));
                        }));
              }
            }));
  });
}

TEST_F(SpanArguments, OfPerfettoAreTheAnnotationsOfTheSlice) {
  const std::vector<std::string> annotations = {
      numberAnnotation("negative", -3),
      annotation("flag", [](ProtobufText& a) { a.varint(2, 1); }),
      annotation("size", [](ProtobufText& a) { a.varint(3, 18446744073709551615U); }),
      annotation("share", [](ProtobufText& a) { a.number(5, 0.25); }),
      annotation("text", [](ProtobufText& a) { a.bytes(6, "a \"b\""); }),
      annotation("address", [](ProtobufText& a) { a.varint(7, 0xbeef); }),
      annotation("json", [](ProtobufText& a) { a.bytes(9, R"({"x":[1]})"); }),
  };
  write(annotatedEvent(10, 1, 5, sliceWith("draw", annotations)) + annotatedEvent(20, 2, 5));
  const EventArguments expected = {{"negative", "-3"},      {"flag", "true"},    {"size", "18446744073709551615"},
                                   {"share", "0.25"},       {"text", "a \"b\""}, {"address", "\"0xbeef\""},
                                   {"json", R"({"x":[1]})"}};
  EXPECT_EQ(of("draw"), expected);
}

TEST_F(SpanArguments, OfPerfettoMayBeInternedAndNested) {
  const auto item = [](std::int64_t value) {
    return message([=](ProtobufText& a) { a.varint(4, static_cast<std::uint64_t>(value)); });
  };
  const std::string shape = annotation("shape", [&](ProtobufText& a) {
    a.bytes(12, item(2));
    a.bytes(12, item(3));
  });
  const std::string dictionary = annotation("about", [&](ProtobufText& a) {
    a.bytes(11, shape);
    a.bytes(11, message([](ProtobufText& entry) {
              entry.varint(1, 40);   // its name
              entry.varint(17, 50);  // its text
            }));
  });
  const std::string older = annotation("older", [](ProtobufText& a) {
    a.bytes(8, message([](ProtobufText& n) {
              n.varint(1, 1);
              n.bytes(2, "k");
              n.bytes(3, message([](ProtobufText& v) { v.bytes(8, "v"); }));
            }));
  });
  const std::string plain = message([](ProtobufText& a) {
    a.varint(1, 40);
    a.varint(17, 50);
  });
  write(internedTexts({{3, 40, "dtype"}, {29, 50, "float32"}, {2, 60, "op"}}) +
        annotatedEvent(10, 1, 5,
                       [&](ProtobufText& e) {
                         e.varint(10, 60);
                         for (const std::string& one : {dictionary, older, plain}) e.bytes(4, one);
                       }) +
        annotatedEvent(20, 2, 5));
  const EventArguments expected = {
      {"about", R"({"shape":[2,3],"dtype":"float32"})"}, {"older", R"({"k":"v"})"}, {"dtype", "float32"}};
  EXPECT_EQ(of("op"), expected);
}

TEST_F(SpanArguments, OfPerfettoAreThoseOfItsOwnThreadAndLength) {
  write(annotatedEvent(10, 1, 5, sliceWith("op", {numberAnnotation("n", 1)})) +
        annotatedEvent(10, 1, 6, sliceWith("op", {numberAnnotation("n", 2)})) + annotatedEvent(20, 2, 6) +
        annotatedEvent(20, 2, 5) + annotatedEvent(30, 1, 6, sliceWith("op", {numberAnnotation("n", 3)})) +
        annotatedEvent(30, 1, 6, sliceWith("op", {numberAnnotation("n", 4)})) + annotatedEvent(35, 2, 6) +
        annotatedEvent(40, 2, 6) + threadTrack(5, 100, 1) +
        threadTrack(6, 100, 2));  // after the events, as in files of Chrome
  const ReadImport read = importTrace(path);
  ASSERT_TRUE(read.ok());
  std::vector<std::string> found;
  const Trace& trace = *(*read)->trace;
  for (std::size_t track = 0; track < trace.tracks.size(); ++track) {
    for (const Span& span : trace.tracks[track].spans) {
      const auto sought = soughtEvent(**read, track, span);
      found.push_back(sought->tid + ": " + std::to_string(span.range().length()) + ": " +
                      readArguments(path, *sought)->at(0).second);
    }
  }
  std::ranges::sort(found);
  EXPECT_EQ(found, (std::vector<std::string>{"1: 10: 1", "2: 10: 2", "2: 10: 3", "2: 5: 4"}));
}

TEST_F(SpanArguments, OfEachSpanOfAWrittenPerfettoTraceAreFound) {
  const auto imported = fileNamed("kineto.json");
  for (const char* name : {"t.pftrace", "t.pftrace.gz"}) {
    const std::string file = folder.file(name);
    ASSERT_TRUE(writePerfettoTrace(*imported, file).ok());
    const ReadImport read = importTrace(file);
    ASSERT_TRUE(read.ok()) << messageOf(read);
    const Trace& trace = *(*read)->trace;
    int with_correlation = 0;
    for (std::size_t track = 0; track < trace.tracks.size(); ++track) {
      const ImportedRow& row = (*read)->rows[track];
      for (std::size_t i = 0; i < trace.tracks[track].spans.size(); ++i) {
        if (i >= row.correlations.size() || row.correlations[i] < 0) continue;
        const auto found = readArguments(file, *soughtEvent(**read, track, trace.tracks[track].spans[i]));
        ASSERT_TRUE(found.ok()) << messageOf(found);
        const std::pair<std::string, std::string> wanted{"correlation", std::to_string(row.correlations[i])};
        EXPECT_EQ(std::ranges::count(*found, wanted), 1) << trace.nameOf(trace.tracks[track].spans[i]);
        ++with_correlation;
      }
    }
    EXPECT_GT(with_correlation, 0);
  }
}

TEST_F(SpanArguments, OfPerfettoAreCutAndLimited) {
  std::vector<std::string> many = {annotation("long", [](ProtobufText& a) { a.bytes(6, std::string(10'000, 'z')); })};
  std::string deep = message([](ProtobufText& a) { a.varint(4, 1); });
  for (int i = 0; i < 1000; ++i) deep = message([&](ProtobufText& a) { a.bytes(12, deep); });
  many.push_back(annotation("deep", [&](ProtobufText& a) { a.bytes(12, deep); }));
  for (int i = 0; i < 300; ++i) many.push_back(numberAnnotation("n", i));
  write(annotatedEvent(10, 1, 5, sliceWith("op", many)) + annotatedEvent(20, 2, 5));
  const EventArguments found = of("op");
  ASSERT_EQ(found.size(), kMostArguments);
  EXPECT_EQ(found[0].second.size(), kMostArgumentBytes);
  EXPECT_EQ(found[1].second, std::string(32, '[') + "null" + std::string(32, ']'));
}

const std::string kNsightColumns =
    "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);"
    "INSERT INTO StringIds VALUES (1,'cudaLaunchKernel_v7000'),(2,'gemm'),(3,'void gemm<float>(int)'),(4,'train');"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, "
    "streamId INTEGER, correlationId INTEGER, demangledName INTEGER, shortName INTEGER, gridX INTEGER, blockX INTEGER, "
    "registersPerThread INTEGER, staticSharedMemory INTEGER, occupancy REAL);"
    "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1000,2000,0,1,7,11,3,2,40,256,32,4096,0.5),"
    "(1000,2000,0,1,8,12,3,2,41,256,32,4096,NULL),(3000,3500,1,1,7,13,2,2,42,128,64,0,1.0);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, deviceId INTEGER, streamId INTEGER, "
    "correlationId INTEGER, bytes INTEGER, copyKind INTEGER);"
    "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (2500,2600,0,7,14,4096,1);"
    "CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER, text TEXT, textId INTEGER, "
    "globalTid INTEGER, color INTEGER);"
    "INSERT INTO NVTX_EVENTS VALUES (400,900,59,NULL,4,16777225,255),(400,900,59,'inner',NULL,16777225,254),"
    "(400,900,59,'inner',NULL,16777226,253);";

TEST_F(SpanArguments, OfNsightAreTheColumnsOfTheRow) {
  writeSql(kNsightColumns);
  const EventArguments expected = {{"deviceId", "0"},
                                   {"contextId", "1"},
                                   {"streamId", "7"},
                                   {"correlationId", "11"},
                                   {"demangledName", "void gemm<float>(int)"},
                                   {"shortName", "gemm"},
                                   {"gridX", "40"},
                                   {"blockX", "256"},
                                   {"registersPerThread", "32"},
                                   {"staticSharedMemory", "4096"},
                                   {"occupancy", "0.5"}};
  EXPECT_EQ(of("void gemm<float>(int)"), expected);
  const auto gridOf = [](const EventArguments& arguments) {
    const auto found = std::ranges::find(arguments, "gridX", [](const auto& one) { return one.first; });
    return found == arguments.end() ? "" : found->second;
  };
  EXPECT_EQ(gridOf(of("void gemm<float>(int)", 1)), "41") << "the other stream";
  EXPECT_EQ(gridOf(of("gemm")), "42") << "the other GPU";
  EXPECT_EQ(of("Memcpy HtoD"),
            (EventArguments{
                {"deviceId", "0"}, {"streamId", "7"}, {"correlationId", "14"}, {"bytes", "4096"}, {"copyKind", "1"}}));
}

TEST_F(SpanArguments, OfNsightAreThoseOfTheNameAndTheThread) {
  writeSql(kNsightColumns);
  EXPECT_EQ(of("train").at(1), (std::pair<std::string, std::string>{"textId", "train"}));
  EXPECT_EQ(of("train").at(3).second, "255");
  EXPECT_EQ(of("inner").at(3).second, "254");
  EXPECT_EQ(of("inner", 1).at(3).second, "253");
}

TEST_F(SpanArguments, AreNoneOfASpanThatTheFileHasNot) {
  const SoughtEvent other{"other", "1", "1", 1, 1, 0, "kernel", 0, 7};
  write(annotatedEvent(10, 1, 5, sliceWith("draw", {numberAnnotation("n", 1)})) + annotatedEvent(20, 2, 5));
  EXPECT_TRUE(readArguments(path, other)->empty());
  std::filesystem::remove(path);
  writeSql(kNsightColumns);
  EXPECT_TRUE(readArguments(path, other)->empty());
}

TEST_F(SpanArguments, StopWhenAskedTo) {
  std::stop_source stop;
  stop.request_stop();
  const SoughtEvent gemm{"gemm", "", "", 1000, 1000, 0, "kernel", 0, 7};
  const auto ofNsight = [&] {
    writeSql(kNsightColumns);
    return readArguments(path, gemm, {.stop = stop.get_token()});
  }();
  ASSERT_FALSE(ofNsight.ok());
  EXPECT_EQ(ofNsight.error().kind, Error::Kind::Cancelled);
  std::filesystem::remove(path);
  std::string many;
  for (std::uint64_t i = 0; i < 2000; ++i) many += annotatedEvent(i, 3, 5, sliceWith("mark", {}));
  write(many);
  const auto ofPerfetto = readArguments(path, gemm, {.stop = stop.get_token()});
  ASSERT_FALSE(ofPerfetto.ok());
  EXPECT_EQ(ofPerfetto.error().kind, Error::Kind::Cancelled) << ofPerfetto.error().message;
}

TEST_F(SpanArguments, AFileThatIsGoneIsAnErrorThatNamesIt) {
  const auto read = readArguments(path + ".gone", {"gemm", "0", "7", 1500, 2000});
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.error().message.find(".gone"), std::string::npos);
}

}  // namespace
}  // namespace lanelab
