// SPDX-License-Identifier: GPL-3.0-only
// Events of a Chrome trace, in whatever dialect, into an ImportBuilder.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "profiler/io/build/import_builder.h"
#include "profiler/io/chrome/chrome_event.h"

namespace lanelab {

/// Events that say nothing usable are counted in the builder's problems: bad_number, missing_id, unknown_phase,
/// unsupported_phase (legal in the format, but none of spans, instants, counters, flows and names).
class ChromeImport {
 public:
  explicit ChromeImport(ImportBuilder& builder) : m_builder(builder) {}
  void add(const ChromeEvent& event);
  /// Whether some event had a phase; without any this is no trace, whatever the list holds.
  bool foundPhase() const { return m_any_phase; }

 private:
  /// The last row of some pid and tid, since events of a thread follow each other.
  struct Known {
    std::string pid;
    std::string tid;
    std::uint32_t row = 0;
    bool filled = false;
  };

  void addPhase(const ChromeEvent& event);
  void addSpan(const ChromeEvent& event);
  void addSecondFlow(const ChromeEvent& event);
  void addHalf(const ChromeEvent& event, bool begins);
  void addAsync(const ChromeEvent& event, bool begins);
  void addInstant(const ChromeEvent& event);
  void addCounter(const ChromeEvent& event);
  void addFlow(const ChromeEvent& event);
  void addMetadata(const ChromeEvent& event);
  void noteGpuRow(const ChromeEvent& event, std::uint32_t row);
  void takeDialect(const ChromeEvent& event, Span& span);

  HalfSpan halfOf(const ChromeEvent& event, bool begins);
  std::uint32_t rowOf(const ChromeEvent& event);
  /// Whether the event's time is a number in reach; counts it where not.
  bool timed(const ChromeEvent& event);

  ImportBuilder& m_builder;
  std::array<Known, 64> m_known;
  std::string m_key;
  bool m_any_phase = false;
};

}  // namespace lanelab
