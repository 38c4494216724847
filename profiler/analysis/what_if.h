// SPDX-License-Identifier: GPL-3.0-only
// What if a stage, a block or a link were faster or slower: a measured trace played again with other lengths.
//
// Every step keeps its order of actions and every delay that was measured: an action begins as long after its lane was
// free and its input there as it did, a transfer is queued as long as it was. Only lengths change, and what follows
// from them. Steps that overlapped still do; where lanes met after a step, they meet again. (As in the what-if
// analysis of Daydream, Zhu et al. 2020, on pipelines.)
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "profiler/trace/trace.h"

namespace lanelab {

/// How much longer things take: 0.5 is half as long. What is not named stays as it is.
struct WhatIf {
  std::map<int, double> stages;  ///< all actions of the stage, updates too
  std::map<int, double> links;   ///< transfers both ways between this stage and the next, without their queues
  std::map<std::string, double, std::less<>> blocks;  ///< spans of category Block within the actions
};

/// "stage:1=0.5", "link:0=2" or "layer3.0=0.8" into `what_if`; false where the text is none of these or the factor no
/// number from 0 to 1000.
bool addFactor(WhatIf& what_if, std::string_view text);

/// The first stage, link or block that `what_if` names and the trace lacks: "stage 7", "block layer9.0"; "" when it has
/// all.
std::string unknownName(const Trace& trace, const WhatIf& what_if);

/// Actions, transfers, the hosts' spans and the steps, of origin Replayed; details are left out. With no factor but 1
/// all times are those of `trace`. Pure; n log n in the number of spans.
Trace replayWith(const Trace& trace, const WhatIf& what_if);

}  // namespace lanelab
