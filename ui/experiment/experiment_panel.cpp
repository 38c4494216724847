// SPDX-License-Identifier: GPL-3.0-only
#include "ui/experiment/experiment_panel.h"

#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/experiment/training_targets.h"
#include "ui/experiment/form_rows.h"
#include "ui/experiment/variants_section.h"
#include "ui/look/parts.h"
#include "ui/look/plain_label.h"
#include "ui/look/plain_text.h"
#include "ui/look/theme.h"

namespace lanelab {

namespace {

bool hasPath(DataSource source) { return source != DataSource::Random && source != DataSource::Digits; }

QString pathHint(DataSource source) {
  switch (source) {
    case DataSource::File: return ExperimentPanel::tr("safetensors with inputs, targets");
    case DataSource::Text: return ExperimentPanel::tr("UTF-8 text");
    case DataSource::Cifar10: return ExperimentPanel::tr("folder with data_batch_1.bin");
    default: return ExperimentPanel::tr("one folder per class");
  }
}

/// On which it depends what rows are of use.
QString choicesIn(const Experiment& e) {
  const QStringList choices{QString::fromStdString(e.model.arch),
                            QString::fromStdString(e.model.file.value_or("")),
                            QString::fromStdString(toWord(e.data.source)),
                            QString::fromStdString(toWord(e.training.loss)),
                            QString::fromStdString(toWord(e.training.optimizer)),
                            QString::fromStdString(toWord(e.training.lr_schedule))};
  return choices.join('\n');
}

bool predictsTokens(const ExperimentDocument& document) {
  const ModelSpec& model = document.model();
  const Loss loss = document.experiment().training.loss;
  return !model.blocks.empty() && targetKind(loss, model) == TargetKind::Tokens;
}

}  // namespace

ExperimentPanel::ExperimentPanel(ExperimentDocument* document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_column(nullptr),
      m_running(new SentenceLabel),
      m_other_problem(new SentenceLabel),
      m_variants(new VariantsSection(document)) {
  setObjectName("experimentPanel");
  auto* page = new QWidget;
  page->setObjectName("experimentPage");
  m_column = look::makeLayout<QVBoxLayout>(page, 2 * look::kGrid,
                                           {3 * look::kGrid, 2 * look::kGrid, 3 * look::kGrid, 3 * look::kGrid});
  addSection(tr("Model"), "model");
  addSection(tr("Data"), "data");
  addSection(tr("Measurement"), "");
  addSection(tr("Training"), "training");
  addSection(tr("Variants to compare"), {});
  m_column->addWidget(m_variants);
  addFileChoosers();
  m_column->addStretch(1);
  alignFieldLabels(*page);
  auto* scroll = look::scrollArea(page);
  scroll->setObjectName("experimentScroll");
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setFocusPolicy(Qt::NoFocus);
  auto* fill = new QVBoxLayout(this);
  fill->setContentsMargins(0, 0, 0, 0);
  m_running->setObjectName("runningSentence");
  m_other_problem->setObjectName("otherProblem");
  fill->addWidget(scroll);
  for (SentenceLabel* const below : {m_other_problem, m_running}) {
    below->setMargin(look::kGrid);
    fill->addWidget(below);
  }
  setMinimumWidth(page->minimumSizeHint().width() + 4 * look::kGrid);
  document->tell(this, &ExperimentPanel::refresh);
  connect(document, &ExperimentDocument::replaced, this, [this] { m_shown_for.clear(); });
  refresh();
}

/// The rows of one section of the experiment; without a section only the heading.
void ExperimentPanel::addSection(const QString& title, const QString& section) {
  auto* heading = new look::PlainLabel(title);
  heading->setFont(look::bold(look::textFont()));
  if (m_column->count() > 1) m_column->addSpacing(2 * look::kGrid);
  m_column->addWidget(heading);
  auto* form = new RowsLayout;
  m_column->addLayout(form);
  if (section.isNull()) return;
  for (const FormRow& row : formRows(m_document, section)) {
    form->addRow(fieldLabel(row.label, row.field->focusProxy()), row.field);
    m_rows[row.field->where()] = {form, row.field};
  }
}

/// A row may be of another place now: the network is a name or a file.
bool ExperimentPanel::shows(const QString& where) const {
  return std::ranges::any_of(m_rows, [&](const auto& place_and_row) {
    const FormField* const field = place_and_row.second.field;
    return field->where() == where && !field->isHidden();
  });
}

TextField* ExperimentPanel::textAt(const QString& place) const {
  return static_cast<TextField*>(m_rows.at(place).field);
}

void ExperimentPanel::addFileChoosers() {
  textAt("model.weights")->addFileChooser(tr("Choose Weights"), [] {
    return tr("Weights (*.safetensors *.pth *.pt);;All files (*)");
  });
  textAt("data.path")->addFileChooser(tr("Choose Data"), [this] {
    switch (m_document->experiment().data.source) {
      case DataSource::File: return tr("Tensors (*.safetensors);;All files (*)");
      case DataSource::Text: return tr("Text (*.txt *.md);;All files (*)");
      default: return QString();
    }
  });
}

/// Rows without a use, as other values are, are hidden, unless they hold a problem. Only a choice hides rows: while one
/// types, all remain where they are.
void ExperimentPanel::showUsefulRows() {
  const QString choices = choicesIn(m_document->experiment());
  const bool typed = choices == m_shown_for;
  m_shown_for = choices;
  const DataConfig& rows = m_document->experiment().data;
  const TrainingConfig& training = m_document->experiment().training;
  const bool random = rows.source == DataSource::Random;
  const bool sgd = training.optimizer == OptimizerKind::Sgd;
  const bool falls = training.lr_schedule == LrSchedule::Step;
  const bool has_file = m_document->experiment().model.file.has_value();
  const std::pair<const char*, bool> useful[] = {
      {"model.blocks", has_file},
      {"model.classes", !has_file},
      {"data.path", hasPath(rows.source)},
      {"data.rows", random || rows.rows},
      {"data.shuffle", !random || rows.shuffle},
      {"data.skip_unreadable", rows.source == DataSource::Folder || rows.skip_unreadable},
      {"training.loss_shift", training.loss_shift || predictsTokens(*m_document)},
      {"training.label_smoothing", training.loss == Loss::CrossEntropy || training.label_smoothing != 0},
      {"training.momentum", sgd},
      {"training.nesterov", sgd},
      {"training.lr_step_size", falls},
      {"training.lr_gamma", falls},
      {"training.lr_min", training.lr_schedule == LrSchedule::Cosine}};
  for (const auto& [place, use] : useful) {
    const auto& [form, field] = m_rows.at(place);
    const bool remains = typed && form->isRowShown(field);
    form->setRowShown(field, use || remains || !m_document->problemAt(place).isEmpty());
  }
  textAt("data.path")->input()->setPlaceholderText(pathHint(rows.source));
}

/// Of steps and epochs one counts. Both are always there, as the other comes by typing.
void ExperimentPanel::showUnused() {
  const DataConfig& rows = m_document->experiment().data;
  const bool endless = rows.source == DataSource::Random && !rows.rows && !rows.epochs;
  const std::pair<const char*, QString> unused[] = {{"data.steps", rows.epochs ? tr("Epochs are set") : QString()},
                                                    {"data.epochs", endless ? tr("needs Samples") : QString()}};
  for (const auto& [place, why] : unused)
    m_rows.at(place).field->setUnused(m_document->problemAt(place).isEmpty() ? why : QString());
}

void ExperimentPanel::setReadOnly(bool read_only) {
  for (const auto& [place, row] : m_rows) row.field->setReadOnly(read_only);
  m_variants->setReadOnly(read_only);
  m_running->setSentence(read_only ? tr("Run in progress: settings are read-only.") : QString());
}

void ExperimentPanel::refresh() {
  for (const auto& [place, row] : m_rows) row.field->refresh();
  showUsefulRows();
  showUnused();
  m_variants->refresh();
  refreshOtherProblem();
}

/// What no field on the page shows: values only a file can have, lanes (on the board), the variants that are not open.
void ExperimentPanel::refreshOtherProblem() {
  QString sentence;
  for (const ExperimentProblem& problem : m_document->problems()) {
    const QString where = QString::fromStdString(problem.where);
    if (shows(where) || m_variants->shows(where)) continue;
    sentence = tr("%1: %2").arg(where, look::shownText(problem));
    break;
  }
  m_other_problem->setSentence(sentence);
}

}  // namespace lanelab
