// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/variant_tabs.h"

#include <QSignalBlocker>

#include "ui/experiment/experiment_document.h"
#include "ui/look/plain_text.h"

namespace lanelab {

VariantTabs::VariantTabs(ExperimentDocument* document, QWidget* parent) : QTabBar(parent), m_document(document) {
  setObjectName("variantTabs");
  setAccessibleName(tr("Variant that the board shows"));
  setToolTip(tr("The variant whose placement and timeline are shown"));
  setDrawBase(false);
  setExpanding(false);
  setElideMode(Qt::ElideNone);
  setUsesScrollButtons(true);
  connect(m_document, &ExperimentDocument::changed, this, &VariantTabs::showVariants);
  connect(m_document, &ExperimentDocument::activeVariantChanged, this, &VariantTabs::showVariants);
  connect(this, &QTabBar::currentChanged, m_document, &ExperimentDocument::setActiveVariant);
  showVariants();
}

void VariantTabs::showVariants() {
  const QSignalBlocker quiet(this);
  const auto& variants = m_document->experiment().variants;
  while (count() > static_cast<int>(variants.size())) removeTab(count() - 1);
  for (int i = 0; i < static_cast<int>(variants.size()); ++i) {
    const QString name = QString::fromStdString(variants[static_cast<std::size_t>(i)].name);
    if (i == count()) addTab(QString());
    setTabText(i, look::buttonText(name));
    setTabData(i, name);
  }
  setCurrentIndex(m_document->activeVariant());
}

}  // namespace lanelab
