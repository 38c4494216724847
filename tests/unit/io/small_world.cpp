// SPDX-License-Identifier: GPL-3.0-only
#include "tests/unit/io/small_world.h"

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "profiler/io/import/trace_import.h"
#include "tests/support/written_trace.h"

namespace lanelab {

EditedSpan SmallWorld::span(std::size_t track, Category category, const std::string& name, Nanoseconds start,
                            Nanoseconds end, int step) {
  return appended(trace, track, namedSpan(trace, category, name, start, end, step));
}

EditedSpan SmallWorld::action(std::size_t track, int stage, Phase phase, int micro_batch, Nanoseconds start,
                              Nanoseconds end, int step) {
  const std::string name =
      std::to_string(stage) + letterOf(phase) + (phase == Phase::Update ? "" : std::to_string(micro_batch));
  const EditedSpan made = span(track, Category::Action, name, start, end, step);
  made->stage = static_cast<std::int16_t>(stage);
  made->micro_batch = static_cast<std::int16_t>(micro_batch);
  made->phase = phase;
  return made;
}

EditedSpan SmallWorld::transfer(std::size_t track, int from_stage, Phase phase, int micro_batch, Nanoseconds start,
                                Nanoseconds end, int step) {
  const EditedSpan made = span(track, Category::Transfer, "copy", start, end, step);
  made->stage = static_cast<std::int16_t>(from_stage);
  made->micro_batch = static_cast<std::int16_t>(micro_batch);
  made->phase = phase;
  return made;
}

Trace twoLanePipeline() {
  SmallWorld world;
  world.trace.title = "Pipeline";
  world.trace.epoch = 1'790'000'000'123'456'789;
  world.trace.dropped = 2;
  const auto left = world.lane("left", "cpu:0");
  const auto right = world.lane("right", "cpu:1");
  const auto steps = world.track(left, Track::Kind::Step, "steps");
  const auto compute_left = world.track(left, Track::Kind::Compute, "compute");
  const auto blocks_left = world.track(left, Track::Kind::Detail, "blocks");
  const auto copies_left = world.track(left, Track::Kind::Transfer, "transfers");
  const auto compute_right = world.track(right, Track::Kind::Compute, "compute");
  const auto copies_right = world.track(right, Track::Kind::Transfer, "transfers");
  const auto host = world.track(right, Track::Kind::Host, "host");

  constexpr Nanoseconds kBase = 5'000'000'000'001;
  world.span(steps, Category::Step, "step 0", kBase, kBase + 100'000)->mark = kBase - 40'000;
  world.action(compute_left, 0, Phase::Forward, 0, kBase + 1'000, kBase + 11'000)->mark = kBase + 900;
  world.action(compute_left, 0, Phase::Forward, 1, kBase + 11'500, kBase + 21'007)->mark = kBase + 1'000;
  world.action(compute_left, 0, Phase::Backward, 0, kBase + 60'000, kBase + 80'000);
  world.action(compute_left, 0, Phase::Update, 0, kBase + 95'000, kBase + 100'000);
  world.span(blocks_left, Category::Block, "stem", kBase + 1'000, kBase + 4'000);
  world.span(blocks_left, Category::Block, "layer1.0", kBase + 4'001, kBase + 11'000);
  world.transfer(copies_left, 0, Phase::Forward, 0, kBase + 11'000, kBase + 12'000)->mark = kBase + 10'990;
  world.action(compute_right, 1, Phase::Forward, 0, kBase + 12'250, kBase + 30'000);
  world.action(compute_right, 1, Phase::Backward, 0, kBase + 30'000, kBase + 55'000);
  world.transfer(copies_right, 1, Phase::Backward, 0, kBase + 55'000, kBase + 59'999)->mark = kBase + 55'000;
  world.span(host, Category::Data, "next batch", kBase + 56'000, kBase + 57'000);
  return world.trace;
}

Trace countedPipeline() {
  Trace trace = twoLanePipeline();
  const Nanoseconds start = trace.range().start;
  std::vector<Span> actions(trace.tracks[1].spans.begin(), trace.tracks[1].spans.end());
  for (Span& action : actions) action.cpu = action.range().length() - 1;
  actions.back().cpu = 0;
  trace.tracks[1].spans = actions;
  trace.counters.push_back(
      {1, 0, "memory", "bytes", 0, {start + 10, start + 20'001, start + 70'000}, {0, 1.5e9, 12345678901}});
  trace.counters.push_back({-1, 0, "loss", "loss", 0, {start + 100'000}, {2.302585}});
  return trace;
}

std::string told(const Trace& trace) {
  std::ostringstream text;
  text << trace.title << " origin " << static_cast<int>(trace.origin) << " epoch " << trace.epoch << " dropped "
       << trace.dropped << '\n';
  for (const LaneInfo& lane : trace.lanes) text << "lane " << lane.name << " on " << lane.device << '\n';
  for (const Track& track : trace.tracks) {
    text << "track " << track.name << " of lane " << track.lane << " kind " << static_cast<int>(track.kind) << '\n';
    for (const Span& span : track.spans) {
      text << "  " << toString(span.category) << ' ' << trace.nameOf(span) << ' ' << span.start << '-' << span.end
           << " mark " << span.mark << " step " << span.step << " stage " << span.stage << " mb " << span.micro_batch
           << ' ' << letterOf(span.phase);
      if (span.cpu >= 0) text << " cpu " << span.cpu;
      text << '\n';
    }
  }
  for (const Counter& counter : trace.counters) {
    text << "counter " << counter.name << " in " << counter.series << " of lane " << counter.lane;
    for (std::size_t i = 0; i < counter.times.size(); ++i) text << ' ' << counter.times[i] << '=' << counter.values[i];
    text << '\n';
  }
  return text.str();
}

std::shared_ptr<const ImportedTrace> ownPipeline() { return *importBytes(toChromeJson(twoLanePipeline())); }

std::shared_ptr<const ImportedTrace> fileNamed(const std::string& name) {
  return *importTrace(LANELAB_SOURCE_DIR "/tests/data/traces/" + name);
}

}  // namespace lanelab
