// SPDX-License-Identifier: GPL-3.0-only
#include "ui/report/pdf_report.h"

#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QCoreApplication>
#include <QFileInfo>
#include <QPainter>
#include <QPdfWriter>
#include <QTextDocument>
#include <utility>

#include "base/atomic_file.h"
#include "engine/report/report.h"
#include "ui/report/figure_objects.h"

namespace lanelab {
namespace {

constexpr qreal kScreenDpi = 96;
constexpr int kPaperDpi = 1200;
constexpr QSizeF kPaper(794, 1123);  ///< A4 at kScreenDpi
constexpr qreal kPaperMargin = 14 * look::kGrid;
constexpr qreal kFooter = 8 * look::kGrid;
constexpr qreal kTallestFigure = 0.85;  ///< of a page, so that the caption has room below

constexpr const char* kPaperStyle = R"css(
h1 { font-size: 20px; } h2 { font-size: 15px; margin-top: 18px; } h3 { font-size: 13px; }
p, li, td, th { font-size: 11px; } pre { font-size: 9px; white-space: pre-wrap; }
.meta, .note { color: #5b6670; } .headline { font-size: 13px; background-color: #f4f6f8; }
th { color: #5b6670; } td, th { padding: 2px 4px; }
table { border-collapse: collapse; border-style: solid; border-width: 1px; border-color: #d5dbe1; }
)css";

/// The report's elements and attributes that the rich text of Qt does not know, as it knows them. Texts of the report
/// are escaped, so these are in its tags only.
QString asRichText(const std::string& html) {
  static const std::pair<const char*, const char*> kKnown[] = {
      {"<section>", "<div>"},
      {"</section>", "</div>"},
      {"<header>", "<div>"},
      {"</header>", "</div>"},
      {"<figcaption>", "<p class=\"note\">"},
      {"</figcaption>", "</p>"},
      {"<details open>", "<div>"},
      {"</details>", "</div>"},
      {"<summary>", "<p>"},
      {"</summary>", "</p>"},
      {"<figure ", "<p "},
      {"</figure>", ""},
      {"<th scope=\"col\" class=\"text\">", "<th align=\"left\">"},
      {"<th scope=\"col\">", "<th align=\"right\">"},
      {"<td>", "<td align=\"right\">"}};
  QString text = QString::fromStdString(html);
  for (const auto& [from, to] : kKnown) text.replace(QLatin1String(from), QLatin1String(to));
  return text;
}

std::string contentOf(const RunRecord& record, const std::vector<Picture>& figures) {
  std::vector<ReportFigure> content;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const std::string image = "<img src=\"" + FigureObjects::nameOf(i).toStdString() + "\">";
    content.push_back({figures[i].title.toStdString(), figures[i].caption.toStdString(), image});
  }
  return paperReport(record, content);
}

void paintPageOf(QTextDocument& text, int page, QPainter& painter) {
  const qreal height = kPaper.height() - kFooter;
  QAbstractTextDocumentLayout::PaintContext context;
  context.palette.setColor(QPalette::Text, look::printPalette().text);
  context.clip = QRectF(0, page * height, kPaper.width(), height);
  painter.save();
  painter.translate(0, -page * height);
  painter.setClipRect(context.clip);
  text.documentLayout()->draw(&painter, context);
  painter.restore();
  painter.setPen(look::printPalette().muted_text);
  painter.setFont(look::smallFont());
  painter.drawText(QRectF(kPaperMargin, height - kFooter, kPaper.width() - 2 * kPaperMargin, kFooter), Qt::AlignRight,
                   QCoreApplication::translate("Report", "Page %1 of %2").arg(page + 1).arg(text.pageCount()));
}

QByteArray pdfOf(QTextDocument& text, const QString& title) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  QPdfWriter writer(&buffer);
  writer.setTitle(title);
  writer.setCreator(QStringLiteral("LaneLab"));
  writer.setResolution(kPaperDpi);
  writer.setPageSize(QPageSize(QPageSize::A4));
  writer.setPageMargins(QMarginsF());
  QPainter painter(&writer);
  painter.scale(kPaperDpi / kScreenDpi, kPaperDpi / kScreenDpi);
  for (int page = 0; page < text.pageCount(); ++page) {
    if (page > 0) writer.newPage();
    paintPageOf(text, page, painter);
  }
  painter.end();
  return bytes;
}

Status writePdf(const RunRecord& record, const std::vector<Picture>& figures, const QString& path) {
  QTextDocument text;
  const QSizeF page(kPaper.width(), kPaper.height() - kFooter);
  FigureObjects objects(figures,
                        QSizeF(page.width() - 2 * kPaperMargin, (page.height() - 2 * kPaperMargin) * kTallestFigure));
  text.documentLayout()->registerHandler(QTextFormat::ImageObject, &objects);
  text.setDefaultFont(look::textFont());
  text.setDefaultStyleSheet(QLatin1String(kPaperStyle));
  text.setDocumentMargin(kPaperMargin);
  text.setHtml(asRichText(contentOf(record, figures)));
  text.setPageSize(page);
  const QString title = QString::fromStdString(record.experiment.name);
  return writeFileAtomically(path.toStdString(), pdfOf(text, title).toStdString());
}

}  // namespace

ReportSteps pdfReportSteps(const std::shared_ptr<const RunRecord>& record, const Traces& traces, const QString& path) {
  const auto figures = std::make_shared<std::vector<Picture>>();
  const std::string phase = writingPhase(QFileInfo(path).fileName());
  ReportSteps steps;
  for (auto& picture : reportPictures(record, traces))
    steps.push_back({phase, [figures, make = std::move(picture)]() -> Status {
                       figures->push_back(make());
                       return {};
                     }});
  steps.push_back({phase, [record, figures, path] { return writePdf(*record, *figures, path); }});
  return steps;
}

}  // namespace lanelab
