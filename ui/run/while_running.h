// SPDX-License-Identifier: GPL-3.0-only
// What is refused while a run is in progress.
#pragma once

namespace lanelab {

class MessageStrip;
class RunController;

/// Whether a run is in progress; the strip then says how to end it. For what would replace or edit its experiment.
bool refusedWhileRunning(const RunController& controller, MessageStrip& messages);

}  // namespace lanelab
