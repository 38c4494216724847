// SPDX-License-Identifier: GPL-3.0-only
#include "ui/history/run_words.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QLocale>

#include "engine/experiment/experiment.h"
#include "engine/schedule/schedule_kind.h"
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

/// Its title, or the word of one that is not known here.
QString schedule(const VariantEntry& variant) {
  const auto kind = fromWord<ScheduleKind>(variant.schedule);
  return kind ? QString::fromUtf8(titleOf(*kind).data()) : look::shownName(variant.schedule);
}

/// As cellText(), with the schedule's title.
QString strategy(const RunEntry& run) {
  const VariantEntry* const variant = run.shownVariant();
  if (!variant) return {};
  const QString strategy = look::shownName(variant->strategy);
  return variant->schedule.empty() ? strategy : RunTexts::tr("%1 (%2)").arg(strategy, schedule(*variant));
}

/// Of an experiment that nobody named, what was run: "resnet18, 1F1B, 16".
QString name(const RunEntry& run) {
  const VariantEntry* const variant = run.shownVariant();
  if (!run.labels.name.empty() || run.experiment != kUnnamedExperiment || !variant)
    return look::shownName(run.damaged && run.name().empty() ? run.id : run.name());
  const QString how = variant->schedule.empty() ? look::shownName(variant->strategy) : schedule(*variant);
  const QString model = look::shownName(run.work.arch);
  return run.work.batch == variant->micro_batch_size
             ? RunTexts::tr("%1, %2").arg(model, how)
             : RunTexts::tr("%1, %2, %3").arg(model, how).arg(variant->micro_batch_size);
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
  const QDateTime time = QDateTime::fromString(QString::fromStdString(iso), Qt::ISODate).toLocalTime();
  if (!time.isValid()) return {};
  const bool this_year = time.date().year() == QDate::currentDate().year();
  return QLocale::c().toString(time, this_year ? "d MMM HH:mm" : "d MMM yyyy HH:mm");
}

QString cell(const RunEntry& run, RunColumn column) {
  switch (column) {
    case RunColumn::Star: return run.labels.star ? QStringLiteral("\u2605") : QString();
    case RunColumn::Name: return name(run);
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

QString namesOf(const QStringList& names) {
  if (names.size() == 1) return look::shownName(names.front());
  return RunTexts::tr("%n run(s)", nullptr, static_cast<int>(names.size()));
}

}  // namespace lanelab::run_words
