// SPDX-License-Identifier: GPL-3.0-only
#include "tests/unit/io/traced_gpus.h"

#include <map>

#include "tests/unit/io/whole_import.h"

namespace lanelab {

namespace {

std::string idText(const std::string& id) {
  const bool number = !id.empty() && id.find_first_not_of("0123456789") == std::string::npos;
  return number ? id : "\"" + id + "\"";
}

std::string placed(const std::string& pid, const std::string& tid) {
  return "\"pid\":" + idText(pid) + ",\"tid\":" + idText(tid);
}

std::string timed(double start, double length) {
  return ",\"ts\":" + std::to_string(start) + ",\"dur\":" + std::to_string(length);
}

std::string named(const std::string& category, const std::string& name) {
  return R"(,"cat":")" + category + R"(","name":")" + name + "\"";
}

void append(std::string& text, const std::string& word, Nanoseconds time) {
  if (time != 0) text += " " + word + " " + std::to_string(time / 1000);
}

}  // namespace

TracedGpus& TracedGpus::raw(const std::string& json) {
  m_events += (m_events.empty() ? "" : ",\n") + json;
  return *this;
}
TracedGpus& TracedGpus::event(const std::string& members) { return raw(R"({"ph":"X",)" + members + "}"); }

TracedGpus& TracedGpus::process(const std::string& pid, const std::string& name, const std::string& labels) {
  if (!name.empty())
    raw(R"({"ph":"M","name":"process_name",)" + placed(pid, "0") + R"(,"args":{"name":")" + name + "\"}}");
  if (!labels.empty())
    raw(R"({"ph":"M","name":"process_labels",)" + placed(pid, "0") + R"(,"args":{"labels":")" + labels + "\"}}");
  return *this;
}

TracedGpus& TracedGpus::thread(const std::string& pid, const std::string& tid, const std::string& name) {
  return raw(R"({"ph":"M","name":"thread_name",)" + placed(pid, tid) + R"(,"args":{"name":")" + name + "\"}}");
}

TracedGpus& TracedGpus::call(const std::string& pid, double start, double length, int correlation,
                             const std::string& name) {
  return event(placed(pid, "1") + named("cuda_runtime", name) + timed(start, length) +
               ",\"args\":{\"correlation\":" + std::to_string(correlation) + "}");
}

TracedGpus& TracedGpus::kernel(const std::string& pid, int device, double start, double length, int correlation,
                               const std::string& name, const std::string& category, int stream) {
  return event(placed(pid, std::to_string(stream)) + named(category, name) + timed(start, length) +
               ",\"args\":{\"device\":" + std::to_string(device) + ",\"stream\":" + std::to_string(stream) +
               ",\"correlation\":" + std::to_string(correlation) + "}");
}

TracedGpus& TracedGpus::step(const std::string& pid, int number, double start, double length) {
  return event(placed(pid, "1") + named("user_annotation", "ProfilerStep#" + std::to_string(number)) +
               timed(start, length));
}

std::shared_ptr<const ImportedTrace> importedFrom(const std::string& text) {
  return wholeImport(importBytes(text, "trace"));
}

std::string gapsOf(const ImportedTrace& imported, ImportedWindows windows) {
  std::string text;
  for (const LaneCauses& lane : explainImported(*imported.trace, &imported, windows).lanes) {
    text += (text.empty() ? "" : "; ") + lane.name + ": window " + std::to_string(lane.window / 1000) + " busy " +
            std::to_string(lane.busy / 1000);
    for (std::size_t i = 0; i < kCauseCount; ++i) append(text, std::string(kCauseTexts[i]), lane.causes.times[i]);
    append(text, "outside", lane.outside);
    if (lane.gpu) append(text, "outside communication", lane.gpu->outside_communication);
  }
  return text;
}
std::string gapsOf(const TracedGpus& gpus) { return gapsOf(*importedFrom(gpus.text())); }

std::string countsOf(const ImportedTrace& imported) {
  std::string text;
  for (const auto* counts : {&imported.counts.problems, &imported.counts.notes})
    for (const auto& [kind, count] : *counts) text += (text.empty() ? "" : ", ") + kind + " " + std::to_string(count);
  return text;
}
std::string countsOf(const TracedGpus& gpus) { return countsOf(*importedFrom(gpus.text())); }

}  // namespace lanelab
