// SPDX-License-Identifier: GPL-3.0-only
// Export Plan: the plan of a variant as a folder of files, which are listed before they are written; refusals are
// sentences. Thread: the window's; plans are made and written on workers.
#pragma once

#include <QDialog>
#include <QString>
#include <memory>

#include "engine/experiment/resolution.h"
#include "engine/frameworks/written_files.h"
#include "ui/look/latest_work.h"
#include "ui/look/work.h"
#include "ui/plan_export/plan_choice.h"

class QComboBox;
class QFormLayout;
class QLabel;
class QLayout;
class QLineEdit;
class QPushButton;

namespace lanelab {

class SentenceLabel;

class PlanExportDialog : public QDialog {
  Q_OBJECT

 public:
  /// What is chosen first; `prefix` begins the name of the folder ("demo-").
  struct Start {
    QString variant;
    std::string target;
    QString prefix;
  };
  PlanExportDialog(std::shared_ptr<const Resolution> resolution, const Start& start, QWidget* parent = nullptr);

  bool writing() const { return m_work.busy(); }

 Q_SIGNALS:
  /// `first` is the file to look at, `command` runs the plan within the folder, or is empty.
  void written(const QString& folder, const QString& first, const QString& command);

 protected:
  /// Esc cancels the export; the next one closes.
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void fillChoices(const Start& start);
  void layOut();
  void addFolder();
  void addCommand();
  PlanChoice choice() const;
  /// Absolute; the default while the field is empty.
  QString folder() const;
  void showChoice();
  void showPlan(const Result<WrittenFiles>& files);
  void showSentence(const QString& sentence, bool wrong);
  void showFolderProblem(const QString& sentence);
  void begin();
  void showEnd(const Status& status, const QString& folder, const std::string& target);
  void setReady(bool ready);

  const std::shared_ptr<const Resolution> m_resolution;
  const QString m_prefix;
  QFormLayout* m_form;
  QLayout* m_command_row = nullptr;  ///< hidden without a command
  QComboBox *m_variant, *m_target;
  QLineEdit *m_folder, *m_command;
  SentenceLabel* m_folder_problem;
  QLabel *m_files, *m_sentence;
  QPushButton *m_copy, *m_export;
  LatestWork m_preview;
  LongWork m_work;  ///< last: they end before what they use
};

}  // namespace lanelab
