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

namespace lanelab {

/// A word-wrapped small sentence with a bar at its left; hidden while empty.
class SentenceLabel : public look::PlainLabel {
  Q_OBJECT

 public:
  explicit SentenceLabel(QWidget* parent = nullptr);
  void setSentence(const QString& sentence);

 protected:
  void paintEvent(QPaintEvent* event) override;
};

/// What all fields share: place in the experiment, the name that undo shows, the sentence.
class FormField : public QWidget {
  Q_OBJECT

 public:
  /// `where` may depend on the active variant, so it is asked each time.
  using Where = std::function<QString()>;

  QString where() const { return m_where(); }
  virtual void refresh() = 0;
  virtual void setReadOnly(bool read_only) = 0;

 protected:
  FormField(ExperimentDocument* document, Where where, QString undo_text);
  void addInput(QWidget* input, const QString& accessible_name);
  void showProblem();

  ExperimentDocument* m_document;
  Where m_where;
  QString m_undo_text;
  SentenceLabel* m_sentence;
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
  void setReadOnly(bool read_only) override;

 private:
  void take(const QString& text);
  void finish();

  QLineEdit* m_input;
  QWidget* m_chooser = nullptr;
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
  void setReadOnly(bool read_only) override;

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

/// A label for an input: level with it, though a sentence may stand below, and as wide as all others of the form.
QLabel* fieldLabel(const QString& text, QWidget* input);

/// An input that would take the wheel lets it scroll the form instead, until it has the focus.
void ignoreWheelWithoutFocus(QWidget* input);

}  // namespace lanelab
