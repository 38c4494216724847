#include "engine/run/run_tables.h"

#include "engine/base/text.h"

namespace lanelab {
namespace {

/// An empty cell for what was not finite.
std::string numberCell(double value) {
  const std::string text = exactNumber(value);
  return text == "null" ? "" : text;
}

}  // namespace

std::string csvCell(std::string_view text) {
  std::string cell;
  if (!text.empty() && std::string_view("=+-@").find(text.front()) != std::string_view::npos) cell += '\'';
  cell += text;
  if (cell.find_first_of(",\"\r\n") == std::string::npos) return cell;
  std::string quoted = "\"";
  for (const char c : cell) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

std::string samplesCsv(const RunRecord& record) {
  std::string csv = "variant,repeat,seconds,images_per_second,last_loss\r\n";
  for (const VariantRecord& variant : record.variants) {
    for (std::size_t i = 0; i < variant.repeats.size(); ++i) {
      const RepeatRecord& repeat = variant.repeats[i];
      csv += csvCell(variant.name) + "," + std::to_string(i) + "," + numberCell(repeat.seconds) + "," +
             numberCell(record.imagesPerRepeat() / repeat.seconds) + "," + (repeat.losses.empty() ? "" : numberCell(repeat.losses.back())) + "\r\n";
    }
  }
  return csv;
}

std::string stepsCsv(const RunRecord& record) {
  std::string csv = "variant,repeat,step,seconds,loss\r\n";
  for (const VariantRecord& variant : record.variants) {
    for (std::size_t i = 0; i < variant.repeats.size(); ++i) {
      const RepeatRecord& repeat = variant.repeats[i];
      for (std::size_t step = 0; step < repeat.step_seconds.size(); ++step) {
        csv += csvCell(variant.name) + "," + std::to_string(i) + "," + std::to_string(step) + "," + numberCell(repeat.step_seconds[step]) + "," +
               (step < repeat.losses.size() ? numberCell(repeat.losses[step]) : "") + "\r\n";
      }
    }
  }
  return csv;
}

std::string epochsCsv(const RunRecord& record) {
  const auto cell = [](const std::optional<double>& value) { return "," + (value ? numberCell(*value) : std::string()); };
  std::string csv = "variant,repeat,epoch,loss,accuracy,validation_loss,validation_accuracy\r\n";
  for (const VariantRecord& variant : record.variants) {
    for (std::size_t i = 0; i < variant.repeats.size(); ++i) {
      const std::vector<EpochResult>& epochs = variant.repeats[i].epochs;
      for (std::size_t e = 0; e < epochs.size(); ++e) {
        csv += csvCell(variant.name) + "," + std::to_string(i) + "," + std::to_string(e) + cell(epochs[e].loss) + cell(epochs[e].accuracy) +
               cell(epochs[e].validation_loss) + cell(epochs[e].validation_accuracy) + "\r\n";
      }
    }
  }
  return csv;
}

std::string lanesCsv(const RunRecord& record) {
  std::string csv = "variant,lane,device,window_s,busy_s,idle_s,busy_share,idle_share,peak_bytes,forecast_bytes\r\n";
  for (const VariantRecord& variant : record.variants) {
    for (const LaneRecord& lane : variant.lanes) {
      csv += csvCell(variant.name) + "," + csvCell(lane.name) + "," + csvCell(lane.device);
      const bool recorded = lane.window_seconds > 0;
      for (const double value : {lane.window_seconds, lane.busy_seconds, lane.idle_seconds, lane.busy_seconds / lane.window_seconds,
                                 lane.idle_seconds / lane.window_seconds}) {
        csv += "," + (recorded ? numberCell(value) : "");
      }
      csv += "," + std::to_string(lane.peak_bytes) + "," + (lane.forecast.total() > 0 ? std::to_string(lane.forecast.total()) : "") + "\r\n";
    }
  }
  return csv;
}

}  // namespace lanelab
