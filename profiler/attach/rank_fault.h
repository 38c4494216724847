// SPDX-License-Identifier: GPL-3.0-only
// Why a rank gives no trace, in sentences that say what to do. Pure; any thread.
#pragma once

#include <optional>

#include "base/message.h"
#include "profiler/attach/http/http_session.h"
#include "profiler/attach/job_profile.h"

namespace lanelab {

/// By its answer to GET /handler/, which lists what it can do; none if it can be asked for a trace. A server that
/// answers otherwise may still record.
std::optional<Message> whyNotAsked(const JobRank& rank, const HttpAnswer& greeting);

/// By its answer to the request of a trace; none if that came whole.
std::optional<Message> whyNoTrace(const JobRank& rank, const HttpAnswer& answer, const AttachRequest& request);

}  // namespace lanelab
