// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/perfetto/perfetto_import.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "profiler/io/import/import_folder.h"
#include "profiler/io/import/trace_import.h"
#include "profiler/io/perfetto/perfetto_writer.h"
#include "tests/support/written_trace.h"
#include "tests/unit/io/import_told.h"
#include "tests/unit/io/packet_texts.h"
#include "tests/unit/io/small_world.h"

namespace lanelab {
namespace {

/// All that a span says, with the name of its row.
std::vector<std::string> toldSpans(const ImportedTrace& imported) {
  std::vector<std::string> lines;
  for (std::size_t track = 0; track < imported.trace->tracks.size(); ++track) {
    const ImportedRow& row = imported.rows[track];
    for (std::size_t i = 0; i < imported.trace->tracks[track].spans.size(); ++i) {
      const Span span = imported.trace->tracks[track].spans[i];
      std::ostringstream line;
      line << imported.trace->categoryNameOf(span) << ' ' << imported.trace->nameOf(span) << ' ' << span.start << '-'
           << span.end << " mark " << span.mark << " step " << span.step << " stage " << span.stage << " mb "
           << span.micro_batch << ' ' << letterOf(span.phase) << " correlation "
           << (i < row.correlations.size() ? row.correlations[i] : -1) << " gpu " << row.device << " stream "
           << row.stream;
      lines.push_back(line.str());
    }
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

ReadImport readBack(const ImportedTrace& imported, const std::string& name) {
  const TemporaryFolder folder;
  EXPECT_TRUE(writePerfettoTrace(imported, folder.file(name)).ok());
  return importTrace(folder.file(name));
}

TEST(PerfettoImport, GivesBackWhatWasWritten) {
  for (const auto& imported :
       {ownPipeline(), fileNamed("kineto.json"), fileNamed("kineto_2022.json"), fileNamed("bare_array.json"),
        fileNamed("perfetto.json"), fileNamed("async.json"), fileNamed("text_micros.json")}) {
    for (const char* name : {"t.pftrace", "t.pftrace.gz"}) {
      const ReadImport read = readBack(*imported, name);
      ASSERT_TRUE(read.ok()) << read.error().message;
      EXPECT_EQ(toldSpans(**read), toldSpans(*imported));
      EXPECT_EQ((*read)->counts.problems, (std::map<std::string, std::int64_t>{}));
      EXPECT_EQ((*read)->counts.categories, imported->counts.categories);
      EXPECT_EQ((*read)->counts.instants, imported->counts.instants);
    }
  }
}

TEST(PerfettoImport, GivesBackCpuTimesAndCounters) {
  const auto counted = *importBytes(toChromeJson(countedPipeline()));
  const ReadImport read = readBack(*counted, "t.pftrace");
  ASSERT_TRUE(read.ok()) << read.error().message;
  const Trace& trace = *(*read)->trace;
  ASSERT_EQ(trace.counters.size(), 2u);
  EXPECT_EQ(trace.counters[0].name, "memory bytes");
  EXPECT_EQ(trace.counters[0].lane, 1);
  EXPECT_EQ(trace.counters[0].values, countedPipeline().counters[0].values);
  EXPECT_EQ(trace.counters[1].lane, -1);
  std::vector<Nanoseconds> cpu;
  for (const Track& track : trace.tracks)
    for (const Span& span : track.spans)
      if (span.cpu >= 0) cpu.push_back(span.cpu);
  EXPECT_EQ(cpu, (std::vector<Nanoseconds>{9'999, 9'506, 19'999, 0}));
  EXPECT_NE(spanTableCsv(*counted).find("0F0,1.000,10.000,0,0,0,F,9.999\r\n"), std::string::npos);
}

TEST(PerfettoImport, KnowsLanesAndArrowsOfOurOwnRuns) {
  const ReadImport read = readBack(*ownPipeline(), "t.pftrace");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ((*read)->format, "lanelab");
  EXPECT_EQ((*read)->counts.flows, 2);
  ASSERT_EQ((*read)->trace->lanes.size(), 2u);
  EXPECT_EQ((*read)->trace->lanes[0].name, "left");
  EXPECT_EQ((*read)->trace->lanes[1].name, "right");
}

TEST(PerfettoImport, ReadsWhatTheSdkWrites) {
  // A thread's track as default, names in place, an incremental clock in microseconds, and a track that is described
  // late.
  const auto event = [](std::uint64_t time, std::uint64_t type, const std::string& name, std::uint64_t flow = 0) {
    return packet([&](ProtobufText& p) {
      p.varint(8, time);
      p.varint(10, 7);
      p.bytes(11, message([&](ProtobufText& e) {
                e.varint(9, type);
                if (!name.empty()) e.bytes(23, name);
                if (!name.empty()) e.bytes(22, "rendering");
                if (flow != 0) e.fixed64(47, flow);
              }));
    });
  };
  const std::string bytes = packet([](ProtobufText& p) {
                              p.varint(10, 7);
                              p.varint(13, 1);
                              p.bytes(59, message([](ProtobufText& d) {
                                        d.varint(58, 64);
                                        d.bytes(11, message([](ProtobufText& e) { e.varint(11, 99); }));
                                      }));
                              p.bytes(6, message([](ProtobufText& s) {
                                        s.bytes(1, message([](ProtobufText& c) {
                                                  c.varint(1, 64);
                                                  c.varint(2, 5000);
                                                  c.varint(3, 1);
                                                  c.varint(4, 1000);
                                                }));
                                        s.bytes(1, message([](ProtobufText& c) {
                                                  c.varint(1, 6);
                                                  c.varint(2, 5'000'123);
                                                }));
                                      }));
                            }) +
                            event(10, 1, "Draw", 5) + event(10, 1, "Layer", 0) + event(5, 2, "") + event(5, 2, "") +
                            event(20, 1, "Swap", 5) + event(1, 2, "") + event(3, 2, "") + packet([](ProtobufText& p) {
                              p.varint(10, 7);
                              p.bytes(60, message([](ProtobufText& t) {
                                        t.varint(1, 99);
                                        t.bytes(4, message([](ProtobufText& d) {
                                                  d.varint(1, 12);
                                                  d.varint(2, 34);
                                                  d.bytes(5, "compositor");
                                                }));
                                      }));
                            });
  const TemporaryFolder folder;
  writeContent(folder.file("t"), bytes);
  const ReadImport read = importTrace(folder.file("t"));
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(importSummaryJson(**read),
            R"({"format":"perfetto","spans":3,"instants":0,"counters":0,"flows":1,"categories":{"rendering":3},)"
            R"("problems":{"unmatched_end":1}})");
  EXPECT_EQ(told(**read), R"(base 0
lane process 12
lane 0 kind 3 "compositor" on 12/34
  [rendering] Draw 5010123+20000
  [rendering] Layer 5020123+5000
  [rendering] Swap 5050123+1000
s [flow] flow 5 at 5010123 on 12/34
f [flow] flow 5 at 5050123 on 12/34
)");
}

/// An event of sequence 1, as Perfetto's documentation has it (type 1 begins a slice, 2 ends one, 3 is an instant, 4 a
/// counter).
std::string eventOn(
    std::uint64_t track, std::uint64_t time, std::uint64_t type,
    const std::function<void(ProtobufText&)>& more = [](ProtobufText&) {}) {
  return packet([&](ProtobufText& p) {
    p.varint(8, time);
    p.varint(10, 1);
    p.bytes(11, message([&](ProtobufText& e) {
              e.varint(9, type);
              e.varint(11, track);
              more(e);
            }));
  });
}
std::function<void(ProtobufText&)> named(const std::string& name) {
  return [name](ProtobufText& e) { e.bytes(23, name); };
}
std::string trackPacket(const std::function<void(ProtobufText&)>& put) {
  return packet([&](ProtobufText& p) { p.bytes(60, message(put)); });
}

/// Spans and problems of an import of these packets.
std::string foundIn(const std::string& bytes) {
  const ReadImport read = importBytes(bytes);
  if (!read.ok()) return read.error().message;
  std::string told = std::to_string((*read)->counts.spans) + " spans";
  for (const auto& [problem, count] : (*read)->counts.problems) told += ", " + std::to_string(count) + " " + problem;
  return told;
}

TEST(PerfettoImport, TakesATraceThatBeginsWithATrack) {
  // https://perfetto.dev/docs/reference/synthetic-track-event: a track's descriptor alone, then slices within each
  // other on it.
  const ReadImport read =
      importBytes(trackPacket([](ProtobufText& t) {
                    t.varint(1, 48948);
                    t.bytes(2, "My Custom Track");
                  }) +
                  eventOn(48948, 200, 1, named("My special parent")) + eventOn(48948, 250, 1, named("My child")) +
                  eventOn(48948, 285, 2) + eventOn(48948, 290, 2));
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(told(**read), R"(base 0
lane process
lane 0 kind 3 "My Custom Track" on /48948
  [] My special parent 200+90
  [] My child 250+35
)");
}

TEST(PerfettoImport, PassesOverEmptyAndPaddingPackets) {
  const std::string span = eventOn(5, 1000, 1, named("a")) + eventOn(5, 2000, 2);
  std::string empty;
  for (int i = 0; i < 400'000; ++i) empty.append("\x0A\0", 2);
  const std::string padding = packet([](ProtobufText& p) { p.bytes(900, std::string(300'000, '\0')); });
  EXPECT_EQ(foundIn(span + empty + padding + padding + span), "2 spans");
  EXPECT_EQ(foundIn(empty + span), "1 spans");
  EXPECT_EQ(foundIn(span + empty + "\x0A"), "1 spans, 1 cut_file");
}

TEST(PerfettoImport, PassesOverPacketsThatAreTooLong) {
  class LongPacket : public ByteSource {
   public:
    explicit LongPacket(std::string front) : m_front(std::move(front)) {}
    std::size_t read(char* to, std::size_t room) override {
      if (const std::size_t count = m_front.copy(to, room); count > 0) {
        m_front.erase(0, count);
        return count;
      }
      const std::size_t count = std::min(room, m_left);
      std::fill_n(to, count, 'x');
      m_left -= count;
      return count;
    }

   private:
    std::string m_front;
    std::size_t m_left = std::size_t{65} << 20U;
  };
  LongPacket source(eventOn(5, 1000, 1, named("a")) + eventOn(5, 2000, 2) + "\x0A\x80\x80\xC0\x20");  // 65 MiB
  ImportBuilder builder;
  ASSERT_FALSE(importPerfetto(source, builder).stopped);
  EXPECT_EQ(builder.problems(), (ImportBuilder::Problems{{"long_packet", 1}}));
}

TEST(PerfettoImport, CutsLongNames) {
  std::string text(100'000, 'n');
  for (std::size_t i = 65'535; i < 65'600; i += 2) text.replace(i, 2, "é");
  const auto in_place = [&](std::uint64_t time) { return eventOn(5, time, 1, named(text)) + eventOn(5, time + 1, 2); };
  const std::string interned = packet([&](ProtobufText& p) {
    p.varint(10, 1);
    p.bytes(12, message([&](ProtobufText& d) {
              d.bytes(2, message([&](ProtobufText& n) {
                        n.varint(1, 9);
                        n.bytes(2, text);
                      }));
            }));
  });
  const std::string by_number = eventOn(5, 10, 1, [](ProtobufText& e) { e.varint(10, 9); }) + eventOn(5, 11, 2);
  const std::string track = trackPacket([&](ProtobufText& t) {
    t.varint(1, 5);
    t.bytes(2, text);
  });
  const ReadImport read = importBytes(in_place(1) + interned + by_number + by_number + track);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ((*read)->counts.problems, (ImportBuilder::Problems{{"long_name", 3}}));
  for (const Span& span : (*read)->trace->tracks.at(0).spans)
    EXPECT_TRUE((*read)->trace->nameOf(span) == text.substr(0, 65'535));
  EXPECT_EQ((*read)->trace->tracks.at(0).name, std::string(256, 'n'));
}

TEST(PerfettoImport, TracksAboveEachOtherInACircleHaveNoProcess) {
  const auto below = [](std::uint64_t track, std::uint64_t parent) {
    return trackPacket([=](ProtobufText& t) {
      t.varint(1, track);
      t.varint(5, parent);
    });
  };
  EXPECT_EQ(foundIn(below(1, 2) + below(2, 1) + below(3, 3) + eventOn(1, 1, 1) + eventOn(1, 2, 2) + eventOn(3, 1, 1) +
                    eventOn(3, 2, 2)),
            "2 spans");
}

TEST(PerfettoImport, CountsValuesAndTimesOutOfReach) {
  const auto value = [](double number) { return eventOn(5, 1, 4, [=](ProtobufText& e) { e.number(44, number); }); };
  EXPECT_EQ(foundIn(value(1.5) + value(std::numeric_limits<double>::infinity()) + value(std::nan("")) +
                    eventOn(5, ~std::uint64_t{0}, 1)),
            "0 spans, 3 bad_number");
}

TEST(PerfettoImport, HoldsSoManyTracksAndSequencesAndNoMore) {
  std::string tracks, sequences;
  for (std::uint64_t i = 0; i < 262'144 + 3; ++i)
    tracks += packet([&](ProtobufText& p) { p.bytes(60, message([&](ProtobufText& t) { t.varint(1, i + 1); })); });
  for (std::uint64_t i = 0; i < 65'536 + 2; ++i) {
    sequences += packet([&](ProtobufText& p) {
      p.varint(10, i + 1);
      p.bytes(59, message([](ProtobufText& d) { d.varint(58, 6); }));
    });
  }
  const ReadImport read = importBytes(eventOn(1, 1, 1) + eventOn(1, 2, 2) + tracks + sequences);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ((*read)->counts.problems, (ImportBuilder::Problems{{"too_many_rows", 3}, {"too_many_sequences", 2}}));
}

TEST(PerfettoImport, EndsWhenItIsStopped) {
  std::stop_source stop;
  stop.request_stop();
  ImportBuilder builder;
  const std::string bytes = eventOn(5, 1, 1);
  EXPECT_TRUE(importPerfetto(*memorySource(bytes), builder, {1, stop.get_token()}).stopped);
}

TEST(PerfettoImport, SurvivesCutsAndDamage) {
  const TemporaryFolder folder;
  const std::string whole = toPerfetto(*ownPipeline());
  std::mt19937 random(9);
  for (int round = 0; round < 400; ++round) {
    std::string damaged = whole.substr(0, round % 2 == 0 ? whole.size() : random() % whole.size());
    for (unsigned i = 0; i < random() % 8 && !damaged.empty(); ++i)
      damaged[random() % damaged.size()] = static_cast<char>(random());
    writeContent(folder.file("t"), damaged);
    const ReadImport read = importTrace(folder.file("t"));
    ASSERT_TRUE(read.ok() ? *read != nullptr : !read.error().message.empty());
    if (read.ok()) toPerfetto(**read);
  }
  writeContent(folder.file("t"), whole.substr(0, whole.size() - 3));
  const ReadImport read = importTrace(folder.file("t"));
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ((*read)->counts.problems.at("cut_file"), 1);
  EXPECT_EQ((*read)->counts.spans, static_cast<std::int64_t>(twoLanePipeline().spanCount()) - 1);
}

TEST(PerfettoImport, DoesNotTakeTextOrNoiseForATrace) {
  const TemporaryFolder folder;
  std::mt19937 random(2);
  for (int round = 0; round < 50; ++round) {
    std::string noise = "\n";
    for (int i = 0; i < 500; ++i) noise += static_cast<char>(random());
    writeContent(folder.file("t"), noise);
    EXPECT_FALSE(importTrace(folder.file("t")).ok());
  }
  writeContent(folder.file("t"), R"(
[{"ph":"X","name":"after a blank line","pid":0,"tid":0,"ts":1,"dur":1},{"ph":"X","name":"another one, so that the text is long enough","pid":0,"tid":0,"ts":3,"dur":1}])");
  EXPECT_EQ((*importTrace(folder.file("t")))->counts.spans, 2);
}

}  // namespace
}  // namespace lanelab
