// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/plan_exports.h"

#include <QClipboard>
#include <QDir>
#include <QGuiApplication>
#include <QMenu>
#include <cmath>

#include "base/shell_text.h"
#include "engine/advise/placement_prediction.h"
#include "engine/frameworks/plan_targets.h"
#include "engine/record/speed_words.h"
#include "ui/board/placement_forecast.h"
#include "ui/board/placement_strip.h"
#include "ui/experiment/experiment_document.h"
#include "ui/export/exhibit.h"
#include "ui/look/message_strip.h"
#include "ui/look/plain_text.h"
#include "ui/look/theme.h"
#include "ui/plan_export/plan_choice.h"
#include "ui/plan_export/plan_export_dialog.h"
#include "ui/run/run_controller.h"
#include "ui/run/shown_run.h"
#include "ui/watch/shown_trace.h"
#include "ui/watch/timeline_presenter.h"
#include "ui/window/action_set.h"

namespace lanelab {
namespace {

constexpr int kHeadingMargin = 8 * look::kGrid;
constexpr double kNoGain = 0.005;  ///< of estimates, whose range nobody knows

/// Whether the steps differ beyond what the predictions leave open.
bool differsClearly(const PlacementPrediction& one, const PlacementPrediction& other) {
  if (!one.range || !other.range) return std::abs(one.step_seconds / other.step_seconds - 1) > kNoGain;
  return one.range->high < other.range->low || other.range->high < one.range->low;
}

}  // namespace

PlanExports::PlanExports(const WindowParts& parts, const TimelinePresenter* presenter,
                         const PlacementForecast* forecast)
    : QObject(parts.window), m_parts(parts), m_presenter(presenter), m_forecast(forecast) {}

void PlanExports::addExports(QMenu* exports, ActionSet& actions) {
  exports->addSeparator();
  const auto add = [&](const char* name, const QString& text, const QString& tip, const std::string& target) {
    actions.add(exports, QLatin1String(name), text, tip, {}, {}, [this, target] { openDialog(target); });
  };
  add("exportScript", tr("Training &Script..."), tr("A folder that trains the variant with PyTorch and torchrun"),
      "pytorch");
  add("exportStages", tr("Stages as F&iles..."), tr("A .pt2 and a .safetensors file for each stage of the variant"),
      std::string(kStagesTarget));
  add("exportPlan", tr("Plan for &Another Framework..."),
      tr("The plan of the variant for torchtitan, DeepSpeed, Megatron-LM or accelerate"), "torchtitan");
}

QMenu* PlanExports::addCopies(QMenu* edit, ActionSet& actions) {
  QMenu* const menu = m_copies = ActionSet::addMenu(edit, "copy", tr("Copy &Plan As"), "copyPlanMenu");
  menu->menuAction()->setToolTip(tr("Copy where the variant is cut, as another framework takes it"));
  m_gain = menu->addSection(QString());
  m_gain->setVisible(false);
  const auto add = [&](const char* name, const QString& text, const QString& tip, const std::string& target) {
    actions.add(menu, QLatin1String(name), text, tip, {}, {}, [this, target] { copy(target); });
  };
  add("copyForAccelerate", tr("&accelerate Device Map"), tr("JSON for the device_map of accelerate's dispatch_model"),
      "accelerate");
  add("copyForTorchtitan", tr("&torchtitan Module Lists"),
      tr("module_fqns_per_model_part of torchtitan's ParallelismConfig"), "torchtitan");
  add("copyForMegatron", tr("&Megatron-LM Layout"), tr("The argument --pipeline-model-parallel-layout of Megatron-LM"),
      "megatron");
  add("copyForDeepspeed", tr("&DeepSpeed Pipeline Module"),
      tr("A subclass of DeepSpeed's PipelineModule with the cuts"), "deepspeed");
  connect(menu, &QMenu::aboutToShow, this, &PlanExports::showGain);
  return menu;
}

void PlanExports::updateActions(const ActionSet& actions) const {
  const QString none = hasVariant() ? QString() : tr("No variant is shown.");
  const QString why_not = m_parts.controller->running() ? tr("Not during a run.") : none;
  actions.setEnabled({"exportScript", "exportStages", "exportPlan"}, why_not.isEmpty(), why_not);
  actions.setEnabled({"copyForAccelerate", "copyForTorchtitan", "copyForMegatron", "copyForDeepspeed"}, none.isEmpty(),
                     none);
}

bool PlanExports::hasVariant() const {
  if (importedFile(m_presenter->shown())) return false;
  if (m_parts.run->isViewed()) return !m_parts.run->record()->experiment.variants.empty();
  return !m_parts.document->experiment().variants.empty();
}

std::optional<PlanExports::InSight> PlanExports::inSight() const {
  if (!hasVariant()) return {};
  if (!m_parts.run->isViewed()) {
    m_parts.document->followModelFile();
    return InSight{m_parts.document->resolution(), m_parts.document->activeVariantName()};
  }
  const Experiment& experiment = m_parts.run->record()->experiment;
  const FinishedVariant* const shown = finishedVariant(m_presenter->shown());
  const QString variant = shown ? shown->variant : QString::fromStdString(experiment.variants.front().name);
  return InSight{resolve(experiment, m_presenter->knownModel()), variant};
}

void PlanExports::openDialog(const std::string& target) {
  const std::optional<InSight> plan = inSight();
  if (!plan || refusedWhileRunning(*m_parts.controller, *m_parts.messages)) return;
  auto* dialog =
      new PlanExportDialog(plan->resolution, {plan->variant, target, exportPrefix(m_parts.window)}, m_parts.window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &PlanExportDialog::written, this,
          [this](const QString& folder, const QString& first, const QString& command) {
            if (command.isEmpty()) return showSavedFolder(m_parts.window, folder, first, {}, {});
            const std::string cd = shellLine(std::vector<std::string>{"cd", folder.toStdString()});
            const QString line = QString::fromStdString(cd) + QStringLiteral(" && ") + command;
            const auto copy_line = [line] { QGuiApplication::clipboard()->setText(line); };
            const QString sentence = tr("Saved. Train with %1 in %2").arg(command, QDir::toNativeSeparators(folder));
            showSavedFolder(m_parts.window, folder, first, sentence, {{tr("&Copy Command"), copy_line}});
          });
  dialog->open();
}

void PlanExports::copy(const std::string& target) {
  const std::optional<InSight> plan = inSight();
  if (!plan) return;
  const PlanChoice choice{plan->resolution, plan->variant.toStdString(), target};
  m_copying.ask([this, choice](const std::stop_token&) -> Background::Then {
    const auto files = std::make_shared<Result<WrittenFiles>>(plannedFiles(choice));
    return [this, files, target = choice.target] { showCopied(target, *files); };
  });
}

void PlanExports::showCopied(const std::string& target, const Result<WrittenFiles>& files) {
  m_parts.messages->clear();
  if (!files.ok()) return m_parts.messages->reportError(look::shownText(files.error()));
  QGuiApplication::clipboard()->setText(QString::fromStdString(files->excerpt));
  const QString title = targetTitle(target), predicted = gain();
  QStringList sentences{predicted.isEmpty() ? tr("Copied for %1.").arg(title)
                                            : tr("Copied for %1. %2.").arg(title, predicted)};
  for (const Message& note : files->notes) sentences << look::shownText(note);
  m_parts.messages->inform(sentences.join(QLatin1Char(' ')));
}

/// Of the variant on the board, whose step is predicted, over the first one, which others are compared with.
QString PlanExports::gain() const {
  if (m_parts.run->isViewed() || importedFile(m_presenter->shown())) return {};
  const std::optional<PlacementPrediction>& present = m_forecast->present();
  const ResolvedVariant* const active = m_parts.document->active();
  if (!present || !m_forecast->predictor() || !active) return {};
  const ResolvedVariant& first = m_parts.document->resolution()->variants().front();
  if (&first == active) return {};
  const std::optional<PlacementPrediction> before = predictPlacement(first, *m_forecast->predictor());
  if (!before || !(present->step_seconds > 0)) return {};
  const Message words = predictedThan(look::briefName(first.config().name).toStdString(),
                                      before->step_seconds / present->step_seconds, differsClearly(*before, *present));
  return tr("%1 (%2)").arg(look::capitalised(look::shownText(words)), timesOriginText(*m_forecast));
}

void PlanExports::showGain() {
  const QString predicted = gain();
  m_gain->setText(look::buttonText(predicted));
  m_gain->setVisible(!predicted.isEmpty());
  // A menu leaves headings out of its width.
  const int width = m_copies->fontMetrics().horizontalAdvance(predicted) + kHeadingMargin;
  m_copies->setMinimumWidth(predicted.isEmpty() ? 0 : width);
}

}  // namespace lanelab
