// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/command_copies.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <algorithm>

#include "base/text.h"
#include "engine/library/run_folders.h"
#include "ui/experiment/experiment_document.h"
#include "ui/look/message_strip.h"
#include "ui/run/run_controller.h"
#include "ui/run/shown_run.h"
#include "ui/watch/shown_trace.h"
#include "ui/watch/timeline_presenter.h"
#include "ui/window/action_set.h"

namespace lanelab {

CommandCopies::CommandCopies(const WindowParts& parts, const TimelinePresenter* presenter)
    : QObject(parts.window), m_parts(parts), m_presenter(presenter) {}

void CommandCopies::addMenu(QMenu* edit, ActionSet& actions) {
  auto* menu = ActionSet::addMenu(edit, "copy", tr("Copy as &Command"), "copyCommandMenu");
  menu->menuAction()->setToolTip(tr("Copy the command of lanelab-cli that does the same"));
  const auto add = [&](const char* name, const QString& text, const QString& tip, const auto& command) {
    actions.add(menu, QLatin1String(name), text, tip, {}, {}, [this, command] { copy(command()); });
  };
  add("copyRun", tr("&Run"), tr("Run the open experiment"), [this] {
    const std::string runs = m_parts.controller->runsRoot().toStdString();
    if (runs == userRunsFolder()) return experimentCommand("run", experiment());
    return experimentCommand("run", experiment(), {"--runs", runs});
  });
  add("copySweep", tr("&Sweep of Micro-Batch Sizes"), tr("Run the open experiment with several micro-batch sizes"),
      [this] { return experimentCommand("sweep", experiment()); });
  add("copyPlan", tr("&Plan of Cuts"), tr("Cut the model of the open experiment into a stage per lane"), [this] {
    const std::size_t lanes = m_parts.document->experiment().lanes.size();
    return experimentCommand("plan", experiment(), {"--stages", std::to_string(lanes)});
  });
  add("copyExport", tr("&Export of the Report"), tr("Write the report of the shown run"), [this] {
    const std::string name = slug(m_parts.run->record()->experiment.name);
    return reportCommand(m_parts.run->folder().toStdString(), name + "-report.html");
  });
  add("copyGaps", tr("&Gaps of the Timeline"), tr("Explain the idle time of the shown timeline"),
      [this] { return gaps(); });
}

void CommandCopies::updateActions(const ActionSet& actions) const {
  const bool has_pipeline =
      std::ranges::any_of(m_parts.document->experiment().variants,
                          [](const VariantConfig& variant) { return variant.strategy == Strategy::Pipeline; });
  actions.setEnabled({"copySweep"}, has_pipeline, tr("The experiment has no pipeline variant."));
  actions.setEnabled({"copyExport"}, m_parts.run->record() != nullptr, tr("No run is shown."));
  actions.setEnabled({"copyGaps"}, !gaps().empty(), tr("No timeline of a run or file is shown."));
}

void CommandCopies::copy(const std::string& command) const {
  QGuiApplication::clipboard()->setText(QString::fromStdString(command));
  m_parts.messages->clear();
  m_parts.messages->inform(tr("Command copied. Paste it into a terminal."));
}

/// Without edits the file holds what is open.
EditedExperiment CommandCopies::experiment() const {
  const Experiment& edited = m_parts.document->experiment();
  const std::string file = m_parts.document->path().toStdString();
  if (file.empty()) return {edited};
  if (m_parts.document->undoStack()->isClean()) return {edited, file, edited};
  const Result<Experiment> stored = readExperiment(file);
  if (!stored.ok()) return {edited, file, std::nullopt};
  // With what it leaves to its network, as the edited one.
  return {edited, file, resolve(*stored, m_parts.document->resolution()->known())->experiment()};
}

std::string CommandCopies::gaps() const {
  if (const ImportedFile* const file = importedFile(m_presenter->shown())) return gapsCommand(file->path.toStdString());
  const FinishedVariant* const shown = finishedVariant(m_presenter->shown());
  if (!shown || !shown->record || !shown->trace) return {};
  return gapsCommand(m_parts.run->folder().toStdString(), shown->variant.toStdString());
}

}  // namespace lanelab
