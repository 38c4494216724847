// SPDX-License-Identifier: GPL-3.0-only
#include "ui/settings/setting_field.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>
#include <variant>

#include "ui/experiment/form_fields.h"
#include "ui/look/parts.h"
#include "ui/look/placeholder.h"
#include "ui/look/plain_text.h"
#include "ui/settings/settings_store.h"

namespace lanelab {

namespace {

constexpr int kEditorWidth = 56 * look::kGrid;

/// What edits a value, and how it shows another one.
struct Editor {
  QWidget* widget;  ///< goes into the row
  QWidget* input;   ///< takes the keyboard
  std::function<void(const QVariant&)> show;
};

/// Makes the editor of a row, which hands each value that the user gives to `edited`.
struct MakeEditor {
  const SettingRow& row;
  std::function<void(const QVariant&)> edited;

  Editor operator()(const ToggleEditor&) const {
    auto* box = new QCheckBox(row.title);
    QObject::connect(box, &QCheckBox::toggled, box, edited);
    return {box, box, [box](const QVariant& value) { box->setChecked(value.toBool()); }};
  }

  Editor operator()(const NumberEditor& editor) const {
    auto* box = new QSpinBox;
    box->setRange(editor.low, editor.high);
    box->setSpecialValueText(editor.at_low);
    box->setSuffix(editor.unit);
    box->setKeyboardTracking(false);
    QObject::connect(box, &QSpinBox::valueChanged, box, edited);
    return {box, box, [box](const QVariant& value) { box->setValue(value.toInt()); }};
  }

  Editor operator()(const ChoiceEditor& editor) const {
    auto* box = new QComboBox;
    for (const auto& [stored, shown] : editor.choices) box->addItem(shown, stored);
    QObject::connect(box, &QComboBox::activated, box, [box, edited = edited](int i) { edited(box->itemData(i)); });
    return {box, box, [box](const QVariant& value) { box->setCurrentIndex(box->findData(value)); }};
  }

  Editor operator()(const FolderEditor& editor) const {
    auto* both = new QWidget;
    auto* line = new QLineEdit;
    look::showDefault(*line, editor.if_empty);
    auto* choose = look::button("", SettingField::tr("Choose..."), SettingField::tr("Choose a folder"));
    choose->setAutoDefault(false);
    choose->setAccessibleName(SettingField::tr("Choose a folder: %1").arg(row.title));
    auto* layout = look::beside(line, choose);
    layout->setContentsMargins({});
    both->setLayout(layout);
    QObject::connect(line, &QLineEdit::editingFinished, both, [line, edited = edited] { edited(line->text()); });
    QObject::connect(choose, &QPushButton::clicked, both, [both, line, title = row.title, edited = edited] {
      look::askForFolder(both, "settingFolderDialog", title, line->text(), edited);
    });
    return {both, line, [line](const QVariant& value) { line->setText(value.toString()); }};
  }
};

look::PlainLabel* tipLabel(const SettingRow& row) {
  QString text = SettingField::tr("%1.").arg(row.tip);
  if (row.after_restart) text += ' ' + SettingField::tr("Takes effect when LaneLab is started again.");
  auto* label = look::wrappedLabel("", text);
  label->setFont(look::smallFont());
  label->setForegroundRole(QPalette::PlaceholderText);
  return label;
}

}  // namespace

SettingField::SettingField(const SettingRow& row, SettingsStore* store, QWidget* parent)
    : QWidget(parent), m_row(row), m_store(store), m_also(look::wrappedLabel("")) {
  setObjectName("setting-" + row.key);
  m_also->setObjectName("also-" + row.key);
  const auto edited = [this](const QVariant& value) {
    m_store->set(m_row, value);
    setBeside();
    refresh();  // what is not a value goes
  };
  const Editor editor = std::visit(MakeEditor{m_row, edited}, row.editor);
  m_show = editor.show;
  editor.input->setObjectName("edit-" + row.key);
  editor.input->setAccessibleName(row.title);
  editor.input->setToolTip(row.tip);
  editor.input->setFocusPolicy(Qt::StrongFocus);
  ignoreWheelWithoutFocus(editor.input);
  m_reset = look::toolButton("", "undo", tr("Reset %1").arg(row.title), tr("Reset to the default"));
  m_reset->setObjectName("reset-" + row.key);
  connect(m_reset, &QToolButton::clicked, this, [this] {
    m_store->reset(m_row);
    setBeside();
    refresh();
  });
  connect(m_store, &SettingsStore::changed, this, &SettingField::refresh);

  auto* grid = look::makeLayout<QGridLayout>(this, look::kGrid);
  grid->setColumnStretch(0, 1);
  if (std::holds_alternative<ToggleEditor>(row.editor)) {
    grid->addWidget(editor.widget, 0, 0, 1, 2);
  } else {
    auto* title = new look::PlainLabel(row.title);
    title->setBuddy(editor.input);
    grid->addWidget(title, 0, 0);
    editor.widget->setFixedWidth(kEditorWidth);
    grid->addWidget(editor.widget, 0, 1);
  }
  grid->addWidget(m_reset, 0, 2);
  grid->addWidget(tipLabel(row), 1, 0, 1, 2);
  grid->addWidget(m_also, 2, 0, 1, 2);
  refresh();
}

bool SettingField::matches(const QString& words) const {
  return look::hasWords(m_row.group + ' ' + m_row.title + ' ' + m_row.tip, words);
}

void SettingField::refresh() {
  const QVariant value = m_row.value(m_store->values());
  QWidget* const input = findChild<QWidget*>("edit-" + m_row.key);
  const QSignalBlocker blocker(input);
  m_show(value);
  m_reset->setEnabled(value != m_row.value(Settings()));
  showBeside();
}

void SettingField::setBeside() {
  if (m_row.beside.key.isEmpty()) return;
  const SettingRow& other = m_store->row(m_row.beside.key);
  const QVariant value = m_row.beside.value(m_row.value(m_store->values()));
  if (value == other.value(m_store->values())) return;
  m_set_beside = value;
  m_store->set(other, value);
}

void SettingField::showBeside() {
  QString sentence;
  if (m_set_beside.isValid()) {
    const SettingRow& other = m_store->row(m_row.beside.key);
    for (const auto& [stored, shown] : std::get<ChoiceEditor>(other.editor).choices)
      if (stored == m_set_beside.toString() && m_set_beside == other.value(m_store->values()))
        sentence = tr("%1 was set, too: %2.").arg(other.title, shown);
  }
  m_also->setText(sentence);
  m_also->setVisible(!sentence.isEmpty());
}

}  // namespace lanelab
