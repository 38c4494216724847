// SPDX-License-Identifier: GPL-3.0-only
// COMPARE: the headline sentence, horizontal bars with error bars (from 0, one a variant, baseline marked, dots of the
// repeats when n is at most 10), table with ratios in words.
#pragma once

#include <QWidget>
#include <memory>
#include <vector>

#include "engine/record/run_record.h"
#include "ui/export/exhibit.h"

class QStackedLayout;

namespace lanelab {

class ChartCanvas;
namespace look {
class PlainLabel;
}

enum class Spread { Ci95, Std };

class ComparisonView : public QWidget {
  Q_OBJECT

 public:
  explicit ComparisonView(QWidget* parent = nullptr);
  ~ComparisonView() override;

  /// One run, or several side by side ("run/variant"). Empty: a sentence on what will be here.
  void setRuns(std::vector<std::shared_ptr<const RunRecord>> runs);
  void setSpread(Spread spread);
  Picture picture() const;
  std::string csv() const;
  Exhibit exhibit() const;

 Q_SIGNALS:
  void variantActivated(const QString& variant);  ///< a bar or row was chosen: its trace is to be shown

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  class Impl;
  std::unique_ptr<Impl> m_impl;
};

/// Loss by step of each variant, and accuracy by epoch beside it where epochs are counted; live during a run.
class LossView : public QWidget {
  Q_OBJECT

 public:
  explicit LossView(QWidget* parent = nullptr);

  struct Curve {
    QString name;
    std::vector<double> losses;            ///< one a step, of one repeat
    std::vector<EpochResult> epochs = {};  ///< of the same repeat
  };
  /// `experiment`: its JSON, which a PNG carries; empty during a run and of several runs.
  void setCurves(std::vector<Curve> curves, const QString& experiment = {});
  /// Said while there are no losses; empty: that nothing was run.
  void setEmptyText(const QString& sentence);
  Picture picture() const;
  std::string csv() const;
  Exhibit exhibit() const;

 private:
  void draw();

  std::vector<Curve> m_curves;
  QString m_experiment;
  QStackedLayout* m_pages;
  look::PlainLabel* m_empty;
  ChartCanvas *m_losses, *m_accuracy;
};

Picture comparisonPicture(const RunRecord& record, Spread spread);
Picture lossPicture(const RunRecord& record);

}  // namespace lanelab
