// SPDX-License-Identifier: GPL-3.0-only
#include "engine/record/run_tables.h"

#include "base/csv.h"
#include "base/text.h"

namespace lanelab {
namespace {

/// An empty cell for what was not finite.
std::string numberCell(double value) {
  const std::string text = exactNumber(value);
  return text == "null" ? "" : text;
}

}  // namespace

std::string samplesCsv(const RunRecord& record) {
  std::string csv;
  CsvTable table(csv, "variant,repeat,seconds,images_per_second,last_loss");
  for (const VariantRecord& variant : record.variants) {
    for (std::size_t i = 0; i < variant.repeats.size(); ++i) {
      const RepeatRecord& repeat = variant.repeats[i];
      table.text(variant.name).index(i);
      table.number(numberCell(repeat.seconds)).number(numberCell(record.imagesPerRepeat() / repeat.seconds));
      table.number(repeat.losses.empty() ? "" : numberCell(repeat.losses.back())).endRow();
    }
  }
  return csv;
}

std::string stepsCsv(const RunRecord& record) {
  std::string csv;
  CsvTable table(csv, "variant,repeat,step,seconds,loss");
  for (const VariantRecord& variant : record.variants) {
    for (std::size_t i = 0; i < variant.repeats.size(); ++i) {
      const RepeatRecord& repeat = variant.repeats[i];
      for (std::size_t step = 0; step < repeat.step_seconds.size(); ++step) {
        table.text(variant.name).index(i).index(step).number(numberCell(repeat.step_seconds[step]));
        table.number(step < repeat.losses.size() ? numberCell(repeat.losses[step]) : "").endRow();
      }
    }
  }
  return csv;
}

std::string epochsCsv(const RunRecord& record) {
  std::string csv;
  CsvTable table(csv, "variant,repeat,epoch,loss,accuracy,validation_loss,validation_accuracy");
  for (const VariantRecord& variant : record.variants) {
    for (std::size_t i = 0; i < variant.repeats.size(); ++i) {
      const std::vector<EpochResult>& epochs = variant.repeats[i].epochs;
      for (std::size_t e = 0; e < epochs.size(); ++e) {
        table.text(variant.name).index(i).index(e);
        for (const std::optional<double> value : {std::optional(epochs[e].loss), std::optional(epochs[e].accuracy),
                                                  epochs[e].validation_loss, epochs[e].validation_accuracy})
          table.number(value ? numberCell(*value) : "");
        table.endRow();
      }
    }
  }
  return csv;
}

std::string lanesCsv(const RunRecord& record) {
  std::string csv;
  CsvTable table(csv, "variant,lane,device,window_s,busy_s,idle_s,busy_share,idle_share,peak_bytes,forecast_bytes");
  for (const VariantRecord& variant : record.variants) {
    for (const LaneRecord& lane : variant.lanes) {
      table.text(variant.name).text(lane.name).text(lane.device);
      const bool recorded = lane.window_seconds > 0;
      for (const double value : {lane.window_seconds, lane.busy_seconds, lane.idle_seconds,
                                 lane.busy_seconds / lane.window_seconds, lane.idle_seconds / lane.window_seconds}) {
        table.number(recorded ? numberCell(value) : "");
      }
      table.integer(lane.peak_bytes)
          .number(lane.forecast.total() > 0 ? std::to_string(lane.forecast.total()) : "")
          .endRow();
    }
  }
  return csv;
}

}  // namespace lanelab
