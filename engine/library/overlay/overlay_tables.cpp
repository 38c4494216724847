// SPDX-License-Identifier: GPL-3.0-only
#include "engine/library/overlay/overlay_tables.h"

#include "base/csv.h"
#include "base/json_table.h"

namespace lanelab {

void fieldsOf(auto& field, StructOf<OverlaySource> auto& source) {
  field("run", source.run);
  field("id", source.id);
  field("variant", source.variant);
  field("repeats", source.repeats);
}

namespace {

bool isSmoothed(const OverlayChoice& choice) { return choice.smoothing > 0 && !joinsVariants(choice.axis); }

Json pointJson(const OverlayPoint& point, const OverlayChoice& choice) {
  Json json = {{"x", point.x}, {"value", point.value}};
  if (isSmoothed(choice)) json["smoothed"] = point.smoothed;
  json["source"] = point.source;
  return json;
}

Json curveJson(const OverlayCurve& curve, const OverlayChoice& choice) {
  Json points = Json::array();
  for (const OverlayPoint& point : curve.points) points.push_back(pointJson(point, choice));
  return {{"name", curve.name},
          {"differs", curve.differs.message},
          {"unfinished", curve.unfinished},
          {"sources", jsonOf(curve.sources)},
          {"points", std::move(points)}};
}

}  // namespace

std::string overlayCsv(const Overlay& overlay) {
  const OverlayChoice& choice = overlay.choice;
  std::string csv;
  CsvTable table(csv, "curve,run,id,variant,repeats," + keyOf(choice.axis) + "," + keyOf(choice.metric) +
                          (isSmoothed(choice) ? ",smoothed,differs" : ",differs"));
  for (const OverlayCurve& curve : overlay.curves)
    for (const OverlayPoint& point : curve.points) {
      const OverlaySource& source = curve.sources[point.source];
      table.text(curve.name).text(source.run).text(source.id).text(source.variant).integer(source.repeats);
      table.exact(point.x).exact(point.value);
      if (isSmoothed(choice)) table.exact(point.smoothed);
      table.text(curve.differs.message).endRow();
    }
  return csv;
}

std::string overlayJson(const Overlay& overlay) {
  Json curves = Json::array(), notes = Json::array();
  for (const OverlayCurve& curve : overlay.curves) curves.push_back(curveJson(curve, overlay.choice));
  for (const Message& note : overlay.notes) notes.push_back(note.message);
  return prettyJson({{"metric", toWord(overlay.choice.metric)},
                     {"x", toWord(overlay.choice.axis)},
                     {"smoothing", isSmoothed(overlay.choice) ? overlay.choice.smoothing : 0.0},
                     {"curves", std::move(curves)},
                     {"notes", std::move(notes)}});
}

}  // namespace lanelab
