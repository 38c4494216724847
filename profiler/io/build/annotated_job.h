// SPDX-License-Identifier: GPL-3.0-only
// Makes a lane with actions of what one rank of a job recorded with annotations around its passes, sends and receives.
//
// A pass of a GPU lasts as long as its work there (gpu_user_annotation), one of a CPU from the arrival of its input,
// for which it waits itself. The annotations stay where they are; actions and transfers get rows of their own.
#pragma once

#include "profiler/io/build/import_builder.h"

namespace lanelab {

/// Changes nothing unless the file is of a rank of several (ImportBuilder::rank) and annotates forward and backward
/// passes in one process. All of its processes become one, the rank. n log n in the annotations.
void recognizeAnnotations(ImportBuilder& builder);

}  // namespace lanelab
