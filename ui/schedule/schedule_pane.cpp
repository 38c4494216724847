// SPDX-License-Identifier: GPL-3.0-only
#include "ui/schedule/schedule_pane.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "base/atomic_file.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "engine/experiment/edits/placement_edits.h"
#include "engine/experiment/variant_replicas.h"
#include "engine/record/run_store.h"
#include "ui/experiment/schedule_title.h"
#include "ui/look/parts.h"
#include "ui/look/plain_text.h"
#include "ui/look/sentence_label.h"
#include "ui/look/theme.h"
#include "ui/schedule/schedule_picture.h"
#include "ui/schedule/schedule_view.h"

namespace lanelab {
namespace {

constexpr std::uint64_t kLargestFile = 64ull << 20;

}  // namespace

SchedulePane::SchedulePane(ExperimentDocument* document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_headline(new look::PlainLabel),
      m_buttons(new QWidget),
      m_view(new ScheduleView),
      m_sentence(new SentenceLabel) {
  m_headline->setObjectName("scheduleHeadline");
  m_headline->setToolTip(
      tr("In unit times: a forward, an input part and a weight part take one column, a whole backward two"));
  m_headline->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  m_view->setObjectName("scheduleView");
  m_sentence->setObjectName("scheduleSentence");
  look::makeLayout<QHBoxLayout>(m_buttons, look::kGrid);
  m_split = addButton(tr("Split"), tr("Split the selected backward into input and weight part, or join them (S)"),
                      "scheduleSplit", [this] { m_view->splitOrJoinChosen(); });
  m_reset = addButton(tr("Reset"), tr("Restore the order of the schedule"), "scheduleReset",
                      [this] { take(std::nullopt, tr("reset the order")); });
  m_read = addButton(
      tr("Read CSV..."), tr("Load the order from a file with one row per lane, as the compute-only CSV of PyTorch"),
      "scheduleRead", [this] {
        look::askForFile(this, "scheduleReadDialog", tr("Read Schedule"), tr("Schedule (*.csv);;All files (*)"),
                         [this](const QString& path) { readCsv(path); });
      });
  m_write = addButton(
      tr("Write CSV..."), tr("Save the order to a file that PyTorch and LaneLab read"), "scheduleWrite", [this] {
        look::askWhereToSave(this, "scheduleWriteDialog", tr("Write Schedule"), {}, tr("Schedule (*.csv)"), {},
                             [this](const QString& path) { writeCsv(path); });
      });
  offerExhibit(m_view, [this] { return exhibit(); });
  auto* top = new QHBoxLayout;
  top->addWidget(m_headline, 1);
  top->addWidget(m_buttons);
  auto* column = look::makeLayout<QVBoxLayout>(this, look::kGrid, look::kPaneMargins);
  column->addLayout(top);
  column->addWidget(m_view, 1);
  column->addWidget(m_sentence);
  connect(m_view, &ScheduleView::editRequested, this, &SchedulePane::take);
  connect(m_view, &ScheduleView::brokenChanged, this, &SchedulePane::refreshButtons);
  connect(m_view, &ScheduleView::chosenChanged, this, &SchedulePane::refreshButtons);
  m_document->tell(this, &SchedulePane::refresh);
  setFocusProxy(m_view);
  refresh();
}

QPushButton* SchedulePane::addButton(const QString& text, const QString& tip, const char* name,
                                     const std::function<void()>& work) {
  QPushButton* const button = look::narrowButton(name, text, tip);
  button->setAccessibleDescription(tip);
  button->setAutoDefault(false);
  connect(button, &QPushButton::clicked, this, work);
  m_buttons->layout()->addWidget(button);
  return button;
}

void SchedulePane::setReadOnly(bool read_only) {
  m_read_only = read_only;
  m_view->setReadOnly(read_only);
  refreshButtons();
}

void SchedulePane::refresh() {
  m_view->setShown(shownSchedule(*m_document));
  refreshButtons();
}

/// Everything but the grid itself: it follows the grid also in the middle of a drag.
void SchedulePane::refreshButtons() {
  const auto shown = shownSchedule(*m_document);
  const bool editable = shown && shown->editable && !m_read_only;
  const auto chosen = m_view->chosen();
  const QString problem =
      m_document->problemAt(QStringLiteral("variants[%1].actions").arg(m_document->activeVariant()));
  const ResolvedVariant* const variant = m_document->active();
  const bool pipeline = variant && variant->config().strategy == Strategy::Pipeline;
  m_split->setEnabled(editable && chosen && chosen->kind != ActionKind::Forward);
  m_split->setText(chosen && (chosen->kind == ActionKind::BackwardInput || chosen->kind == ActionKind::BackwardWeight)
                       ? tr("Join")
                       : tr("Split"));
  m_reset->setEnabled(pipeline && !m_read_only && variant->config().actions &&
                      variant->config().schedule != ScheduleKind::Custom);
  m_read->setEnabled(pipeline && !m_read_only);
  m_write->setEnabled(shown.has_value());
  m_headline->setText(headline());
  const QString broken = m_view->brokenSentence();
  m_sentence->setSentence(broken.isEmpty() ? problem : broken);
}

QString SchedulePane::headline() const {
  const auto shown = shownSchedule(*m_document);
  if (!shown) return tr("No schedule to show. Fix the highlighted fields.");
  const VariantConfig& variant = m_document->active()->config();
  const ScheduleGrid& grid = m_view->grid();
  const bool scheduled =
      variant.strategy == Strategy::Pipeline || (variant.strategy == Strategy::Ddp && shown->schedule.stages > 1);
  const QString name = scheduled               ? scheduleTitle(variant.schedule)
                       : isReplicated(variant) ? tr("Side by side")
                                               : tr("One after another");
  const int replicas = shown->schedule.replicas;
  const QString each = tr("%1, %2").arg(tr("%n stage(s)", nullptr, shown->schedule.stages),
                                        tr("%n micro-batch(es)", nullptr, shown->schedule.micro_batches / replicas));
  const QString size = replicas > 1 ? tr("%1 replicas of %2").arg(replicas).arg(each) : each;
  if (grid.broken > 0) return tr("%1, edited: %2, cannot run").arg(name, size);
  return tr("%1%2: %3, lanes idle %4 % in unit times")
      .arg(name, shown->edited ? tr(", edited") : QString(), size,
           QString::fromStdString(formatNumber(100 * grid.idleShare())));
}

/// Back at the schedule's own order there is nothing edited any more.
void SchedulePane::take(const std::optional<Schedule>& schedule, const QString& what) {
  const auto own = ownSchedule(*m_document);
  const auto active = static_cast<std::size_t>(m_document->activeVariant());
  m_document->edit(what,
                   [&](Experiment& e) { setActions(own == schedule ? std::nullopt : schedule, e.variants[active]); });
}

void SchedulePane::readCsv(const QString& path) {
  const Result<std::string> text = readWholeFile(path.toStdString(), kLargestFile);
  Result<Schedule> schedule = text.ok() ? parseScheduleCsv(*text) : Result<Schedule>(text.error());
  if (!schedule.ok()) {
    m_sentence->setSentence(look::shownText(schedule.error()));
    return;
  }
  take(*schedule, tr("read a schedule"));
}

Exhibit SchedulePane::exhibit() const {
  Exhibit exhibit{"schedule", tr("Schedule"), {}, {}};
  const auto shown = shownSchedule(*m_document);
  if (!shown || !hasGrid(shown->schedule)) return exhibit;
  Picture figure = schedulePicture(*shown, headline(), m_headline->toolTip());
  figure.metadata = QString::fromStdString(toJson(m_document->experiment()));
  exhibit.figure = [figure] { return figure; };
  exhibit.csv = [csv = toCsv(shown->schedule)] { return csv; };
  return exhibit;
}

void SchedulePane::writeCsv(const QString& path) {
  const auto shown = shownSchedule(*m_document);
  if (!shown) return;
  const Status written = writeFileAtomically(path.toStdString(), toCsv(shown->schedule));
  if (!written.ok()) m_sentence->setSentence(look::shownText(written.error()));
}

}  // namespace lanelab
