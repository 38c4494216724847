// SPDX-License-Identifier: GPL-3.0-only
// Work off the window's thread of which only the latest counts: what was asked before is stopped, and its answer is
// dropped if it comes.
//
// Thread: the window's. A member that a job uses must outlive it, so this comes last in its class.
#pragma once

#include <functional>
#include <stop_token>
#include <utility>

#include "ui/look/background.h"

namespace lanelab {

class LatestWork {
 public:
  ~LatestWork() { cancel(); }

  /// What `job` returns runs on the window's thread, unless another question or cancel() comes before.
  void ask(std::function<Background::Then(std::stop_token stop)> job) {
    cancel();
    m_stop = std::stop_source();
    m_background.run([job = std::move(job), stop = m_stop.get_token()]() -> Background::Then {
      return [then = stop.stop_requested() ? nullptr : job(stop), stop] {
        if (then && !stop.stop_requested()) then();
      };
    });
  }
  void cancel() { m_stop.request_stop(); }

 private:
  std::stop_source m_stop;  ///< of the latest question
  Background m_background;
};

}  // namespace lanelab
