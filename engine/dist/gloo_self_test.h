// SPDX-License-Identifier: GPL-3.0-only
// Whether the loaded LibTorch fits the headers with which LaneLab was built.
//
// The wheel brings Gloo's code but not its headers, which are those of the distribution and years older. A class of
// another size or with another order of functions would give wrong numbers or a crash in the middle of a run, so two
// members of a group in this process try every call that runs use, and compare what came and how long it is.
#pragma once

#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>

#include <chrono>
#include <functional>
#include <string>

namespace lanelab {

/// Makes member `rank` of a group of two; called on a thread of that member, perhaps after the caller is gone.
using MemberMaker =
    std::function<c10::intrusive_ptr<c10d::Backend>(const c10::intrusive_ptr<c10d::Store>& store, int rank)>;

/// Tries the group that `make` makes. Empty if all is right, else the sentence that says what was wrong and what to do.
/// Returns after `limit` at the latest, also if a call hangs.
std::string groupFault(const MemberMaker& make, std::chrono::milliseconds limit);

/// Empty if a program built with the headers of version `built` can work with LibTorch of version `loaded`: they may
/// differ in the patch level and what follows it ("2.15.0", "2.15.1+cu132").
std::string versionFault(const std::string& built, const std::string& loaded);

/// Both for Gloo over the loopback interface and the LibTorch of this process. Tried once in a process, which takes
/// some milliseconds. Thread: any.
const std::string& glooFault();

}  // namespace lanelab
