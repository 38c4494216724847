// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/window_help.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMenu>

#include "ui/help/help_topics.h"
#include "ui/help/help_window.h"
#include "ui/help/term_tips.h"
#include "ui/look/message_strip.h"
#include "ui/window/action_set.h"
#include "ui/window/window_settings.h"

namespace lanelab {

HelpPlace newestChanges() {
  const QString page = QStringLiteral("CHANGELOG.md");
  const HelpPage* const changes = findPage(page);
  if (changes)
    for (const HelpSection& section : changes->sections)
      if (section.level == 2) return {page, section.anchor};
  return {page};
}

WindowHelp::WindowHelp(QWidget* window, MessageStrip* messages)
    : QObject(window), m_window(window), m_messages(messages) {
  qApp->installEventFilter(new TermTips(this));
  qApp->installEventFilter(this);
}

WindowHelp::~WindowHelp() = default;

void WindowHelp::addActions(QMenu* help, ActionSet& actions) {
  actions.add(help, "helpOnPane", tr("&Help on This Pane"), tr("Open the page on the pane that has the keyboard"),
              QKeySequence(Qt::Key_F1), "help", [this] { open(helpTopicOf(QApplication::focusWidget())); });
  actions.add(help, "documentation", tr("&Documentation"), tr("Read and search all pages"), {}, {},
              [this] { open({helpPages().front().path}); });
  actions.add(help, "whatsNew", tr("What's &New"), tr("Show what the newest version changed"), {}, {},
              [this] { open(newestChanges()); });
}

void WindowHelp::open(const HelpPlace& place) {
  if (!m_help) m_help = std::make_unique<HelpWindow>();
  m_help->open(place);
}

void WindowHelp::close() {
  if (m_help) m_help->close();
}

void WindowHelp::announceUpdate() {
  const QString version = QApplication::applicationVersion();
  WindowSettings settings;
  const QString before = settings.lastVersion();
  if (version == before) return;
  settings.setLastVersion(version);
  if (before.isEmpty()) return;  // the first start
  m_messages->offer(tr("LaneLab was updated from version %1 to %2.").arg(before, version),
                    {{tr("What's &New"), [this] { open(newestChanges()); }}});
}

bool WindowHelp::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress || !watched->isWidgetType()) return false;
  const auto& key = *static_cast<QKeyEvent*>(event);
  if (key.key() != Qt::Key_F1 || key.modifiers() != Qt::NoModifier) return false;
  const auto& widget = *static_cast<QWidget*>(watched);
  if (widget.window() == m_window || widget.window()->windowType() == Qt::Popup) return false;
  open(helpTopicOf(&widget));
  return true;
}

}  // namespace lanelab
