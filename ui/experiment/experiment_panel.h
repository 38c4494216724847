// The form: model, data, training, lanes' count, variants, repeats. Two-way with the document; each bad value says why under its field.
#pragma once

#include <QWidget>
#include <vector>

#include "engine/run/executor.h"
#include "ui/experiment/experiment_document.h"

namespace lanelab {

class ExperimentPanel : public QWidget {
  Q_OBJECT

 public:
  explicit ExperimentPanel(ExperimentDocument* document, QWidget* parent = nullptr);
  void setReadOnly(bool read_only);   ///< while a run goes
};

/// For the toolbar: slider and number of the active variant's split size with "= 6 micro-batches, last 20".
class SplitSizeControl : public QWidget {
  Q_OBJECT

 public:
  explicit SplitSizeControl(ExperimentDocument* document, QWidget* parent = nullptr);
};

}  // namespace lanelab
