// SPDX-License-Identifier: GPL-3.0-only
// The lessons beside the timeline: text, question, answer and what the run says about it. It knows what the user has
// selected from whoever shows the timeline. Thread: GUI.
#pragma once

#include <QScrollArea>
#include <cstddef>

#include "ui/first_steps/lesson.h"

class QButtonGroup;
class QComboBox;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace lanelab {

class LessonPane : public QScrollArea {
  Q_OBJECT

 public:
  explicit LessonPane(QWidget* parent = nullptr);

  /// The lesson that is chosen.
  const Lesson& lesson() const;
  void choose(std::size_t lesson);
  /// What the chosen lesson's run and timeline show; a world without a record: its run is not shown.
  void setWorld(LessonWorld world);
  /// A gap or span that the user selected on the timeline.
  void setSelected(std::optional<CauseTimes> gap, const QString& gap_title);
  void setSelected(std::optional<Span> span, const QString& span_title);

 Q_SIGNALS:
  /// The run of the chosen lesson is to be shown, with this variant.
  void runRequested(const QString& run, const QString& variant);
  /// The last lesson is done: the user continues with schedules of their own.
  void buildRequested();

 private:
  void showLesson();
  void showAnswer();
  void check();
  void next();

  QComboBox* m_lessons;
  QLabel* m_text;
  QLabel* m_question;
  QVBoxLayout* m_answers;
  QButtonGroup* m_variants = nullptr;  ///< of the answers; null where the timeline answers
  QLabel* m_selected;                  ///< in its place
  QLabel* m_hint;
  QPushButton* m_start;
  QPushButton* m_check;
  QPushButton* m_next;
  QLabel* m_verdict;
  LessonWorld m_world;
  GivenAnswer m_given;
};

}  // namespace lanelab
