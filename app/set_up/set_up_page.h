// SPDX-License-Identifier: GPL-3.0-only
// Offers to install PyTorch, and shows how far that is. Thread: the window's; the installation is another program.
#pragma once

#include <QDialog>
#include <QProcess>
#include <QString>
#include <optional>

#include "base/progress.h"

class QPushButton;

namespace lanelab {

class WorkBar;
namespace look {
class PlainLabel;
}

/// What a line of lanelab-setup-torch reports, such as "PyTorch: 12 of 61 packages (torch, 912.3 MB)"; nothing if it
/// has no such numbers.
std::optional<Progress> installProgress(const QString& line);

class SetUpPage : public QDialog {
  Q_OBJECT

 public:
  /// `installer`: path of lanelab-setup-torch. accepted() once PyTorch is installed, rejected() if the user leaves.
  explicit SetUpPage(const QString& installer, QWidget* parent = nullptr);
  /// Ends an installation in progress; what it downloaded is downloaded again the next time.
  ~SetUpPage() override;

 private:
  void begin();
  void stop();
  void readLines();
  void finish(int exit_code, QProcess::ExitStatus status);
  void showFailure(const QString& sentence);

  QString m_installer;
  QProcess m_process;
  look::PlainLabel* m_sentence;
  WorkBar* m_progress;
  QPushButton* m_install;
  QString m_last_line;  ///< why it failed, if it did
  bool m_stopped = false;
};

}  // namespace lanelab
