// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/details/details_pane.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QSplitter>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/help/glossary.h"
#include "ui/look/elided_label.h"
#include "ui/look/parts.h"
#include "ui/look/theme.h"
#include "ui/timeline/layout/ticks.h"

namespace lanelab {
namespace {

constexpr int kWideEnough = 520;  ///< pixels, for both parts beside each other
constexpr int kLinkRole = Qt::UserRole;

QTreeWidget* list(const char* name, const QString& accessible_name, const QStringList& header) {
  auto* tree = new QTreeWidget;
  tree->setObjectName(QLatin1String(name));
  tree->setAccessibleName(accessible_name);
  tree->setFont(look::textFont());
  tree->setColumnCount(static_cast<int>(header.size()));
  tree->setHeaderLabels(header);
  tree->header()->setFont(look::textFont());
  tree->header()->setStretchLastSection(true);
  tree->setFrameShape(QFrame::NoFrame);
  tree->setRootIsDecorated(false);
  tree->setUniformRowHeights(true);
  tree->setEditTriggers(QAbstractItemView::NoEditTriggers);
  tree->setTextElideMode(Qt::ElideMiddle);
  return tree;
}

QTreeWidgetItem* row(const QString& name, const QString& value) {
  auto* item = new QTreeWidgetItem({name, value});
  item->setToolTip(0, termTip(name));
  item->setToolTip(1, value);
  return item;
}

QTreeWidgetItem* heading(QTreeWidget& tree, const QString& name, const QString& value) {
  auto* item = new QTreeWidgetItem({name, value});
  item->setFont(0, look::bold(tree.font()));
  tree.addTopLevelItem(item);
  item->setExpanded(true);
  return item;
}

void addGroup(QTreeWidget& tree, const QString& name, const QString& value,
              const std::vector<std::pair<QString, QString>>& rows) {
  QTreeWidgetItem* const head = heading(tree, name, value);
  for (const auto& [row_name, row_value] : rows) head->addChild(row(row_name, row_value));
}

}  // namespace

DetailsPane::DetailsPane(QWidget* parent)
    : QWidget(parent),
      m_empty(look::emptyLabel(
          "detailsEmpty",
          tr("Click a span or an idle gap in the timeline to see its details here, or go to the next span (key .) or "
             "gap (key G) there."))),
      m_filled(new QWidget),
      m_title(new ElidedLabel),
      m_copy(look::button("copyDetails", tr("&Copy"), tr("Copy the details as text"))),
      m_copy_json(look::button("copyDetailsJson", tr("Copy as &JSON"), tr("Copy the details as a JSON object"))),
      m_parts(new QSplitter(Qt::Horizontal)),
      m_figures(list("detailFigures", tr("Figures of the selection"), {tr("Figure"), tr("Value")})),
      m_context(list("detailContext", tr("Dependencies, idle time and arguments of the selection"),
                     {tr("Context"), tr("Value")})) {
  m_title->setObjectName(QStringLiteral("detailsTitle"));
  m_title->setFont(look::headlineFont());
  m_context->setIndentation(2 * look::kGrid);
  auto* top = new QHBoxLayout;
  top->addWidget(m_title, 1);
  top->addWidget(m_copy);
  top->addWidget(m_copy_json);
  m_parts->setChildrenCollapsible(false);
  m_parts->addWidget(m_figures);
  m_parts->addWidget(m_context);
  m_parts->setStretchFactor(0, 2);
  m_parts->setStretchFactor(1, 3);
  auto* inner = new QVBoxLayout(m_filled);
  inner->setContentsMargins(0, 0, 0, 0);
  inner->addLayout(top);
  inner->addWidget(m_parts, 1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(look::kPaneMargins);
  column->addWidget(m_empty, 1);
  column->addWidget(m_filled, 1);
  connect(m_copy, &QPushButton::clicked, this, [this] { copy(false); });
  connect(m_copy_json, &QPushButton::clicked, this, [this] { copy(true); });
  connect(m_context, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item) { openLink(*item); });
  connect(m_context, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) { openLink(*item); });
  fill();
}

void DetailsPane::setDetails(std::optional<SpanDetails> details) {
  if (details == m_details && !m_gap) return;
  m_details = std::move(details);
  m_gap.reset();
  m_note.clear();
  fill();
}

void DetailsPane::setGap(GapDetails gap) {
  if (m_gap == gap) return;
  m_details.reset();
  m_gap = std::move(gap);
  m_note.clear();
  fill();
}

void DetailsPane::copy(bool as_json) const {
  const auto text = [as_json](const auto& details) { return as_json ? detailsJson(details) : detailsText(details); };
  QApplication::clipboard()->setText(m_gap ? text(*m_gap) : text(*m_details));
}

void DetailsPane::setNote(const QString& note) {
  if (std::exchange(m_note, note) != note) fill();
}

void DetailsPane::fill() {
  m_empty->setVisible(!m_details && !m_gap);
  m_filled->setVisible(m_details || m_gap);
  m_figures->clear();
  m_context->clear();
  if (m_details) fillSpan();
  if (m_gap) fillGap();
  m_figures->resizeColumnToContents(0);
  m_context->resizeColumnToContents(0);
  m_context->setColumnWidth(0, std::min(m_context->columnWidth(0), width() / 2));
}

void DetailsPane::fillSpan() {
  m_title->setText(m_details->title);
  if (m_details->name != m_details->title) m_figures->addTopLevelItem(row(tr("Name"), m_details->name));
  for (const auto& [name, value] : m_details->figures) m_figures->addTopLevelItem(row(name, value));
  addLinks(tr("Waited for"), m_details->waited_for, waitedText);
  addLinks(tr("Waits for it"), m_details->waiting, waitingText);
  if (m_details->idle)
    addGroup(*m_context, tr("Idle before"), durationText(m_details->idle->length), causeRows(m_details->idle->causes));
  if (!m_details->arguments.empty() || !m_note.isEmpty())
    addGroup(*m_context, tr("Arguments"), m_note, m_details->arguments);
}

void DetailsPane::fillGap() {
  m_title->setText(m_gap->title);
  for (const auto& [name, value] : m_gap->figures) m_figures->addTopLevelItem(row(name, value));
  addSentence(tr("Why"), m_gap->why);
  addSentence(tr("What helps"), m_gap->fix);
  addLinks(tr("Waited for"), m_gap->waited_for, waitedText);
  addLinks(tr("Next"), m_gap->next, waitingText);
  if (m_gap->causes.total() > 0 || !m_note.isEmpty())
    addGroup(*m_context, tr("Causes"), m_note, causeRows(m_gap->causes));
}

void DetailsPane::addSentence(const QString& name, const QString& sentence) {
  if (!sentence.isEmpty()) heading(*m_context, name, sentence)->setToolTip(1, sentence);
}

void DetailsPane::addLinks(const QString& title, const std::vector<SpanLink>& links, QString (*text)(const SpanLink&)) {
  for (std::size_t i = 0; i < links.size(); ++i) {
    QTreeWidgetItem* const item = i == 0 ? heading(*m_context, title, {}) : new QTreeWidgetItem({QString(), {}});
    if (i > 0) m_context->addTopLevelItem(item);
    item->setText(1, text(links[i]));
    item->setToolTip(1, tr("Click or press Enter to select this span: %1").arg(text(links[i])));
    item->setData(0, kLinkRole, QVariant::fromValue(links[i].span));
    item->setForeground(1, palette().link());
    QFont underlined = m_context->font();
    underlined.setUnderline(true);
    item->setFont(1, underlined);
  }
}

void DetailsPane::openLink(const QTreeWidgetItem& item) {
  const QVariant link = item.data(0, kLinkRole);
  if (link.isValid()) Q_EMIT spanRequested(link.value<SpanRef>());
}

void DetailsPane::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  m_parts->setOrientation(width() >= kWideEnough ? Qt::Horizontal : Qt::Vertical);
}

void DetailsPane::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) fill();  // links have the palette's colour
}

}  // namespace lanelab
