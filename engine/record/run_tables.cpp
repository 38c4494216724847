// SPDX-License-Identifier: GPL-3.0-only
#include "engine/record/run_tables.h"

#include <functional>

#include "base/csv.h"

namespace lanelab {
namespace {

/// Calls `visit` with each variant's name and each of its repeats, numbered from 0.
void visitRepeats(const RunRecord& record,
                  const std::function<void(const std::string& variant, std::size_t i, const RepeatRecord&)>& visit) {
  for (const VariantRecord& variant : record.variants)
    for (std::size_t i = 0; i < variant.repeats.size(); ++i) visit(variant.name, i, variant.repeats[i]);
}

}  // namespace

std::string samplesCsv(const RunRecord& record) {
  std::string csv;
  CsvTable table(csv, "variant,repeat,seconds,images_per_second,last_loss");
  visitRepeats(record, [&](const std::string& variant, std::size_t i, const RepeatRecord& repeat) {
    table.text(variant).index(i).exact(repeat.seconds).exact(record.samplesPerRepeat() / repeat.seconds);
    table.exact(repeat.losses.empty() ? 0 : repeat.losses.back(), !repeat.losses.empty()).endRow();
  });
  return csv;
}

std::string stepsCsv(const RunRecord& record) {
  std::string csv;
  CsvTable table(csv, "variant,repeat,step,seconds,loss");
  visitRepeats(record, [&](const std::string& variant, std::size_t i, const RepeatRecord& repeat) {
    for (std::size_t step = 0; step < repeat.step_seconds.size(); ++step) {
      const bool known = step < repeat.losses.size();
      table.text(variant).index(i).index(step).exact(repeat.step_seconds[step]);
      table.exact(known ? repeat.losses[step] : 0, known).endRow();
    }
  });
  return csv;
}

std::string epochsCsv(const RunRecord& record) {
  std::string csv;
  CsvTable table(csv, "variant,repeat,epoch,loss,accuracy,validation_loss,validation_accuracy");
  visitRepeats(record, [&](const std::string& variant, std::size_t i, const RepeatRecord& repeat) {
    for (std::size_t e = 0; e < repeat.epochs.size(); ++e) {
      const EpochResult& epoch = repeat.epochs[e];
      table.text(variant).index(i).index(e).exact(epoch.loss);
      for (const std::optional<double>& value : {epoch.accuracy, epoch.validation_loss, epoch.validation_accuracy})
        table.exact(value.value_or(0), value.has_value());
      table.endRow();
    }
  });
  return csv;
}

std::string lanesCsv(const RunRecord& record) {
  std::string csv;
  CsvTable table(csv,
                 "variant,lane,device,window_s,busy_s,idle_s,busy_share,idle_share,peak_bytes,forecast_bytes,windows");
  for (const VariantRecord& variant : record.variants) {
    for (const LaneRecord& lane : variant.lanes) {
      table.text(variant.name).text(lane.name).text(lane.device);
      const bool recorded = lane.window_seconds > 0;
      for (const double value : {lane.window_seconds, lane.busy_seconds, lane.idle_seconds,
                                 lane.busy_seconds / lane.window_seconds, lane.idle_seconds / lane.window_seconds})
        table.exact(value, recorded);
      table.integer(lane.peak_bytes)
          .number(lane.forecast.total() > 0 ? std::to_string(lane.forecast.total()) : "")
          .text(recorded ? toWord(variant.windows) : "")
          .endRow();
    }
  }
  return csv;
}

}  // namespace lanelab
