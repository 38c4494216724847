// SPDX-License-Identifier: GPL-3.0-only
// Asks where an export goes, writes it and shows in the strip what came of it. Folder and file extension of each kind
// are offered again the next time.
//
// Thread: the window's.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <functional>
#include <string>

#include "base/result.h"
#include "ui/export/picture.h"
#include "ui/watch/window_parts.h"

namespace lanelab {

class ExportDialog : public QObject {
  Q_OBJECT

 public:
  /// Files are named after the document's experiment.
  explicit ExportDialog(const WindowParts& parts);

  /// PNG, SVG, PDF or CSV; only the one that was chosen is made.
  void savePicture(const QString& what, const QString& title, const std::function<Picture()>& picture,
                   const std::function<std::string()>& csv);
  /// Calls `write` with the chosen file.
  void saveFile(const QString& what, const QString& title, const QStringList& filters,
                const std::function<Status(const QString& path)>& write);
  /// As saveFile(), for what reports its end later, by showOutcome().
  void chooseFile(const QString& what, const QString& title, const QStringList& filters,
                  const std::function<void(const QString& path)>& then);
  /// Calls `write` with a new folder called `what` inside the chosen one.
  void saveFolder(const QString& what, const QString& title, const std::function<Status(const QString& path)>& write);
  void showOutcome(const Status& status, const QString& path);

 private:
  QString suggestedName(const QString& what) const;

  WindowParts m_parts;
};

}  // namespace lanelab
