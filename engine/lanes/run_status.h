// SPDX-License-Identifier: GPL-3.0-only
// The states of a run, as written in run.json.
#pragma once

#include "base/words.h"

namespace lanelab {

/// `Running` without its process reads as `Interrupted`.
enum class RunStatus { Running, Done, Failed, Cancelled, Interrupted };
constexpr std::array<Word<RunStatus>, 5> wordTable(RunStatus) {
  return {{{RunStatus::Running, "running"},
           {RunStatus::Done, "done"},
           {RunStatus::Failed, "failed"},
           {RunStatus::Cancelled, "cancelled"},
           {RunStatus::Interrupted, "interrupted"}}};
}

}  // namespace lanelab
