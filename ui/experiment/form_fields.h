// SPDX-License-Identifier: GPL-3.0-only
// The fields of the form: an input with a sentence under it that says what is wrong with its value and how to fix it.
//
// A field reads from the document and edits it; what was typed but is no value stays in the field and is reported to
// the document as a problem.
#pragma once

#include <QComboBox>
#include <QLineEdit>
#include <QWidget>
#include <functional>
#include <utility>
#include <vector>

#include "ui/experiment/experiment_document.h"
#include "ui/look/plain_label.h"
#include "ui/look/sentence_label.h"

class QHBoxLayout;

namespace lanelab {

/// What all fields share: place in the experiment, the name that undo shows, the sentence.
class FormField : public QWidget {
  Q_OBJECT

 public:
  /// `where` may depend on the active variant, so it is asked each time.
  using Where = std::function<QString()>;

  QString where() const { return m_where(); }
  virtual void refresh() = 0;
  void setReadOnly(bool read_only);
  /// The field has no use now: it keeps its place, disabled, with this reason of a few words beside it. Empty: it has.
  void setUnused(const QString& why);

 protected:
  FormField(ExperimentDocument* document, Where where, QString undo_text);
  void addInput(QWidget* input, const QString& accessible_name);
  void showProblem();
  /// What a user changes the value with, besides the input.
  void addButton(QWidget* button);

  ExperimentDocument* m_document;
  Where m_where;
  QString m_undo_text;
  SentenceLabel* m_sentence;

 private:
  void showEnabled();

  QHBoxLayout* m_row;  ///< the input, what is beside it, and why it has no use
  QLabel* m_unused;
  std::vector<QWidget*> m_inputs;
  bool m_read_only = false;
};

/// A line of text for names, numbers, shapes and paths.
class TextField : public FormField {
  Q_OBJECT

 public:
  using Read = std::function<QString(const Experiment&)>;
  /// Puts the text into the value, or leaves it and returns why the text is no value.
  using Write = std::function<QString(Experiment&, const QString& text)>;

  TextField(ExperimentDocument* document, Where where, const QString& name, const QString& undo_text, Read read,
            Write write);
  QLineEdit* input() const { return m_input; }
  /// Adds a button that asks for a file of the kinds that `filter` gives then, or for a folder where it gives none.
  void addFileChooser(const QString& title, std::function<QString()> filter);
  void refresh() override;

 private:
  void take(const QString& text);
  void finish();

  QLineEdit* m_input;
  Read m_read;
  Write m_write;
  QString m_shown;  ///< the document's value when the text was last set from it
  QString m_shown_where;
  int m_visit = 0;  ///< typing of one visit to the field is one undo step
};

/// One of several values; a value that is none of them (from a file) is shown as it is.
class ChoiceField : public FormField {
  Q_OBJECT

 public:
  using Choices = std::vector<std::pair<QString, QString>>;  ///< value, text shown
  using Read = std::function<QString(const Experiment&)>;
  using Write = std::function<void(Experiment&, const QString& value)>;

  ChoiceField(ExperimentDocument* document, Where where, const QString& name, const QString& undo_text,
              std::function<Choices()> choices, Read read, Write write);
  QComboBox* input() const { return m_input; }
  /// Adds a last entry that is no value: choosing it calls `act`, and the value stays.
  void addCommand(const QString& text, std::function<void()> act);
  void refresh() override;

 private:
  void fill(const Choices& choices);
  void choose(int index);

  QComboBox* m_input;
  QString m_command;
  std::function<void()> m_act;
  std::function<Choices()> m_choices;
  Read m_read;
  Write m_write;
};

/// A label for an input: level with it, though a sentence may stand below.
QLabel* fieldLabel(const QString& text, QWidget* input);

/// Makes all labels of fields within `form`, which may be in boxes, as wide as the widest needs: the fields of all
/// sections begin at one x then.
void alignFieldLabels(const QWidget& form);

/// An input that would take the wheel lets it scroll the form instead, until it has the focus.
void ignoreWheelWithoutFocus(QWidget* input);

}  // namespace lanelab
