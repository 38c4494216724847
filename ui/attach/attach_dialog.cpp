// SPDX-License-Identifier: GPL-3.0-only
#include "ui/attach/attach_dialog.h"

#include <QAccessible>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileInfo>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <map>
#include <utility>

#include "profiler/io/import/import_folder.h"
#include "profiler/io/source/import_limits.h"
#include "ui/attach/attach_form.h"
#include "ui/look/parts.h"
#include "ui/look/plain_text.h"
#include "ui/look/theme.h"
#include "ui/look/work_bar.h"

namespace lanelab {
namespace {

constexpr QSize kFirstAttachSize(760, 560);
enum RankColumn { kAttachRank, kAttachAddress, kAttachState, kAttachColumns };

/// Records and imports; the answers are removed whatever happens.
Result<ImportedJob> recordedJob(const RunningJob& found, const AttachRequest& request, const std::string& out,
                                const WorkControl& control) {
  ImportLimits limits{.stop = control.stop, .report = control.report};
  if (const Status read = readEnvironment(limits); !read.ok()) return read.error();
  const Result<AnswerFolder> answers = AnswerFolder::beside(out);
  if (!answers.ok()) return answers.error();
  const RemovedAtTheEnd removed(*answers);
  const Result<JobProfile> profile = recordRanks(found, request, answers->path(), control);
  return profile.ok() ? importProfile(*profile, out, limits) : Result<ImportedJob>(profile.error());
}

QTableWidgetItem* rankCell(const QString& text) { return new QTableWidgetItem(text); }

}  // namespace

AttachDialog::AttachDialog(const QString& folder, QWidget* parent)
    : QDialog(parent),
      m_form(new AttachForm(folder, this)),
      m_ranks(new QTableWidget(0, kAttachColumns, this)),
      m_empty(look::emptyLabel("attachEmpty", tr("The ranks of the job appear here, with the addresses that will be "
                                                 "asked."))),
      m_sentence(look::wrappedLabel("attachSentence", {}, this)),
      m_find(
          look::button("attachFind", tr("&Find Ranks"), tr("Read the page of the job, which names its ranks"), this)),
      m_record(look::button("attachRecord", tr("&Record"),
                            tr("Ask all ranks to record themselves, and import their traces"), this)),
      m_progress(new WorkBar(QStringLiteral("attachProgress"), WorkBar::Shape::Stacked, this)) {
  setObjectName(QStringLiteral("attachDialog"));
  setWindowTitle(tr("Attach to Job"));
  layOut();
  connect(&m_work, &Work::progressed, this, &AttachDialog::showProgress);
  connect(&m_work, &Work::stopping, this, [this] { m_progress->setStopping(tr("Cancelling")); });
  connect(&m_work, &Work::ended, this, [this] {
    m_progress->setEnded();
    m_progress->hide();
  });
  connect(m_progress, &WorkBar::cancelRequested, &m_work, &Work::cancel);
  connect(m_find, &QPushButton::clicked, this, &AttachDialog::find);
  connect(m_record, &QPushButton::clicked, this, &AttachDialog::record);
  connect(m_form, &AttachForm::edited, this, &AttachDialog::forgetRanks);
  connect(m_form, &AttachForm::outEdited, this, &AttachDialog::showOut);
  m_record->setEnabled(false);
  setDefault(*m_find);
  resize(kFirstAttachSize);
  m_form->setFocus();
}

void AttachDialog::layOut() {
  look::setUpTable(*m_ranks, "attachRanks", tr("Ranks of the job"));
  m_ranks->setHorizontalHeaderLabels({tr("Rank"), tr("Address"), tr("State")});
  m_ranks->horizontalHeader()->setStretchLastSection(true);
  m_ranks->setWordWrap(true);
  m_ranks->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);  // has the focus while the others are disabled
  buttons->addButton(m_find, QDialogButtonBox::ActionRole);
  buttons->addButton(m_record, QDialogButtonBox::ActionRole);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* column = look::dialogColumn(this);
  column->addWidget(look::wrappedLabel(
      "attachIntroduction",
      tr("Each rank of the job calls torch.distributed.debug.start_debug_server() of PyTorch 2.11 or later. LaneLab "
         "connects to the page, and to the addresses that are listed here before anything is recorded."),
      this));
  column->addWidget(m_form);
  column->addWidget(m_empty, 1);
  column->addWidget(m_ranks, 1);
  m_ranks->hide();
  column->addWidget(m_sentence);
  column->addWidget(m_progress);
  column->addWidget(buttons);
  m_sentence->hide();
  m_progress->hide();
  setTabOrder(m_form, m_ranks);
  setTabOrder(m_ranks, m_find);
  setTabOrder(m_find, m_record);
}

/// Nothing if a field is wrong, which then says so.
std::optional<AttachRequest> AttachDialog::request() {
  std::variant<AttachRequest, AttachProblem> read = requestOf(m_form->fields());
  if (auto* const request = std::get_if<AttachRequest>(&read)) return *request;
  m_form->showProblem(std::get<AttachProblem>(read));
  return {};
}

void AttachDialog::find() {
  if (busy()) return;
  forgetRanks();
  const std::optional<AttachRequest> asked = request();
  if (!asked) return;
  setBusy(true);
  m_work.run([this, asked = *asked](const WorkControl& control) -> LongWork::Then {
    const auto job = std::make_shared<Result<RunningJob>>(findRanks(asked, control));
    return [this, job] { showFound(*job); };
  });
}

void AttachDialog::showFound(const Result<RunningJob>& job) {
  setBusy(false);
  m_find->setFocus();
  if (!job.ok()) return showError(job.error());
  m_job = *job;
  showRanks();
  m_record->setEnabled(true);
  setDefault(*m_record);
  m_record->setFocus();
  showSentence(tr("%n rank(s) will record at the same time. Nothing is recorded yet.", nullptr,
                  static_cast<int>(job->ranks.size())),
               false);
}

void AttachDialog::showRanks() {
  struct Words {
    QString address, state;
  };
  std::map<int, Words> rows;
  for (const JobRank& rank : m_job->ranks)
    rows[rank.rank] = {look::shownName(rank.address.text()), tr("will be asked to record")};
  for (const int rank : m_job->absent)
    rows[rank] = {tr("none"), tr("has no server: call start_debug_server() on every rank")};
  m_ranks->setRowCount(static_cast<int>(rows.size()));
  int row = 0;
  for (const auto& [rank, words] : rows) {
    m_ranks->setItem(row, kAttachRank, rankCell(QString::number(rank)));
    m_ranks->setItem(row, kAttachAddress, rankCell(words.address));
    m_ranks->setItem(row++, kAttachState, rankCell(words.state));
  }
  m_empty->hide();
  m_ranks->show();
}

void AttachDialog::record() {
  if (busy() || !m_job) return;
  const std::optional<AttachRequest> asked = request();
  if (!asked) return;
  const QString out = m_form->out();
  if (const std::string why = whyNoImportInto(out.toStdString()); !why.empty())
    return m_form->showProblem({"attachOut", look::shownText(why)});
  setBusy(true);
  showSentence({}, false);
  m_work.run([this, job = *m_job, asked = *asked, out](const WorkControl& control) -> LongWork::Then {
    const auto end = std::make_shared<Result<ImportedJob>>(recordedJob(job, asked, out.toStdString(), control));
    return [this, end, out] { showEnd(*end, out); };
  });
}

void AttachDialog::showEnd(const Result<ImportedJob>& job, const QString& out) {
  setBusy(false);
  m_record->setFocus();
  if (!job.ok()) return showError(job.error());
  showMissing(job->missing);
  if (!job->imported) return showSentence(tr("No rank gave a trace, so nothing was written."), true);
  Q_EMIT recorded(withReasons(*job), out);
  accept();
}

void AttachDialog::showMissing(const std::vector<MissingRank>& missing) {
  for (int row = 0; row < m_ranks->rowCount(); ++row) {
    const int rank = m_ranks->item(row, kAttachRank)->text().toInt();
    const auto found = std::ranges::find(missing, rank, &MissingRank::rank);
    if (found != missing.end()) m_ranks->item(row, kAttachState)->setText(look::shownText(found->reason));
  }
}

/// In the window's words: those of the profiler are for the command line.
void AttachDialog::showProgress(const Progress& progress, double seconds_left) {
  const int ranks = m_job ? static_cast<int>(m_job->ranks.size()) : 0;
  QString words = look::shownText(progress.phase);
  if (words.startsWith(QLatin1String("Finding"))) words = tr("Finding the ranks");
  if (words.startsWith(QLatin1String("Asking"))) words = tr("Asking %n rank(s)", nullptr, ranks);
  if (words.startsWith(QLatin1String("Recording"))) words = tr("Recording on %n rank(s)", nullptr, ranks);
  if (words.startsWith(QLatin1String("Receiving")))
    words = tr("Receiving traces: %1 of %2").arg(progress.done).arg(progress.total);
  if (const QString left = wordsForTimeLeft(seconds_left); !left.isEmpty()) words += QStringLiteral(" \u2013 ") + left;
  m_progress->showWords(words, progress);
}

/// What is listed belongs to other fields.
void AttachDialog::forgetRanks() {
  m_job.reset();
  m_ranks->setRowCount(0);
  m_ranks->hide();
  m_empty->show();
  m_record->setEnabled(false);
  setDefault(*m_find);
  showSentence({}, false);
}

void AttachDialog::showOut() {
  const QString out = m_form->out();
  const bool replaces = holdsImport(out.toStdString());
  showSentence(replaces ? tr("%1 holds an imported trace, which is replaced.").arg(look::shownName(out)) : QString(),
               false);
}

void AttachDialog::setBusy(bool busy) {
  m_form->setEnabled(!busy);
  m_find->setEnabled(!busy);
  m_record->setEnabled(!busy && m_job);
  if (busy && m_job) m_ranks->setFocus();
}

void AttachDialog::setDefault(QPushButton& button) {
  for (QPushButton* const one : {m_find, m_record}) one->setDefault(one == &button);
}

void AttachDialog::showSentence(const QString& sentence, bool wrong) {
  look::showSentence(*m_sentence, sentence, wrong);
  m_sentence->setVisible(!sentence.isEmpty());
  if (sentence.isEmpty()) return;
  QAccessibleEvent alert(m_sentence, QAccessible::Alert);
  QAccessible::updateAccessibility(&alert);
}

void AttachDialog::showError(const Error& error) {
  showSentence(look::shownText(error), error.kind != Error::Kind::Cancelled);
}

void AttachDialog::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && busy()) return m_work.cancel();
  QDialog::keyPressEvent(event);
}

std::shared_ptr<const ImportedTrace> withReasons(const ImportedJob& job) {
  if (job.missing.empty()) return job.imported;
  ImportedTrace named = *job.imported;
  for (const MissingRank& rank : job.missing)
    named.counts.remarks.push_back(
        AttachDialog::tr("Rank %1: %2").arg(rank.rank).arg(look::shownText(rank.reason)).toStdString());
  return std::make_shared<const ImportedTrace>(std::move(named));
}

}  // namespace lanelab
