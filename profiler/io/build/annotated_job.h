// SPDX-License-Identifier: GPL-3.0-only
// Makes lanes with actions of what the ranks of a job recorded with annotations around passes, sends and receives.
//
// A pass of a GPU lasts as long as its work there: as gpu_user_annotation says, else from the first to the last kernel
// that was launched meanwhile. One of a CPU lasts from the arrival of its input to the collective at its end, for both
// of which it waits itself. The annotations stay where they are; actions and transfers get rows of their own.
#pragma once

#include "profiler/io/build/import_builder.h"

namespace lanelab {

/// Built-in names count in a file of one rank of several (ImportBuilder::rank, fileRank), where one process annotates
/// forward and backward passes: all processes become one, the rank. Names of an action map count in every file; each
/// process with passes is a rank then, if there are several. Names of the map that no span has are noted. n log n in
/// the annotations and the launch calls.
void recognizeAnnotations(ImportBuilder& builder);

}  // namespace lanelab
