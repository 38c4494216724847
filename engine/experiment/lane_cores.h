// SPDX-License-Identifier: GPL-3.0-only
// What an experiment's lanes mean on a machine: which CPU cores each gets, where they have to share them, which device
// is free for another, and how lanes get distinct names. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/experiment/device_info.h"
#include "engine/experiment/experiment.h"

namespace lanelab {

/// The cores of a lane: `first` counts from 0 and may be beyond the machine's cores, then it wraps.
struct CoreGroup {
  int first = 0;
  int threads = 1;
};

/// cpu:K starts at core K, or after the groups of the lanes with a smaller K. Lanes that name one device share its
/// cores. Lanes of other kinds get {0, 1}.
std::vector<CoreGroup> coreGroups(const std::vector<LaneConfig>& lanes);

/// CPU lanes that compute at once and have to share cores, which makes their times meaningless.
struct SharedCores {
  std::string who;     ///< "3 lanes share 2 CPU cores", "cpu:1 and cpu:1 (2) share CPU core 1"
  std::string advice;  ///< "Use at most 2 lanes."
  int threads = 0;     ///< of all these lanes
};
/// `cores`: of this machine; below 1: not known.
std::optional<SharedCores> sharedCores(const std::vector<LaneConfig>& lanes, int cores);
/// The lanes of a variant that compute at once in the process of that rank, as well as the variant can be read: of
/// those that take turns one, and none that gets no stage.
std::vector<LaneConfig> lanesAtOnce(const Experiment& experiment, const VariantConfig& variant, int rank = 0);
/// A sentence on the variant whose lanes share most; empty where none does.
std::string sharedCoresWarning(const Experiment& experiment, int cores, int rank = 0);
/// The same for a board, on which lanes that a variant names are still to get stages.
std::string namedLanesWarning(const Experiment& experiment, int cores);
/// How many CPU cores are among the devices.
int coreCount(const std::vector<DeviceInfo>& devices);

/// The device for one more lane: a GPU or core that no lane has, GPUs as they are listed; with none left the core whose
/// lanes have the fewest threads.
Device freeDevice(const std::vector<LaneConfig>& lanes, const std::vector<DeviceInfo>& devices);

/// The lanes' titles, each different from the others: "cpu:1", "cpu:1 (2)".
std::vector<std::string> laneTitles(const std::vector<LaneConfig>& lanes);

}  // namespace lanelab
