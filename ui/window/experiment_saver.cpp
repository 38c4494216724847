// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/experiment_saver.h"
#include "ui/export/export_settings.h"

#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

#include "base/text.h"
#include "ui/experiment/experiment_document.h"
#include "ui/look/message_strip.h"
#include "ui/look/parts.h"
#include "ui/look/plain_label.h"
#include "ui/look/plain_text.h"
#include "ui/window/action_set.h"
#include "ui/window/window_settings.h"

namespace lanelab {

ExperimentSaver::ExperimentSaver(const WindowParts& parts) : QObject(parts.window), m_parts(parts) {}

void ExperimentSaver::addActions(QMenu* file, ActionSet& actions) {
  actions.add(file, "save", tr("&Save"), tr("Save the experiment"), QKeySequence::Save, "save", [this] { save(); });
  actions.add(file, "saveAs", tr("Save &As..."), tr("Save the experiment under another name"),
              QKeySequence("Ctrl+Shift+S"), {}, [this] { saveAs(); });
}

bool ExperimentSaver::saveTo(const QString& path) {
  const Status saved = m_parts.document->save(path);
  if (!saved.ok()) {
    m_parts.messages->reportError(look::shownText(saved.error()));
    return false;
  }
  WindowSettings().addRecentFile(path);
  return true;
}

void ExperimentSaver::save(const std::function<void()>& then) {
  if (m_parts.document->path().isEmpty()) return saveAs(then);
  if (m_parts.document->isFileChanged()) return askToReplace(then);
  if (saveTo(m_parts.document->path()) && then) then();
}

void ExperimentSaver::askToReplace(const std::function<void()>& then) {
  const QString path = m_parts.document->path();
  auto* box = look::plainBox(
      "changedFileBox", QMessageBox::Warning, tr("File Changed"),
      tr("%1 was changed by another program since it was opened.").arg(look::shownName(QFileInfo(path).fileName())),
      QMessageBox::Cancel, m_parts.window);
  box->setInformativeText(tr("To replace it loses those changes. To have both, save under another name."));
  const QPushButton* const other = box->addButton(tr("Save &As..."), QMessageBox::AcceptRole);
  const QPushButton* const replace = box->addButton(tr("&Replace"), QMessageBox::DestructiveRole);
  box->setDefaultButton(QMessageBox::Cancel);
  connect(box, &QMessageBox::finished, this, [this, box, other, replace, path, then] {
    if (box->clickedButton() == other) saveAs(then);
    if (box->clickedButton() == replace && saveTo(path) && then) then();
  });
  box->open();
}

void ExperimentSaver::saveAs(const std::function<void()>& then) {
  const QString name = QString::fromStdString(slug(m_parts.document->experiment().name)) + ".json";
  const QString& path = m_parts.document->path();
  look::askWhereToSave(m_parts.window, "saveDialog", tr("Save Experiment"), ExportSettings().folder(),
                       tr("Experiments (*.json)"), path.isEmpty() ? name : path, [this, then](const QString& chosen) {
                         if (saveTo(chosen) && then) then();
                       });
}

void ExperimentSaver::afterSaving(const std::function<void()>& then) {
  if (m_parts.document->undoStack()->isClean()) return then();
  auto* box = look::plainBox("unsavedBox", QMessageBox::Question, tr("Unsaved Changes"),
                             tr("Save the changes to %1?").arg(look::shownName(m_parts.document->experiment().name)),
                             QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, m_parts.window);
  box->setInformativeText(tr("Without saving, what you changed since the last save is lost."));
  box->button(QMessageBox::Save)->setText(tr("&Save"));
  box->button(QMessageBox::Discard)->setText(tr("&Discard"));
  box->button(QMessageBox::Cancel)->setText(tr("&Cancel"));
  box->setDefaultButton(QMessageBox::Save);
  connect(box, &QMessageBox::finished, this, [this, then](int answer) {
    if (answer == QMessageBox::Discard) then();
    if (answer == QMessageBox::Save) save(then);
  });
  box->open();
}

}  // namespace lanelab
