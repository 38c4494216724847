// SPDX-License-Identifier: GPL-3.0-only
#include "ui/experiment/form_fields.h"

#include <QAbstractItemView>
#include <QDir>
#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QStyleOption>
#include <QStylePainter>
#include <QToolButton>
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

/// Elides what it has no room for: the style would cut it within a letter.
class ElidingBox : public QComboBox {
 protected:
  void paintEvent(QPaintEvent*) override {
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    const QRect room = style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
    option.currentText = fontMetrics().elidedText(option.currentText, Qt::ElideRight, room.width() - look::kGrid);
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
  }
};

}  // namespace

void ignoreWheelWithoutFocus(QWidget* input) { new WheelGuard(input); }

FormField::FormField(ExperimentDocument* document, Where where, QString undo_text)
    : m_document(document),
      m_where(std::move(where)),
      m_undo_text(std::move(undo_text)),
      m_sentence(new SentenceLabel),
      m_row(new QHBoxLayout),
      m_unused(new look::PlainLabel) {
  auto* column = look::makeLayout<QVBoxLayout>(this, look::kGrid / 2);
  m_row->setSpacing(look::kGrid);
  m_unused->setObjectName("unusedField");
  m_unused->setFont(look::smallFont());
  m_unused->setForegroundRole(QPalette::PlaceholderText);
  m_unused->hide();
  m_row->addWidget(m_unused);
  column->addLayout(m_row);
  column->addWidget(m_sentence);
  setToolTip(helpAt(m_where()));
}

void FormField::addInput(QWidget* input, const QString& accessible_name) {
  input->setAccessibleName(accessible_name);
  setFocusProxy(input);
  m_row->insertWidget(0, input, 1);
  m_inputs.push_back(input);
}

void FormField::addButton(QWidget* button) {
  m_row->insertWidget(m_row->count() - 1, button);
  setTabOrder(m_inputs.back(), button);
  m_inputs.push_back(button);
}

void FormField::showProblem() {
  const QString problem = m_document->problemAt(m_where());
  m_sentence->setSentence(problem);
  if (focusProxy()) focusProxy()->setAccessibleDescription(problem.isEmpty() ? m_unused->text() : problem);
}

void FormField::setReadOnly(bool read_only) {
  m_read_only = read_only;
  showEnabled();
}

void FormField::setUnused(const QString& why) {
  m_unused->setText(why);
  m_unused->setVisible(!why.isEmpty());
  showProblem();
  showEnabled();
}

void FormField::showEnabled() {
  for (QWidget* const input : m_inputs) input->setEnabled(!m_read_only && m_unused->text().isEmpty());
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
  auto* button = look::toolButton("", "open", title, title);
  button->setFocusPolicy(Qt::StrongFocus);
  addButton(button);
  connect(button, &QToolButton::clicked, this, [this, title, filter = std::move(filter)] {
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
      m_input(new ElidingBox),
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
    m_input->view()->setMinimumWidth(
        m_input->view()->sizeHintForColumn(0));  // a long text may be cut in the field only
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

namespace {

class FieldLabel : public look::PlainLabel {
 public:
  FieldLabel(const QString& text, QWidget* input) : PlainLabel(text) {
    setBuddy(input);
    setFixedHeight(std::max(sizeHint().height(), input->sizeHint().height()));
  }
};

/// How far right of the left edge of `form` the boxes that it is in push a label.
int insetOf(const QWidget& label, const QWidget& form) {
  int inset = 0;
  for (const QWidget* box = label.parentWidget(); box && box != &form; box = box->parentWidget())
    inset += box->contentsMargins().left() + (box->layout() ? box->layout()->contentsMargins().left() : 0);
  return inset;
}

}  // namespace

QLabel* fieldLabel(const QString& text, QWidget* input) { return new FieldLabel(text, input); }

void alignFieldLabels(const QWidget& form) {
  std::vector<std::pair<QWidget*, int>> labels;
  int widest = 0;
  for (QLabel* const label : form.findChildren<QLabel*>()) {
    if (dynamic_cast<const FieldLabel*>(label) == nullptr) continue;
    labels.emplace_back(label, insetOf(*label, form));
    widest = std::max(widest, labels.back().second + label->sizeHint().width());
  }
  for (const auto& [label, inset] : labels) label->setFixedWidth(widest - inset);
}

}  // namespace lanelab
