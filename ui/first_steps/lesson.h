// SPDX-License-Identifier: GPL-3.0-only
// Five lessons, each on a recorded run: a text, a question that its timeline answers, and the check of the answer by
// the figures of the run itself. Pure; any thread.
#pragma once

#include <QString>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "engine/record/run_record.h"
#include "profiler/analysis/cause.h"
#include "profiler/trace/trace.h"

namespace lanelab {

/// What a question is answered with.
enum class LessonAnswer { Variant, Gap, Span };

/// What the user chose; the one that the question asks for counts.
struct GivenAnswer {
  QString variant;
  std::optional<CauseTimes> gap;  ///< causes of the selected gap
  std::optional<Span> span;       ///< the selected one
};

struct LessonVerdict {
  bool right = false;
  QString sentence;
};

/// The run of a lesson as it is on the screen.
struct LessonWorld {
  std::shared_ptr<const RunRecord> record;
  std::map<QString, std::shared_ptr<const Trace>> traces;  ///< by variant
};

struct Lesson {
  QString id;     ///< in settings
  QString run;    ///< RecordedRuns::folderOf()
  QString shown;  ///< the variant whose timeline is shown at first
  QString title, text, question, hint;
  LessonAnswer answer = LessonAnswer::Variant;
  /// Of an answer that was given. `world` has the record and all traces.
  std::function<LessonVerdict(const LessonWorld& world, const GivenAnswer& given)> check;
};

const std::vector<Lesson>& lessons();

}  // namespace lanelab
