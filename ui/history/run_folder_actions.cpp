// SPDX-License-Identifier: GPL-3.0-only
#include "ui/history/run_folder_actions.h"

#include <QAction>
#include <QDir>
#include <QMenu>

#include "ui/look/action_state.h"
#include "ui/look/parts.h"
#include "ui/look/plain_text.h"

namespace lanelab {

namespace {
QString shownFolder(const std::string& folder) {
  return look::shownName(QDir::toNativeSeparators(QString::fromStdString(folder)));
}
}  // namespace

RunFolderActions::RunFolderActions(RunFolders folders, QWidget* owner)
    : QObject(owner),
      m_folders(std::move(folders)),
      m_owner(owner),
      m_add(new QAction(tr("&Add Run Folder..."), owner)),
      m_remove(new QMenu(tr("Re&move Run Folder"), owner)) {
  m_add->setObjectName("addRunFolder");
  m_add->setToolTip(tr("List the runs of another folder, too"));
  m_remove->setObjectName("removeRunFolderMenu");
  m_remove->setToolTipsVisible(true);
  m_remove->menuAction()->setObjectName("removeRunFolder");
  m_remove->menuAction()->setToolTip(tr("Do not list the runs of an added folder"));
  connect(m_add, &QAction::triggered, this, &RunFolderActions::choose);
  update();
}

void RunFolderActions::choose() {
  look::askForFolder(m_owner, "runFolderDialog", tr("Add Run Folder"), QDir::homePath(), [this](const QString& chosen) {
    const std::string folder = chosen.toStdString();
    readList(addRunFolder(folder), tr("The runs of %1 are listed.").arg(shownFolder(folder)));
  });
}

void RunFolderActions::readList(const Status& written, const QString& sentence) {
  if (!written.ok()) return Q_EMIT failed(look::shownText(written.error()));
  if (Result<std::vector<std::string>> added = addedRunFolders(); added.ok()) {  // it was just read and written
    m_folders.added = std::move(*added);
    std::erase(m_folders.added, m_folders.own);
    update();
  }
  Q_EMIT changed(sentence);
}

void RunFolderActions::update() {
  const QString chosen = tr("The option --runs was given: only its folder counts.");
  look::setEnabled(*m_add, !m_folders.chosen, chosen);
  m_remove->clear();
  for (const std::string& folder : m_folders.added) {
    QAction* const entry = m_remove->addAction(look::buttonText(shownFolder(folder)));
    entry->setToolTip(tr("Do not list the runs of %1; its files remain").arg(shownFolder(folder)));
    connect(entry, &QAction::triggered, this, [this, folder] {
      readList(removeRunFolder(folder),
               tr("The runs of %1 are no longer listed. Its files remain.").arg(shownFolder(folder)));
    });
  }
  look::setEnabled(*m_remove->menuAction(), !m_folders.added.empty(),
                   m_folders.chosen ? chosen : tr("No run folder was added."));
}

}  // namespace lanelab
