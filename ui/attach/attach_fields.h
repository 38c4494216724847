// SPDX-License-Identifier: GPL-3.0-only
// What the fields of Attach to Job hold, and the request that they describe. Pure; any thread.
#pragma once

#include <QString>
#include <variant>

#include "profiler/attach/job_profile.h"

namespace lanelab {

struct AttachFields {
  QString page;            ///< HOST:PORT; port 25999 if left out
  QString rank_addresses;  ///< "8=node2:41002 9=node2:41003"; may be empty
  double seconds = AttachRequest{}.seconds;
  double grace_s = AttachRequest{}.grace_s;
  double most_gib = 2;  ///< of the trace of a rank

  bool operator==(const AttachFields&) const = default;
};

/// What is wrong with a field.
struct AttachProblem {
  const char* field;  ///< its object name
  QString sentence;
};

std::variant<AttachRequest, AttachProblem> requestOf(const AttachFields& fields);

/// "job" in `folder`, or "job-2" and so on if that is there.
QString freeTraceFolder(const QString& folder);

}  // namespace lanelab
