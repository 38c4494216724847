// SPDX-License-Identifier: GPL-3.0-only
// The part of the variants' form that is about schedules.
#include "engine/experiment/experiment_edits.h"
#include "engine/experiment/replica_edits.h"
#include "engine/schedule/generate.h"
#include "ui/experiment/form_rows.h"
#include "ui/experiment/schedule_title.h"
#include "ui/experiment/variants_section.h"

namespace lanelab {

/// The schedule and what some of them take besides.
void VariantsSection::addScheduleFields() {
  m_schedule = new ChoiceField(
      m_document, [this] { return m_document->activePlace("schedule"); }, tr("Schedule"), tr("Schedule"),
      [this] {
        ChoiceField::Choices choices;
        const VariantConfig* variant = m_document->activeIn(m_document->experiment());
        for (const ScheduleKind kind : knownSchedules()) {
          const bool fits =
              !variant || variant->strategy != Strategy::Ddp || !goesRoundTheLanes(kind) || kind == variant->schedule;
          if (fits) choices.emplace_back(QString::fromStdString(toWord(kind)), scheduleTitle(kind));
        }
        if (variant && variant->actions)
          choices.emplace_back(QString::fromStdString(toWord(ScheduleKind::Custom)),
                               scheduleTitle(ScheduleKind::Custom));
        return choices;
      },
      [this](const Experiment& e) {
        const VariantConfig* variant = m_document->activeIn(e);
        if (!variant) return QString();
        return QString::fromStdString(toWord(variant->actions ? ScheduleKind::Custom : variant->schedule));
      },
      [this](Experiment& e, const QString& value) {
        const ScheduleKind kind = fromWord<ScheduleKind>(value.toStdString()).value_or(ScheduleKind::Custom);
        if (kind != ScheduleKind::Custom) setSchedule(e, m_document->model(), kind, *m_document->activeIn(e));
      },
      this);
  m_schedule->setObjectName("variantSchedule");
  addRow({tr("Schedule"), m_schedule});

  m_warm_up = addRow(variantRow(m_document, "warm_up"));
  m_activation_limit = addRow(variantRow(m_document, "activation_limit_mib"));
  m_stage_times = addRow(variantRow(m_document, "stage_times"));
}

/// How many lanes a replica of ddp has, which is also its number of stages.
void VariantsSection::addReplicaField() {
  m_replica_lanes = new ChoiceField(
      m_document, [this] { return m_document->activePlace("replicas"); }, tr("Lanes a replica"), tr("Lanes a replica"),
      [this] {
        ChoiceField::Choices choices;
        const ResolvedVariant* const variant = m_document->active();
        if (variant == nullptr) return choices;
        const auto lanes = static_cast<int>(variant->lanes().size());
        for (const int each : possibleLanesOfReplica(*variant))
          choices.emplace_back(QString::number(each), lanes == each
                                                          ? tr("%1: one replica").arg(each)
                                                          : tr("%1: %2 replicas").arg(each).arg(lanes / each));
        return choices;
      },
      [this](const Experiment&) {
        const ResolvedVariant* const variant = m_document->active();
        return variant == nullptr ? QString() : QString::number(variant->replicaLanes().front().size());
      },
      [this](Experiment& e, const QString& value) {
        setLanesOfReplica(e, m_document->model(), value.toInt(), *m_document->activeIn(e));
      },
      this);
  m_replica_lanes->setToolTip(
      tr("With one lane a replica holds the whole model. With more it is a pipeline, cut into as many stages; the cuts "
         "are those of the first replica on the board."));
  m_replica_lanes->setObjectName("variantReplicaLanes");
  addRow({tr("Lanes a replica"), m_replica_lanes});
}

}  // namespace lanelab
