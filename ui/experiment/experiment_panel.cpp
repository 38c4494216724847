// SPDX-License-Identifier: GPL-3.0-only
#include "ui/experiment/experiment_panel.h"

#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

#include "base/text.h"
#include "engine/experiment/experiment_edits.h"
#include "ui/experiment/form_fields.h"
#include "ui/experiment/mode_fields.h"
#include "ui/experiment/variants_section.h"
#include "ui/look/plain_label.h"
#include "ui/look/theme.h"

namespace lanelab {
namespace {

FormField::Where at(const char* place) {
  return [place] { return QString::fromLatin1(place); };
}

/// Field of a whole number that `member` finds in an experiment.
template <class Member>
TextField* wholeField(ExperimentDocument* document, const char* where, const QString& name, Member member) {
  return new TextField(
      document, at(where), name, name, [member](const Experiment& e) { return QString::number(member(e)); },
      [member](Experiment& e, const QString& text) { return readWhole(text, member(e)); }, nullptr);
}

template <class Member>
TextField* numberField(ExperimentDocument* document, const char* where, const QString& name, Member member) {
  return new TextField(
      document, at(where), name, name,
      [member](const Experiment& e) { return QString::fromStdString(exactNumber(member(e))); },
      [member](Experiment& e, const QString& text) { return readNumber(text, member(e)); }, nullptr);
}

template <class Member>
ChoiceField* choiceField(ExperimentDocument* document, const char* where, const QString& name,
                         const ChoiceField::Choices& choices, Member member) {
  return new ChoiceField(
      document, at(where), name, name, [choices] { return choices; },
      [member](const Experiment& e) { return QString::fromStdString(toWord(member(e))); },
      [member](Experiment& e, const QString& value) { member(e) = wordOr(member(e), value); }, nullptr);
}

ChoiceField::Choices architectures() {
  ChoiceField::Choices choices;
  for (const std::string& arch : knownArchitectures()) {
    QString text = QString::fromStdString(arch);
    if (text.startsWith("resnet")) text = "ResNet-" + text.mid(6);
    if (arch == "toy") text = QObject::tr("Toy (two linear layers)");
    if (arch == "linear") text = QObject::tr("One linear layer");
    choices.emplace_back(QString::fromStdString(arch), text);
  }
  return choices;
}

std::string& pathOf(Experiment& e) { return e.data.path; }
const std::string& pathOf(const Experiment& e) { return e.data.path; }

}  // namespace

ExperimentPanel::ExperimentPanel(ExperimentDocument* document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_column(nullptr),
      m_other_problem(new SentenceLabel),
      m_variants(new VariantsSection(document)) {
  setObjectName("experimentPanel");
  auto* page = new QWidget;
  page->setObjectName("experimentPage");
  m_column = new QVBoxLayout(page);
  m_column->setContentsMargins(3 * look::kGrid, 2 * look::kGrid, 3 * look::kGrid, 3 * look::kGrid);
  m_column->setSpacing(2 * look::kGrid);
  m_other_problem->setObjectName("otherProblem");
  m_column->addWidget(m_other_problem);
  addModel();
  addData();
  addTraining();
  addSection(tr("Variants to compare"));
  m_column->addWidget(m_variants);
  addMeasurement();
  m_column->addStretch(1);
  auto* scroll = new QScrollArea;
  scroll->setObjectName("experimentScroll");
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setWidget(page);
  auto* fill = new QVBoxLayout(this);
  fill->setContentsMargins(0, 0, 0, 0);
  fill->addWidget(scroll);
  setMinimumWidth(page->minimumSizeHint().width() + 4 * look::kGrid);
  connect(document, &ExperimentDocument::changed, this, &ExperimentPanel::refresh);
  connect(document, &ExperimentDocument::activeVariantChanged, this, &ExperimentPanel::refresh);
  refresh();
}

RowsLayout* ExperimentPanel::addSection(const QString& title) {
  auto* heading = new look::PlainLabel(title);
  QFont bold = look::textFont();
  bold.setBold(true);
  heading->setFont(bold);
  if (m_column->count() > 1) m_column->addSpacing(2 * look::kGrid);
  m_column->addWidget(heading);
  auto* form = new RowsLayout;
  form->setSpacing(look::kGrid);
  form->setLabelAlignment(Qt::AlignLeft | Qt::AlignTop);
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  m_column->addLayout(form);
  return form;
}

void ExperimentPanel::addField(RowsLayout* form, const QString& label, FormField* field, const QString& object_name) {
  field->setObjectName(object_name);
  form->addRow(fieldLabel(label, field->focusProxy()), field);
  m_fields.push_back(field);
}

void ExperimentPanel::addModel() {
  RowsLayout* form = addSection(tr("Model"));
  addField(form, tr("Network"),
           new ChoiceField(
               m_document, at("model.arch"), tr("Network"), tr("Network"), architectures,
               [](const Experiment& e) { return QString::fromStdString(e.model.arch); },
               [](Experiment& e, const QString& arch) { setArchitecture(e, arch.toStdString()); }, nullptr),
           "modelArch");
  addField(form, tr("Classes"),
           wholeField(
               m_document, "model.classes", tr("Classes"), [](auto& e) -> auto& { return e.model.classes; }),
           "modelClasses");
  auto* weights = new TextField(
      m_document, at("model.weights"), tr("Weights"), tr("Weights"),
      [](const Experiment& e) { return QString::fromStdString(e.model.weights.value_or(std::string())); },
      [](Experiment& e, const QString& text) {
        e.model.weights = text.isEmpty() ? std::nullopt : std::optional(text.toStdString());
        return QString();
      },
      nullptr);
  weights->input()->setPlaceholderText(tr("fresh"));
  weights->addFileChooser(tr("Choose weights"), tr("Weights (*.safetensors *.pth *.pt);;All files (*)"));
  addField(form, tr("Weights"), weights, "modelWeights");
}

void ExperimentPanel::addData() {
  m_data = addSection(tr("Data"));
  addField(m_data, tr("Source"),
           new ChoiceField(
               m_document, at("data.source"), tr("Data source"), tr("Data source"),
               [] {
                 return ChoiceField::Choices{{"random", tr("Random images")},
                                             {"digits", tr("Handwritten digits")},
                                             {"cifar10", tr("CIFAR-10")},
                                             {"folder", tr("A folder of images")},
                                             {"file", tr("A file of tensors")}};
               },
               [](const Experiment& e) { return QString::fromStdString(toWord(e.data.source)); },
               [](Experiment& e, const QString& value) { setDataSource(e, wordOr(e.data.source, value)); }, nullptr),
           "dataSource");
  auto* path = new TextField(
      m_document, at("data.path"), tr("Data file"), tr("Data file"),
      [](const Experiment& e) { return QString::fromStdString(pathOf(e)); },
      [](Experiment& e, const QString& text) {
        pathOf(e) = text.toStdString();
        return QString();
      },
      nullptr);
  path->addFileChooser(tr("Choose the data"), tr("Tensors (*.safetensors);;All files (*)"),
                       [this] { return m_document->experiment().data.source != DataSource::File; });
  m_path = path;
  addField(m_data, tr("Where"), path, "dataPath");
  auto* shape = new TextField(
      m_document, at("data.shape"), tr("Image size, channels x height x width"), tr("Image size"),
      [](const Experiment& e) { return QString::fromStdString(formatShape(e.data.shape)); },
      [](Experiment& e, const QString& text) { return readShape(text, e.data.shape); }, nullptr);
  shape->setToolTip(tr("Channels x height x width of one sample, such as 3x64x64"));
  addField(m_data, tr("Image size"), shape, "dataShape");
  addField(m_data, tr("Batch"),
           wholeField(
               m_document, "data.batch", tr("Batch"), [](auto& e) -> auto& { return e.data.batch; }),
           "dataBatch");
  m_steps = wholeField(
      m_document, "data.steps", tr("Steps a repeat"), [](auto& e) -> auto& { return e.data.steps; });
  addField(m_data, tr("Steps"), m_steps, "dataSteps");
  addRows();
  addEpochs();
}

void ExperimentPanel::addRows() {
  auto* rows = new TextField(
      m_document, at("data.rows"), tr("Random samples that there are"), tr("Random samples"),
      [](const Experiment& e) { return e.data.rows ? QString::number(*e.data.rows) : QString(); },
      [](Experiment& e, const QString& text) {
        int number = 0;
        const QString refusal = text.trimmed().isEmpty() ? QString() : readWhole(text, number);
        if (refusal.isEmpty()) e.data.rows = text.trimmed().isEmpty() ? std::nullopt : std::optional(number);
        return refusal;
      },
      nullptr);
  rows->input()->setPlaceholderText(tr("as many as steps take"));
  rows->setToolTip(tr("A number makes epochs possible: the last batch of one may be smaller"));
  m_rows = rows;
  addField(m_data, tr("Samples"), rows, "dataRows");
}

void ExperimentPanel::addEpochs() {
  auto* epochs = new TextField(
      m_document, at("data.epochs"), tr("Epochs a repeat, instead of steps"), tr("Epochs"),
      [](const Experiment& e) { return e.data.epochs ? QString::number(*e.data.epochs) : QString(); },
      [](Experiment& e, const QString& text) {
        int number = 0;
        const QString refusal = text.trimmed().isEmpty() ? QString() : readWhole(text, number);
        if (refusal.isEmpty()) e.data.epochs = text.trimmed().isEmpty() ? std::nullopt : std::optional(number);
        return refusal;
      },
      nullptr);
  epochs->input()->setPlaceholderText(tr("none: count steps"));
  epochs->setToolTip(tr("How often through all the data; gives accuracy by epoch. Takes the place of steps"));
  m_epochs = epochs;
  addField(m_data, tr("Epochs"), epochs, "dataEpochs");
  m_shuffle = new ChoiceField(
      m_document, at("data.shuffle"), tr("Shuffle each epoch"), tr("Shuffle"),
      [] {
        return ChoiceField::Choices{{"off", tr("Off")}, {"on", tr("On")}};
      },
      [](const Experiment& e) { return QString(e.data.shuffle ? "on" : "off"); },
      [](Experiment& e, const QString& value) { e.data.shuffle = value == "on"; }, nullptr);
  addField(m_data, tr("Shuffle"), m_shuffle, "dataShuffle");
  m_unreadable = new ChoiceField(
      m_document, at("data.skip_unreadable"), tr("Unreadable images"), tr("Unreadable images"),
      [] {
        return ChoiceField::Choices{{"stop", tr("Report as error")}, {"skip", tr("Skip")}};
      },
      [](const Experiment& e) { return QString(e.data.skip_unreadable ? "skip" : "stop"); },
      [](Experiment& e, const QString& value) { e.data.skip_unreadable = value == "skip"; }, nullptr);
  addField(m_data, tr("Unreadable images"), m_unreadable, "dataUnreadable");
}

/// Rows that the data source has no use for are hidden, unless they hold a problem.
void ExperimentPanel::refreshData() {
  const DataConfig& now = m_document->experiment().data;
  const auto wrong = [this](const FormField* field) { return !m_document->problemAt(field->where()).isEmpty(); };
  m_data->setRowShown(
      m_path, now.source == DataSource::File || now.source == DataSource::Cifar10 || now.source == DataSource::Folder);
  m_path->input()->setPlaceholderText(now.source == DataSource::File      ? tr("safetensors: inputs, targets")
                                      : now.source == DataSource::Cifar10 ? tr("folder of data_batch_1.bin")
                                                                          : tr("one folder a class"));
  m_data->setRowShown(m_rows, now.source == DataSource::Random || now.rows || wrong(m_rows));
  m_data->setRowShown(m_epochs, now.source != DataSource::Random || now.rows || now.epochs || wrong(m_epochs));
  m_data->setRowShown(m_steps, !now.epochs || wrong(m_steps));
  m_data->setRowShown(m_shuffle, now.source != DataSource::Random || now.shuffle);
  m_data->setRowShown(m_unreadable, now.source == DataSource::Folder || now.skip_unreadable);
}

void ExperimentPanel::addTraining() {
  m_training = addSection(tr("Training"));
  addField(m_training, tr("Loss"),
           choiceField(
               m_document, "training.loss", tr("Loss"),
               {{"mse", tr("Mean squared error")}, {"cross_entropy", tr("Cross entropy")}},
               [](auto& e) -> auto& { return e.training.loss; }),
           "trainingLoss");
  addField(
      m_training, tr("Optimizer"),
      new ChoiceField(
          m_document, at("training.optimizer"), tr("Optimizer"), tr("Optimizer"),
          [] {
            return ChoiceField::Choices{{"sgd", tr("SGD")}, {"adam", tr("Adam")}};
          },
          [](const Experiment& e) { return QString::fromStdString(toWord(e.training.optimizer)); },
          [](Experiment& e, const QString& value) { setOptimizer(e, wordOr(e.training.optimizer, value)); }, nullptr),
      "trainingOptimizer");
  addField(m_training, tr("Learning rate"),
           numberField(
               m_document, "training.lr", tr("Learning rate"), [](auto& e) -> auto& { return e.training.lr; }),
           "trainingLr");
  addRate();
  auto* momentum = numberField(
      m_document, "training.momentum", tr("Momentum"), [](auto& e) -> auto& { return e.training.momentum; });
  addField(m_training, tr("Momentum"), momentum, "trainingMomentum");
  addField(m_training, tr("Weight decay"),
           numberField(
               m_document, "training.weight_decay", tr("Weight decay"),
               [](auto& e) -> auto& { return e.training.weight_decay; }),
           "trainingWeightDecay");
  auto* nesterov = new ChoiceField(
      m_document, at("training.nesterov"), tr("Nesterov momentum"), tr("Nesterov momentum"),
      [] {
        return ChoiceField::Choices{{"off", tr("Off")}, {"on", tr("On")}};
      },
      [](const Experiment& e) { return QString(e.training.nesterov ? "on" : "off"); },
      [](Experiment& e, const QString& value) { e.training.nesterov = value == "on"; }, nullptr);
  addField(m_training, tr("Nesterov"), nesterov, "trainingNesterov");
  m_sgd_only = {momentum, nesterov};
  addField(m_training, tr("Seed"),
           new TextField(
               m_document, at("training.seed"), tr("Seed"), tr("Seed"),
               [](const Experiment& e) { return QString::number(e.training.seed); },
               [](Experiment& e, const QString& text) { return readSeed(text, e.training.seed); }, nullptr),
           "trainingSeed");
  addField(m_training, tr("Layout"),
           choiceField(
               m_document, "training.layout", tr("Memory layout"),
               {{"channels_last", tr("Channels last")}, {"contiguous", tr("Contiguous")}},
               [](auto& e) -> auto& { return e.training.layout; }),
           "trainingLayout");
  for (const ModeField& mode : trainingModeFields(m_document))
    addField(m_training, mode.label, mode.field, mode.object_name);
}

/// How the learning rate moves over the steps.
void ExperimentPanel::addRate() {
  addField(m_training, tr("Rate over steps"),
           choiceField(
               m_document, "training.lr_schedule", tr("Learning-rate schedule"),
               {{"constant", tr("Constant")}, {"step", tr("Falls in steps")}, {"cosine", tr("Cosine")}},
               [](auto& e) -> auto& { return e.training.lr_schedule; }),
           "trainingLrSchedule");
  addField(m_training, tr("Rate warm-up"),
           wholeField(
               m_document, "training.lr_warmup", tr("Steps that the learning rate rises over first"),
               [](auto& e) -> auto& { return e.training.lr_warmup; }),
           "trainingLrWarmup");
  auto* every = wholeField(
      m_document, "training.lr_step_size", tr("Steps with one learning rate"),
      [](auto& e) -> auto& { return e.training.lr_step_size; });
  addField(m_training, tr("Falls every"), every, "trainingLrStepSize");
  auto* factor = numberField(
      m_document, "training.lr_gamma", tr("Factor from one learning rate to the next"),
      [](auto& e) -> auto& { return e.training.lr_gamma; });
  addField(m_training, tr("By a factor of"), factor, "trainingLrGamma");
  m_falling_rate = {every, factor};
  m_lowest_rate = numberField(
      m_document, "training.lr_min", tr("Where the cosine ends"), [](auto& e) -> auto& { return e.training.lr_min; });
  addField(m_training, tr("Down to"), m_lowest_rate, "trainingLrMin");
}

void ExperimentPanel::refreshRate() {
  const LrSchedule schedule = m_document->experiment().training.lr_schedule;
  const auto wrong = [this](const FormField* field) { return !m_document->problemAt(field->where()).isEmpty(); };
  for (FormField* field : m_falling_rate) m_training->setRowShown(field, schedule == LrSchedule::Step || wrong(field));
  m_training->setRowShown(m_lowest_rate, schedule == LrSchedule::Cosine || wrong(m_lowest_rate));
}

void ExperimentPanel::addMeasurement() {
  RowsLayout* form = addSection(tr("Measurement"));
  addField(form, tr("Repeats"),
           wholeField(
               m_document, "repeats", tr("Repeats"), [](auto& e) -> auto& { return e.repeats; }),
           "repeats");
  addField(form, tr("Warm-up"),
           wholeField(
               m_document, "warmup", tr("Warm-up repeats, not counted"), [](auto& e) -> auto& { return e.warmup; }),
           "warmup");
  addField(form, tr("Record"),
           choiceField(
               m_document, "record", tr("Record"),
               {{"off", tr("Nothing")},
                {"actions", tr("Actions")},
                {"blocks", tr("Blocks")},
                {"operators", tr("Operators")}},
               [](auto& e) -> auto& { return e.record; }),
           "record");
}

void ExperimentPanel::setReadOnly(bool read_only) {
  for (FormField* field : m_fields) field->setReadOnly(read_only);
  m_variants->setReadOnly(read_only);
}

void ExperimentPanel::refresh() {
  for (FormField* field : m_fields) field->refresh();
  const bool sgd = m_document->experiment().training.optimizer == OptimizerKind::Sgd;
  for (FormField* field : m_sgd_only)
    m_training->setRowShown(field, sgd || !m_document->problemAt(field->where()).isEmpty());
  refreshRate();
  refreshData();
  m_variants->refresh();
  refreshOtherProblem();
}

/// What no field on the page shows: values only a file can have, lanes (on the board), the variants that are not open.
void ExperimentPanel::refreshOtherProblem() {
  QString sentence;
  for (const ExperimentProblem& problem : m_document->problems()) {
    const QString where = QString::fromStdString(problem.where);
    const bool has_field = std::any_of(m_fields.begin(), m_fields.end(), [&](const FormField* field) {
      return !field->isHidden() && field->where() == where;
    });
    if (has_field || m_variants->shows(where)) continue;
    sentence = tr("%1: %2").arg(where, QString::fromStdString(problem.message));
    break;
  }
  m_other_problem->setSentence(sentence);
}

}  // namespace lanelab
