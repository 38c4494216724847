// SPDX-License-Identifier: GPL-3.0-only
// Copies of all stages, each on lanes of its own and with samples of its own: data parallelism, also of pipelines.
//
// Micro-batches are numbered over the whole step, and each belongs to one replica: of m a replica, replica r has r*m to
// r*m+m-1. So 0F1 on lane 1 is the forward of the second of two replicas, and mailboxes, timelines and the analysis of
// gaps need not know of replicas.
#pragma once

#include <vector>

#include "engine/placement/placement.h"
#include "engine/schedule/schedule.h"

namespace lanelab {

/// lanes[replica][stage].
using StageLanes = std::vector<std::vector<LaneId>>;

/// One replica: each stage on its own lane.
StageLanes lanesOfStages(const std::vector<Stage>& stages);

/// [replica][stage], as the rows have them; those of the first replica are the stages' own.
StageLanes stageLanesOfRows(const Schedule& schedule, const std::vector<Stage>& stages);

/// Which replica computes a micro-batch.
inline int replicaOf(const Schedule& schedule, MicroBatchId k) {
  return k.value / (schedule.micro_batches / schedule.replicas);
}

/// The replica that a lane works for; -1 where it works for none.
int replicaOfLane(const StageLanes& lanes, LaneId lane);

/// The schedule of one replica, done by all of them. `lanes[r]` are the lanes that replica r takes in place of
/// lanes[0], in the same order; all lanes differ.
Schedule replicate(const Schedule& one, const std::vector<std::vector<LaneId>>& lanes);

/// What replica 0 does, as a schedule of its own.
Schedule firstReplica(const Schedule& schedule);

/// How many samples each replica gets of a batch by torch.chunk: all ceil(samples / replicas), the last one fewer; some
/// replicas may get none and are not listed. 30 by 2 are 15 and 15, 5 by 4 are 2, 2 and 1.
std::vector<int> chunkSizes(int samples, int replicas);

/// Replica r of R takes the rows r, r + R, ... of a batch: how many these are.
inline int stridedRows(int samples, int replica, int replicas) { return (samples - replica + replicas - 1) / replicas; }

}  // namespace lanelab
