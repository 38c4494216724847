// SPDX-License-Identifier: GPL-3.0-only
#include "ui/plan_export/plan_export_dialog.h"

#include <QAccessible>
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileInfo>
#include <QFormLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>
#include <utility>

#include "base/text.h"
#include "engine/exporter/network_export.h"
#include "engine/frameworks/plan_targets.h"
#include "ui/export/export_settings.h"
#include "ui/look/parts.h"
#include "ui/look/placeholder.h"
#include "ui/look/plain_text.h"
#include "ui/look/sentence_label.h"
#include "ui/look/theme.h"
#include "ui/look/work_bar.h"

namespace lanelab {
namespace {

constexpr QSize kFirstPlanSize(680, 340);

/// Absent, or empty.
bool takesFiles(const QString& folder) {
  const QFileInfo info(folder);
  return !info.exists() || (info.isDir() && QDir(folder).isEmpty());
}

/// With a number behind it if there is such a folder already.
QString freeFolder(const QString& wanted) {
  QString folder = wanted;
  for (int number = 2; !takesFiles(folder); ++number) folder = QStringLiteral("%1-%2").arg(wanted).arg(number);
  return folder;
}

QString fileNamesOf(const WrittenFiles& files) {
  QStringList names;
  for (const auto& [name, text] : files.texts) names << QString::fromStdString(name);
  for (const auto& [name, from] : files.copies) names << look::shownName(name);
  return names.join(QStringLiteral(", "));
}

}  // namespace

PlanExportDialog::PlanExportDialog(std::shared_ptr<const Resolution> resolution, const Start& start, QWidget* parent)
    : QDialog(parent),
      m_resolution(std::move(resolution)),
      m_prefix(start.prefix),
      m_form(new QFormLayout),
      m_variant(new QComboBox(this)),
      m_target(new QComboBox(this)),
      m_folder(new QLineEdit(this)),
      m_command(new QLineEdit(this)),
      m_folder_problem(new SentenceLabel(this)),
      m_files(look::wrappedLabel("planFiles", {}, this)),
      m_sentence(look::wrappedLabel("planSentence", {}, this)),
      m_copy(look::button("planCopy", tr("&Copy"), tr("Copy the command"), this)),
      m_export(look::button("planExport", tr("E&xport"), tr("Write the files into the folder"), this)) {
  setObjectName(QStringLiteral("planExportDialog"));
  setWindowTitle(tr("Export Plan"));
  fillChoices(start);
  layOut();
  connect(m_variant, &QComboBox::currentIndexChanged, this, &PlanExportDialog::showChoice);
  connect(m_target, &QComboBox::currentIndexChanged, this, &PlanExportDialog::showChoice);
  connect(m_folder, &QLineEdit::textChanged, this, [this] { showFolderProblem({}); });
  connect(m_copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_command->text()); });
  connect(m_export, &QPushButton::clicked, this, &PlanExportDialog::begin);
  resize(kFirstPlanSize);
  showChoice();
}

void PlanExportDialog::fillChoices(const Start& start) {
  m_variant->setObjectName(QStringLiteral("planVariant"));
  for (const ResolvedVariant& variant : m_resolution->variants())
    m_variant->addItem(look::shownName(variant.config().name), QString::fromStdString(variant.config().name));
  m_variant->setCurrentIndex(m_variant->findData(start.variant));
  m_target->setObjectName(QStringLiteral("planTarget"));
  const auto add = [this](std::string_view word) {
    m_target->addItem(targetTitle(word), QString::fromStdString(std::string(word)));
  };
  add(planTargets().front().word);
  add(kStagesTarget);
  for (const PlanTarget& target : planTargets().subspan(1)) add(target.word);
  m_target->setCurrentIndex(m_target->findData(QString::fromStdString(start.target)));
}

void PlanExportDialog::layOut() {
  m_form->setVerticalSpacing(2 * look::kGrid);
  m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  m_form->setLabelAlignment(Qt::AlignLeft | Qt::AlignTop);
  m_form->addRow(tr("&Variant"), m_variant);
  m_form->addRow(tr("&For"), m_target);
  addFolder();
  m_files->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_form->addRow(tr("Files"), m_files);
  addCommand();
  m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);  // Enter exports, or does nothing
  buttons->addButton(m_export, QDialogButtonBox::ActionRole);
  m_export->setDefault(true);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* column = look::dialogColumn(this);
  column->addLayout(m_form);
  column->addWidget(m_sentence);
  column->addStretch(1);
  column->addWidget(new WorkBar(QStringLiteral("planProgress"), WorkBar::Shape::Stacked, this, &m_work));
  column->addWidget(buttons);
  m_sentence->hide();
  QWidget* before = m_variant;
  for (QWidget* const next : std::initializer_list<QWidget*>{
           m_target, m_folder, findChild<QWidget*>("planFolderChoose"), m_command, m_copy, m_export})
    setTabOrder(std::exchange(before, next), next);
}

void PlanExportDialog::addFolder() {
  m_folder->setObjectName(QStringLiteral("planFolder"));
  m_folder->setToolTip(tr("A new or an empty folder. Default: named after the experiment and the variant."));
  m_folder_problem->setObjectName(QStringLiteral("planFolderProblem"));
  auto* choose = look::button("planFolderChoose", tr("C&hoose..."), tr("Choose a new or an empty folder"), this);
  choose->setAutoDefault(false);
  choose->setAccessibleName(tr("Choose folder"));
  connect(choose, &QPushButton::clicked, this, [this] {
    look::askForNewFolder(this, "planFolderDialog", tr("Folder for the Plan"), ExportSettings().folder(),
                          [this](const QString& chosen) { m_folder->setText(chosen); });
  });
  auto* fields = new QVBoxLayout;
  fields->setSpacing(look::kGrid / 2);
  fields->addLayout(look::beside(m_folder, choose));
  fields->addWidget(m_folder_problem);
  look::addFormRow(m_form, tr("F&older"), fields, m_folder);
}

void PlanExportDialog::addCommand() {
  m_command->setObjectName(QStringLiteral("planCommand"));
  m_command->setReadOnly(true);
  m_command->setToolTip(tr("Trains the plan, within the folder"));
  m_copy->setAutoDefault(false);
  m_copy->setAccessibleName(tr("Copy command"));
  m_command_row = look::beside(m_command, m_copy);
  look::addFormRow(m_form, tr("Co&mmand"), m_command_row, m_command);
  m_form->setRowVisible(m_command_row, false);
}

PlanChoice PlanExportDialog::choice() const {
  return {m_resolution, m_variant->currentData().toString().toStdString(),
          m_target->currentData().toString().toStdString()};
}

QString PlanExportDialog::folder() const {
  const QString typed = m_folder->text().trimmed();
  if (!typed.isEmpty()) return QDir::cleanPath(QDir(ExportSettings().folder()).absoluteFilePath(typed));
  const PlanChoice chosen = choice();
  const QString name = m_prefix + QString::fromStdString(slug(chosen.variant) + "-" + chosen.target);
  return freeFolder(QDir(ExportSettings().folder()).absoluteFilePath(name));
}

void PlanExportDialog::showChoice() {
  look::showDefault(*m_folder, QDir::toNativeSeparators(folder()));
  showFolderProblem({});
  m_export->setEnabled(false);
  m_preview.ask([this, chosen = choice()](const std::stop_token&) -> Background::Then {
    const auto files = std::make_shared<Result<WrittenFiles>>(plannedFiles(chosen));
    return [this, files] { showPlan(*files); };
  });
}

void PlanExportDialog::showPlan(const Result<WrittenFiles>& files) {
  m_export->setEnabled(files.ok());
  m_files->setText(files.ok() ? fileNamesOf(*files) : tr("none"));
  const QString command = files.ok() ? QString::fromStdString(files->command) : QString();
  m_command->setText(command);
  m_form->setRowVisible(m_command_row, !command.isEmpty());
  if (!files.ok()) return showSentence(look::shownText(files.error()), true);
  QStringList notes;
  if (choice().target == kStagesTarget) notes << tr("Python with PyTorch writes them: %1").arg(usualPython().c_str());
  for (const Message& note : files->notes) notes << look::shownText(note);
  showSentence(notes.join(QLatin1Char('\n')), false);
}

void PlanExportDialog::showSentence(const QString& sentence, bool wrong) {
  look::showSentence(*m_sentence, sentence, wrong);
  m_sentence->setVisible(!sentence.isEmpty());
  if (!wrong) return;
  QAccessibleEvent alert(m_sentence, QAccessible::Alert);
  QAccessible::updateAccessibility(&alert);
}

void PlanExportDialog::showFolderProblem(const QString& sentence) {
  m_folder_problem->setSentence(sentence);
  m_folder->setAccessibleDescription(sentence);
  if (!sentence.isEmpty()) m_folder->setFocus();
}

void PlanExportDialog::setReady(bool ready) {
  for (QWidget* const part : std::initializer_list<QWidget*>{m_variant, m_target, m_folder, m_export})
    part->setEnabled(ready);
  findChild<QWidget*>("planFolderChoose")->setEnabled(ready);
}

void PlanExportDialog::begin() {
  if (writing()) return;
  const QString into = folder();
  if (!takesFiles(into))
    return showFolderProblem(tr("%1 is not an empty folder. Choose a new one.").arg(look::shownName(into)));
  ExportSettings().remember(QStringLiteral("plan"), QFileInfo(into).absolutePath(), {});
  setReady(false);
  m_work.run([this, chosen = choice(), into](const WorkControl& control) -> LongWork::Then {
    const Status status = writePlan(chosen, into.toStdString(), control);
    return [this, status, into, target = chosen.target] { showEnd(status, into, target); };
  });
}

void PlanExportDialog::showEnd(const Status& status, const QString& folder, const std::string& target) {
  setReady(true);
  if (status.ok()) {
    Q_EMIT written(folder, firstFileOf(target), m_command->text());
    return accept();
  }
  m_export->setFocus();
  if (status.error().kind == Error::Kind::Cancelled) return showSentence(tr("The export was cancelled."), false);
  showSentence(look::shownText(status.error()), true);
}

void PlanExportDialog::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && writing()) return m_work.cancel();
  QDialog::keyPressEvent(event);
}

}  // namespace lanelab
