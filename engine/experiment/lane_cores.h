// SPDX-License-Identifier: GPL-3.0-only
// What an experiment's lanes mean on a machine: which CPU cores each gets, where they have to share them, which device
// is free for another, and how lanes get distinct names. Pure functions.
#pragma once

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

/// A sentence if CPU lanes that compute at once have to share cores, which makes their times meaningless; else empty.
/// `cores`: of this machine; below 1: not known.
std::string sharedCoresWarning(const std::vector<LaneConfig>& lanes, int cores);
/// How many CPU cores are among the devices.
int coreCount(const std::vector<DeviceInfo>& devices);

/// The device for one more lane: a GPU or core that no lane has, GPUs as they are listed; with none left the core whose
/// lanes have the fewest threads.
Device freeDevice(const std::vector<LaneConfig>& lanes, const std::vector<DeviceInfo>& devices);

/// The lanes' titles, each different from the others: "cpu:1", "cpu:1 (2)".
std::vector<std::string> laneTitles(const std::vector<LaneConfig>& lanes);

}  // namespace lanelab
