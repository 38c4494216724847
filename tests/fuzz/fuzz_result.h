// SPDX-License-Identifier: GPL-3.0-only
// What holds of every reader of the engine, whatever the text: a value or a sentence.
#pragma once

#include "base/result.h"
#include "tests/fuzz/fuzz_input.h"

namespace lanelab {

template <class T>
void requireOutcome(const Result<T>& result) {
  require(result.ok() || !result.error().message.empty(), "a value or a sentence");
}

}  // namespace lanelab
