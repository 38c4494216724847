// SPDX-License-Identifier: GPL-3.0-only
#include "ui/experiment/cuts_dialog.h"

#include <QDialogButtonBox>
#include <QPushButton>
#include <QVBoxLayout>
#include <cmath>

#include "engine/advise/profile_caution.h"
#include "engine/placement/cut_search.h"
#include "ui/charts/cuts_picture.h"
#include "ui/experiment/schedule_title.h"
#include "ui/export/picture_view.h"
#include "ui/look/parts.h"
#include "ui/look/plain_text.h"
#include "ui/look/theme.h"
#include "ui/look/work_bar.h"

namespace lanelab {
namespace {

constexpr int kLeastWidth = 480;

QString nameOf(CutChoice::Kind kind) {
  switch (kind) {
    case CutChoice::Kind::PredictedStep: return CutsDialog::tr("Predicted fastest");
    case CutChoice::Kind::MeasuredTime: return CutsDialog::tr("Balanced by time");
    case CutChoice::Kind::Macs: return CutsDialog::tr("Equal MACs");
    case CutChoice::Kind::Parameters: return CutsDialog::tr("Equal parameters");
    case CutChoice::Kind::Memory: return CutsDialog::tr("Equal memory");
    case CutChoice::Kind::Tutorial: return CutsDialog::tr("Tutorial cut");
    case CutChoice::Kind::AsPlaced: return CutsDialog::tr("Current placement");
  }
  return {};
}

QString namesOf(const std::vector<std::string>& cuts) {
  QStringList names;
  for (const std::string& cut : cuts) names << look::shownName(cut);
  return names.join(QStringLiteral(", "));
}

std::vector<CutsBar> barsOf(const CutChoices& choices) {
  std::vector<CutsBar> bars;
  for (const CutChoice& row : choices.rows)
    bars.push_back(
        {nameOf(row.kind), namesOf(row.cuts), row.seconds, row.bottleneck, row.kind == CutChoice::Kind::PredictedStep});
  return bars;
}

QString captionOf(const CutChoices& choices, const ProfileKey& key, ScheduleKind schedule) {
  const QString source =
      choices.interpolated ? CutsDialog::tr("interpolated from measured sizes") : CutsDialog::tr("measured");
  const QString bar = choices.window == WindowKind::Period
                          ? CutsDialog::tr("Each bar is the predicted period from step to step, with %1.")
                          : CutsDialog::tr("Each bar is the predicted step time with %1.");
  return CutsDialog::tr("%1, %2 samples per micro-batch, %3 on %4.")
             .arg(look::shownName(key.arch), QString::number(choices.split_size), source,
                  look::shownName(key.machine)) +
         QLatin1Char(' ') + bar.arg(scheduleTitle(schedule));
}

QString triedText(const CutChoices& choices) {
  if (choices.all_tried) return CutsDialog::tr("No other cut into as many stages is predicted to be faster.");
  return CutsDialog::tr("The first is the fastest of %n cut(s) that were tried.", nullptr, choices.tried);
}

}  // namespace

CutsDialog::CutsDialog(ExperimentDocument& document, std::shared_ptr<Executor> executor, ProfileStore store,
                       QWidget* parent)
    : QDialog(parent),
      m_document(document),
      m_executor(std::move(executor)),
      m_store(std::move(store)),
      m_headline(look::wrappedLabel("cutsHeadline", {}, this)),
      m_bars(new PictureView(this)),
      m_measure(look::button("cutsMeasure", tr("&Measure Blocks"), {}, this)),
      m_place(look::button("cutsPlace", tr("&Place the Best Cut"), {}, this)) {
  setObjectName(QStringLiteral("cutsDialog"));
  setWindowTitle(tr("Compare Cuts"));
  m_bars->setObjectName(QStringLiteral("cutsBars"));
  m_headline->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  buttons->addButton(m_measure, QDialogButtonBox::ActionRole);
  buttons->addButton(m_place, QDialogButtonBox::ActionRole);
  auto* column = look::dialogColumn(this);
  setMinimumWidth(kLeastWidth);
  column->addWidget(m_headline);
  column->addWidget(m_bars, 1);
  column->addWidget(new WorkBar(QStringLiteral("cutsProgress"), WorkBar::Shape::Stacked, this, &m_measuring));
  column->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  offerExhibit(m_bars, [this] { return m_exhibit; });
  connect(m_measure, &QPushButton::clicked, this, &CutsDialog::measure);
  connect(m_place, &QPushButton::clicked, this, [this] {
    m_document.edit(tr("Place Best Cut"), [&](Experiment& experiment) { *m_document.activeIn(experiment) = m_best; });
  });
  m_document.tell(this, &CutsDialog::refresh);
  refresh();
}

void CutsDialog::refresh() {
  if (m_measuring.busy()) return;
  m_comparing.cancel();
  if (m_document.problems().empty()) return compare();
  const ExperimentProblem& first = m_document.problems().front();
  askForMeasurement(tr("Fix the experiment first: %1").arg(look::shownText(first)), false);
}

/// What is shown until then cannot be placed.
void CutsDialog::compare() {
  m_place->setEnabled(false);
  if (m_exhibit.name.isEmpty()) askForMeasurement(tr("Predicting the step time of each cut..."), false);
  m_comparing.ask([this, resolution = m_document.resolution(),
                   asked = m_document.activeVariant()](const auto&) -> Background::Then {
    const ResolvedVariant& variant = resolution->variants()[static_cast<std::size_t>(asked)];
    const std::optional<LaneProfiles> kept = storedProfiles(*resolution, variant.modes(), *m_executor, m_store);
    if (!kept) {
      return [this, resolution] {
        askForMeasurement(tr("The blocks of %1 have not been measured on these lanes. Measuring takes about a minute; "
                             "the times are stored.")
                              .arg(look::shownName(resolution->experiment().model.title())),
                          true);
      };
    }
    return [this, resolution, kept, choices = cutChoices(variant, StepPredictor(*kept))] {
      if (!choices.ok()) return askForMeasurement(look::shownText(choices.error()), false);
      showChoices(*choices, *kept);
    };
  });
}

void CutsDialog::showChoices(const CutChoices& choices, const LaneProfiles& profiles) {
  const CutChoice &best = choices.rows.front(), &placed = choices.rows.back();
  if (std::isinf(best.seconds))
    return askForMeasurement(tr("No cut that was tried keeps every lane within its memory limit."), false);
  QString caption = captionOf(choices, profiles.profiles.front().key, best.variant.schedule);
  if (const Message busy = busyProfileText(profiles.ofLanes()); !busy.message.empty())
    caption += QLatin1Char(' ') + look::shownText(busy);
  m_headline->setText(caption + QLatin1Char(' ') + triedText(choices));
  Picture bars = cutsPicture(barsOf(choices), caption);
  bars.metadata = QString::fromStdString(toJson(m_document.experiment()));
  m_exhibit = {"cuts", tr("Ways to Cut"), [bars] { return bars; }, [csv = cutsCsv(barsOf(choices))] { return csv; }};
  m_bars->setPicture(bars);
  m_bars->setMinimumSize(bars.size.toSize());
  m_bars->show();
  m_best = best.variant;
  m_measure->hide();
  m_place->show();
  m_place->setEnabled(isShorter(best.seconds, placed.seconds));
  m_place->setDefault(true);
  growInPlace();
}

/// Around its centre: grown from its corner it would leave the middle of the window.
void CutsDialog::growInPlace() {
  const QPoint centre = geometry().center();
  layout()->activate();
  resize(sizeHint());  // adjustSize() stops at two thirds of the screen, which may cut the bars
  if (isVisible()) move(centre - rect().center());
}

void CutsDialog::askForMeasurement(const QString& why, bool possible) {
  m_headline->setText(why);
  m_exhibit = {};
  m_bars->hide();
  m_place->hide();
  m_measure->setVisible(possible);
  m_measure->setEnabled(possible);
  m_measure->setDefault(possible);
}

void CutsDialog::measure() {
  m_comparing.cancel();
  m_measure->setEnabled(false);
  m_headline->setText(tr("Measuring the blocks of %1. The times are stored for later.")
                          .arg(look::shownName(m_document.experiment().model.title())));
  m_measuring.run([this, resolution = m_document.resolution(),
                   modes = m_document.active()->modes()](const WorkControl& control) -> LongWork::Then {
    ProfileOptions options;
    options.report = control.report;
    auto profiles = std::make_shared<Result<LaneProfiles>>(
        profilesOf(*resolution, modes, *m_executor, m_store, options, control.stop));
    return [this, profiles] { measured(*profiles); };
  });
}

void CutsDialog::measured(const Result<LaneProfiles>& profiles) {
  if (!profiles.ok() && profiles.error().kind != Error::Kind::Cancelled)
    return askForMeasurement(look::shownText(profiles.error()), true);
  refresh();
  if (profiles.ok()) Q_EMIT blocksMeasured();
}

}  // namespace lanelab
