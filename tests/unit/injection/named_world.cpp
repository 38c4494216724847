// SPDX-License-Identifier: GPL-3.0-only
#include "tests/unit/injection/named_world.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "profiler/io/import/trace_import.h"
#include "tests/unit/io/small_world.h"

namespace lanelab {
namespace {

LaneRecord laneNamed(const std::string& name) {
  LaneRecord lane;
  lane.name = name;
  lane.device = name;
  lane.window_seconds = 2;
  lane.busy_seconds = 1.5;
  lane.idle_seconds = 0.5;
  lane.peak_bytes = 1024;
  lane.forecast.parameters = 1000;
  return lane;
}

VariantRecord variantNamed(const std::string& name) {
  VariantRecord variant;
  variant.name = name;
  variant.split_size = 4;
  for (int i = 0; i < 5; ++i) {
    RepeatRecord repeat{1.0 + i, {0.5, 0.5 + i}, {2.5, 2.0}};
    repeat.epochs.push_back({2.0, 0.5, 2.1, 0.4, 1});
    variant.repeats.push_back(repeat);
  }
  variant.lanes = {laneNamed(name), laneNamed(name)};
  variant.bound = ScheduleBound{1, 0.9, 0.8, 0.1, 0.05, {{0.1, 0.2, 0, 0.01}}};
  variant.recording = RecordingCost{name, 0.01, Interval{0.005, 0.02}, 5, ""};
  return variant;
}

Experiment experimentNamed(const std::string& name) {
  Experiment experiment;
  experiment.name = name;
  experiment.model = {name, 5, name};
  experiment.data = {DataSource::Random, {10}, 8, 2, name};
  experiment.data.epochs = 1;
  experiment.lanes = {{Device::cpu(0), name, 1}, {Device::cuda(1), name, 1}};
  VariantConfig first{name,        Strategy::Single,    ScheduleKind::Gpipe,
                      4,           std::vector<int>{0}, std::vector<std::string>{name},
                      std::nullopt};
  VariantConfig second = first;
  second.name += " (suggested)";
  second.suggested_from = SuggestedFrom{name, name, 1.2};
  experiment.variants = {first, second};
  return experiment;
}

/// The text as nlohmann writes it, so that the reader gets as much of it as JSON can hold.
nlohmann::json importedEvents(const std::string& name) {
  using Json = nlohmann::json;
  Json events = Json::array();
  const auto add = [&](const char* phase, double time, Json more) {
    Json event{{"ph", phase}, {"name", name}, {"cat", name}, {"pid", name}, {"tid", name}, {"ts", time}};
    event.update(more);
    events.push_back(event);
  };
  for (const char* about : {"process_name", "thread_name"}) add("M", 0, {{"name", about}, {"args", {{"name", name}}}});
  add("M", 0, {{"name", "process_labels"}, {"args", {{"labels", name}}}});
  add("X", 1, {{"dur", 5}, {"args", {{"device", name}, {"note", name}}}});
  add("X", 10, {{"dur", 5}});
  add("X", 12, {{"dur", 9}});  // overlaps, so a further row
  add("i", 3, {{"s", "t"}});
  add("C", 4, {{"args", {{name, 1.5}, {"other", 2}}}});
  add("s", 2, {{"id", name}});
  add("f", 11, {{"id", name}, {"bp", "e"}});
  add("b", 20, {{"id", name}});
  add("e", 30, {{"id", name}});
  return {{"traceEvents", events}};
}

}  // namespace

RunRecord recordNamed(const std::string& name) {
  RunRecord record;
  record.id = name;
  record.status = RunStatus::Failed;
  record.error = name;
  record.started = name;
  record.finished = name;
  record.experiment = experimentNamed(name);
  record.environment = {{"host", name}, {name, name}, {"command", name}};
  record.warnings = {name, name};
  record.variants = {variantNamed(name), variantNamed(name + " (suggested)")};
  record.predictions = {{name, 4, 2, 0.5}};
  EXPECT_TRUE(refreshStatistics(record).ok());
  return record;
}

std::vector<ReportFigure> figuresNamed(const std::string& name) { return {{name, name, "<svg></svg>"}}; }

Trace traceNamed(const std::string& name) {
  Trace trace = countedPipeline();
  trace.title = name;
  for (LaneInfo& lane : trace.lanes) lane = {name, name};
  for (Track& track : trace.tracks) track.name = name;
  for (std::string& text : trace.names) text = name;
  for (Counter& counter : trace.counters) counter.name = counter.series = name;
  return trace;
}

std::vector<Bookmark> bookmarksNamed(const std::string& name) {
  const TimeRange all = countedPipeline().range();
  return {{name, name, all}, {name, "", all}};
}

ImportedTrace importNamed(const std::string& name) {
  const ReadImport read =
      importBytes(importedEvents(name).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  EXPECT_TRUE(read.ok()) << read.error().message;
  if (!read.ok()) return {};
  ImportedTrace imported = **read;
  Trace trace = *imported.trace;
  trace.title = name;
  for (std::string& text : trace.names) text = name;
  for (std::string& text : trace.labels) text = name;
  for (LaneInfo& lane : trace.lanes) lane = {name, name};
  for (Track& track : trace.tracks) track.name = name;
  for (Counter& counter : trace.counters) counter.name = counter.series = name;
  imported.trace = std::make_shared<const Trace>(std::move(trace));
  for (ImportedProcess& process : imported.processes) process.name = process.labels = name;
  for (ImportedRow& row : imported.rows) row.thread = name;
  for (std::string& text : imported.flow_texts) text = name;
  imported.counts.categories = {{name, 1}};
  imported.counts.problems = {{name, 1}};
  return imported;
}

}  // namespace lanelab
