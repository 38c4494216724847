// SPDX-License-Identifier: GPL-3.0-only
// What the Python of an export prints, from the worker to the window. add() on any thread, the rest on the window's.
#pragma once

#include <QPlainTextEdit>
#include <QStringList>
#include <mutex>
#include <string>

namespace lanelab {

class ExportLog : public QPlainTextEdit {
  Q_OBJECT

 public:
  explicit ExportLog(QWidget* parent = nullptr);

  /// Shown by showNew(); of many lines the last ones.
  void add(const std::string& line);
  void showNew();
  void begin(const QString& first);

 protected:
  /// The last line stays in sight.
  void resizeEvent(QResizeEvent* event) override;

 private:
  std::mutex m_mutex;
  QStringList m_new;  ///< guarded by m_mutex
};

}  // namespace lanelab
