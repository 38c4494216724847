// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/placement_dialogs.h"

#include "engine/advise/profile_store.h"
#include "ui/device_map/device_map_dialog.h"
#include "ui/experiment/cuts_dialog.h"
#include "ui/experiment/experiment_document.h"
#include "ui/run/run_controller.h"

namespace lanelab {

namespace {

void bringToFront(QWidget& dialog) {
  dialog.show();
  dialog.raise();
  dialog.activateWindow();
}

}  // namespace

PlacementDialogs::PlacementDialogs(const WindowParts& parts, std::shared_ptr<Executor> executor, Networks networks)
    : QObject(parts.window), m_parts(parts), m_executor(std::move(executor)), m_networks(std::move(networks)) {}

CutsDialog* PlacementDialogs::cuts() const { return m_parts.window->findChild<CutsDialog*>(); }

bool PlacementDialogs::isMeasuring() const { return cuts() && cuts()->measuring(); }

void PlacementDialogs::setReadOnly(bool read_only) {
  if (CutsDialog* const dialog = cuts()) dialog->setEnabled(!read_only);  // measuring beside a run would spoil both
}

void PlacementDialogs::showCuts() {
  if (m_parts.controller->running()) return;
  m_parts.document->followModelFile();
  CutsDialog* dialog = cuts();
  if (!dialog) {
    dialog = new CutsDialog(*m_parts.document, m_executor, ProfileStore::ofThisUser(), m_parts.window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &CutsDialog::blocksMeasured, this, &PlacementDialogs::blocksMeasured);
  }
  bringToFront(*dialog);
}

void PlacementDialogs::showDeviceMap() {
  auto* const open = m_parts.window->findChild<DeviceMapDialog*>();
  bringToFront(open ? *open : *makeDeviceMap());
}

DeviceMapDialog* PlacementDialogs::makeDeviceMap() {
  auto* dialog = new DeviceMapDialog(*m_parts.document, m_executor->devices(), m_networks.offers, m_networks.infer,
                                     m_parts.window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &DeviceMapDialog::placeRequested, this, [this](const Placement& placement) {
    if (!refusedWhileRunning(*m_parts.controller, *m_parts.messages))
      m_parts.document->setPlacement(tr("place the device map"), placement);
  });
  connect(dialog, &DeviceMapDialog::exportRequested, this, [this, dialog] { Q_EMIT exportRequested(*dialog); });
  return dialog;
}

}  // namespace lanelab
