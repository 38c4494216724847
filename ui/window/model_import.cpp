// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/model_import.h"

#include <QDir>
#include <QFileInfo>

#include "ui/experiment/experiment_document.h"
#include "ui/export/export_settings.h"
#include "ui/import_model/import_model_dialog.h"
#include "ui/look/message_strip.h"
#include "ui/look/plain_text.h"
#include "ui/run/run_controller.h"
#include "ui/window/action_set.h"

namespace lanelab {
namespace {

/// Of the open experiment; before it was saved, where files are exported to.
QDir folderOf(const ExperimentDocument& document) {
  const QString path = document.path();
  return path.isEmpty() ? QDir(ExportSettings().folder()) : QFileInfo(path).absoluteDir();
}

}  // namespace

ModelImport::ModelImport(const WindowParts& parts) : QObject(parts.window), m_parts(parts) {
  connect(m_parts.document, &ExperimentDocument::pathChanged, this, [this] {
    if (dialog()) dialog()->setFolder(folderOf(*m_parts.document));
  });
}

void ModelImport::addAction(QMenu* file, ActionSet& actions) {
  actions.add(file, "importModel", tr("&Import Model..."),
              tr("Export a network of PyTorch as a .pt2 file and use it as the model of the experiment"), {}, {},
              [this] { show(); });
}

ImportModelDialog* ModelImport::dialog() const { return m_parts.window->findChild<ImportModelDialog*>(); }

bool ModelImport::isExporting() const { return dialog() && dialog()->exporting(); }

void ModelImport::setReadOnly(bool read_only) {
  if (dialog()) dialog()->setEnabled(!read_only);
}

void ModelImport::show() {
  ImportModelDialog* shown = dialog();
  if (!shown) {
    shown = new ImportModelDialog(folderOf(*m_parts.document), m_parts.controller->executor(), m_parts.window);
    shown->setAttribute(Qt::WA_DeleteOnClose);
    connect(shown, &ImportModelDialog::useRequested, this, &ModelImport::use);
  }
  shown->show();
  shown->raise();
  shown->activateWindow();
}

void ModelImport::use(const QString& file) {
  if (refusedWhileRunning(*m_parts.controller, *m_parts.messages)) return;
  const bool again = m_parts.document->experiment().model.file == file.toStdString();
  m_parts.document->useModel(tr("Use Imported Model"), dialog()->opened());
  dialog()->close();
  const QString sentence = again ? tr("%1 was read again. It is the model of the experiment.")
                                 : tr("%1 is now the model of the experiment. Undo to restore the one before.");
  m_parts.messages->say(MessageStrip::Kind::Information, sentence.arg(look::shownName(QFileInfo(file).fileName())));
}

}  // namespace lanelab
