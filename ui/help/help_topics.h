// SPDX-License-Identifier: GPL-3.0-only
// Which section speaks of which part of the window: one table, by object names of panes, dialogs and their parts.
// Thread: GUI.
#pragma once

#include <QList>
#include <QString>

#include "ui/help/help_pages.h"

class QWidget;

namespace lanelab {

struct HelpTopic {
  QString part;  ///< object name of a widget
  HelpPlace place;
};
const QList<HelpTopic>& helpTopics();

/// That of the widget, or of the nearest one around it that has one; else the beginning of the guide.
HelpPlace helpTopicOf(const QWidget* widget);

}  // namespace lanelab
