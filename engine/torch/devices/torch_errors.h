// SPDX-License-Identifier: GPL-3.0-only
// Torch's exceptions as sentences.
#pragma once

#include <exception>
#include <stdexcept>
#include <string>

#include "base/stop_point.h"

namespace lanelab {

/// The message without torch's backtrace, source positions, line breaks and full stop.
std::string plainMessage(const std::exception& error);

/// Calls `work`; what it throws leaves as std::runtime_error with a plain sentence, but Stopped as it is.
template <class Work>
auto withPlainErrors(const Work& work) -> decltype(work()) {
  try {
    return work();
  } catch (const Stopped&) {
    throw;
  } catch (const std::exception& error) {
    throw std::runtime_error(plainMessage(error) + ".");
  }
}

}  // namespace lanelab
