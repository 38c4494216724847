// SPDX-License-Identifier: GPL-3.0-only
#include "ui/export/exhibit.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QCoreApplication>
#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QUrl>

#include "base/atomic_file.h"
#include "ui/export/export_settings.h"
#include "ui/export/table_text.h"
#include "ui/look/icons.h"
#include "ui/look/message_strip.h"
#include "ui/look/plain_label.h"
#include "ui/look/plain_text.h"

namespace lanelab {

namespace {

constexpr qreal kCopiedScale = 2;

struct ExhibitTexts {
  Q_DECLARE_TR_FUNCTIONS(Exhibit)
};

/// "PNG image (*.png)" -> "png", "Trace (*.json.gz)" -> "json.gz".
QString extensionOf(const QString& filter) { return filter.section("(*.", 1).section(')', 0, 0); }

QStringList filtersOf(const Exhibit& exhibit) {
  QStringList filters;
  if (exhibit.figure)
    filters << ExhibitTexts::tr("PNG image (*.png)") << ExhibitTexts::tr("SVG drawing (*.svg)")
            << ExhibitTexts::tr("PDF page (*.pdf)");
  if (exhibit.csv) filters << ExhibitTexts::tr("CSV table (*.csv)");
  return filters;
}

Status writeExhibit(const Exhibit& exhibit, const QString& path) {
  if (exhibit.csv && path.endsWith(".csv", Qt::CaseInsensitive))
    return writeFileAtomically(path.toStdString(), exhibit.csv());
  const auto format = pictureFormatOf(path);
  if (!format.ok()) return format.error();
  return savePicture(exhibit.figure ? exhibit.figure() : Picture(), *format, path);
}

MessageStrip* stripOf(const QWidget* widget) {
  for (const QWidget* window = widget->window(); window;
       window = window->parentWidget() ? window->parentWidget()->window() : nullptr)
    if (auto* const strip = window->findChild<MessageStrip*>()) return strip;
  return nullptr;
}

std::function<void()> opening(const QString& place) {
  return [url = QUrl::fromLocalFile(place)] { QDesktopServices::openUrl(url); };
}

QString savedSentence(const QString& path) { return ExhibitTexts::tr("Saved %1").arg(QDir::toNativeSeparators(path)); }

/// What people do next.
std::vector<MessageStrip::Offer> openingOffers(const QString& file, const QString& folder) {
  return {{ExhibitTexts::tr("&Open"), opening(file)}, {ExhibitTexts::tr("Show &Folder"), opening(folder)}};
}

void offerSaved(MessageStrip& strip, const QString& path) {
  const QFileInfo saved(path);
  strip.offer(savedSentence(path), saved.isDir() ? openingOffers(QDir(path).filePath("report.html"), path)
                                                 : openingOffers(path, saved.absolutePath()));
}

}  // namespace

void addExhibitEntries(QMenu& menu, QWidget* view, const Exhibit& exhibit) {
  const auto add = [&](const char* name, const QString& text, const char* icon, const std::function<void()>& work) {
    QAction* const action = menu.addAction(look::icon(QLatin1String(icon)), text);
    action->setObjectName(QLatin1String(name));
    QObject::connect(action, &QAction::triggered, view, work);
  };
  if (exhibit.figure) add("copyFigure", ExhibitTexts::tr("Copy &Figure"), "copy", [exhibit] { copyFigure(exhibit); });
  if (exhibit.csv) add("copyTable", ExhibitTexts::tr("Copy &Table"), "table", [exhibit] { copyTable(exhibit); });
  if (exhibit.figure || exhibit.csv)
    add("exportExhibit", ExhibitTexts::tr("&Export..."), "export", [view, exhibit] { exportExhibit(view, exhibit); });
}

void offerExhibit(QWidget* view, std::function<Exhibit()> exhibit) {
  view->setContextMenuPolicy(Qt::CustomContextMenu);
  QObject::connect(view, &QWidget::customContextMenuRequested, view, [view, exhibit = std::move(exhibit)](QPoint at) {
    auto* menu = new QMenu(view);
    menu->setObjectName("exhibitMenu");
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addActions(view->actions());
    if (!menu->isEmpty()) menu->addSeparator();
    addExhibitEntries(*menu, view, exhibit());
    if (menu->isEmpty()) return menu->deleteLater();
    const auto* const area = qobject_cast<QAbstractScrollArea*>(view);  // whose positions are its viewport's
    menu->popup((area ? area->viewport() : view)->mapToGlobal(at));
  });
}

void offerTable(QAbstractItemView* view, const QString& name, const QString& title) {
  offerExhibit(view, [view, name, title] {
    Exhibit exhibit{name, title, {}, {}};
    if (view->model() && view->model()->rowCount() > 0)
      exhibit.csv = [text = tableCsv(*view->model())] { return text; };
    return exhibit;
  });
}

void copyFigure(const Exhibit& exhibit) {
  const QImage image = render(exhibit.figure(), look::printPalette(), kCopiedScale);
  if (!image.isNull()) QApplication::clipboard()->setImage(image);
}

void copyTable(const Exhibit& exhibit) { QApplication::clipboard()->setText(tabSeparated(exhibit.csv())); }

void exportExhibit(QWidget* parent, const Exhibit& exhibit) {
  askForNewFile(parent, exhibit.name, ExhibitTexts::tr("Export %1").arg(exhibit.title), filtersOf(exhibit),
                [parent, exhibit](const QString& path) { showOutcome(parent, writeExhibit(exhibit, path), path); });
}

void askForNewFile(QWidget* parent, const QString& name, const QString& title, const QStringList& filters,
                   const std::function<void(const QString&)>& then) {
  const ExportSettings settings;
  auto* dialog = new QFileDialog(parent, title, settings.folder(), filters.join(";;"));
  dialog->setObjectName("exportDialog");
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  const auto use = [dialog](const QString& filter) { dialog->setDefaultSuffix(extensionOf(filter)); };
  QObject::connect(dialog, &QFileDialog::filterSelected, dialog, use);
  use(filters.front());
  for (const auto& filter : filters)
    if (extensionOf(filter) == settings.extension(name)) {
      dialog->selectNameFilter(filter);
      use(filter);
    }
  dialog->selectFile(exportPrefix(parent) + name);
  QObject::connect(dialog, &QFileDialog::fileSelected, parent, [name, then](const QString& path) {
    ExportSettings().remember(name, QFileInfo(path).absolutePath(), QFileInfo(path).suffix());
    then(path);
  });
  dialog->open();
}

void showOutcome(QWidget* near, const Status& status, const QString& path) {
  MessageStrip* const strip = stripOf(near);
  if (strip && status.ok()) return offerSaved(*strip, path);
  if (status.ok()) return;
  if (strip && status.error().kind == Error::Kind::Cancelled)
    return strip->inform(
        ExhibitTexts::tr("The export was cancelled. %1 was not written.").arg(QDir::toNativeSeparators(path)));
  const QString sentence = look::shownText(status.error());
  if (strip && strip->window() == near->window()) return strip->reportError(sentence);
  look::plainBox("notSavedBox", QMessageBox::Warning, ExhibitTexts::tr("Not Saved"), sentence, QMessageBox::Close,
                 near->window())
      ->open();
}

void showSavedFolder(QWidget* near, const QString& folder, const QString& file, const QString& sentence,
                     const std::vector<MessageStrip::Offer>& first) {
  MessageStrip* const strip = stripOf(near);
  if (!strip) return;
  std::vector<MessageStrip::Offer> offers = first;
  for (const MessageStrip::Offer& offer : openingOffers(QDir(folder).filePath(file), folder)) offers.push_back(offer);
  strip->offer(sentence.isEmpty() ? savedSentence(folder) : sentence, offers);
}

QString exportPrefix(const QWidget* widget) {
  for (const QWidget* up = widget; up; up = up->parentWidget())
    if (const QVariant prefix = up->property("exportPrefix"); prefix.isValid()) return prefix.toString();
  return {};
}

}  // namespace lanelab
