// SPDX-License-Identifier: GPL-3.0-only
#include "ui/statistics/overview_card.h"

#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/look/flow_layout.h"
#include "ui/look/parts.h"
#include "ui/look/plain_text.h"

namespace lanelab {

namespace {

constexpr int kBarHeight = 3 * look::kGrid;
constexpr int kSwatch = 2 * look::kGrid;
constexpr int kMostLanesInTip = 16;

QString partName(TimePart part) {
  switch (part) {
    case TimePart::Compute: return OverviewCard::tr("Compute");
    case TimePart::Communication: return OverviewCard::tr("Exposed communication");
    case TimePart::Memory: return OverviewCard::tr("Copies and memsets");
    case TimePart::Data: return OverviewCard::tr("Data");
    case TimePart::Host: return OverviewCard::tr("Host");
    case TimePart::Other: return OverviewCard::tr("Other");
    case TimePart::Idle: return OverviewCard::tr("Idle");
  }
  return {};
}

QString partTip(TimePart part) {
  switch (part) {
    case TimePart::Compute: return OverviewCard::tr("Actions, kernels that compute, or operators");
    case TimePart::Communication:
      return OverviewCard::tr("Transfers, collectives and the exchange of replicas while the lane computes nothing");
    case TimePart::Memory: return OverviewCard::tr("Copies and memsets while nothing of the parts before runs");
    case TimePart::Data: return OverviewCard::tr("Waiting for the loader of the data");
    case TimePart::Host: return OverviewCard::tr("Work of the host while the lane does nothing else");
    case TimePart::Other: return OverviewCard::tr("Other recorded spans, such as evaluation");
    case TimePart::Idle: return OverviewCard::tr("Nothing was recorded; Idle and Gaps explains it");
  }
  return {};
}

QColor partColor(TimePart part, const look::Palette& palette) {
  switch (part) {
    case TimePart::Compute: return palette.series(3);
    case TimePart::Communication: return palette.transfer;
    case TimePart::Memory: return look::mix(palette.transfer, palette.surface, 0.55);
    case TimePart::Data: return palette.series(2);
    case TimePart::Host: return palette.wait;
    case TimePart::Other: return palette.detail;
    case TimePart::Idle: return palette.idle_background;
  }
  return palette.surface;
}

/// Idle is hatched as on the timeline.
void paintPart(QPainter& painter, const QRectF& rect, TimePart part) {
  const look::Palette& palette = look::current();
  painter.fillRect(rect, partColor(part, palette));
  if (part == TimePart::Idle) look::hatch(painter, rect, palette.idle_hatch, look::kGrid);
}

double shareOfPart(const LaneTime& lane, TimePart part) {
  return shareOf(lane.parts[static_cast<std::size_t>(part)], lane.window);
}

QString percentCell(double share) { return QStringLiteral("%1 %").arg(100 * share, 0, 'f', 1); }

QString wordsOf(const LaneTime& lane) {
  QStringList words;
  for (std::size_t i = 0; i < kTimePartCount; ++i) {
    const auto part = static_cast<TimePart>(i);
    if (lane.parts[i] > 0) words << partName(part).toLower() + ' ' + percentCell(shareOfPart(lane, part));
  }
  return words.join(QStringLiteral(", "));
}

/// A swatch and words.
class PartEntry : public look::PlainLabel {
 public:
  explicit PartEntry(TimePart part) : m_part(part) {
    setFont(look::smallFont());
    setIndent(kSwatch + look::kGrid);
    setToolTip(partTip(part));
    setObjectName("part-" + QString::fromStdString(toWord(part)));
  }

 protected:
  void paintEvent(QPaintEvent* event) override {
    PlainLabel::paintEvent(event);
    QPainter painter(this);
    const QRectF swatch(0, (height() - kSwatch) / 2, kSwatch, kSwatch);
    paintPart(painter, swatch, m_part);
    painter.setPen(look::current().line);
    painter.drawRect(swatch.adjusted(0, 0, -1, -1));
  }

 private:
  TimePart m_part;
};

}  // namespace

class PartsBar : public QWidget {
 public:
  PartsBar() {
    setFixedHeight(kBarHeight);
    setObjectName(QStringLiteral("statisticsBar"));
    setAccessibleName(OverviewCard::tr("Time of all lanes by what it was spent on"));
  }
  void setTime(const LaneTime& sum) {
    m_sum = sum;
    setAccessibleDescription(wordsOf(sum));
    update();
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    double x = 0;
    for (std::size_t i = 0; i < kTimePartCount; ++i) {
      const auto part = static_cast<TimePart>(i);
      const double width = shareOfPart(m_sum, part) * this->width();
      if (width > 0) paintPart(painter, QRectF(x, 0, width, height()), part);
      x += width;
    }
    painter.setPen(look::current().line);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
  }

 private:
  LaneTime m_sum;
};

OverviewCard::OverviewCard(QWidget* parent)
    : QWidget(parent),
      m_sentence(new look::PlainLabel),
      m_clear(look::button("clearStatisticsRange", tr("Clear &Selection"), tr("Show the whole trace again"))),
      m_bar(new PartsBar),
      m_legend(new QWidget) {
  setObjectName(QStringLiteral("statisticsCard"));
  m_sentence->setObjectName(QStringLiteral("statisticsSentence"));
  m_sentence->setFont(look::headlineFont());
  auto* const first = new look::FlowLayout(2 * look::kGrid, look::kGrid);
  first->addWidget(m_sentence);
  first->addWidget(m_clear);
  auto* const legend = new look::FlowLayout(4 * look::kGrid, look::kGrid / 2);
  m_legend->setLayout(legend);
  for (std::size_t part = 0; part < kTimePartCount; ++part) {
    m_entries.push_back(new PartEntry(static_cast<TimePart>(part)));
    legend->addWidget(m_entries.back());
  }
  auto* const column = look::makeLayout<QVBoxLayout>(this, look::kGrid, look::kPaneMargins);
  column->addLayout(first);
  column->addWidget(m_bar);
  column->addWidget(m_legend);
  m_clear->hide();
  connect(m_clear, &QPushButton::clicked, this, &OverviewCard::clearRequested);
}

void OverviewCard::setOverview(const TimeOverview& overview, const QString& sentence, bool selected) {
  const LaneTime sum = overview.sum();
  m_sentence->setText(sentence);
  m_clear->setVisible(selected);
  m_bar->setTime(sum);
  m_bar->setVisible(sum.window > 0);
  for (std::size_t i = 0; i < kTimePartCount; ++i) {
    const auto part = static_cast<TimePart>(i);
    static_cast<PartEntry*>(m_entries[i])
        ->setText(tr("%1 %2").arg(partName(part), percentCell(shareOfPart(sum, part))));
    m_entries[i]->setVisible(sum.parts[i] > 0);
  }
  QStringList lanes;
  for (const LaneTime& lane : overview.lanes) {
    if (lanes.size() == kMostLanesInTip) break;
    lanes << tr("%1: %2").arg(look::shownName(lane.name), wordsOf(lane));
  }
  if (static_cast<int>(overview.lanes.size()) > kMostLanesInTip) lanes << QStringLiteral("\u2026");
  m_bar->setToolTip(lanes.join(QLatin1Char('\n')));
}

}  // namespace lanelab
