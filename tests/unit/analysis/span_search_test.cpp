// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/span_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "profiler/trace/trace_builder.h"

namespace lanelab {
namespace {

/// Two lanes, two steps: 1F3 with an operator and a block inside, its transfer, updates, a kernel of another program, a
/// failed action.
std::shared_ptr<const Trace> smallTrace() {
  TraceBuilder builder("Pipeline", {{"first", "cpu:0"}, {"", "cpu:1"}});
  const auto steps = builder.addTrack(0, Track::Kind::Step, "steps");
  const auto add = [&](TrackIndex track, const std::string& name, Category category, Phase phase, int stage, int batch,
                       int step, Nanoseconds start) {
    Span span;
    span.name = builder.intern(name);
    span.category = category;
    span.phase = phase;
    span.stage = static_cast<std::int16_t>(stage);
    span.micro_batch = static_cast<std::int16_t>(batch);
    span.step = step;
    span.start = start;
    span.end = start + 10;
    builder.append(track, span);
  };
  add(steps, "step 0", Category::Step, Phase::None, -1, -1, 0, 0);
  for (int lane = 0; lane < 2; ++lane) {
    const auto compute = builder.addTrack(lane, Track::Kind::Compute, "compute");
    const auto detail = builder.addTrack(lane, Track::Kind::Detail, "blocks");
    const auto transfers = builder.addTrack(lane, Track::Kind::Transfer, "transfers");
    for (int step = 0; step < 2; ++step) {
      const Nanoseconds base = 1000 * step + 100 * lane;
      const std::string stage = std::to_string(lane);
      add(compute, stage + "F3", Category::Action, Phase::Forward, lane, 3, step, base);
      add(detail, "layer3." + stage, Category::Block, Phase::Forward, lane, 3, step, base + 1);
      add(detail, "aten::Conv2d", Category::CpuOp, Phase::Forward, lane, 3, step, base + 2);
      add(transfers, stage + "F3", Category::Transfer, Phase::Forward, lane, 3, step, base + 12);
      add(compute, "wait", Category::Wait, Phase::None, -1, -1, step, base + 20);
      add(compute, stage + "B30", Category::Action, Phase::Backward, lane, 30, step, base + 30);
      add(compute, stage + "U", Category::Action, Phase::Update, lane, 0, step, base + 50);
    }
    if (lane == 1) add(compute, "1B4 failed", Category::Other, Phase::Backward, 1, 4, 1, 1180);
  }
  const auto stream = builder.addTrack(1, Track::Kind::Stream, "stream 7");
  add(stream, "void gemm_f32<float>", Category::Kernel, Phase::None, -1, -1, -1, 5);
  return builder.snapshot();
}

std::string told(const Trace& trace, const std::string& text) {
  std::string result;
  for (const SpanMatch& match : findSpans(trace, parseSearch(text)))
    result += (result.empty() ? "" : ", ") + trace.nameOf(trace.tracks[match.track].spans[match.span]) + "@" +
              std::to_string(match.start);
  return result;
}

struct Case {
  std::string typed;
  std::string found;
};

TEST(SpanSearch, FindsWhatIsTyped) {
  const auto trace = smallTrace();
  const std::vector<Case> cases = {
      {"", ""},
      {"  ", ""},
      {"conv", "aten::Conv2d@2, aten::Conv2d@102, aten::Conv2d@1002, aten::Conv2d@1102"},
      {"CONV step 2", "aten::Conv2d@1002, aten::Conv2d@1102"},
      {"conv lane 1", "aten::Conv2d@102, aten::Conv2d@1102"},
      {"conv First", "aten::Conv2d@2, aten::Conv2d@1002"},
      {"conv lane cpu:1 step:1", "aten::Conv2d@102"},
      {"layer3.0", "layer3.0@1, layer3.0@1001"},
      {"1F3", "1F3@100, 1F3@1100"},
      {"1f3", "1F3@100, 1F3@1100"},
      {"f3 step2", "0F3@1000, 1F3@1100"},
      {"B3", ""},
      {"B30 stage 1", "1B30@130, 1B30@1130"},
      {"0F", "0F3@0, 0F3@1000"},
      {"F", "0F3@0, 1F3@100, 0F3@1000, 1F3@1100"},
      {"1U step 1", "1U@150"},
      {"mb 3 step 1", "0F3@0, 1F3@100"},
      {"micro-batch 3 stage 1 step 1", "1F3@100"},
      {"mb=0", ""},
      {"step 1 stage 0", "0F3@0, 0B30@30, 0U@50"},
      {"transfer 1F3", "1F3@112, 1F3@1112"},
      {"layer3 mb3 step 2", "layer3.0@1001, layer3.1@1101"},
      {"f32", "void gemm_f32<float>@5"},
      {"\"void gemm\"", "void gemm_f32<float>@5"},
      {"kernel", "void gemm_f32<float>@5"},
      {"\"F\" gemm", "void gemm_f32<float>@5"},
      {"failed", "1B4 failed@1180"},
      {"1B4", "1B4 failed@1180"},
      {"wait", ""},
      {"step", ""},
      {"nothing like it", ""},
  };
  for (const Case& c : cases) EXPECT_EQ(told(*trace, c.typed), c.found) << c.typed;
}

TEST(SpanSearch, NeverFailsWhateverIsTyped) {
  const auto trace = smallTrace();
  std::mt19937 random(7);
  const std::string letters = "FB013 \"step lanemb:=-\t\xc3\xa4";
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (unsigned i = random() % 14; i > 0; --i) text += letters[random() % letters.size()];
    const auto matches = findSpans(*trace, parseSearch(text));
    EXPECT_TRUE(std::is_sorted(matches.begin(), matches.end())) << text;
    EXPECT_EQ(std::adjacent_find(matches.begin(), matches.end()), matches.end()) << text;
  }
}

TEST(SpanSearch, ManyTracksComeOutInOneOrder) {
  TraceBuilder builder("", {{"", "cpu:0"}});
  std::mt19937 random(3);
  std::size_t total = 0;
  const auto name = builder.intern("operator");
  for (int track = 0; track < 13; ++track) {
    const auto index = builder.addTrack(0, Track::Kind::Host, std::to_string(track));
    for (unsigned i = random() % 50; i > 0; --i, ++total) {
      const auto start = static_cast<Nanoseconds>(random() % 500);
      builder.append(index, {.start = start, .end = start + 1, .name = name, .category = Category::CpuOp});
    }
  }
  const auto trace = builder.snapshot();
  const auto matches = findSpans(*trace, parseSearch("operator"));
  EXPECT_EQ(matches.size(), total);
  EXPECT_TRUE(std::is_sorted(matches.begin(), matches.end()));
}

TEST(SpanSearch, EndsSoonWhenItIsStopped) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_TRUE(findSpans(*smallTrace(), parseSearch("F"), stop.get_token()).empty());
}

}  // namespace
}  // namespace lanelab
