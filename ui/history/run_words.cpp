// SPDX-License-Identifier: GPL-3.0-only
#include "ui/history/run_words.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QLocale>

#include "base/text.h"
#include "ui/look/plain_text.h"

namespace lanelab::run_words {

namespace {

struct RunTexts {
  Q_DECLARE_TR_FUNCTIONS(RunsList)
};

QString wordOfStatus(RunStatus status) {
  switch (status) {
    case RunStatus::Running: return RunTexts::tr("running");
    case RunStatus::Done: return RunTexts::tr("done");
    case RunStatus::Failed: return RunTexts::tr("failed");
    case RunStatus::Cancelled: return RunTexts::tr("cancelled");
    case RunStatus::Interrupted: return RunTexts::tr("interrupted");
  }
  return {};
}

/// As cellText(), with the schedule's title.
QString strategy(const RunEntry& run) {
  const VariantEntry* const variant = run.shownVariant();
  if (!variant) return {};
  const QString strategy = look::shownName(variant->strategy);
  return variant->schedule.empty()
             ? strategy
             : RunTexts::tr("%1 (%2)").arg(strategy, look::shownName(scheduleOrStrategy(*variant)));
}

QDateTime localTime(const std::string& iso) {
  return QDateTime::fromString(QString::fromStdString(iso), Qt::ISODate).toLocalTime();
}

/// "21 Nov", with the year if it is another one.
QString dayText(const QDate& day) {
  return QLocale::c().toString(day, day.year() == QDate::currentDate().year() ? "d MMM" : "d MMM yyyy");
}

/// "21 Nov to 23 Nov".
QString daysText(const RunGroup& group) {
  const QDate first = localTime(group.first).date(), last = localTime(group.last).date();
  if (!first.isValid()) return {};
  return first == last ? dayText(first) : RunTexts::tr("%1 to %2").arg(dayText(first), dayText(last));
}

QString figure(const std::optional<double>& value, double scale) {
  return value ? QString::fromStdString(formatFigures(*value * scale)) : QString();
}

}  // namespace

QString title(RunColumn column) {
  switch (column) {
    case RunColumn::Star: return RunTexts::tr("Star");
    case RunColumn::Name: return RunTexts::tr("Name");
    case RunColumn::Model: return RunTexts::tr("Model");
    case RunColumn::Strategy: return RunTexts::tr("Strategy");
    case RunColumn::MicroBatchSize: return RunTexts::tr("Micro-batch size");
    case RunColumn::SamplesPerSecond: return RunTexts::tr("Samples/s");
    case RunColumn::StepTime: return RunTexts::tr("Step time (ms)");
    case RunColumn::SpeedUp: return RunTexts::tr("Speed-up");
    case RunColumn::Status: return RunTexts::tr("Status");
    case RunColumn::Date: return RunTexts::tr("Date");
    case RunColumn::Tags: return RunTexts::tr("Tags");
    case RunColumn::Note: return RunTexts::tr("Note");
    case RunColumn::Id: return RunTexts::tr("ID");
    case RunColumn::Loss: return RunTexts::tr("Last loss");
    case RunColumn::StepForecastError: return RunTexts::tr("Step time forecast error");
    case RunColumn::MemoryForecastError: return RunTexts::tr("Memory forecast error");
    case RunColumn::Accuracy: return RunTexts::tr("Accuracy");
  }
  return {};
}

QString header(RunColumn column) { return column == RunColumn::Star ? QStringLiteral("\u2605") : title(column); }

QString tip(RunColumn column) {
  switch (column) {
    case RunColumn::Strategy:
      return RunTexts::tr("Strategy and schedule of the first pipeline, or of the first variant after the baseline");
    case RunColumn::MicroBatchSize: return RunTexts::tr("Samples per micro-batch of that variant");
    case RunColumn::SamplesPerSecond:
      return RunTexts::tr("Samples per second, such as images: mean of that variant, measured");
    case RunColumn::SpeedUp:
      return RunTexts::tr(
          "Of that variant vs the baseline run; without one, vs the baseline variant of the same run, with its "
          "95 % interval");
    case RunColumn::Date: return RunTexts::tr("Start of the run, local time");
    case RunColumn::Accuracy:
      return RunTexts::tr("Share of right answers of that variant after its last epoch, on validation data if any");
    default: return title(column);
  }
}

QString status(const RunEntry& run) { return run.damaged ? RunTexts::tr("damaged") : wordOfStatus(run.status); }

QString date(const std::string& iso) {
  const QDateTime time = localTime(iso);
  if (!time.isValid()) return {};
  const bool this_year = time.date().year() == QDate::currentDate().year();
  return QLocale::c().toString(time, this_year ? "d MMM HH:mm" : "d MMM yyyy HH:mm");
}

QString cell(const RunEntry& run, RunColumn column) {
  switch (column) {
    case RunColumn::Star: return run.labels.star ? QStringLiteral("\u2605") : QString();
    case RunColumn::Name: return look::shownName(run.name());
    case RunColumn::Status: return status(run);
    case RunColumn::Date: return date(run.started);
    default: break;
  }
  if (column == RunColumn::Strategy) return strategy(run);
  const QString text = look::shownName(cellText(run, column));
  return text == QLatin1String("-") ? QString() : text;
}

QString details(const RunEntry& run) {
  const QString folder = look::shownText(QDir::toNativeSeparators(QString::fromStdString(run.folder)));
  return run.error.empty() ? folder : folder + '\n' + look::shownText(run.error);
}

QString cellTip(const RunEntry& run, RunColumn column) {
  const VariantEntry* const variant = run.shownVariant();
  if (column == RunColumn::Note && !run.labels.note.empty())
    return look::shownText(QString::fromStdString(run.labels.note));
  if (column == RunColumn::SamplesPerSecond && variant && variant->samples_per_second)
    return look::shownName(variant->name + ": " + run.unit.speedText(*variant->samples_per_second));
  if (column == RunColumn::SpeedUp && variant && !variant->speed_up_text.empty())
    return RunTexts::tr("%1 vs %2, %3: %4")
        .arg(look::shownName(variant->name), look::shownName(run.baseline),
             RunTexts::tr("%n repeat(s)", nullptr, variant->repeats), look::shownText(variant->speed_up_text));
  return details(run);
}

std::string dayOf(const std::string& iso) {
  const QDate day = localTime(iso).date();
  return day.isValid() ? day.toString(Qt::ISODate).toStdString() : std::string();
}

QString title(RunGrouping grouping) {
  switch (grouping) {
    case RunGrouping::None: return RunTexts::tr("None");
    case RunGrouping::Model: return RunTexts::tr("Model");
    case RunGrouping::Experiment: return RunTexts::tr("Experiment");
    case RunGrouping::Strategy: return RunTexts::tr("Strategy");
    case RunGrouping::Tag: return RunTexts::tr("Tag");
    case RunGrouping::Day: return RunTexts::tr("Day");
    case RunGrouping::Machine: return RunTexts::tr("Machine");
  }
  return {};
}

QString groupTitle(const RunGroup& group, RunGrouping grouping, const RunEntry& first) {
  if (group.value.empty()) return grouping == RunGrouping::Tag ? RunTexts::tr("No tag") : RunTexts::tr("Not known");
  if (grouping == RunGrouping::Strategy) return strategy(first);
  if (grouping == RunGrouping::Day) return dayText(QDate::fromString(QString::fromStdString(group.value), Qt::ISODate));
  return look::shownName(group.value);
}

QString groupFacts(const RunGroup& group) {
  QStringList facts = {RunTexts::tr("%n run(s)", nullptr, static_cast<int>(group.runs.size()))};
  if (group.best_step_seconds)
    facts << RunTexts::tr("best step time %1").arg(QString::fromStdString(formatSeconds(*group.best_step_seconds)));
  if (group.best_samples_per_second)
    facts << RunTexts::tr("best %1 samples/s").arg(figure(group.best_samples_per_second, 1));
  if (const QString days = daysText(group); !days.isEmpty()) facts << days;
  return facts.join(QStringLiteral(", "));
}

QString groupSummary(const RunGroup& group, const QString& title) {
  return RunTexts::tr("%1: %2").arg(title, groupFacts(group));
}

QString groupCell(const RunGroup& group, const QString& title, RunColumn column) {
  switch (column) {
    case RunColumn::Name:
      return RunTexts::tr("%1 (%2)").arg(title,
                                         RunTexts::tr("%n run(s)", nullptr, static_cast<int>(group.runs.size())));
    case RunColumn::StepTime: return figure(group.best_step_seconds, 1e3);
    case RunColumn::SamplesPerSecond: return figure(group.best_samples_per_second, 1);
    case RunColumn::Date: return daysText(group);
    default: return {};
  }
}

QString namesOf(const QStringList& names) {
  if (names.size() == 1) return look::shownName(names.front());
  return RunTexts::tr("%n run(s)", nullptr, static_cast<int>(names.size()));
}

}  // namespace lanelab::run_words
