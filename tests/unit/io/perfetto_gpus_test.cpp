// SPDX-License-Identifier: GPL-3.0-only
#include <gtest/gtest.h>

#include "profiler/io/import/trace_import.h"
#include "tests/support/written_trace.h"
#include "tests/unit/io/packet_texts.h"
#include "tests/unit/io/traced_gpus.h"

namespace lanelab {
namespace {

std::string track(std::uint64_t uuid, const std::string& name) {
  return packet([&](ProtobufText& p) {
    p.varint(10, 1);
    p.bytes(60, message([&](ProtobufText& t) {
              t.varint(1, uuid);
              t.bytes(2, name);
            }));
  });
}

/// A slice in microseconds; `clock` 0 is the default.
std::string slice(std::uint64_t uuid, const std::string& category, std::uint64_t start, std::uint64_t length,
                  std::uint64_t clock = 0, std::uint64_t flow = 0) {
  const auto event = [&](std::uint64_t time, bool begins) {
    return packet([&](ProtobufText& p) {
      p.varint(8, time * 1000);
      p.varint(10, 1);
      if (clock != 0) p.varint(58, clock);
      p.bytes(11, message([&](ProtobufText& e) {
                e.varint(9, begins ? 1 : 2);
                e.varint(11, uuid);
                if (!begins) return;
                e.bytes(22, category);
                e.bytes(23, "gemm");
                if (flow != 0) e.fixed64(47, flow);
              }));
    });
  };
  return event(start, true) + event(start + length, false);
}

std::string snapshot(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& clocks) {
  return packet([&](ProtobufText& p) {
    p.varint(10, 1);
    p.bytes(6, message([&](ProtobufText& s) {
              for (const auto& shown : clocks)
                s.bytes(1, message([&](ProtobufText& clock) {
                          clock.varint(1, shown.first);
                          clock.varint(2, shown.second * 1000);
                        }));
            }));
  });
}

TEST(PerfettoGpus, AgentsOfRocprofAreLanes) {
  std::string file = track(1, "AGENT [4] QUEUE [1] (GPU)") + track(2, "AGENT [5] QUEUE [1] (GPU)") +
                     track(3, "COPY to AGENT [4] THREAD [0] (GPU)");
  for (const std::uint64_t queue : {1, 2})
    file += slice(queue, "kernel_dispatch", 0, 10, 0, 77 + queue) + slice(queue, "kernel_dispatch", 50, 10);
  file += slice(3, "memory_copy", 20, 5);
  EXPECT_EQ(gapsOf(*importedFrom(file)),
            "AGENT 4: window 60 busy 20 unresolved 40; AGENT 5: window 60 busy 20 unresolved 40");
  EXPECT_EQ(countsOf(*importedFrom(file)), "flow_without_partner 2, kernel_without_launch 4")
      << "an end of an arrow whose other end no buffer kept is no loss";
}

TEST(PerfettoGpus, RenderStagesAreWorkOfTheirGpu) {
  std::string file = packet([](ProtobufText& p) {
    p.varint(10, 4);
    p.varint(13, 1);
    p.bytes(12, message([](ProtobufText& texts) {
              for (const auto& known : {std::pair(1, "queue 0"), std::pair(2, "gemm")})
                texts.bytes(24, message([&](ProtobufText& text) {
                              text.varint(1, static_cast<std::uint64_t>(known.first));
                              text.bytes(2, known.second);
                            }));
            }));
  });
  for (const std::uint64_t time : {1000, 6000})
    file += packet([&](ProtobufText& p) {
      p.varint(8, time);
      p.varint(10, 4);
      p.bytes(53, message([](ProtobufText& stage) {
                stage.varint(2, 2000);
                stage.varint(11, 1);
                stage.varint(13, 1);
                stage.varint(14, 2);
              }));
    });
  EXPECT_EQ(gapsOf(*importedFrom(file)), "GPU 1: window 7 busy 4 unresolved 3");
}

TEST(PerfettoGpus, ClocksOfTheMachineAreConverted) {
  const std::string begin = snapshot({{6, 5000}, {3, 4000}, {1, 900000}}) + track(1, "GPU");
  EXPECT_EQ(gapsOf(*importedFrom(begin + slice(1, "kernel", 5000, 10) + slice(1, "kernel", 4050, 10, 3) +
                                 slice(1, "kernel", 900100, 10, 1))),
            "process: window 110 busy 30 unresolved 80");
  EXPECT_EQ(gapsOf(*importedFrom(begin + slice(1, "kernel", 5000, 10) + snapshot({{6, 6000}, {3, 5900}}) +
                                 slice(1, "kernel", 5950, 10, 3))),
            "process: window 1060 busy 20 unresolved 1040")
      << "the snapshot before an event counts";
}

TEST(PerfettoGpus, EventsThatAreNotReadAreNotes) {
  std::string file = track(1, "main") + slice(1, "cpu_op", 0, 10);
  for (const std::uint32_t field : {76U, 76U, 999U})
    file += packet([&](ProtobufText& p) {
      p.varint(8, 5);
      p.bytes(field, "\x08\x01");
    });
  EXPECT_EQ(countsOf(*importedFrom(file)), "frame_timeline_event 2, packet_field_999 1");
}

TEST(PerfettoGpus, AnExportHasTheSameLanesAndTimesAgain) {
  const auto again = [](const std::string& text) { return gapsOf(*importedFrom(toPerfetto(*importedFrom(text)))); };
  TracedGpus gpus;
  gpus.process("[TP0] 0", "python", "GPU 0").process("[TP1] 1", "python", "GPU 1").process("[TP0] 900", "python");
  for (int i = 0; i < 3; ++i) {
    gpus.call("[TP0] 900", 100 * i, 5, i + 1).kernel("[TP0] 0", 0, 100 * i + 60, 50, i + 1);
    gpus.call("[TP1] 901", 100 * i + 50, 9, i + 1).kernel("[TP1] 1", 1, 100 * i + 60, 50, i + 1);
    gpus.kernel("[TP1] 1", 1, 100 * i + 90, 40, 0, "ncclDevKernel", "kernel", 8);
  }
  gpus.step("[TP0] 900", 1, 0, 200).step("[TP1] 901", 1, 40, 100);
  EXPECT_EQ(again(gpus.text()), gapsOf(gpus));
  TracedGpus threads;
  for (const auto& [start, length] : {std::pair(0, 10), std::pair(5, 10), std::pair(30, 5)})
    threads.event(R"("pid":5,"tid":9,"cat":"cpu_op","name":"a","ts":)" + std::to_string(start) + R"(,"dur":)" +
                  std::to_string(length));
  EXPECT_EQ(again(threads.text()), "process 5 / thread 9: window 35 busy 20 unresolved 15");
  TracedGpus async;
  for (const char* half : {R"("ph":"b","name":"p","ts":0)", R"("ph":"b","name":"q","ts":1)",
                           R"("ph":"e","name":"p","ts":6)", R"("ph":"e","name":"q","ts":9)"})
    async.raw("{" + std::string(half) + R"(,"cat":"cpu_op","pid":1,"tid":1,"id":1})");
  EXPECT_EQ(again(async.text()), gapsOf(async));
}

}  // namespace
}  // namespace lanelab
