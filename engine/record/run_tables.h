// SPDX-License-Identifier: GPL-3.0-only
// The tidy tables beside run.json: one row a repeat, one row a step. RFC 4180 (CRLF), C locale, units in the headers.
#pragma once

#include <string>

#include "engine/record/run_record.h"

namespace lanelab {

/// variant,repeat,seconds,samples_per_second,last_loss; repeats from 0 in the order they ran.
std::string samplesCsv(const RunRecord& record);
/// variant,repeat,step,seconds,loss
std::string stepsCsv(const RunRecord& record);
/// variant,repeat,epoch,loss,accuracy,validation_loss,validation_accuracy; accuracies from 0 to 1, validation empty
/// where there is none.
std::string epochsCsv(const RunRecord& record);
/// variant,lane,device,window_s,busy_s,idle_s,busy_share,idle_share,peak_bytes; of each variant's last counted repeat,
/// empty where nothing was recorded.
std::string lanesCsv(const RunRecord& record);

}  // namespace lanelab
