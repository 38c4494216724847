// SPDX-License-Identifier: GPL-3.0-only
#include "engine/library/overlay/run_overlay.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "engine/library/overlay/curve_points.h"
#include "engine/library/overlay/overlay_parts.h"

namespace lanelab {
namespace {

Message noteOf(Lack lack, const std::string& names) {
  switch (lack) {
    case Lack::Unread: return sentence("Not drawn (run.json cannot be read): {}.", names);
    case Lack::NoStep: return sentence("Not drawn (no completed step): {}.", names);
    case Lack::NoEpochs: return sentence("Not drawn (the data are not counted in epochs): {}.", names);
    case Lack::NoAnswers: return sentence("Not drawn (the loss knows no right answers): {}.", names);
    case Lack::NoValidation: return sentence("Not drawn (no validation data): {}.", names);
    case Lack::NoFigure: return sentence("Not drawn (no completed repeat): {}.", names);
    case Lack::NoMemory: return sentence("Not drawn (no peak memory recorded): {}.", names);
    case Lack::LeftOut: break;
  }
  return sentence("Not drawn (an overlay has at most {} runs): {}.", kMostOverlaidRuns, names);
}

Message noteOf(Apart apart, const std::string& reference, const std::string& names) {
  switch (apart) {
    case Apart::Not: break;
    case Apart::Data: return sentence("Other data than {}, so values do not compare: {}.", reference, names);
    case Apart::Loss: return sentence("Another loss function than {}, so losses do not compare: {}.", reference, names);
    case Apart::Work: return sentence("Another model or other data than {}: {}.", reference, names);
    case Apart::Batch:
      return sentence("Another batch than {}, so a step is other work: {}. Samples per second compare.", reference,
                      names);
    case Apart::Machine: return sentence("Measured on another machine than {}: {}.", reference, names);
  }
  return {};
}

/// Each name once, in their order; names have commas.
std::string listOf(const std::vector<std::string>& names) {
  std::vector<std::string> once;
  for (const std::string& name : names)
    if (std::ranges::find(once, name) == once.end()) once.push_back(name);
  return joined(once, "; ");
}

std::vector<Message> notesOf(const FoundCurves& found) {
  std::map<Apart, std::vector<std::string>> apart;
  std::map<Lack, std::vector<std::string>> lacking;
  for (std::size_t i = 0; i < found.curves.size(); ++i)
    if (found.apart[i] != Apart::Not) apart[found.apart[i]].push_back(found.curves[i].name);
  for (const auto& [lack, name] : found.lacking) lacking[lack].push_back(name);
  std::vector<Message> notes;
  for (const auto& [reason, names] : apart) notes.push_back(noteOf(reason, found.curves.front().name, listOf(names)));
  for (const auto& [reason, names] : lacking) notes.push_back(noteOf(reason, listOf(names)));
  return notes;
}

void smooth(OverlayCurve& curve, double weight) {
  std::vector<double> values;
  for (const OverlayPoint& point : curve.points) values.push_back(point.value);
  if (weight > 0) values = smoothed(values, weight);
  for (std::size_t i = 0; i < values.size(); ++i) curve.points[i].smoothed = values[i];
}

}  // namespace

Message wordsOf(Apart apart) {
  switch (apart) {
    case Apart::Not: break;
    case Apart::Data: return sentence("other data");
    case Apart::Loss: return sentence("other loss");
    case Apart::Work: return sentence("other work");
    case Apart::Batch: return sentence("other batch");
    case Apart::Machine: return sentence("other machine");
  }
  return {};
}

Overlay overlayOf(const std::vector<OverlaidRun>& runs, const OverlayChoice& choice) {
  const bool joins = joinsVariants(choice.axis);
  FoundCurves found = joins ? figureCurves(runs, choice) : repeatCurves(runs, choice);
  Overlay overlay{choice, {}, notesOf(found)};
  overlay.curves = std::move(found.curves);
  for (OverlayCurve& curve : overlay.curves) smooth(curve, joins ? 0 : choice.smoothing);
  return overlay;
}

}  // namespace lanelab
