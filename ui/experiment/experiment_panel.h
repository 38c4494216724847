// SPDX-License-Identifier: GPL-3.0-only
// The form: model, data, measurement, training, variants. Two-way with the document; each bad value says why under its
// field.
#pragma once

#include <QWidget>
#include <map>

#include "ui/experiment/experiment_document.h"
#include "ui/experiment/rows_layout.h"

class QGridLayout;
class QLabel;
class QSlider;
class QSpinBox;
class QVBoxLayout;

namespace lanelab {

class FormField;
class SentenceLabel;
class TextField;
class VariantsSection;

class ExperimentPanel : public QWidget {
  Q_OBJECT

 public:
  explicit ExperimentPanel(ExperimentDocument* document, QWidget* parent = nullptr);
  void setReadOnly(bool read_only);  ///< while a run goes

 private:
  struct Row {
    RowsLayout* form;
    FormField* field;
  };

  void addSection(const QString& title, const QString& section);
  void addFileChoosers();
  TextField* textAt(const QString& place) const;
  void refresh();
  void showUsefulRows();
  void showUnused();
  bool shows(const QString& where) const;
  void refreshOtherProblem();

  ExperimentDocument* m_document;
  QVBoxLayout* m_column;
  SentenceLabel* m_running;        ///< why nothing can be edited
  SentenceLabel* m_other_problem;  ///< both below the form: what they say moves no row
  std::map<QString, Row> m_rows;   ///< by place in the experiment
  QString m_shown_for;             ///< the choices that the rows were last shown for
  VariantsSection* m_variants;
};

/// For the toolbar: slider and number of the active variant's split size with "= 6 micro-batches, last 20".
class SplitSizeControl : public QWidget {
  Q_OBJECT

 public:
  explicit SplitSizeControl(ExperimentDocument* document, QWidget* parent = nullptr);
  QWidget* input() const;  ///< what a label beside it is for
  void edit();             ///< the keyboard goes to the number, which the next digit replaces
  void makeNarrow();       ///< for a form: the words go below

 private:
  void refresh();
  void take(int split_size);

  ExperimentDocument* m_document;
  QSlider* m_slider;
  QSpinBox* m_number;
  QLabel* m_words;
  QGridLayout* m_grid;
  int m_visit = 0;  ///< one pull of the slider or one visit to the number is one undo step
};

/// "= 6 micro-batches" or "= 3 micro-batches, last 20".
QString wordsForMicroBatches(int batch, int split_size);

}  // namespace lanelab
