// SPDX-License-Identifier: GPL-3.0-only
// What the window remembers by itself between starts, in an ini file: layout, rows of the timeline, recent files. What
// the user chooses is in ui/settings. Whatever is damaged there reads as its default.
#pragma once

#include <QByteArray>
#include <QStringList>

#include "ui/look/settings.h"

namespace lanelab {

class WindowSettings : look::Settings {
 public:
  /// Raised when docks are renamed or moved, so that an old state is not put on a new window.
  static constexpr int kLayoutVersion = 4;
  static constexpr int kMostRecent = 9;

  QByteArray geometry() const { return value("window/geometry").toByteArray(); }
  QByteArray dockState() const { return value("window/docks").toByteArray(); }
  QByteArray centreState() const { return value("window/centre").toByteArray(); }
  void setLayout(const QByteArray& geometry, const QByteArray& docks, const QByteArray& centre);

  /// Of the program that was started last; empty before the first start.
  QString lastVersion() const { return value("window/version").toString(); }
  void setLastVersion(const QString& version) { setValue("window/version", version); }

  QStringList recentFiles() const { return value("files/recent").toStringList(); }
  void addRecentFile(const QString& file);

  /// Whether the timeline shows a kind of rows ("blocks"); `otherwise` until the user chose.
  bool showsRows(const QString& kind, bool otherwise) const;
  void setShowsRows(const QString& kind, bool on) { setValue("timeline/" + kind, on); }

  /// Whether the timeline shows the variant that runs, in place of the chosen one; at first it does.
  bool followsRun() const { return showsRows(QStringLiteral("follow-run"), true); }
  void setFollowsRun(bool follows) { setShowsRows(QStringLiteral("follow-run"), follows); }
};

}  // namespace lanelab
