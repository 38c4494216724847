// SPDX-License-Identifier: GPL-3.0-only
#include "ui/first_steps/lesson_pane.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QRadioButton>
#include <QVBoxLayout>

#include "ui/look/icons.h"
#include "ui/look/parts.h"
#include "ui/look/plain_text.h"
#include "ui/look/settings.h"
#include "ui/look/theme.h"

namespace lanelab {

namespace {

QString doneKey(const Lesson& lesson) { return "lessons/" + lesson.id; }
bool isDone(const Lesson& lesson) { return look::Settings().value(doneKey(lesson)).toString() == "done"; }

}  // namespace

LessonPane::LessonPane(QWidget* parent)
    : QScrollArea(parent),
      m_lessons(new QComboBox),
      m_text(look::wrappedLabel("lessonText")),
      m_question(look::wrappedLabel("lessonQuestion")),
      m_selected(look::wrappedLabel("lessonSelected")),
      m_hint(look::wrappedLabel("lessonHint")),
      m_start(look::button("lessonStart", tr("Show the Recorded Run"),
                           tr("View the run that this lesson is on, in the place of the open experiment"))),
      m_check(look::button("lessonCheck", tr("Check"), tr("Compare the answer with the run"))),
      m_next(look::button("lessonNext", tr("Next Lesson"), tr("Show the next lesson"))),
      m_verdict(look::wrappedLabel("lessonVerdict")) {
  setObjectName("lessons");
  setFrameShape(QFrame::NoFrame);
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* content = new QWidget;
  auto* column = look::makeLayout<QVBoxLayout>(content, 2 * look::kGrid, look::kPaneMargins);
  m_lessons->setObjectName("lessonChoice");
  m_lessons->setAccessibleName(tr("Lesson"));
  m_lessons->setToolTip(tr("The lesson to read; finished ones have a check mark"));
  m_lessons->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  for (const Lesson& lesson : lessons()) m_lessons->addItem(lesson.title);
  m_question->setFont(look::bold(m_question->font()));
  m_answers = new QVBoxLayout;
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(m_check);
  buttons->addWidget(m_next);
  buttons->addStretch(1);
  for (QWidget* const part : std::initializer_list<QWidget*>{m_lessons, m_text, m_start, m_question})
    column->addWidget(part);
  column->addLayout(m_answers);
  column->addWidget(m_selected);
  column->addWidget(m_hint);
  column->addLayout(buttons);
  column->addWidget(m_verdict);
  column->addStretch(1);
  setWidget(content);
  connect(m_lessons, &QComboBox::currentIndexChanged, this, &LessonPane::showLesson);
  connect(m_start, &QPushButton::clicked, this, [this] { Q_EMIT runRequested(lesson().run, lesson().shown); });
  connect(m_check, &QPushButton::clicked, this, &LessonPane::check);
  connect(m_next, &QPushButton::clicked, this, &LessonPane::next);
  showLesson();
}

const Lesson& LessonPane::lesson() const { return lessons()[static_cast<std::size_t>(m_lessons->currentIndex())]; }

void LessonPane::choose(std::size_t lesson) { m_lessons->setCurrentIndex(static_cast<int>(lesson)); }

void LessonPane::showLesson() {
  for (std::size_t i = 0; i < lessons().size(); ++i)
    m_lessons->setItemIcon(static_cast<int>(i), isDone(lessons()[i]) ? look::icon("check") : QIcon());
  m_text->setText(lesson().text);
  m_question->setText(lesson().question);
  m_hint->setText(lesson().hint);
  setWorld({});
}

void LessonPane::setWorld(LessonWorld world) {
  const bool another = world.record != m_world.record || !world.record;
  m_world = std::move(world);
  if (!another) return;
  m_given = {};
  m_verdict->clear();
  delete m_variants;
  m_variants = nullptr;
  while (QLayoutItem* const item = m_answers->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  if (m_world.record && lesson().answer == LessonAnswer::Variant) {
    m_variants = new QButtonGroup(this);
    for (const VariantRecord& variant : m_world.record->variants) {
      auto* choice = new QRadioButton(look::buttonText(variant.name));
      choice->setToolTip(tr("Answer with this variant"));
      m_variants->addButton(choice);
      m_answers->addWidget(choice);
      connect(choice, &QRadioButton::toggled, this, [this, name = QString::fromStdString(variant.name)](bool on) {
        if (!on) return;
        m_given.variant = name;
        showAnswer();
      });
    }
  }
  showAnswer();
}

void LessonPane::setSelected(std::optional<CauseTimes> gap, const QString& gap_title) {
  m_given.gap = gap;
  m_given.span.reset();
  m_selected->setText(tr("Selected: %1").arg(gap_title));
  showAnswer();
}

void LessonPane::setSelected(std::optional<Span> span, const QString& span_title) {
  m_given.span = span;
  m_given.gap.reset();
  m_selected->setText(span ? tr("Selected: %1").arg(span_title) : QString());
  showAnswer();
}

/// What is of use now: the run first, then an answer, then its check.
void LessonPane::showAnswer() {
  const bool running = m_world.record != nullptr;
  const LessonAnswer asked = lesson().answer;
  const bool given = asked == LessonAnswer::Variant ? !m_given.variant.isEmpty()
                     : asked == LessonAnswer::Gap   ? m_given.gap.has_value()
                                                    : m_given.span.has_value();
  m_start->setVisible(!running);
  for (QWidget* const part : std::initializer_list<QWidget*>{m_question, m_hint, m_check}) part->setVisible(running);
  m_selected->setVisible(running && asked != LessonAnswer::Variant && !m_selected->text().isEmpty());
  m_check->setEnabled(given);
  m_check->setToolTip(given ? tr("Compare the answer with the run")
                            : (asked == LessonAnswer::Variant ? tr("Choose an answer first.")
                                                              : tr("Click the answer in the timeline first.")));
  m_next->setVisible(running && isDone(lesson()));
  const bool last = m_lessons->currentIndex() + 1 == m_lessons->count();
  m_next->setText(last ? tr("Build a Schedule...") : tr("Next Lesson"));
}

void LessonPane::check() {
  const LessonVerdict verdict = lesson().check(m_world, m_given);
  look::showSentence(*m_verdict, verdict.sentence, !verdict.right);
  if (verdict.right) {
    look::Settings().setValue(doneKey(lesson()), "done");
    m_lessons->setItemIcon(m_lessons->currentIndex(), look::icon("check"));
  }
  showAnswer();
}

void LessonPane::next() {
  const int following = m_lessons->currentIndex() + 1;
  if (following == m_lessons->count()) return Q_EMIT buildRequested();
  m_lessons->setCurrentIndex(following);
  Q_EMIT runRequested(lesson().run, lesson().shown);
}

}  // namespace lanelab
