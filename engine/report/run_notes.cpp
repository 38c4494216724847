// SPDX-License-Identifier: GPL-3.0-only
#include "engine/report/run_notes.h"

#include "engine/report/accuracy_text.h"
#include "engine/report/bound_text.h"
#include "engine/report/comparison_notes.h"
#include "engine/report/gpu_activity_text.h"
#include "engine/report/rank_clock_text.h"
#include "engine/report/recording_text.h"
#include "engine/report/replica_text.h"
#include "engine/report/suggestion_text.h"

namespace lanelab {

std::vector<RunNote> runNotes(const RunRecord& record) {
  std::vector<RunNote> notes;
  const auto add = [&](RunNote::Kind kind, std::string sentence) {
    if (!sentence.empty()) notes.push_back({kind, "", std::move(sentence)});
  };
  const auto addAll = [&](std::vector<RunNote> some) { notes.insert(notes.end(), some.begin(), some.end()); };
  for (const std::string& warning : record.warnings) add(RunNote::Kind::Warning, warning);
  add(RunNote::Kind::Accuracy, accuracySentence(record));
  addAll(suggestionNotes(record));
  addAll(modesNotes(record));
  addAll(statisticsNotes(record));
  addAll(recordingNotes(record));
  addAll(replicaNotes(record));
  add(RunNote::Kind::GpuActivity, gpuActivitySentence(record));
  add(RunNote::Kind::RankClocks, rankClockSentence(record));
  addAll(boundNotes(record));
  return notes;
}

std::vector<std::string> noteSentences(const std::vector<RunNote>& notes, std::initializer_list<RunNote::Kind> kinds) {
  std::vector<std::string> sentences;
  for (const RunNote::Kind kind : kinds) {
    for (const RunNote& note : notes) {
      if (note.kind == kind) sentences.push_back(note.sentence);
    }
  }
  return sentences;
}

}  // namespace lanelab
