// SPDX-License-Identifier: GPL-3.0-only
// What if a stage, a block, a link or one action were faster or slower, or a stage on another lane: a measured trace
// played again with other lengths, or in another order.
//
// Every step keeps its order of actions and every delay that was measured: an action begins as long after its lane was
// free and its input there as it did, a transfer is queued as long as it was. Only lengths change, and what follows
// from them. Steps that overlapped still do; where lanes met after a step, they meet again. (As in the what-if
// analysis of Daydream, Zhu et al. 2020, on pipelines.)
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/analysis/traced_actions.h"
#include "profiler/trace/trace.h"

namespace lanelab {

/// Actions, or transfers, that take another time than they did.
struct ScaledSpans {
  bool transfers = false;  ///< not actions; a transfer has the id of the action whose result it carries
  bool all = false;        ///< of this stage and phase, in every step; step and micro-batch mean nothing then
  ActionId id = {};
  int lane = 0;  ///< of the one action: replicas update a stage on several lanes
  double factor = 1;
  bool operator==(const ScaledSpans&) const = default;
};

/// An action of a step; an update has micro-batch 0.
struct OrderedAction {
  int stage = 0;
  Phase phase = Phase::None;
  int micro_batch = 0;
  auto operator<=>(const OrderedAction&) const = default;
};

/// How much longer things take: 0.5 is half as long. What is not named stays as it is.
struct WhatIf {
  std::map<int, double> stages;  ///< all actions of the stage, updates too
  std::map<int, double> links;   ///< transfers both ways between this stage and the next, without their queues
  std::map<std::string, double, std::less<>> blocks;  ///< spans of category Block within the actions
  std::vector<ScaledSpans> spans = {};
  /// By stage, the lane that all its actions go to. Between stages that are on one lane then nothing is transferred; a
  /// boundary that nothing crossed before takes what the transfers of that direction took, in the mean.
  std::map<int, int> lanes = {};
  /// By lane, in what order it does a step's actions then. Without it, or if it is not one of these actions, each lane
  /// does them in the order in which they began.
  std::vector<std::vector<OrderedAction>> order = {};
  std::map<int, double> ranks = {};  ///< all actions of the lane, updates too
};

/// "stage:1=0.5", "rank:1=2", "link:0=2" or "layer3.0=0.8" into `what_if`; false where the text is none of these or the
/// factor no number from 0 to 1000.
bool addFactor(WhatIf& what_if, std::string_view text);

/// The first stage, rank, link or block that `what_if` names and the trace lacks: "stage 7", "block layer9.0"; "" when
/// it has all.
std::string unknownName(const Trace& trace, const WhatIf& what_if);

/// Actions, transfers, the hosts' spans and the steps, of origin Replayed; details are left out. With no factor but 1
/// all times are those of `trace`. Pure; n log n in the number of spans.
Trace replayWith(const Trace& trace, const WhatIf& what_if);
/// `traced` are those of the trace.
Trace replayWith(const Trace& trace, const TracedActions& traced, const WhatIf& what_if);

/// Whether they are meant.
bool means(const ScaledSpans& spans, const TracedAction& action);

}  // namespace lanelab
