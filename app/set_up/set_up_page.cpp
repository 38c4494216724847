// SPDX-License-Identifier: GPL-3.0-only
#include "app/set_up/set_up_page.h"

#include <signal.h>
#include <unistd.h>
#include <QDialogButtonBox>
#include <QPushButton>
#include <QRegularExpression>
#include <QVBoxLayout>

#include "ui/look/parts.h"
#include "ui/look/plain_text.h"
#include "ui/look/theme.h"
#include "ui/look/work_bar.h"

namespace lanelab {
namespace {

constexpr QSize kPageSize(560, 320);
constexpr int kStopLimitMs = 3000;  ///< of pip, which removes its temporary files first

/// To the installer and all that it started: it has a process group of its own.
void endGroup(const QProcess& process, int signal) {
  if (process.processId() > 0) ::kill(-static_cast<pid_t>(process.processId()), signal);
}

}  // namespace

std::optional<Progress> installProgress(const QString& line) {
  static const QRegularExpression pattern(QStringLiteral("^PyTorch: (\\d+) of (\\d+) "));
  const QRegularExpressionMatch match = pattern.match(line);
  if (!match.hasMatch()) return std::nullopt;
  return Progress{line.toStdString(), match.captured(1).toLongLong(), match.captured(2).toLongLong()};
}

SetUpPage::SetUpPage(const QString& installer, QWidget* parent)
    : QDialog(parent),
      m_installer(installer),
      m_sentence(look::wrappedLabel("setUpSentence", {}, this)),
      m_progress(new WorkBar(QStringLiteral("setUpProgress"), WorkBar::Shape::Stacked, this)),
      m_install(look::button("setUpInstall", tr("&Install PyTorch"),
                             tr("Download PyTorch and its libraries and install them for you alone"), this)) {
  setObjectName(QStringLiteral("setUpPage"));
  setWindowTitle(tr("Set Up LaneLab"));
  auto* const title = new look::PlainLabel(tr("LaneLab needs PyTorch"), this);
  title->setFont(look::headlineFont());
  auto* const text = look::wrappedLabel(
      "setUpText",
      tr("LaneLab trains with PyTorch, which was not found. It can be installed for you now, without changing the "
         "system: 2.4 GB are downloaded, and 4.3 GB are used in lanelab/python of your data folder.\n\nIf you have a "
         "Python environment with PyTorch, set the variable LANELAB_TORCH_ROOT to it and start LaneLab again."),
      this);
  auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  buttons->addButton(m_install, QDialogButtonBox::ActionRole);
  auto* const column = look::dialogColumn(this);
  column->addWidget(title);
  column->addWidget(text);
  column->addStretch(1);
  column->addWidget(m_sentence);
  column->addWidget(m_progress);
  column->addWidget(buttons);
  m_install->setDefault(true);
  m_progress->setVisible(false);
  resize(kPageSize);

  m_process.setProcessChannelMode(QProcess::MergedChannels);
  m_process.setChildProcessModifier([] { ::setsid(); });
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(m_install, &QPushButton::clicked, this, &SetUpPage::begin);
  connect(m_progress, &WorkBar::cancelRequested, this, &SetUpPage::stop);
  connect(&m_process, &QProcess::readyRead, this, &SetUpPage::readLines);
  connect(&m_process, &QProcess::finished, this, &SetUpPage::finish);
  connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart)
      showFailure(tr("%1 cannot be started: %2. Install LaneLab again.").arg(m_installer, m_process.errorString()));
  });
}

SetUpPage::~SetUpPage() {
  m_process.disconnect(this);
  if (m_process.state() == QProcess::NotRunning) return;
  endGroup(m_process, SIGTERM);
  if (!m_process.waitForFinished(kStopLimitMs)) endGroup(m_process, SIGKILL);
  m_process.waitForFinished(kStopLimitMs);
}

void SetUpPage::begin() {
  m_stopped = false;
  m_last_line.clear();
  m_install->setEnabled(false);
  look::showSentence(*m_sentence, {}, false);
  m_progress->showWords(tr("Starting"), {});
  m_process.start(m_installer, {QStringLiteral("--yes")});
}

void SetUpPage::stop() {
  m_stopped = true;
  m_progress->setStopping(tr("Cancelling"));
  endGroup(m_process, SIGTERM);
}

void SetUpPage::readLines() {
  while (m_process.canReadLine()) {
    m_last_line = QString::fromLocal8Bit(m_process.readLine()).trimmed();
    const std::optional<Progress> progress = installProgress(m_last_line);
    m_progress->showWords(progress ? tr("PyTorch: %1 of %2 packages").arg(progress->done).arg(progress->total)
                                   : look::shownName(m_last_line),
                          progress.value_or(Progress{}));
  }
}

void SetUpPage::finish(int exit_code, QProcess::ExitStatus status) {
  readLines();
  if (status == QProcess::NormalExit && exit_code == 0)
    accept();
  else
    showFailure(m_stopped ? tr("The installation was cancelled.") : look::shownText(m_last_line));
}

void SetUpPage::showFailure(const QString& sentence) {
  m_progress->setEnded();
  m_progress->setVisible(false);
  m_install->setEnabled(true);
  m_install->setFocus();
  look::showSentence(*m_sentence, sentence, !m_stopped);
}

}  // namespace lanelab
