// SPDX-License-Identifier: GPL-3.0-only
#include "ui/what_if/what_if_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSlider>
#include <QVBoxLayout>
#include <cmath>
#include <map>
#include <set>

#include "base/csv.h"
#include "profiler/io/tables/gap_tables.h"
#include "ui/export/picture_view.h"
#include "ui/look/parts.h"
#include "ui/look/plain_text.h"
#include "ui/timeline/model/timeline_texts.h"

namespace lanelab {
namespace {

constexpr double kLeastFactor = 0.25;
constexpr double kMostFactor = 4;
constexpr int kSliderTurn = 100;  ///< slider steps for a factor of two
constexpr int kSoon = 40;         // milliseconds
constexpr int kMostSplitSizes = 24;
constexpr QSize kWhatIfSize(820, 520);
constexpr int kFigureWidth = 800;

/// What can be scaled, as the combo box keeps it.
enum class Target { Stage, Link, Block };

QString factorText(double factor) { return QStringLiteral("\u00d7 %1").arg(QString::number(factor, 'g', 3)); }

QString originText(Origin origin) {
  switch (origin) {
    case Origin::Measured: return WhatIfDialog::tr("measured");
    case Origin::Replayed: return WhatIfDialog::tr("replayed");
    case Origin::Predicted: return WhatIfDialog::tr("simulated");
  }
  return {};
}

QString stepTitle(const QString& what, const Trace& trace, Nanoseconds step) {
  return WhatIfDialog::tr("%1 (%2): %3 per step; critical path: %4")
      .arg(what, originText(trace.origin), QString::fromStdString(plainDuration(step)), pathText(trace));
}

}  // namespace

WhatIfDialog::WhatIfDialog(QWidget* parent)
    : QDialog(parent),
      m_target(new QComboBox(this)),
      m_slider(new QSlider(Qt::Horizontal, this)),
      m_factor(new QDoubleSpinBox(this)),
      m_micro_batches(new QComboBox(this)),
      m_changes(look::wrappedLabel("whatIfChanges", {}, this)),
      m_result(look::wrappedLabel("whatIfResult", {}, this)),
      m_steps(new PictureView(this)),
      m_show(look::button("whatIfShow", tr("Show in &Timeline"),
                          tr("Show the changed steps and their idle causes in the timeline, until Reset"), this)),
      m_reset(look::button("whatIfReset", tr("&Reset"), tr("Undo all changes and show the measured steps"), this)) {
  setObjectName(QStringLiteral("whatIfDialog"));
  setWindowTitle(tr("What If"));
  resize(kWhatIfSize);
  m_target->setObjectName(QStringLiteral("whatIfTarget"));
  m_target->setToolTip(tr("Stage, block or link to make faster or slower"));
  m_slider->setObjectName(QStringLiteral("whatIfSlider"));
  m_slider->setAccessibleName(tr("Factor of the time"));
  m_slider->setRange(static_cast<int>(kSliderTurn * std::log2(kLeastFactor)),
                     static_cast<int>(kSliderTurn * std::log2(kMostFactor)));
  m_slider->setPageStep(kSliderTurn / 4);
  m_slider->setTickPosition(QSlider::TicksBelow);
  m_slider->setTickInterval(kSliderTurn);
  m_factor->setObjectName(QStringLiteral("whatIfFactor"));
  m_factor->setAccessibleName(tr("Factor of the time"));
  m_factor->setRange(kLeastFactor, kMostFactor);
  m_factor->setSingleStep(0.05);
  m_factor->setDecimals(2);
  m_factor->setPrefix(QStringLiteral("\u00d7 "));
  m_micro_batches->setObjectName(QStringLiteral("whatIfMicroBatches"));
  m_steps->setObjectName(QStringLiteral("whatIfSteps"));
  showSteps({});
  m_result->setFont(look::headlineFont());
  m_result->setTextInteractionFlags(Qt::TextSelectableByMouse);

  auto* factor = new QHBoxLayout;
  factor->addWidget(m_target, 2);
  factor->addWidget(m_slider, 3);
  factor->addWidget(m_factor);
  auto* form = new QFormLayout;
  form->setVerticalSpacing(2 * look::kGrid);
  look::addFormRow(form, tr("&Change"), factor, m_target);
  form->addRow(tr("&Micro-batches"), m_micro_batches);
  auto* area = look::scrollArea(m_steps, this);
  area->setAccessibleName(tr("Steps before and after the change"));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  buttons->addButton(m_show, QDialogButtonBox::ActionRole);
  buttons->addButton(m_reset, QDialogButtonBox::ResetRole);
  auto* column = look::dialogColumn(this);
  column->addLayout(form);
  column->addWidget(m_result);
  column->addWidget(m_changes);
  column->addWidget(area, 1);
  column->addWidget(buttons);

  m_soon.setSingleShot(true);
  m_soon.setInterval(kSoon);
  connect(&m_soon, &QTimer::timeout, this, &WhatIfDialog::ask);
  connect(m_target, &QComboBox::currentIndexChanged, this, &WhatIfDialog::chooseTarget);
  connect(m_slider, &QSlider::valueChanged, this,
          [this](int value) { setFactor(std::exp2(static_cast<double>(value) / kSliderTurn)); });
  connect(m_factor, &QDoubleSpinBox::valueChanged, this, [this](double chosen) {
    const QSignalBlocker quiet(m_slider);
    m_slider->setValue(static_cast<int>(std::lround(kSliderTurn * std::log2(chosen))));
    factorOfTarget() = chosen;
    askSoon();
  });
  connect(m_micro_batches, &QComboBox::currentIndexChanged, this, [this](int index) {
    m_question.split_size = m_micro_batches->itemData(index).toInt();
    askSoon();
  });
  connect(m_reset, &QPushButton::clicked, this, &WhatIfDialog::reset);
  connect(m_show, &QPushButton::clicked, this, [this] {
    if (m_after) Q_EMIT showRequested(m_after, words());
  });
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  offerExhibit(m_steps, [this] { return exhibit(); });
  connect(this, &QDialog::finished, this, &WhatIfDialog::restoreRequested);
}

void WhatIfDialog::setTrace(std::shared_ptr<const Trace> trace, std::optional<MeasuredVariant> known,
                            const QString& why_not) {
  m_trace = std::move(trace);
  m_known = known ? std::make_shared<const MeasuredVariant>(std::move(*known)) : nullptr;
  m_question = {};
  setWindowTitle(tr("What If: %1").arg(look::shownName(m_trace->title)));
  fillTargets();
  fillSplitSizes(why_not);
  m_result->setText(tr("Replaying the steps..."));
  ask();
}

void WhatIfDialog::fillTargets() {
  std::map<int, int> lane_of_stage;
  std::set<int> links;
  std::vector<std::string> blocks;
  std::set<std::string_view> seen;
  for (const Track& track : m_trace->tracks) {
    for (const Span& span : track.spans) {
      if (span.category == Category::Action && span.stage >= 0) lane_of_stage.emplace(span.stage, track.lane);
      if (span.category == Category::Transfer) links.insert(span.phase == Phase::Forward ? span.stage : span.stage - 1);
      if (span.category == Category::Block && seen.insert(m_trace->nameOf(span)).second)
        blocks.push_back(m_trace->nameOf(span));
    }
  }
  if (m_known) {  // in the model's order
    blocks.clear();
    for (const BlockSpec& block : m_known->variant->model().blocks) blocks.push_back(block.name);
  }
  const QSignalBlocker quiet(m_target);
  m_target->clear();
  const auto add = [this](const QString& text, Target kind, const QVariant& key) {
    m_target->addItem(text, key);
    m_target->setItemData(m_target->count() - 1, static_cast<int>(kind), Qt::UserRole + 1);
  };
  for (const auto& [stage, lane] : lane_of_stage) {
    const bool named = lane >= 0 && static_cast<std::size_t>(lane) < m_trace->lanes.size();
    const LaneInfo info = named ? m_trace->lanes[static_cast<std::size_t>(lane)] : LaneInfo{};
    add(tr("Stage %1 (%2)").arg(stage).arg(look::briefName(info.name.empty() ? info.device : info.name)), Target::Stage,
        stage);
  }
  for (const int link : links) add(tr("Link between stages %1 and %2").arg(link).arg(link + 1), Target::Link, link);
  for (const std::string& block : blocks)
    add(tr("Block %1").arg(look::shownName(block)), Target::Block, QString::fromStdString(block));
  chooseTarget();
}

void WhatIfDialog::fillSplitSizes(const QString& why_not) {
  const QSignalBlocker quiet(m_micro_batches);
  m_micro_batches->clear();
  const bool splittable =
      m_known && m_known->plan().stages.size() > 1 && m_known->plan().modes.batch_norm != BatchNormMode::Synchronised;
  m_micro_batches->setEnabled(splittable);
  m_micro_batches->setToolTip(
      splittable ? (m_known->times.sizes.size() > 1
                        ? tr("Both sides are then simulated with the measured block times")
                        : tr("Both sides are then simulated; blocks were measured at one size only, so their "
                             "times are scaled by the samples, which flatters small micro-batches"))
                 : why_not);
  if (!m_known) return m_micro_batches->addItem(tr("as measured"));
  const int batch = m_known->experiment().data.batch, present = m_known->plan().micro_batches.split_size;
  std::set<int> sizes;
  for (int size = batch; size >= 1; --size)
    if (batch % size == 0 && batch / size <= 64) sizes.insert(size);
  while (sizes.size() > kMostSplitSizes) sizes.erase(sizes.begin());
  sizes.insert(present);
  for (auto size = sizes.rbegin(); size != sizes.rend(); ++size) {
    const int count = MicroBatches{batch, *size}.count();
    m_micro_batches->addItem(*size == present ? tr("%1, as measured (micro-batch size %2)").arg(count).arg(*size)
                                              : tr("%1 (micro-batch size %2)").arg(count).arg(*size),
                             *size);
    if (*size == present) m_micro_batches->setCurrentIndex(m_micro_batches->count() - 1);
  }
}

Exhibit WhatIfDialog::exhibit() const {
  Exhibit exhibit{"what-if", tr("What If"), {}, {}};
  if (m_rows.empty()) return exhibit;
  const auto paint = [paths = m_paths](QPainter& painter, const QRectF& area, const look::Palette& palette) {
    paintPaths(painter, area, paths, palette);
  };
  Picture figure{m_result->text(), m_changes->text(), QSizeF(kFigureWidth, heightOf(m_paths)), paint, {}};
  if (m_known) figure.metadata = QString::fromStdString(toJson(m_known->experiment()));
  exhibit.figure = [figure] { return figure; };
  exhibit.csv = [rows = m_rows] {
    std::string csv;
    CsvTable table(csv, "step,origin,step_ns");
    for (const auto& [step, trace, length] : rows)
      table.text(step).text(originText(trace->origin).toStdString()).integer(length).endRow();
    return csv;
  };
  return exhibit;
}

double& WhatIfDialog::factorOfTarget() {
  const QVariant key = m_target->currentData();
  WhatIf& factors = m_question.factors;
  switch (static_cast<Target>(m_target->currentData(Qt::UserRole + 1).toInt())) {
    case Target::Stage: return factors.stages.try_emplace(key.toInt(), 1.0).first->second;
    case Target::Link: return factors.links.try_emplace(key.toInt(), 1.0).first->second;
    case Target::Block: break;
  }
  return factors.blocks.try_emplace(key.toString().toStdString(), 1.0).first->second;
}

void WhatIfDialog::chooseTarget() {
  const bool any = m_target->count() > 0;
  m_slider->setEnabled(any);
  m_factor->setEnabled(any);
  if (any) setFactor(factorOfTarget());
}

void WhatIfDialog::setFactor(double factor) { m_factor->setValue(factor); }

void WhatIfDialog::reset() {
  m_question = {};
  const QSignalBlocker quiet(m_micro_batches);
  if (m_known) m_micro_batches->setCurrentIndex(m_micro_batches->findData(m_known->plan().micro_batches.split_size));
  chooseTarget();
  ask();
  Q_EMIT restoreRequested();
}

QString WhatIfDialog::words() const {
  QStringList parts;
  for (const auto& [stage, factor] : m_question.factors.stages)
    if (factor != 1) parts << tr("stage %1 %2").arg(stage).arg(factorText(factor));
  for (const auto& [link, factor] : m_question.factors.links)
    if (factor != 1) parts << tr("link %1-%2 %3").arg(link).arg(link + 1).arg(factorText(factor));
  for (const auto& [block, factor] : m_question.factors.blocks)
    if (factor != 1) parts << tr("%1 %2").arg(look::shownName(block), factorText(factor));
  if (m_known && m_question.split_size && *m_question.split_size != m_known->plan().micro_batches.split_size)
    parts << tr("%n micro-batch(es)", nullptr,
                MicroBatches{m_known->experiment().data.batch, *m_question.split_size}.count());
  return parts.join(QStringLiteral(", "));
}

/// What was answered before cannot be shown any more.
void WhatIfDialog::askSoon() {
  m_show->setEnabled(false);
  m_answering.cancel();
  m_soon.start();
}

void WhatIfDialog::ask() {
  m_soon.stop();
  if (!m_trace) return;
  const QString changed = words();
  m_changes->setText(changed.isEmpty() ? tr("No change yet. The critical path is shown in full colour.")
                                       : tr("Changed: %1.").arg(changed));
  m_reset->setEnabled(!changed.isEmpty());
  m_show->setEnabled(false);
  m_answering.ask([this, question = m_question, trace = m_trace, known = m_known](const auto&) -> Background::Then {
    return [this, answer = answerTo(question, trace, known.get())] { showAnswer(answer); };
  });
}

void WhatIfDialog::showAnswer(const std::optional<WhatIfAnswer>& answer) {
  const QString changed = words();
  m_show->setEnabled(answer && !changed.isEmpty());
  m_after = answer ? answer->after : nullptr;
  m_rows.clear();
  if (!answer) {
    m_result->setText(tr("The schedule is not defined for this number of micro-batches."));
    return showSteps({});
  }
  const QString before = QString::fromStdString(plainDuration(answer->step_before)),
                after = QString::fromStdString(plainDuration(answer->step_after));
  const double change = answer->step_before > 0
                            ? static_cast<double>(answer->step_after) / static_cast<double>(answer->step_before) - 1
                            : 0;
  const QString percent = QString::number(100 * std::abs(change), 'f', 1);
  const QString how = std::abs(change) < 0.0005 ? tr("as long as before")
                      : change < 0              ? tr("%1 % less").arg(percent)
                                                : tr("%1 % more").arg(percent);
  const QString range = answer->range && change != 0
                            ? ' ' + tr("90 % range: %1.").arg(look::shownText(rangeText(*answer->range)))
                            : QString();
  m_result->setText(changed.isEmpty() ? tr("The mean step took %1.").arg(before)
                    : answer->simulated
                        ? tr("Simulated: a step takes %1 instead of %2, %3.").arg(after, before, how) + range
                        : tr("Replayed: the mean step takes %1 instead of %2, %3.").arg(after, before, how) + range);
  m_rows.push_back({"before", answer->before, answer->step_before});
  if (!changed.isEmpty()) m_rows.push_back({"after", answer->after, answer->step_after});
  std::vector<PathStep> steps = {
      pathStep(stepTitle(tr("Before"), *answer->before, answer->step_before), answer->before)};
  if (!changed.isEmpty())
    steps.push_back(pathStep(stepTitle(tr("After"), *answer->after, answer->step_after), answer->after));
  showSteps(std::move(steps));
}

/// One under the other.
void WhatIfDialog::showSteps(std::vector<PathStep> steps) {
  m_paths = std::move(steps);
  QStringList titles;
  for (const PathStep& path : m_paths) titles << path.title;
  const auto paint = [paths = m_paths](QPainter& painter, const QRectF& area, const look::Palette& palette) {
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(area, palette.surface);
    paintPaths(painter, area.adjusted(2 * look::kGrid, 0, -2 * look::kGrid, 0), paths, palette);
  };
  m_steps->setMinimumHeight(static_cast<int>(heightOf(m_paths)));
  m_steps->setPicture(
      {tr("The step before and after, with its critical path"), titles.join(QStringLiteral(". ")), {}, paint, {}});
}

}  // namespace lanelab
