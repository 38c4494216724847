// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/idle/suggestion_strip.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "profiler/analysis/idle_causes.h"
#include "ui/look/brief_label.h"
#include "ui/look/flow_layout.h"
#include "ui/look/parts.h"
#include "ui/look/plain_text.h"
#include "ui/look/theme.h"
#include "ui/timeline/model/timeline_texts.h"

namespace lanelab {
namespace {

constexpr int kSentenceLines = 2;  ///< the pane is low, and its tables need the rest

QString percent(double share) { return QStringLiteral("%1 %").arg(QString::number(100 * share, 'f', 1)); }

QLabel* figure(const char* name, QWidget* parent) {
  auto* label = new look::PlainLabel(parent);
  label->setObjectName(QLatin1String(name));
  label->setFont(look::smallFont());
  label->hide();
  return label;
}

void show(QLabel& label, const QString& text, const QString& tip) {
  label.setText(text);
  label.setToolTip(tip);
  label.setAccessibleDescription(tip);
  label.setVisible(!text.isEmpty());
}

}  // namespace

SuggestionStrip::SuggestionStrip(QWidget* parent)
    : QFrame(parent),
      m_doubt(new look::BriefLabel(kSentenceLines, this)),
      m_outcome(new look::BriefLabel(kSentenceLines, this)),
      m_suggestion(new look::BriefLabel(kSentenceLines, this)),
      m_run(look::button(
          "suggestionRun", tr("Run Suggested Fix"),
          tr("Add the suggested variant to the experiment and run it beside the current one (Ctrl+Shift+M)"), this)),
      m_sizes(look::button("suggestionSizes", tr("Try Micro-Batch Sizes"),
                           tr("Predict the step times of other micro-batch sizes, then measure the best three"), this)),
      m_what_if(look::button("suggestionWhatIf", tr("What If..."),
                             tr("Re-simulate these steps with a faster or slower stage, block or link (Ctrl+Shift+I)"),
                             this)),
      m_bubble(figure("bubbleFigure", this)),
      m_utilisation(figure("utilisationFigure", this)),
      m_path(figure("pathFigure", this)),
      m_recording(figure("recordingFigure", this)),
      m_waterfall(figure("waterfallFigure", this)) {
  setObjectName(QStringLiteral("suggestionStrip"));
  m_doubt->setObjectName(QStringLiteral("idleDoubt"));
  m_outcome->setObjectName(QStringLiteral("suggestionOutcome"));
  m_suggestion->setObjectName(QStringLiteral("suggestionSentence"));
  for (look::BriefLabel* sentence : {m_doubt, m_outcome, m_suggestion}) {
    sentence->setFont(look::bold(font()));
    sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
  }
  auto* first = new QHBoxLayout;
  first->setSpacing(2 * look::kGrid);
  first->addWidget(m_suggestion, 1);
  first->addWidget(m_run);
  first->addWidget(m_sizes);
  first->addWidget(m_what_if);
  auto* figures = new look::FlowLayout(5 * look::kGrid, look::kGrid / 2);
  for (QLabel* label : {m_bubble, m_utilisation, m_path, m_recording, m_waterfall}) figures->addWidget(label);
  auto* column = look::makeLayout<QVBoxLayout>(this, look::kGrid / 2, look::kPaneMargins);
  column->addWidget(m_doubt);
  column->addWidget(m_outcome);
  column->addLayout(first);
  column->addLayout(figures);
  connect(m_run, &QPushButton::clicked, this, &SuggestionStrip::runRequested);
  connect(m_sizes, &QPushButton::clicked, this, &SuggestionStrip::sizesRequested);
  connect(m_what_if, &QPushButton::clicked, this, &SuggestionStrip::whatIfRequested);
  setDoubt({}, {});
  setOutcome({});
  setSuggestion({}, {}, false);
}

void SuggestionStrip::setFigures(const Trace& trace, const IdleCauses& causes, std::optional<TimeRange> range) {
  const BubbleShares bubble = bubbleShares(causes);
  lanelab::show(*m_bubble,
                bubble.of_total > 0
                    ? tr("Bubble: %1 of total, %2 of ideal").arg(percent(bubble.of_total), percent(bubble.of_ideal))
                    : QString(),
                tr("Fill and drain: the idle time that the order of the actions costs.\nOf total: over the lanes' "
                   "step time, as in the tables of zero bubble "
                   "(Qi et al. 2023); (p-1)/(m+p-1) for p equal stages and m micro-batches.\nOf ideal: over their busy "
                   "time, as in Megatron-LM (Narayanan et "
                   "al. 2021); (p-1)/m."));
  QStringList lanes;
  for (const LaneCauses& lane : causes.lanes) {
    if (!lane.hasWork()) continue;
    lanes << tr("%1: %2").arg(lane.name.empty() ? tr("lane %1").arg(lane.lane) : look::shownName(lane.name),
                              percent(utilisation(lane)));
  }
  lanelab::show(*m_utilisation, lanes.isEmpty() ? QString() : tr("Utilization: %1").arg(percent(utilisation(causes))),
                tr("Busy time of all lanes over their step time.") + QLatin1Char('\n') + lanes.join(QLatin1Char('\n')));
  const QString path = pathText(trace, range);
  m_explained = !path.isEmpty() || (range && m_explained);
  lanelab::show(*m_path, path.isEmpty() ? path : tr("Critical path: %1").arg(path),
                tr("The chain of actions, transfers and waits that determines the step time. Only what is on it "
                   "can make the step shorter."));
  updateButtons();
}

void SuggestionStrip::setDoubt(const QString& sentence, const QString& tip) {
  lanelab::show(*m_doubt, sentence, tip.startsWith(sentence.chopped(1)) || tip.isEmpty() ? tip : sentence + '\n' + tip);
  if (tip.isEmpty()) m_doubt->setToolTip(sentence);
}

void SuggestionStrip::setWaterfall(const QString& text, const QString& tip) { lanelab::show(*m_waterfall, text, tip); }

void SuggestionStrip::setRecordingCost(const QString& text, const QString& tip) {
  lanelab::show(*m_recording, text, tip);
}

void SuggestionStrip::setOutcome(const QString& sentence) {
  m_outcome->setSentence(sentence);
  m_outcome->setVisible(!sentence.isEmpty());
}

void SuggestionStrip::setSuggestion(const QString& sentence, const QString& more, bool runnable) {
  m_suggestion->setSentence(sentence, more);
  // An empty label keeps its place in the row, but takes no focus.
  m_suggestion->setTextInteractionFlags(sentence.isEmpty() ? Qt::NoTextInteraction : Qt::TextSelectableByMouse);
  m_runnable = runnable;
  updateButtons();
  Q_EMIT suggestionChanged();
}

bool SuggestionStrip::rulesOutFixes() const { return !m_runnable && !m_suggestion->text().isEmpty(); }

void SuggestionStrip::offerSizes(bool offered) {
  m_offers_sizes = offered;
  updateButtons();
}

void SuggestionStrip::setSweepsShownRun(bool sweeps) {
  m_sweeps_shown = sweeps;
  updateButtons();
}

void SuggestionStrip::setReadOnly(bool read_only) {
  m_read_only = read_only;
  updateButtons();
}

void SuggestionStrip::updateButtons() {
  m_run->setVisible(m_runnable);
  m_run->setEnabled(!m_read_only);
  m_sizes->setVisible(m_offers_sizes && m_sweeps_shown);
  m_sizes->setEnabled(!m_read_only);
  m_what_if->setVisible(m_explained);
  m_what_if->setEnabled(!m_read_only);
}

}  // namespace lanelab
