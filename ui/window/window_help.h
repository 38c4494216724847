// SPDX-License-Identifier: GPL-3.0-only
// Help of the window: F1 in every pane and dialog opens the section that speaks of it, terms explain themselves on
// hover, and a line says once that LaneLab was updated. The help window is made when it is first asked for.
//
// Thread: the window's.
#pragma once

#include <QObject>
#include <memory>

#include "ui/help/help_pages.h"

class QMenu;
class QWidget;

namespace lanelab {

class ActionSet;
class HelpWindow;
class MessageStrip;

class WindowHelp : public QObject {
  Q_OBJECT

 public:
  WindowHelp(QWidget* window, MessageStrip* messages);
  ~WindowHelp() override;

  void addActions(QMenu* help, ActionSet& actions);
  void open(const HelpPlace& place);
  /// On the first start of another version than that of the start before.
  void announceUpdate();
  void close();

 protected:
  /// F1 in dialogs, which the window's own action does not hear.
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QWidget* m_window;
  MessageStrip* m_messages;
  std::unique_ptr<HelpWindow> m_help;
};

/// The newest version in CHANGELOG.md.
HelpPlace newestChanges();

}  // namespace lanelab
