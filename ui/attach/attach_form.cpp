// SPDX-License-Identifier: GPL-3.0-only
#include "ui/attach/attach_form.h"

#include <QAccessible>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>
#include <utility>

#include "ui/look/parts.h"
#include "ui/look/placeholder.h"
#include "ui/look/sentence_label.h"
#include "ui/look/theme.h"

namespace lanelab {
namespace {

constexpr double kLongestSeconds = 3600, kLargestGib = 64;

}  // namespace

AttachForm::AttachForm(const QString& folder, QWidget* parent)
    : QWidget(parent),
      m_folder(folder),
      m_page(line("attachPage", tr("HOST:PORT of the job's debug server, on the machine of rank 0; port 25999 if left "
                                   "out. It is not stored."))),
      m_rank_addresses(line("attachRankAddresses",
                            tr("RANK=HOST:PORT in place of the address that the page names, such as for a port that "
                               "ssh -L forwards (--rank-address). They are not stored."))),
      m_out(line("attachOut", tr("A new or an empty folder for the trace, or that of an earlier import. Default: a new "
                                 "one beside the runs."))),
      m_seconds(number("attachSeconds", 0.1, kLongestSeconds, AttachFields().seconds, tr(" s"),
                       tr("How long all ranks record, at the same time"))),
      m_grace(number("attachGrace", 1, kLongestSeconds, AttachFields().grace_s, tr(" s"),
                     tr("How long a rank may take to answer once it has recorded (--grace)"))),
      m_most(number("attachMost", 0.01, kLargestGib, AttachFields().most_gib, tr(" GiB"),
                    tr("Limit for the trace of a rank (--max-answer)"))) {
  look::showExample(*m_page, QStringLiteral("node1:25999"));
  look::showExample(*m_rank_addresses, QStringLiteral("8=node2:41002 9=localhost:26009"));
  look::showDefault(*m_out, QDir::toNativeSeparators(freeTraceFolder(m_folder)));
  setFocusProxy(m_page);
  auto* form = look::makeLayout<QFormLayout>(this, 2 * look::kGrid);
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  form->setLabelAlignment(Qt::AlignLeft | Qt::AlignTop);
  addAlone(form, tr("&Page of the job"), m_page);
  addAlone(form, tr("Rank &addresses"), m_rank_addresses);
  addRow(form, tr("&Seconds to record"), makeTimes(), m_seconds);
  addRow(form, tr("Folder to &write"), makeOut(), m_out);
  QWidget* before = m_page;
  for (QWidget* const next : std::initializer_list<QWidget*>{m_rank_addresses, m_seconds, m_grace, m_most, m_out,
                                                             findChild<QWidget*>("attachOutChoose")})
    setTabOrder(std::exchange(before, next), next);
  for (const QLineEdit* field : {m_page, m_rank_addresses})
    connect(field, &QLineEdit::textChanged, this, &AttachForm::edited);
  for (const QDoubleSpinBox* field : {m_seconds, m_grace, m_most})
    connect(field, &QDoubleSpinBox::valueChanged, this, &AttachForm::clearProblems);
  connect(m_out, &QLineEdit::textChanged, this, &AttachForm::outEdited);
  connect(this, &AttachForm::edited, this, &AttachForm::clearProblems);
  connect(this, &AttachForm::outEdited, this, &AttachForm::clearProblems);
}

QLineEdit* AttachForm::line(const char* name, const QString& tip) {
  auto* field = new QLineEdit(this);
  field->setObjectName(QLatin1String(name));
  field->setToolTip(tip);
  return field;
}

QDoubleSpinBox* AttachForm::number(const char* name, double least, double most, double value, const QString& unit,
                                   const QString& tip) {
  auto* box = new QDoubleSpinBox(this);
  box->setObjectName(QLatin1String(name));
  box->setRange(least, most);
  box->setDecimals(least < 0.1 ? 2 : 1);
  box->setValue(value);
  box->setSuffix(unit);
  box->setToolTip(tip);
  return box;
}

void AttachForm::addRow(QFormLayout* form, const QString& label, QLayout* fields, QWidget* field) {
  auto* const problem = new SentenceLabel(this);
  problem->setObjectName(field->objectName() + QLatin1String("Problem"));
  m_problems.emplace(field->objectName(), problem);
  auto* const column = new QVBoxLayout;
  column->setSpacing(look::kGrid / 2);
  column->addLayout(fields);
  column->addWidget(problem);
  look::addFormRow(form, label, column, field);
}

void AttachForm::addAlone(QFormLayout* form, const QString& label, QWidget* field) {
  auto* const row = new QHBoxLayout;
  row->addWidget(field);
  addRow(form, label, row, field);
}

QLayout* AttachForm::makeTimes() {
  auto* row = new QHBoxLayout;
  row->setSpacing(2 * look::kGrid);
  row->addWidget(m_seconds);
  const std::pair<QString, QDoubleSpinBox*> others[] = {{tr("&Time to answer"), m_grace},
                                                        {tr("&Largest trace"), m_most}};
  for (const auto& [text, field] : others) {
    auto* const label = new look::PlainLabel(text, this);
    label->setBuddy(field);
    row->addSpacing(2 * look::kGrid);
    row->addWidget(label);
    row->addWidget(field);
  }
  row->addStretch(1);
  return row;
}

QLayout* AttachForm::makeOut() {
  auto* choose = look::button("attachOutChoose", tr("C&hoose..."), tr("Choose a new or an empty folder"), this);
  choose->setAutoDefault(false);
  choose->setAccessibleName(tr("Choose folder to write"));
  connect(choose, &QPushButton::clicked, this, [this] {
    look::askForNewFolder(this, "attachOutDialog", tr("Folder for the Trace"), m_folder,
                          [this](const QString& path) { m_out->setText(path); });
  });
  return look::beside(m_out, choose);
}

AttachFields AttachForm::fields() const {
  return {m_page->text(), m_rank_addresses->text(), m_seconds->value(), m_grace->value(), m_most->value()};
}

QString AttachForm::out() const {
  const QString typed = m_out->text().trimmed();
  return typed.isEmpty() ? freeTraceFolder(m_folder) : QDir::cleanPath(QDir(m_folder).absoluteFilePath(typed));
}

void AttachForm::showProblem(const AttachProblem& problem) {
  SentenceLabel* const label = m_problems.at(QLatin1String(problem.field));
  label->setSentence(problem.sentence);
  QAccessibleEvent alert(label, QAccessible::Alert);
  QAccessible::updateAccessibility(&alert);
  auto* const input = findChild<QWidget*>(QLatin1String(problem.field));
  input->setAccessibleDescription(problem.sentence);
  input->setFocus();
}

void AttachForm::clearProblems() {
  for (const auto& [field, problem] : m_problems) {
    problem->setSentence({});
    findChild<QWidget*>(field)->setAccessibleDescription({});
  }
}

}  // namespace lanelab
