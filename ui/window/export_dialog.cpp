// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/export_dialog.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>

#include "base/atomic_file.h"
#include "base/text.h"
#include "ui/experiment/experiment_document.h"
#include "ui/look/message_strip.h"
#include "ui/window/window_settings.h"

namespace lanelab {

namespace {

/// "PNG picture (*.png)" -> "png", "Trace (*.json.gz)" -> "json.gz".
QString extensionOf(const QString& filter) { return filter.section("(*.", 1).section(')', 0, 0); }

}  // namespace

ExportDialog::ExportDialog(const WindowParts& parts) : QObject(parts.window), m_parts(parts) {}

QString ExportDialog::suggestedName(const QString& what) const {
  return QString::fromStdString(slug(m_parts.document->experiment().name)) + "-" + what;
}

void ExportDialog::chooseFile(const QString& what, const QString& title, const QStringList& filters,
                              const std::function<void(const QString&)>& then) {
  WindowSettings settings;
  auto* dialog = new QFileDialog(m_parts.window, title, settings.exportFolder(), filters.join(";;"));
  dialog->setObjectName("exportDialog");
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  const auto use = [dialog](const QString& filter) { dialog->setDefaultSuffix(extensionOf(filter)); };
  connect(dialog, &QFileDialog::filterSelected, dialog, use);
  use(filters.front());
  for (const auto& filter : filters)
    if (extensionOf(filter) == settings.exportEnding(what)) {
      dialog->selectNameFilter(filter);
      use(filter);
    }
  dialog->selectFile(suggestedName(what));
  connect(dialog, &QFileDialog::fileSelected, this, [what, then](const QString& path) {
    WindowSettings().setExport(what, QFileInfo(path).absolutePath(), QFileInfo(path).suffix());
    then(path);
  });
  dialog->open();
}

void ExportDialog::saveFile(const QString& what, const QString& title, const QStringList& filters,
                            const std::function<Status(const QString&)>& write) {
  chooseFile(what, title, filters, [this, write](const QString& path) { showOutcome(write(path), path); });
}

void ExportDialog::savePicture(const QString& what, const QString& title, const std::function<Picture()>& picture,
                               const std::function<std::string()>& csv) {
  saveFile(what, title,
           {tr("PNG picture (*.png)"), tr("SVG drawing (*.svg)"), tr("PDF page (*.pdf)"), tr("CSV table (*.csv)")},
           [picture, csv](const QString& path) -> Status {
             if (path.endsWith(".csv", Qt::CaseInsensitive)) return writeFileAtomically(path.toStdString(), csv());
             const auto format = pictureFormatOf(path);
             return format.ok() ? lanelab::savePicture(picture(), *format, path) : Status(format.error());
           });
}

void ExportDialog::saveFolder(const QString& what, const QString& title,
                              const std::function<Status(const QString&)>& write) {
  auto* dialog = new QFileDialog(m_parts.window, title, WindowSettings().exportFolder());
  dialog->setObjectName("exportFolderDialog");
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::Directory);
  dialog->setOption(QFileDialog::ShowDirsOnly);
  connect(dialog, &QFileDialog::fileSelected, this, [this, what, write](const QString& chosen) {
    const QString folder = QDir(chosen).filePath(suggestedName(what));
    showOutcome(write(folder), folder);
  });
  dialog->open();
}

void ExportDialog::showOutcome(const Status& status, const QString& path) {
  if (!status.ok())
    return m_parts.messages->say(MessageStrip::Kind::Error, QString::fromStdString(status.error().message));
  m_parts.messages->clear();
  m_parts.messages->say(MessageStrip::Kind::Information, tr("Saved %1").arg(QDir::toNativeSeparators(path)));
}

}  // namespace lanelab
