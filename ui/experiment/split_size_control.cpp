// SPDX-License-Identifier: GPL-3.0-only
#include <QGridLayout>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>
#include <algorithm>

#include "engine/placement/micro_batches.h"
#include "ui/experiment/experiment_panel.h"
#include "ui/experiment/form_fields.h"
#include "ui/look/plain_label.h"
#include "ui/look/theme.h"

namespace lanelab {

QString wordsForMicroBatches(int batch, int split_size) {
  const MicroBatches parts{batch, split_size};
  const int count = parts.count();
  if (count <= 1) return QObject::tr("= 1 micro-batch");
  const int last = parts.size(MicroBatchId(count - 1));
  if (last == split_size) return QObject::tr("= %1 micro-batches").arg(count);
  return QObject::tr("= %1 micro-batches, last %2").arg(count).arg(last);
}

SplitSizeControl::SplitSizeControl(ExperimentDocument* document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_slider(new QSlider(Qt::Horizontal)),
      m_number(new QSpinBox),
      m_words(new look::PlainLabel),
      m_grid(new QGridLayout(this)) {
  setObjectName("splitSizeControl");
  m_slider->setObjectName("splitSizeSlider");
  m_slider->setAccessibleName(tr("Micro-batch size (split size), slider"));
  m_slider->setMinimumWidth(20 * look::kGrid);
  m_slider->setMaximumWidth(64 * look::kGrid);
  m_number->setObjectName("splitSizeNumber");
  m_number->setAccessibleName(tr("Micro-batch size (split size), samples per micro-batch"));
  m_words->setObjectName("splitSizeWords");
  const QString tip = tr("Micro-batch size (split size): samples per micro-batch; the last one may be smaller");
  m_slider->setToolTip(tip);
  m_number->setToolTip(tip);
  m_grid->setContentsMargins(0, 0, 0, 0);
  m_grid->setHorizontalSpacing(2 * look::kGrid);
  m_grid->setVerticalSpacing(look::kGrid / 2);
  m_grid->setColumnStretch(0, 1);
  m_grid->addWidget(m_slider, 0, 0);
  m_grid->addWidget(m_number, 0, 1);
  m_grid->addWidget(m_words, 0, 2);
  ignoreWheelWithoutFocus(m_slider);
  ignoreWheelWithoutFocus(m_number);
  connect(m_slider, &QSlider::valueChanged, this, &SplitSizeControl::take);
  connect(m_slider, &QSlider::sliderPressed, this, [this] { ++m_visit; });
  connect(m_number, &QSpinBox::valueChanged, this, &SplitSizeControl::take);
  connect(m_number, &QSpinBox::editingFinished, this, [this] { ++m_visit; });
  document->tell(this, &SplitSizeControl::refresh);
  refresh();
}

QWidget* SplitSizeControl::input() const { return m_number; }

void SplitSizeControl::edit() {
  m_number->setFocus(Qt::ShortcutFocusReason);
  m_number->selectAll();
}

void SplitSizeControl::makeNarrow() {
  m_grid->removeWidget(m_words);
  m_grid->addWidget(m_words, 1, 0, 1, 2);
}

void SplitSizeControl::refresh() {
  const ResolvedVariant* const resolved = m_document->active();
  if (resolved == nullptr) {
    setEnabled(false);
    return;
  }
  const VariantConfig& variant = resolved->config();
  setEnabled(variant.strategy == Strategy::Pipeline || variant.strategy == Strategy::Ddp ||
             variant.split_size.has_value());
  const int batch = resolved->samples();
  const int split_size = variant.split_size.value_or(batch);
  const QSignalBlocker quiet_slider(m_slider);
  const QSignalBlocker quiet_number(m_number);
  m_slider->setRange(1, batch);
  m_slider->setPageStep(std::max(1, batch / 10));
  m_slider->setValue(split_size);
  m_number->setRange(std::min(1, split_size), std::max(batch, split_size));
  m_number->setValue(split_size);
  const bool legal = split_size >= 1 && split_size <= batch;
  const QString words = wordsForMicroBatches(batch, split_size);
  const bool replicated = resolved->replicated();
  m_words->setText(legal            ? replicated ? tr("%1 per replica").arg(words) : words
                   : split_size < 1 ? tr("must be at least 1")
                   : replicated     ? tr("above the %1 of a replica").arg(batch)
                                    : tr("above the batch of %1").arg(batch));
}

void SplitSizeControl::take(int split_size) {
  m_document->edit(
      tr("Split size"), [&](Experiment& experiment) { m_document->activeIn(experiment)->split_size = split_size; },
      QStringLiteral("split_size#%1").arg(m_visit));
}

}  // namespace lanelab
