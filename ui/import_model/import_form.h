// SPDX-License-Identifier: GPL-3.0-only
// Where a network of PyTorch comes from, its input, and the file to write. Thread: the window's.
#pragma once

#include <QDir>
#include <QWidget>
#include <map>

#include "ui/import_model/import_fields.h"

class QFormLayout;
class QLayout;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;

namespace lanelab {

class SentenceLabel;

class ImportForm : public QWidget {
  Q_OBJECT

 public:
  explicit ImportForm(const ImportFields& fields, QWidget* parent = nullptr);

  ImportFields fields() const;
  /// Relative paths count from here, and the file is written here unless another one was chosen.
  void setFolder(const QDir& folder);
  const QDir& folder() const { return m_folder; }
  /// Goes to the field of this object name, and shows below it what is wrong, until the form is edited.
  void showProblem(const QString& field, const QString& sentence);
  void clearProblems();
  /// A Python file, whose factories are offered; the only one is chosen.
  void chooseNetworkFile(const QString& path);

 Q_SIGNALS:
  void edited();

 private:
  void layOut();
  void addNetwork(QFormLayout* form);
  void addFiles(QFormLayout* form);
  QPushButton* chooser(const char* name, const QString& text, const QString& tip);
  QLineEdit* line(const char* name, const QString& text, const QString& tip);
  /// A row whose problems are shown below `fields`.
  void addRow(QFormLayout* form, const QString& label, QLayout* fields, QWidget* field);
  void showDefaults();

  QDir m_folder;
  QLineEdit *m_factory, *m_input, *m_config, *m_python, *m_out;
  QPlainTextEdit* m_arguments;
  QSpinBox *m_seed, *m_batch;
  std::map<QString, SentenceLabel*> m_problems;  ///< by the object name of the field
};

}  // namespace lanelab
