// SPDX-License-Identifier: GPL-3.0-only
// What the runs list says of one run folder, in words. Pure.
#pragma once

#include <QString>

#include "engine/record/run_store.h"

namespace lanelab {

struct RunSummary {
  QString folder;
  QString name;      ///< the experiment's; of a damaged run the folder's
  QString when;      ///< local time, "21 Nov 09:12"
  QString status;    ///< "done", "running", "damaged", ...
  QString headline;  ///< what it found, or why it failed or cannot be read
  bool readable = true;
  bool running = false;
};

RunSummary summaryOf(const RunListing& listing);

}  // namespace lanelab
