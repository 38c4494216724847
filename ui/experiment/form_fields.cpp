// SPDX-License-Identifier: GPL-3.0-only
#include "ui/experiment/form_fields.h"

#include <QDir>
#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/experiment/experiment_schema.h"
#include "ui/look/parts.h"
#include "ui/look/plain_text.h"
#include "ui/look/theme.h"

namespace lanelab {
namespace {

/// What the value at a place is for, a sentence a line.
QString helpAt(const QString& place) {
  QString help = QString::fromStdString(fieldDescription(place.toStdString()));
  const QString key = place.section('.', -1);  // "Instead of training.precision." leads to what is said there
  if (help.startsWith("Instead of training." + key))
    help += " " + QString::fromStdString(fieldDescription("training." + key.toStdString()));
  return help.replace(". ", ".\n");
}

/// Passes the wheel on to the scrolled form unless the user is in the input: else scrolling by would change values.
class WheelGuard : public QObject {
 public:
  explicit WheelGuard(QWidget* input) : QObject(input) {
    input->setFocusPolicy(Qt::StrongFocus);
    input->installEventFilter(this);
  }
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() != QEvent::Wheel || static_cast<QWidget*>(watched)->hasFocus()) return false;
    event->ignore();
    return true;
  }
};

}  // namespace

void ignoreWheelWithoutFocus(QWidget* input) { new WheelGuard(input); }

SentenceLabel::SentenceLabel(QWidget* parent) : PlainLabel(parent) {
  setWordWrap(true);
  setMinimumWidth(1);  // a long word is cut rather than the form widened
  setTextInteractionFlags(Qt::TextSelectableByMouse);
  setFont(look::smallFont());
  setContentsMargins(2 * look::kGrid, 0, 0, 0);
  setVisible(false);
}

void SentenceLabel::setSentence(const QString& sentence) {
  const QString shown = look::shownText(sentence);
  setText(shown);
  setAccessibleName(shown);
  setVisible(!sentence.isEmpty());
}

void SentenceLabel::paintEvent(QPaintEvent* event) {
  QLabel::paintEvent(event);
  QPainter(this).fillRect(QRect(0, 1, 2, height() - 2), look::current().warning);
}

FormField::FormField(ExperimentDocument* document, Where where, QString undo_text)
    : m_document(document),
      m_where(std::move(where)),
      m_undo_text(std::move(undo_text)),
      m_sentence(new SentenceLabel) {
  auto* column = look::makeLayout<QVBoxLayout>(this, look::kGrid / 2);
  column->addWidget(m_sentence);
  setToolTip(helpAt(m_where()));
}

void FormField::addInput(QWidget* input, const QString& accessible_name) {
  input->setAccessibleName(accessible_name);
  setFocusProxy(input);
  auto* row = new QHBoxLayout;
  row->setSpacing(look::kGrid);
  row->addWidget(input, 1);
  static_cast<QVBoxLayout*>(layout())->insertLayout(0, row);
}

void FormField::showProblem() {
  const QString problem = m_document->problemAt(m_where());
  m_sentence->setSentence(problem);
  if (focusProxy()) focusProxy()->setAccessibleDescription(problem);
}

TextField::TextField(ExperimentDocument* document, Where where, const QString& name, const QString& undo_text,
                     Read read, Write write)
    : FormField(document, std::move(where), undo_text),
      m_input(new QLineEdit),
      m_read(std::move(read)),
      m_write(std::move(write)) {
  addInput(m_input, name);
  connect(m_input, &QLineEdit::textEdited, this, &TextField::take);
  connect(m_input, &QLineEdit::editingFinished, this, &TextField::finish);
  connect(document, &ExperimentDocument::replaced, this, [this] { m_shown_where.clear(); });
  refresh();
}

void TextField::addFileChooser(const QString& title, std::function<QString()> filter) {
  auto* button = new QPushButton(tr("Browse..."));
  button->setAccessibleName(title);
  m_chooser = button;
  static_cast<QHBoxLayout*>(layout()->itemAt(0)->layout())->addWidget(button);
  setTabOrder(m_input, button);
  connect(button, &QPushButton::clicked, this, [this, title, filter = std::move(filter)] {
    const QString folder =
        m_document->path().isEmpty() ? QDir::homePath() : QFileInfo(m_document->path()).absolutePath();
    const QString kinds = filter();
    const QString path = kinds.isEmpty() ? QFileDialog::getExistingDirectory(this, title, folder)
                                         : QFileDialog::getOpenFileName(this, title, folder, kinds);
    if (!path.isEmpty()) take(path);
    finish();
  });
}

void TextField::refresh() {
  const QString now = m_read(m_document->experiment());
  const QString where = m_where();
  if (where != m_shown_where) {
    if (!m_shown_where.isEmpty()) m_document->setTyping(m_shown_where, {});
    m_shown_where = where;
    m_input->setText(now);
  } else if (now != m_shown) {
    Experiment typed = m_document->experiment();
    const bool says_the_same = m_write(typed, m_input->text()).isEmpty() && m_read(typed) == now;
    if (!says_the_same) m_input->setText(now);
    m_shown = now;
    m_document->setTyping(where, {});
  }
  m_shown = now;
  showProblem();
}

void TextField::setReadOnly(bool read_only) {
  m_input->setEnabled(!read_only);
  if (m_chooser) m_chooser->setEnabled(!read_only);
}

void TextField::take(const QString& text) {
  Experiment typed = m_document->experiment();
  const QString refusal = m_write(typed, text);
  m_document->setTyping(m_where(), refusal);
  if (!refusal.isEmpty()) return;
  m_document->edit(
      m_undo_text, [&](Experiment& experiment) { experiment = typed; },
      QStringLiteral("%1#%2").arg(m_where()).arg(m_visit));
}

void TextField::finish() {
  ++m_visit;
  Experiment typed = m_document->experiment();
  if (m_write(typed, m_input->text()).isEmpty()) m_input->setText(m_shown);
}

ChoiceField::ChoiceField(ExperimentDocument* document, Where where, const QString& name, const QString& undo_text,
                         std::function<Choices()> choices, Read read, Write write)
    : FormField(document, std::move(where), undo_text),
      m_input(new QComboBox),
      m_choices(std::move(choices)),
      m_read(std::move(read)),
      m_write(std::move(write)) {
  addInput(m_input, name);
  ignoreWheelWithoutFocus(m_input);
  m_input->setMinimumContentsLength(6);
  m_input->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  connect(m_input, &QComboBox::activated, this, &ChoiceField::choose);
  refresh();
}

void ChoiceField::addCommand(const QString& text, std::function<void()> act) {
  m_command = text;
  m_act = std::move(act);
  refresh();
}

void ChoiceField::choose(int index) {
  const QVariant value = m_input->itemData(index);
  if (!value.isValid()) {
    refresh();
    return m_act();
  }
  m_document->edit(m_undo_text, [&](Experiment& experiment) { m_write(experiment, value.toString()); });
}

void ChoiceField::fill(const Choices& choices) {
  bool same = m_input->count() == static_cast<int>(choices.size());
  for (int i = 0; same && i < m_input->count(); ++i) {
    const auto& [value, text] = choices[static_cast<std::size_t>(i)];
    same = m_input->itemData(i).toString() == value && m_input->itemText(i) == text;
  }
  if (!same) {
    m_input->clear();
    for (const auto& [value, text] : choices) m_input->addItem(text, value);
  }
}

void ChoiceField::refresh() {
  const QSignalBlocker quiet(m_input);
  if (const int last = m_input->count() - 1; last >= 0 && !m_input->itemData(last).isValid()) m_input->removeItem(last);
  fill(m_choices());
  const QString now = m_read(m_document->experiment());
  if (m_input->findData(now) < 0) m_input->addItem(look::shownName(now), now);
  if (m_act) m_input->addItem(m_command);
  m_input->setCurrentIndex(m_input->findData(now));
  showProblem();
}

void ChoiceField::setReadOnly(bool read_only) { m_input->setEnabled(!read_only); }

QLabel* fieldLabel(const QString& text, QWidget* input) {
  auto* label = new look::PlainLabel(text);
  label->setBuddy(input);
  label->setFixedHeight(std::max(label->sizeHint().height(), input->sizeHint().height()));
  label->setMinimumWidth(label->fontMetrics().horizontalAdvance(QStringLiteral("Learning rate ")));
  return label;
}

}  // namespace lanelab
