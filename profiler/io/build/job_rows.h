// SPDX-License-Identifier: GPL-3.0-only
// Makes lanes of ranks with actions, transfers and collectives of a timeline whose spans say by their names and
// arguments what a training job did, as StragglerAnalysis writes them.
//
// There a process is a replica and a thread a kind of stream of one rank: "PP rank 1, TP rank 0, pp-comm", with the
// thread id rank x 5 + kind. Each rank becomes a process of its own; its micro-batches are numbered over all replicas.
#pragma once

#include "profiler/io/build/import_builder.h"

namespace lanelab {

/// Changes nothing in a file without passes of a job that have a step, or that has actions of ours. n log n in the
/// spans of the job.
void recognizeJob(ImportBuilder& builder);

}  // namespace lanelab
