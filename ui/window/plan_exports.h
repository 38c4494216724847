// SPDX-License-Identifier: GPL-3.0-only
// The plan of the variant in sight, taken to other programs: File > Export writes it into a folder, Edit > Copy Plan As
// copies the part that users paste into a configuration. Thread: the window's; plans are made on a worker.
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <optional>
#include <string>

#include "engine/experiment/resolution.h"
#include "engine/frameworks/written_files.h"
#include "ui/look/latest_work.h"
#include "ui/watch/window_parts.h"

class QAction;
class QMenu;

namespace lanelab {

class ActionSet;
class PlacementForecast;
class TimelinePresenter;

class PlanExports : public QObject {
  Q_OBJECT

 public:
  PlanExports(const WindowParts& parts, const TimelinePresenter* presenter, const PlacementForecast* forecast);

  void addExports(QMenu* exports, ActionSet& actions);
  /// Returns the submenu, which the board offers, too.
  QMenu* addCopies(QMenu* edit, ActionSet& actions);
  void updateActions(const ActionSet& actions) const;

 private:
  struct InSight {
    std::shared_ptr<const Resolution> resolution;
    QString variant;
  };
  bool hasVariant() const;
  /// Of the board, or of the run that is viewed in its place.
  std::optional<InSight> inSight() const;
  void openDialog(const std::string& target);
  void copy(const std::string& target);
  void showCopied(const std::string& target, const Result<WrittenFiles>& files);
  /// "Predicted 72 % faster than Single (estimated from MACs)"; empty if nothing is predicted.
  QString gain() const;
  void showGain();

  WindowParts m_parts;
  const TimelinePresenter* m_presenter;
  const PlacementForecast* m_forecast;
  QMenu* m_copies = nullptr;
  QAction* m_gain = nullptr;  ///< heads it
  LatestWork m_copying;
};

}  // namespace lanelab
