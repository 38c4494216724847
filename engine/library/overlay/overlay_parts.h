// SPDX-License-Identifier: GPL-3.0-only
// The two kinds of curves of an overlay, and what both say of curves that are absent or differ. Pure; any thread.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/library/overlay/run_overlay.h"

namespace lanelab {

/// Why a run has no curve, in the order of the notes.
enum class Lack { Unread, NoStep, NoEpochs, NoAnswers, NoValidation, NoFigure, NoMemory, LeftOut };

/// Why a curve does not compare with the first, in the order of the notes.
enum class Apart { Not, Data, Loss, Work, Batch, Machine };
Message wordsOf(Apart apart);  ///< "other data"

/// By what two curves of the metric are compared.
Apart apartness(OverlayMetric metric, const RunRecord& reference, const RunRecord& other);

/// Curves as they are found, with what is to be said of them.
struct FoundCurves {
  std::vector<OverlayCurve> curves;
  std::vector<Apart> apart;  ///< of each curve
  std::vector<std::pair<Lack, std::string>> lacking;
  const RunRecord* reference = nullptr;  ///< that of the first curve

  void add(OverlayMetric metric, OverlayCurve curve, const RunRecord& record);
};

/// A curve for each chosen variant of a run: its newest repeat, step by step or epoch by epoch.
FoundCurves repeatCurves(const std::vector<OverlaidRun>& runs, const OverlayChoice& choice);
/// Curves through the figures of variants that differ in nothing but the axis, of whichever run.
FoundCurves figureCurves(const std::vector<OverlaidRun>& runs, const OverlayChoice& choice);

}  // namespace lanelab
