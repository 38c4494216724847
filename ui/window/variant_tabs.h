// SPDX-License-Identifier: GPL-3.0-only
// One tab per variant of the document; the current one is the variant that board and timeline show.
#pragma once

#include <QTabBar>

namespace lanelab {

class ExperimentDocument;

class VariantTabs : public QTabBar {
  Q_OBJECT

 public:
  /// `document` must outlive it.
  explicit VariantTabs(ExperimentDocument* document, QWidget* parent = nullptr);

 private:
  void showVariants();

  ExperimentDocument* m_document;
};

}  // namespace lanelab
