// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/board_dialogs.h"

#include <QDir>
#include <QFileInfo>

#include "engine/advise/profile_store.h"
#include "ui/device_map/device_map_dialog.h"
#include "ui/experiment/cuts_dialog.h"
#include "ui/experiment/experiment_document.h"
#include "ui/export/export_settings.h"
#include "ui/import_model/import_model_dialog.h"
#include "ui/look/message_strip.h"
#include "ui/look/plain_text.h"
#include "ui/run/run_controller.h"

namespace lanelab {

namespace {

/// Of the open experiment; before it was saved, where files are exported to.
QDir folderOf(const ExperimentDocument& document) {
  const QString path = document.path();
  return path.isEmpty() ? QDir(ExportSettings().folder()) : QFileInfo(path).absoluteDir();
}

}  // namespace

BoardDialogs::BoardDialogs(const WindowParts& parts, std::shared_ptr<Executor> executor, Networks networks)
    : QObject(parts.window), m_parts(parts), m_executor(std::move(executor)), m_networks(std::move(networks)) {
  connect(m_parts.document, &ExperimentDocument::pathChanged, this, [this] {
    if (import()) import()->setFolder(folderOf(*m_parts.document));
  });
}

CutsDialog* BoardDialogs::cuts() const { return m_parts.window->findChild<CutsDialog*>(); }
ImportModelDialog* BoardDialogs::import() const { return m_parts.window->findChild<ImportModelDialog*>(); }

QString BoardDialogs::whyBusy() const {
  if (import() && import()->exporting())
    return tr("A network is being exported, which would disturb a run. Wait, or cancel the import.");
  if (cuts() && cuts()->measuring())
    return tr("The blocks are being measured, which a run would disturb. Wait, or close Compare Cuts.");
  return {};
}

void BoardDialogs::setReadOnly(bool read_only) {
  if (cuts()) cuts()->setEnabled(!read_only);  // measuring beside a run would spoil both
  if (import()) import()->setEnabled(!read_only);
}

template <class Dialog, class Make>
void BoardDialogs::open(Make make) {
  auto* dialog = m_parts.window->findChild<Dialog*>();
  if (!dialog) {
    dialog = make();
    dialog->setAttribute(Qt::WA_DeleteOnClose);
  }
  dialog->show();
  dialog->raise();
  dialog->activateWindow();
}

void BoardDialogs::showCuts() {
  if (m_parts.controller->running()) return;
  m_parts.document->followModelFile();
  open<CutsDialog>([this] {
    auto* dialog = new CutsDialog(*m_parts.document, m_executor, ProfileStore::ofThisUser(), m_parts.window);
    connect(dialog, &CutsDialog::blocksMeasured, this, &BoardDialogs::blocksMeasured);
    Q_EMIT workMade(&dialog->measurement(), tr("The blocks were measured"));
    return dialog;
  });
}

void BoardDialogs::showDeviceMap() {
  open<DeviceMapDialog>([this] {
    auto* dialog = new DeviceMapDialog(*m_parts.document, m_executor->devices(), m_networks.offers, m_networks.infer,
                                       m_parts.window);
    connect(dialog, &DeviceMapDialog::placeRequested, this, [this](const Placement& placement) {
      if (!refusedWhileRunning(*m_parts.controller, *m_parts.messages))
        m_parts.document->setPlacement(tr("place the device map"), placement);
    });
    connect(dialog, &DeviceMapDialog::exportRequested, this, [this, dialog] { Q_EMIT exportRequested(*dialog); });
    return dialog;
  });
}

void BoardDialogs::showImport() {
  open<ImportModelDialog>([this] {
    auto* dialog = new ImportModelDialog(folderOf(*m_parts.document), *m_executor, m_parts.window);
    connect(dialog, &ImportModelDialog::useRequested, this, &BoardDialogs::useModel);
    Q_EMIT workMade(&dialog->exportWork(), tr("The export of the network has ended"));
    return dialog;
  });
}

void BoardDialogs::useModel(const QString& file) {
  if (refusedWhileRunning(*m_parts.controller, *m_parts.messages)) return;
  const bool again = m_parts.document->experiment().model.file == file.toStdString();
  m_parts.document->useModel(tr("Use Imported Model"), import()->opened());
  import()->close();
  const QString sentence = again ? tr("%1 was read again. It is the model of the experiment.")
                                 : tr("%1 is now the model of the experiment. Undo to restore the one before.");
  m_parts.messages->inform(sentence.arg(look::shownName(QFileInfo(file).fileName())));
}

}  // namespace lanelab
