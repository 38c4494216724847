// SPDX-License-Identifier: GPL-3.0-only
// Lets long work deep in the program end early. Whoever starts the work sets the token of its cancel for the thread;
// the work passes stopPoint() between its pieces. So functions in between need not hand the token on.
#pragma once

#include <exception>
#include <stop_token>

#include "base/result.h"

namespace lanelab {

/// Thrown by stopPoint(). Whoever set the token catches it, see withStop().
class Stopped : public std::exception {
 public:
  const char* what() const noexcept override { return "it was cancelled"; }
};

/// Work of the calling thread ends at its next stopPoint() after a stop was requested of `token`, until the scope ends.
/// Scopes may be nested: the inner one counts.
class StopScope {
 public:
  explicit StopScope(std::stop_token token);
  ~StopScope();
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

 private:
  const std::stop_token m_token;
  const std::stop_token* const m_before;
};

/// Of the calling thread; one without a source outside of scopes. For threads that work on behalf of this one.
std::stop_token currentStopToken();

/// Throws Stopped where the calling thread's work is to end. Takes a few nanoseconds.
void stopPoint();

/// Calls `work`, which gives a Status or a Result: Cancelled where it was stopped.
template <class Work>
auto withStop(std::stop_token token, const Work& work) -> decltype(work()) {
  try {
    const StopScope scope(std::move(token));
    return work();
  } catch (const Stopped&) {
    return Error::cancelled();
  }
}

}  // namespace lanelab
