// SPDX-License-Identifier: GPL-3.0-only
#include "ui/notice/desktop_notice.h"

#include <QCoreApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QVariantMap>
#include <utility>

namespace lanelab {

namespace {

/// Notify of the Desktop Notifications Specification: name, notification to replace, icon, summary, body, actions,
/// hints, time until it goes (-1: as the desktop has it). Some desktops read tags in the body.
QDBusMessage notifyCall(const QString& title, const QString& text) {
  const QString service = QStringLiteral("org.freedesktop.Notifications");
  QDBusMessage call = QDBusMessage::createMethodCall(service, QStringLiteral("/org/freedesktop/Notifications"), service,
                                                     QStringLiteral("Notify"));
  call.setArguments({QCoreApplication::applicationName(), 0U, QStringLiteral("lanelab"), title, text.toHtmlEscaped(),
                     QStringList(), QVariantMap(), -1});
  return call;
}

}  // namespace

void sendToDesktop(const QString& title, const QString& text, std::function<void()> otherwise) {
  const QDBusConnection bus = QDBusConnection::sessionBus();
  if (!bus.isConnected()) return otherwise();
  auto* const watcher =
      new QDBusPendingCallWatcher(bus.asyncCall(notifyCall(title, text)), QCoreApplication::instance());
  QObject::connect(watcher, &QDBusPendingCallWatcher::finished, watcher,
                   [otherwise = std::move(otherwise)](QDBusPendingCallWatcher* done) {
                     if (done->isError()) otherwise();
                     done->deleteLater();
                   });
}

}  // namespace lanelab
