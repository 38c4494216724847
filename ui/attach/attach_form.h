// SPDX-License-Identifier: GPL-3.0-only
// Where the job is, how long it records, and the folder to write. Thread: the window's.
#pragma once

#include <QWidget>
#include <map>

#include "ui/attach/attach_fields.h"

class QDoubleSpinBox;
class QFormLayout;
class QLayout;
class QLineEdit;

namespace lanelab {

class SentenceLabel;

class AttachForm : public QWidget {
  Q_OBJECT

 public:
  /// `folder` is where a new folder is written unless the user names one.
  explicit AttachForm(const QString& folder, QWidget* parent = nullptr);

  AttachFields fields() const;
  /// Absolute.
  QString out() const;
  /// Goes to the field of this object name, and shows below it what is wrong, until the form is edited.
  void showProblem(const AttachProblem& problem);

 Q_SIGNALS:
  void edited();     ///< what the request is made of: the ranks may be others
  void outEdited();  ///< the folder alone

 private:
  QLineEdit* line(const char* name, const QString& tip);
  QDoubleSpinBox* number(const char* name, double least, double most, double value, const QString& unit,
                         const QString& tip);
  void addRow(QFormLayout* form, const QString& label, QLayout* fields, QWidget* field);
  void addAlone(QFormLayout* form, const QString& label, QWidget* field);
  QLayout* makeTimes();
  QLayout* makeOut();
  void clearProblems();

  const QString m_folder;
  QLineEdit *m_page, *m_rank_addresses, *m_out;
  QDoubleSpinBox *m_seconds, *m_grace, *m_most;
  std::map<QString, SentenceLabel*> m_problems;  ///< by the object name of the field
};

}  // namespace lanelab
