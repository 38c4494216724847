// SPDX-License-Identifier: GPL-3.0-only
#include "ui/first_steps/welcome_strip.h"

#include <QDateTime>
#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>
#include <algorithm>

#include "base/progress.h"
#include "ui/look/flow_layout.h"
#include "ui/look/parts.h"
#include "ui/look/plain_text.h"
#include "ui/look/theme.h"

namespace lanelab {

namespace {

QString fact(const RunRecord& record, const char* name) {
  const auto found = std::ranges::find(record.environment, name, &std::pair<std::string, std::string>::first);
  return found == record.environment.end() ? QString() : look::shownText(found->second);
}

/// Of a record that says when it began and ended.
std::optional<double> recordedSeconds(const RunRecord& record) {
  const auto moment = [](const std::string& iso) {
    return QDateTime::fromString(QString::fromStdString(iso), Qt::ISODate);
  };
  const QDateTime begin = moment(record.started), end = moment(record.finished);
  if (!begin.isValid() || !end.isValid()) return std::nullopt;
  return static_cast<double>(begin.msecsTo(end)) * 1e-3;
}

}  // namespace

WelcomeStrip::WelcomeStrip(QWidget* parent) : QFrame(parent), m_recorded(look::wrappedLabel("welcomeRecorded")) {
  setObjectName("welcomeStrip");
  auto* sides = look::makeLayout<QHBoxLayout>(this, 2 * look::kGrid,
                                              {3 * look::kGrid, 2 * look::kGrid, look::kGrid, 2 * look::kGrid});
  auto* column = new QVBoxLayout;
  column->setSpacing(look::kGrid);
  auto* purpose = look::wrappedLabel(
      "welcomePurpose", tr("LaneLab trains a network across lanes (CPU cores or GPUs) and shows why each lane waits."));
  purpose->setFont(look::bold(purpose->font()));
  column->addWidget(purpose);
  column->addWidget(m_recorded);
  auto* ways = new QWidget;
  auto* row = new look::FlowLayout(2 * look::kGrid, look::kGrid);
  row->setContentsMargins(0, look::kGrid, 0, 0);
  ways->setLayout(row);
  const auto way = [&](const char* name, const QString& text, const QString& tip, auto signal) {
    QPushButton* const made = look::button(name, text, tip);
    connect(made, &QPushButton::clicked, this, signal);
    row->addWidget(made);
    return made;
  };
  m_run = way("welcomeRun", tr("Compare Strategies"),
              tr("Run the demo on this machine: one lane, model parallel and pipeline"), &WelcomeStrip::runRequested);
  showFirstWay();
  way("welcomeNetwork", tr("Use My Own Network..."), tr("Export a network of PyTorch and place its blocks"),
      &WelcomeStrip::networkRequested);
  way("welcomeTrace", tr("Open a Trace..."), tr("Show a trace of torch.profiler, Nsight Systems or Perfetto"),
      &WelcomeStrip::traceRequested);
  way("welcomeLessons", tr("Lessons"), tr("Learn from recorded runs why lanes wait"), &WelcomeStrip::lessonsRequested);
  column->addWidget(ways);
  sides->addLayout(column, 1);
  auto* close =
      look::toolButton("closeWelcome", "close", tr("Close the welcome"), tr("Close this, and the recorded run"));
  connect(close, &QToolButton::clicked, this, &WelcomeStrip::closeRequested);
  sides->addWidget(close, 0, Qt::AlignTop);
  hide();
}

void WelcomeStrip::showRecorded(const RunRecord& record) {
  const QString cores = fact(record, "cores"), cpu = fact(record, "cpu");
  const std::optional<double> seconds = recordedSeconds(record);
  const QString time = seconds ? tr(" in %1").arg(look::shownText(roughTime(*seconds))) : QString();
  const QString text = tr("Below: %1 as another machine ran it%2 (%3 cores, %4).")
                           .arg(look::shownName(record.experiment.name), time, cores, cpu);
  m_recorded->setText(text);
  setSecondsHere(std::nullopt);
  show();
}

void WelcomeStrip::setSecondsHere(std::optional<double> seconds) {
  const QString time = seconds ? look::shownText(roughTime(*seconds)) : QString();
  m_run->setText(time.isEmpty() ? tr("Compare Strategies") : tr("Compare Strategies Here (%1)").arg(time));
}

/// The way that most should take first, in the colour of the accent.
void WelcomeStrip::showFirstWay() {
  const QColor accent = look::current().accent;
  QPalette colors = palette();
  colors.setColor(QPalette::Button, accent);
  colors.setColor(QPalette::ButtonText, look::inkOn(accent));
  m_run->setPalette(colors);
}

void WelcomeStrip::changeEvent(QEvent* event) {
  QFrame::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) showFirstWay();
}

/// As the message strip.
void WelcomeStrip::paintEvent(QPaintEvent*) {
  const auto& palette = look::current();
  QPainter painter(this);
  painter.fillRect(rect(), look::mix(palette.surface, palette.accent, 0.12));
  painter.fillRect(QRect(0, 0, look::kGrid, height()), palette.accent);
}

}  // namespace lanelab
