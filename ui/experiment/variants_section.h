// SPDX-License-Identifier: GPL-3.0-only
// The form's list of variants to compare, and the fields of the one that is active.
#pragma once

#include <QListWidget>
#include <QPushButton>
#include <QWidget>
#include <functional>
#include <vector>

#include "ui/experiment/form_rows.h"
#include "ui/experiment/rows_layout.h"

class QCheckBox;
class QGroupBox;

namespace lanelab {

class SplitSizeControl;

/// One check box a lane: which lanes the active variant may use.
class LanesChoice : public QWidget {
  Q_OBJECT

 public:
  explicit LanesChoice(ExperimentDocument* document, QWidget* parent = nullptr);
  /// The boxes come after this input for the Tab key, whenever they are made.
  void setTabAfter(QWidget* input) { m_tab_after = input; }
  void refresh();

 private:
  void rebuild();
  void take();

  ExperimentDocument* m_document;
  QWidget* m_tab_after = nullptr;
  std::vector<QCheckBox*> m_boxes;  ///< a lane each
};

class VariantsSection : public QWidget {
  Q_OBJECT

 public:
  explicit VariantsSection(ExperimentDocument* document, QWidget* parent = nullptr);
  void setReadOnly(bool read_only);
  void refresh();
  /// True where this section shows a problem of that place: the active variant's.
  bool shows(const QString& where) const;

 private:
  QLayout* makeButtons();
  void addFields();
  void addScheduleFields();
  void addReplicaField();
  FormField* addRow(const FormRow& row);
  using ReadVariant = std::function<QString(const ResolvedVariant& variant)>;
  using WriteVariant = std::function<void(Experiment& e, VariantConfig& variant, const QString& value)>;
  /// One of several values of the active variant, under its key there.
  FormField* addChoice(const char* key, const QString& label, const QString& undo_text,
                       std::function<ChoiceField::Choices()> choices, const ReadVariant& read,
                       const WriteVariant& write);
  void refreshList();
  void refreshFields();
  void refreshSentences();
  void add();
  void duplicate();
  void remove();
  void move(int by);
  void rename(QListWidgetItem* item);

  ExperimentDocument* m_document;
  QListWidget* m_list;
  QPushButton *m_add, *m_duplicate, *m_remove, *m_up, *m_down;
  QGroupBox* m_box;  ///< of the active variant, titled with its name
  RowsLayout* m_form;
  std::vector<FormField*> m_fields;
  FormField* m_replica_lanes = nullptr;
  FormField* m_schedule = nullptr;
  FormField* m_warm_up = nullptr;
  FormField* m_activation_limit = nullptr;
  FormField* m_stage_times = nullptr;
  FormField* m_single_lane = nullptr;
  FormField* m_recomputed_stages = nullptr;
  QWidget* m_split_row;
  SplitSizeControl* m_split_size;
  SentenceLabel* m_split_sentence;
  LanesChoice* m_lanes;
  SentenceLabel* m_placement_sentence;
  bool m_read_only = false;
};

}  // namespace lanelab
