// SPDX-License-Identifier: GPL-3.0-only
// Two stored runs beside each other: the settings that differ, their step times in one chart and their losses in
// another; runs that do not compare are named as such. Thread: GUI.
#pragma once

#include <QDialog>

#include "engine/library/run_difference.h"

namespace lanelab {

class RunsComparison : public QDialog {
  Q_OBJECT

 public:
  RunsComparison(const NamedRun& a, const NamedRun& b, QWidget* parent);
};

}  // namespace lanelab
