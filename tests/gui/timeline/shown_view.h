// SPDX-License-Identifier: GPL-3.0-only
// A timeline on the screen, as a person has it before the first key.
#pragma once

#include <QApplication>

#include "tests/gui/timeline/timeline_world.h"
#include "ui/timeline/view/timeline_view.h"

namespace lanelab::testworld {

/// A thousand pixels of a pipeline of two lanes and three steps.
struct ShownView {
  ShownView() {
    view.resize(1000, 300);
    view.setTrace(pipelineTrace());
    view.show();
    view.setFocus();
    QApplication::processEvents();
  }

  TimelineView view;
};

}  // namespace lanelab::testworld
