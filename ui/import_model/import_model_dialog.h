// SPDX-License-Identifier: GPL-3.0-only
// Import Model: Python with PyTorch exports a network as a .pt2 file, its lines appear as they come, and the blocks of
// the file are listed. Thread: the window's; Python and the reading of the file are on a worker.
#pragma once

#include <QDialog>
#include <QElapsedTimer>
#include <QString>
#include <memory>

#include "base/result.h"
#include "engine/model/model_spec.h"
#include "ui/import_model/import_fields.h"
#include "ui/look/work.h"

class QLabel;
class QPushButton;
class QTableWidget;
class QVBoxLayout;

namespace lanelab {

class Executor;
struct OpenedModel;
class ExportLog;
class ImportForm;
class WorkBar;

class ImportModelDialog : public QDialog {
  Q_OBJECT

 public:
  /// `folder` is that of the experiment: relative paths count from there, and the file is written there by default.
  /// The executor says whether the file can be trained.
  ImportModelDialog(const QDir& folder, const Executor& executor, QWidget* parent = nullptr);

  ImportForm& form() { return *m_form; }
  void setFolder(const QDir& folder);
  bool exporting() const { return m_work.busy(); }
  Work& exportWork() { return m_work; }
  /// The network whose blocks are listed; null if there is none.
  const std::shared_ptr<const OpenedModel>& opened() const { return m_opened; }

 Q_SIGNALS:
  void useRequested(const QString& file);  ///< absolute path of opened(), a .pt2 file that LaneLab can train

 protected:
  /// Esc cancels an export; the next one closes.
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void layOut();
  QVBoxLayout* makeRight();
  void begin();
  void showEnd(const NetworkExport& network, const Result<std::shared_ptr<const OpenedModel>>& imported);
  void showBlocks(const ModelSpec& model);
  void showError(const Error& error);
  void showSentence(const QString& sentence, bool wrong);
  /// What the file that would be written replaces, while there is nothing else to show.
  void showEdited();
  void setDefault(QPushButton& button);

  const Executor& m_executor;
  QElapsedTimer m_time;  ///< since the export began
  std::shared_ptr<const OpenedModel> m_opened;
  LongWork m_work;  ///< ends before what it uses; what follows are pointers, and m_progress shows it
  ImportForm* m_form;
  ExportLog* m_log;
  QLabel* m_blocks_title;
  QTableWidget* m_blocks;
  QLabel* m_sentence;
  WorkBar* m_progress;
  QPushButton *m_import, *m_use;
};

}  // namespace lanelab
