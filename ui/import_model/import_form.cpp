// SPDX-License-Identifier: GPL-3.0-only
#include "ui/import_model/import_form.h"

#include <QAbstractItemView>
#include <QAccessible>
#include <QCompleter>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>
#include <utility>

#include "ui/look/parts.h"
#include "ui/look/placeholder.h"
#include "ui/look/plain_label.h"
#include "ui/look/sentence_label.h"
#include "ui/look/theme.h"

namespace lanelab {
namespace {

constexpr int kLines = 4;  ///< of arguments in sight
constexpr int kMostBatch = 4096;

QSpinBox* number(const char* name, int least, int most, int value, const QString& tip, QWidget* parent) {
  auto* box = new QSpinBox(parent);
  box->setObjectName(QLatin1String(name));
  box->setRange(least, most);
  box->setValue(value);
  box->setToolTip(tip);
  return box;
}

/// Beside a field, no higher than it.
look::PlainLabel* besideField(const QString& text, QWidget* parent) {
  auto* label = new look::PlainLabel(text, parent);
  label->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  return label;
}

}  // namespace

ImportForm::ImportForm(const ImportFields& fields, QWidget* parent)
    : QWidget(parent),
      m_factory(line("importFactory", fields.factory,
                     tr("MODULE:FACTORY: a module that Python can import, or a .py file, and its function or class "
                        "that returns a torch.nn.Module"))),
      m_input(line("importInput", fields.input,
                   tr("One sample without the batch: SHAPE[:DTYPE[:ROWS]], such as 3x224x224 (float32), or "
                      "64:int64:1000 for 64 tokens below 1000"))),
      m_config(
          line("importConfig", fields.config, tr("For a class of transformers; the weights are drawn from the seed"))),
      m_python(line("importPython", fields.python,
                    tr("A Python that has PyTorch 2.9 or later. Default: that of the variable LANELAB_PYTHON, of the "
                       "set-up, or python3."))),
      m_out(line("importOut", QString(),
                 tr("The .pt2 file to write. Default: beside the experiment, named after the factory. An existing file "
                    "is replaced once the new one is verified."))),
      m_arguments(new QPlainTextEdit(fields.arguments, this)),
      m_seed(number("importSeed", 0, std::numeric_limits<int>::max(), fields.seed, tr("Seed of the initial weights"),
                    this)),
      m_batch(number("importBatch", 1, kMostBatch, fields.batch,
                     tr("Batch size with which the network is exported; the file has this one only if PyTorch refuses "
                        "a dynamic batch size"),
                     this)) {
  m_arguments->setObjectName(QStringLiteral("importArguments"));
  look::showExample(*m_arguments, QStringLiteral("num_classes=10"));
  m_arguments->setToolTip(
      tr("Arguments of the factory, or values of the configuration: one KEY=VALUE per line, where "
         "the value is JSON or text"));
  m_arguments->setTabChangesFocus(true);
  m_arguments->setFixedHeight(kLines * m_arguments->fontMetrics().lineSpacing() + 2 * look::kGrid);
  look::showExample(*m_factory, tr("torchvision.models:resnet18 or net.py:make"));
  look::showExample(*m_input, tr("3x224x224, or of tokens 64:int64:1000"));
  look::showDefault(*m_config, tr("none"));
  look::showDefault(*m_python, QString::fromStdString(usualPython()));
  setFocusProxy(m_factory);
  layOut();
  showDefaults();
  for (const QLineEdit* field : {m_factory, m_input, m_config, m_python, m_out})
    connect(field, &QLineEdit::textChanged, this, &ImportForm::edited);
  connect(m_arguments, &QPlainTextEdit::textChanged, this, &ImportForm::edited);
  connect(m_seed, &QSpinBox::valueChanged, this, &ImportForm::edited);
  connect(m_batch, &QSpinBox::valueChanged, this, &ImportForm::edited);
  connect(this, &ImportForm::edited, this, &ImportForm::showDefaults);
}

QLineEdit* ImportForm::line(const char* name, const QString& text, const QString& tip) {
  auto* field = new QLineEdit(text, this);
  field->setObjectName(QLatin1String(name));
  field->setToolTip(tip);
  return field;
}

void ImportForm::addRow(QFormLayout* form, const QString& label, QLayout* fields, QWidget* field) {
  auto* const problem = new SentenceLabel(this);
  problem->setObjectName(field->objectName() + QLatin1String("Problem"));
  m_problems.emplace(field->objectName(), problem);
  auto* const column = new QVBoxLayout;
  column->setSpacing(look::kGrid / 2);
  column->addLayout(fields);
  column->addWidget(problem);
  auto* const name = new look::PlainLabel(label, this);
  name->setBuddy(field);
  name->setFixedHeight(std::max(name->sizeHint().height(), m_factory->sizeHint().height()));  // level with the field
  form->addRow(name, column);
}

/// Enter imports, wherever the focus is.
QPushButton* ImportForm::chooser(const char* name, const QString& text, const QString& tip) {
  QPushButton* const button = look::button(name, text, tip, this);
  button->setAutoDefault(false);
  return button;
}

void ImportForm::layOut() {
  auto* column = look::makeLayout<QVBoxLayout>(this, 0);
  auto* form = new QFormLayout;
  column->addLayout(form);
  column->addStretch(1);  // rather than between the rows
  form->setVerticalSpacing(2 * look::kGrid);
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  form->setLabelAlignment(Qt::AlignLeft | Qt::AlignTop);
  addNetwork(form);
  addFiles(form);
  QWidget* before = m_factory;
  for (const char* name :
       {"importFile", "importInput", "importArguments", "importSeed", "importBatch", "importConfig",
        "importConfigChoose", "importPython", "importPythonChoose", "importOut", "importOutChoose"}) {
    auto* const next = findChild<QWidget*>(QLatin1String(name));
    setTabOrder(std::exchange(before, next), next);
  }
}

void ImportForm::addNetwork(QFormLayout* form) {
  auto* file = chooser("importFile", tr("Choose &File..."), tr("Choose a Python file, then its factory"));
  connect(file, &QPushButton::clicked, this, [this] {
    look::askForFile(this, "importFileDialog", tr("Choose Network"), tr("Python (*.py)"),
                     [this](const QString& path) { chooseNetworkFile(path); });
  });
  addRow(form, tr("&Network"), look::beside(m_factory, file), m_factory);
  const auto alone = [](QWidget* field) {
    auto* const row = new QHBoxLayout;
    row->addWidget(field);
    return row;
  };
  addRow(form, tr("&Input shape"), alone(m_input), m_input);
  addRow(form, tr("&Arguments"), alone(m_arguments), m_arguments);
  auto* numbers = new QHBoxLayout;
  numbers->setSpacing(2 * look::kGrid);
  look::PlainLabel* const batch = besideField(tr("E&xample batch"), this);
  batch->setBuddy(m_batch);
  numbers->addWidget(m_seed, 1);
  numbers->addWidget(batch);
  numbers->addWidget(m_batch);
  addRow(form, tr("S&eed"), numbers, m_seed);
}

void ImportForm::addFiles(QFormLayout* form) {
  auto* config = chooser("importConfigChoose", tr("Choose..."), tr("Choose a config.json"));
  config->setAccessibleName(tr("Choose configuration"));
  connect(config, &QPushButton::clicked, this, [this] {
    look::askForFile(this, "importConfigDialog", tr("Choose Configuration"), tr("Configuration (*.json)"),
                     [this](const QString& path) { m_config->setText(path); });
  });
  addRow(form, tr("Confi&guration"), look::beside(m_config, config), m_config);
  auto* python = chooser("importPythonChoose", tr("Choose..."), tr("Choose a Python that has PyTorch"));
  python->setAccessibleName(tr("Choose Python"));
  connect(python, &QPushButton::clicked, this, [this] {
    look::askForFile(this, "importPythonDialog", tr("Choose Python"), tr("Programs (*)"),
                     [this](const QString& path) { m_python->setText(path); });
  });
  addRow(form, tr("&Python"), look::beside(m_python, python), m_python);
  auto* out = chooser("importOutChoose", tr("Choose..."), tr("Choose the file to write"));
  out->setAccessibleName(tr("Choose file to write"));
  connect(out, &QPushButton::clicked, this, [this] {
    const QString present = m_out->text().isEmpty() ? defaultFile(fields(), m_folder) : m_out->text();
    look::askWhereToSave(this, "importOutDialog", tr("File to Write"), m_folder.absolutePath(),
                         tr("Exported networks (*.pt2)"), present,
                         [this](const QString& path) { m_out->setText(path); });
  });
  addRow(form, tr("File to &write"), look::beside(m_out, out), m_out);
}

ImportFields ImportForm::fields() const {
  return {m_factory->text(), m_input->text(),  m_arguments->toPlainText(), m_config->text(),
          m_seed->value(),   m_batch->value(), m_python->text(),           m_out->text()};
}

void ImportForm::setFolder(const QDir& folder) {
  m_folder = folder;
  showDefaults();
}

void ImportForm::showDefaults() {
  const QString file = defaultFile(fields(), m_folder);
  look::showDefault(*m_out, file.isEmpty() ? tr("named after the network") : QDir::toNativeSeparators(file));
}

void ImportForm::showProblem(const QString& field, const QString& sentence) {
  SentenceLabel* const problem = m_problems.at(field);
  problem->setSentence(sentence);
  QAccessibleEvent alert(problem, QAccessible::Alert);
  QAccessible::updateAccessibility(&alert);
  auto* const input = findChild<QWidget*>(field);
  input->setAccessibleDescription(sentence);
  input->setFocus();
}

void ImportForm::clearProblems() {
  for (const auto& [field, problem] : m_problems) {
    problem->setSentence({});
    findChild<QWidget*>(field)->setAccessibleDescription({});
  }
}

void ImportForm::chooseNetworkFile(const QString& path) {
  const QString module = path + QLatin1Char(':');
  QStringList factories;
  for (const QString& name : factoryNames(path)) factories << module + name;
  m_factory->setText(factories.size() == 1 ? factories.front() : module);
  m_factory->setFocus();
  auto* names = new QCompleter(factories, m_factory);
  m_factory->setCompleter(names);
  if (factories.size() > 1) names->complete();
}

}  // namespace lanelab
