// SPDX-License-Identifier: GPL-3.0-only
#include "engine/record/run_tables.h"

#include <functional>

#include "base/csv.h"

namespace lanelab {
namespace {

using AddRows = std::function<void(CsvTable&, const std::string& variant, std::size_t i, const RepeatRecord&)>;

/// Of each variant's repeats, numbered from 0.
std::string repeatsCsv(const RunRecord& record, std::string_view columns, const AddRows& add) {
  std::string csv;
  CsvTable table(csv, columns);
  for (const VariantRecord& variant : record.variants)
    for (std::size_t i = 0; i < variant.repeats.size(); ++i) add(table, variant.name, i, variant.repeats[i]);
  return csv;
}

}  // namespace

std::string samplesCsv(const RunRecord& record) {
  const auto add = [&](CsvTable& table, const std::string& variant, std::size_t i, const RepeatRecord& repeat) {
    table.text(variant).index(i).exact(repeat.seconds).exact(record.samplesPerRepeat() / repeat.seconds);
    table.exact(repeat.losses.empty() ? 0 : repeat.losses.back(), !repeat.losses.empty()).endRow();
  };
  return repeatsCsv(record, "variant,repeat,seconds,images_per_second,last_loss", add);
}

std::string stepsCsv(const RunRecord& record) {
  const auto add = [&](CsvTable& table, const std::string& variant, std::size_t i, const RepeatRecord& repeat) {
    for (std::size_t step = 0; step < repeat.step_seconds.size(); ++step) {
      const bool known = step < repeat.losses.size();
      table.text(variant).index(i).index(step).exact(repeat.step_seconds[step]);
      table.exact(known ? repeat.losses[step] : 0, known).endRow();
    }
  };
  return repeatsCsv(record, "variant,repeat,step,seconds,loss", add);
}

std::string epochsCsv(const RunRecord& record) {
  const auto add = [&](CsvTable& table, const std::string& variant, std::size_t i, const RepeatRecord& repeat) {
    for (std::size_t e = 0; e < repeat.epochs.size(); ++e) {
      const EpochResult& epoch = repeat.epochs[e];
      table.text(variant).index(i).index(e).exact(epoch.loss);
      for (const std::optional<double>& value : {epoch.accuracy, epoch.validation_loss, epoch.validation_accuracy})
        table.exact(value.value_or(0), value.has_value());
      table.endRow();
    }
  };
  return repeatsCsv(record, "variant,repeat,epoch,loss,accuracy,validation_loss,validation_accuracy", add);
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
