// SPDX-License-Identifier: GPL-3.0-only
// The notes of one kind that a run has.
#pragma once

#include "engine/report/run_notes.h"

namespace lanelab::test {

/// Empty if there is none; the first of several.
inline std::string noteOf(const RunRecord& record, RunNote::Kind kind) {
  const std::vector<std::string> sentences = noteSentences(runNotes(record), {kind});
  return sentences.empty() ? std::string() : sentences.front();
}

}  // namespace lanelab::test
