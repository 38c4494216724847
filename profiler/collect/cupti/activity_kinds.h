// SPDX-License-Identifier: GPL-3.0-only
// Which records CUPTI is asked for, and the sentences for what it answers.
#pragma once

#include <string>
#include <vector>

#include "profiler/collect/cupti/cupti_api.h"

namespace lanelab {

/// The kinds that one collector has switched on; off again at the end of its life or by disable().
class ActivityKinds {
 public:
  explicit ActivityKinds(CuptiApi& api) : m_api(api) {}
  ~ActivityKinds() { disable(); }
  ActivityKinds(const ActivityKinds&) = delete;
  ActivityKinds& operator=(const ActivityKinds&) = delete;

  /// Work of devices must be recorded: a sentence when CUPTI refuses a kind of that. Of the others `notice` says the
  /// first that is refused.
  std::string enable(std::string& notice);
  void disable();
  bool has(CUpti_ActivityKind kind) const;

 private:
  CUptiResult add(CUpti_ActivityKind kind);
  void leaveOutNoise();

  CuptiApi& m_api;
  std::vector<CUpti_ActivityKind> m_enabled;
};

/// "GPU activity is not recorded: ..." with what to do. `holder` is the tool in the way, where it is known.
std::string refusalSentence(const std::string& doing, CUptiResult result, const std::string& holder, CuptiApi& api);

}  // namespace lanelab
