// SPDX-License-Identifier: GPL-3.0-only
#include "ui/import_model/import_model_dialog.h"

#include <QAccessible>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPushButton>
#include <QScrollArea>
#include <QTableWidget>
#include <QVBoxLayout>
#include <memory>

#include "base/text.h"
#include "engine/experiment/model_file.h"
#include "engine/experiment/training_targets.h"
#include "engine/lanes/executor.h"
#include "ui/import_model/export_log.h"
#include "ui/import_model/import_form.h"
#include "ui/look/parts.h"
#include "ui/look/plain_text.h"
#include "ui/look/theme.h"
#include "ui/look/work_bar.h"

namespace lanelab {
namespace {

constexpr QSize kFirstSize(1000, 560);
constexpr int kFormWidth = 120 * look::kGrid;

QString fileName(const std::string& path) {
  return look::shownName(QFileInfo(QString::fromStdString(path)).fileName());
}

/// "0:07", "12:30".
QString minutesText(qint64 milliseconds) {
  const qint64 seconds = milliseconds / 1000;
  return QStringLiteral("%1:%2").arg(seconds / 60).arg(seconds % 60, 2, 10, QLatin1Char('0'));
}

using Imported = Result<std::shared_ptr<const OpenedModel>>;

/// The network in the file; an error is that of the export, or why LaneLab cannot train what was exported.
Imported importedModel(const NetworkExport& network, const Executor& executor, const ChildLines& lines,
                       const std::stop_token& stop) {
  if (const Status done = exportNetwork(network, lines, stop); !done.ok()) return done.error();
  auto opened = openModelFile(network.out);
  const Result<ModelSpec> model = describeTrained(opened->network);
  if (!model.ok()) return notTrainable(network.out, model.error());
  if (const Status fit = executor.checkNetwork(*opened->network); !fit.ok())
    return notTrainable(network.out, fit.error());
  return opened;
}

}  // namespace

ImportModelDialog::ImportModelDialog(const QDir& folder, const Executor& executor, QWidget* parent)
    : QDialog(parent),
      m_executor(executor),
      m_form(new ImportForm(rememberedFields(), this)),
      m_log(new ExportLog(this)),
      m_blocks_title(new look::PlainLabel(this)),
      m_blocks(new QTableWidget(0, 2, this)),
      m_sentence(look::wrappedLabel("importSentence", {}, this)),
      m_progress(new WorkBar(QStringLiteral("importProgress"), WorkBar::Shape::Stacked, this, &m_work)),
      m_import(look::button("importStart", tr("Import &Model"),
                            tr("Export the network, verify the file and list its "
                               "blocks"),
                            this)),
      m_use(
          look::button("importUse", tr("&Use as Model"), tr("Make the file the model of the open experiment"), this)) {
  setObjectName(QStringLiteral("importModelDialog"));
  setWindowTitle(tr("Import Model"));
  layOut();
  // The newest line is what is being done.
  connect(&m_work, &Work::progressed, this, [this](const Progress& progress) {
    m_log->showNew();
    const QString words = look::shownName(progress.phase) + QStringLiteral(" \u2013 ") + minutesText(m_time.elapsed());
    m_progress->showWords(words, progress);
  });
  connect(m_import, &QPushButton::clicked, this, &ImportModelDialog::begin);
  connect(m_use, &QPushButton::clicked, this,
          [this] { Q_EMIT useRequested(QString::fromStdString(m_opened->file.path)); });
  connect(m_form, &ImportForm::edited, this, &ImportModelDialog::showEdited);
  m_use->setEnabled(false);
  setDefault(*m_import);
  setFolder(folder);
  resize(kFirstSize);
  m_form->setFocus();
}

void ImportModelDialog::layOut() {
  auto* area = look::scrollArea(m_form, this);
  area->setFocusPolicy(Qt::NoFocus);
  area->setMinimumWidth(kFormWidth);
  area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* halves = new QHBoxLayout;
  halves->setSpacing(4 * look::kGrid);
  halves->addWidget(area, 3);
  halves->addLayout(makeRight(), 2);
  m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  buttons->addButton(m_import, QDialogButtonBox::ActionRole);
  buttons->addButton(m_use, QDialogButtonBox::ActionRole);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* column = look::dialogColumn(this);
  column->addLayout(halves, 1);
  column->addWidget(m_sentence);
  column->addWidget(m_progress);
  column->addWidget(buttons);
}

QVBoxLayout* ImportModelDialog::makeRight() {
  m_blocks->setHorizontalHeaderLabels({tr("Block"), tr("Parameters")});
  look::setUpTable(*m_blocks, "importBlocks", tr("Blocks of the network"));
  m_blocks->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
  auto* log = new look::PlainLabel(tr("&Log"), this);
  log->setBuddy(m_log);
  auto* right = new QVBoxLayout;
  right->setSpacing(2 * look::kGrid);
  right->addWidget(log);
  right->addWidget(m_log, 2);
  right->addWidget(m_blocks_title);
  right->addWidget(m_blocks, 3);
  m_blocks_title->hide();
  m_blocks->hide();
  return right;
}

void ImportModelDialog::setFolder(const QDir& folder) {
  m_form->setFolder(folder);
  showEdited();
}

void ImportModelDialog::setDefault(QPushButton& button) {
  for (QPushButton* const one : {m_import, m_use}) one->setDefault(one == &button);
}

void ImportModelDialog::showEdited() {
  if (exporting()) return;
  setDefault(*m_import);
  m_form->clearProblems();
  const Result<NetworkExport> network = exportOf(m_form->fields(), m_form->folder());
  const bool replaces = network.ok() && QFileInfo::exists(QString::fromStdString(network->out));
  showSentence(
      replaces ? tr("%1 exists. It is replaced once the new file is verified.").arg(fileName(network->out)) : QString(),
      false);
}

void ImportModelDialog::begin() {
  if (exporting()) return;
  const ImportFields fields = m_form->fields();
  const Result<NetworkExport> network = exportOf(fields, m_form->folder());
  if (!network.ok()) return showError(network.error());
  remember(fields);
  m_opened.reset();
  m_blocks_title->hide();
  m_blocks->hide();
  m_use->setEnabled(false);
  m_import->setEnabled(false);
  m_form->setEnabled(false);
  m_form->clearProblems();
  showSentence({}, false);
  m_log->begin(commandOf(*network));
  m_time.start();
  m_work.run([this, network = *network](const WorkControl& control) -> LongWork::Then {
    control.report({tr("Starting Python").toStdString(), 0, 0});
    const auto show = [this, &control](const std::string& line) {
      m_log->add(line);
      control.report({line, 0, 0});
    };
    const auto imported = std::make_shared<Imported>(importedModel(network, m_executor, {show, show}, control.stop));
    return [this, network, imported] { showEnd(network, *imported); };
  });
  m_log->setFocus();
}

void ImportModelDialog::showEnd(const NetworkExport& network, const Imported& imported) {
  m_log->showNew();
  m_form->setEnabled(true);
  m_import->setEnabled(true);
  if (!imported.ok()) {
    setDefault(*m_import);
    m_import->setFocus();
    if (imported.error().kind == Error::Kind::Cancelled) return showSentence(tr("The import was cancelled."), false);
    return showError(imported.error());
  }
  m_opened = *imported;
  const Result<ModelSpec> model = describeTrained(m_opened->network);
  showBlocks(*model);
  const QString done = tr("%1 is written and verified: %2 parameters. Use it as the model of the open experiment, or "
                          "import another network.")
                           .arg(fileName(network.out), QString::fromStdString(groupedDigits(model->parameters())));
  const QString note = QString::fromStdString(lossNote(*model));
  showSentence(note.isEmpty() ? done : done + QLatin1Char(' ') + note, false);
  m_use->setEnabled(true);
  setDefault(*m_use);
  m_use->setFocus();
}

void ImportModelDialog::showBlocks(const ModelSpec& model) {
  m_blocks_title->setText(tr("%n block(s)", "", static_cast<int>(model.blocks.size())));
  m_blocks->setRowCount(static_cast<int>(model.blocks.size()));
  for (int row = 0; row < m_blocks->rowCount(); ++row) {
    const BlockSpec& block = model.blocks[static_cast<std::size_t>(row)];
    m_blocks->setItem(row, 0, new QTableWidgetItem(look::shownName(block.name)));
    auto* count = new QTableWidgetItem(QString::fromStdString(groupedDigits(block.parameters)));
    count->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_blocks->setItem(row, 1, count);
  }
  m_blocks_title->show();
  m_blocks->show();
}

/// Below its field; what is of no field is below all of them.
void ImportModelDialog::showError(const Error& error) {
  const QString field = fieldOf(error), sentence = look::shownText(error);
  if (field.isEmpty()) return showSentence(sentence, true);
  showSentence({}, false);
  m_form->showProblem(field, sentence);
}

void ImportModelDialog::showSentence(const QString& sentence, bool wrong) {
  look::showSentence(*m_sentence, sentence, wrong);
  m_sentence->setVisible(!sentence.isEmpty());
  if (sentence.isEmpty()) return;
  QAccessibleEvent alert(m_sentence, QAccessible::Alert);
  QAccessible::updateAccessibility(&alert);
}

void ImportModelDialog::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && exporting()) return m_work.cancel();
  QDialog::keyPressEvent(event);
}

}  // namespace lanelab
