// SPDX-License-Identifier: GPL-3.0-only
// Whether training fits in the memory of its devices, by forecast: what does not fit is refused before anything is
// allocated. Lanes on CPU cores share the memory of the host. Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "engine/experiment/device_info.h"
#include "engine/experiment/experiment.h"
#include "engine/memory/memory_forecast.h"

namespace lanelab {

/// Which of an experiment's variants are in memory at the same time.
enum class Together {
  AllVariants,  ///< as in a run: beside one variant the others retain their weights between their steps
  OneVariant    ///< as in a check: one after the other
};

struct FitQuestion {
  const Experiment& experiment;
  const std::vector<std::vector<LaneForecast>>& forecasts;  ///< of the variants
  std::vector<DeviceInfo> devices;                          ///< of this machine
  Together together = Together::AllVariants;
  int rank = 0;  ///< of this process: lanes of other ranks have memory elsewhere
};

/// A sentence for each variant and memory that the variant does not fit in: forecast, memory, lane, what to do; then
/// one for each lane that a variant takes above the lane's own limit.
std::vector<std::string> memoryWarnings(const FitQuestion& question);

/// What becomes of training that does not fit.
struct MemoryRule {
  bool force = false;        ///< it is done nevertheless
  std::string way_out = {};  ///< a sentence that a refusal ends with: how to force it
};

/// The first variant and memory that do not fit as BadInput, unless forced. Memory of unknown size fits everything. A
/// lane's own limit refuses nothing: what is above it can be trained.
Status fitsMemory(const FitQuestion& question, const MemoryRule& rule = {});

/// Bytes of the random rows that data.source makes on the host; 0 for files, which are read as they are.
std::int64_t randomDataBytes(const DataConfig& data);

}  // namespace lanelab
