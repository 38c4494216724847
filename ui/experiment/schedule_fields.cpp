// SPDX-License-Identifier: GPL-3.0-only
// The part of the variants' form that is about schedules.
#include "base/text.h"
#include "engine/experiment/experiment_edits.h"
#include "engine/experiment/replica_edits.h"
#include "engine/schedule/generate.h"
#include "ui/experiment/form_fields.h"
#include "ui/experiment/schedule_title.h"
#include "ui/experiment/variants_section.h"

namespace lanelab {

/// The schedule and what some of them take besides.
void VariantsSection::addScheduleFields() {
  const auto at = [this](const char* key) {
    return [this, key] {
      return QStringLiteral("variants[%1].%2").arg(m_document->activeVariant()).arg(QLatin1String(key));
    };
  };
  const auto active = [this](const Experiment& e) -> const VariantConfig* {
    const auto index = static_cast<std::size_t>(m_document->activeVariant());
    return index < e.variants.size() ? &e.variants[index] : nullptr;
  };
  const auto edited = [this](Experiment& e) -> VariantConfig& {
    return e.variants[static_cast<std::size_t>(m_document->activeVariant())];
  };
  m_schedule = new ChoiceField(
      m_document, at("schedule"), tr("Schedule"), tr("Schedule"),
      [this, active] {
        ChoiceField::Choices choices;
        const VariantConfig* variant = active(m_document->experiment());
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
      [active](const Experiment& e) {
        const VariantConfig* variant = active(e);
        if (!variant) return QString();
        return QString::fromStdString(toWord(variant->actions ? ScheduleKind::Custom : variant->schedule));
      },
      [this, edited](Experiment& e, const QString& value) {
        const ScheduleKind kind = wordOr(ScheduleKind::Custom, value);
        if (kind != ScheduleKind::Custom) setSchedule(e, m_document->model(), kind, edited(e));
      },
      this);
  addField(tr("Schedule"), m_schedule, "variantSchedule");

  auto* warm_up = new TextField(
      m_document, at("warm_up"), tr("Warm-up depth"), tr("Warm-up depth"),
      [active](const Experiment& e) {
        return active(e) && active(e)->warm_up ? QString::number(*active(e)->warm_up) : QString();
      },
      [edited](Experiment& e, const QString& text) {
        std::optional<int>& depth = edited(e).warm_up;
        if (text.trimmed().isEmpty()) return depth.reset(), QString();
        int value = 0;
        const QString refusal = readWhole(text, value);
        if (refusal.isEmpty()) depth = value;
        return refusal;
      },
      this);
  warm_up->input()->setPlaceholderText(tr("the schedule's own"));
  warm_up->input()->setToolTip(
      tr("Forwards of the first lane before its first backward; for \"%1\" the most micro-batches that a stage holds")
          .arg(scheduleTitle(ScheduleKind::List)));
  m_warm_up = warm_up;
  addField(tr("Warm-up depth"), m_warm_up, "variantWarmUp");

  auto* limit = new TextField(
      m_document, at("activation_limit_mib"), tr("Limit of activations in MiB"), tr("Limit of activations"),
      [active](const Experiment& e) {
        return active(e) && active(e)->activation_limit_mib
                   ? QString::fromStdString(exactNumber(*active(e)->activation_limit_mib))
                   : QString();
      },
      [edited](Experiment& e, const QString& text) {
        std::optional<double>& mib = edited(e).activation_limit_mib;
        if (text.trimmed().isEmpty()) return mib.reset(), QString();
        double value = 0;
        const QString refusal = readNumber(text, value);
        if (refusal.isEmpty()) mib = value;
        return refusal;
      },
      this);
  limit->input()->setPlaceholderText(tr("none"));
  limit->input()->setToolTip(tr("Most MiB of activations that a lane holds at once"));
  m_activation_limit = limit;
  addField(tr("Limit, MiB"), m_activation_limit, "variantActivationLimit");

  auto* times = new TextField(
      m_document, at("stage_times"), tr("Times of the stages"), tr("Times of the stages"),
      [active](const Experiment& e) {
        QStringList texts;
        if (active(e) && active(e)->stage_times)
          for (const std::string& text : *active(e)->stage_times) texts.append(QString::fromStdString(text));
        return texts.join(' ');
      },
      [edited](Experiment& e, const QString& text) {
        auto& stage_times = edited(e).stage_times;
        stage_times.reset();
        const QStringList texts = text.simplified().split(' ', Qt::SkipEmptyParts);
        if (texts.isEmpty()) return QString();
        stage_times.emplace();
        for (const QString& one : texts) stage_times->push_back(one.toStdString());
        return QString();
      },
      this);
  times->input()->setPlaceholderText(tr("by multiply-adds"));
  times->input()->setToolTip(
      tr("F:I:W of each stage for one micro-batch, such as 10:12:8 20:21:18, in any unit; a run's report prints those "
         "it measured"));
  m_stage_times = times;
  addField(tr("Stage times"), m_stage_times, "variantStageTimes");
}

/// How many lanes a replica of ddp has, which is also its number of stages.
void VariantsSection::addReplicaField() {
  const auto edited = [this](Experiment& e) -> VariantConfig& {
    return e.variants[static_cast<std::size_t>(m_document->activeVariant())];
  };
  m_replica_lanes = new ChoiceField(
      m_document, [this] { return QStringLiteral("variants[%1].replicas").arg(m_document->activeVariant()); },
      tr("Lanes a replica"), tr("Lanes a replica"),
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
      [this, edited](Experiment& e, const QString& value) {
        setLanesOfReplica(e, m_document->model(), value.toInt(), edited(e));
      },
      this);
  m_replica_lanes->setToolTip(
      tr("With one lane a replica holds the whole model. With more it is a pipeline, cut into as many stages; the cuts "
         "are those of the first replica on the board."));
  addField(tr("Lanes a replica"), m_replica_lanes, "variantReplicaLanes");
}

}  // namespace lanelab
