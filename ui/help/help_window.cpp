// SPDX-License-Identifier: GPL-3.0-only
#include "ui/help/help_window.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QShortcut>
#include <QSplitter>
#include <QStackedWidget>
#include <QStandardItemModel>
#include <QToolButton>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/help/hit_delegate.h"
#include "ui/help/page_view.h"
#include "ui/look/parts.h"
#include "ui/look/settings.h"
#include "ui/look/theme.h"

namespace lanelab {
namespace {

constexpr QSize kFirstSize(1240, 800);
constexpr int kContentsWidth = 270;
constexpr int kDeepest = 3;  ///< level of the headings that the contents list
constexpr int kSearchWidth = 80 * look::kGrid;
constexpr int kPageRole = Qt::UserRole, kSectionRole = Qt::UserRole + 1;
constexpr const char* kGeometry = "help/geometry";
constexpr const char* kSplit = "help/split";

QTreeWidgetItem* contentsItem(const HelpPage& page, const HelpSection& section) {
  auto* item = new QTreeWidgetItem({section.title});
  item->setToolTip(0, section.title);
  item->setData(0, kPageRole, page.path);
  item->setData(0, kSectionRole, section.anchor);
  return item;
}

HelpPlace placeOf(const QTreeWidgetItem& item) {
  return {item.data(0, kPageRole).toString(), item.data(0, kSectionRole).toString()};
}

/// Each heading below the one that it belongs to.
QTreeWidgetItem* pageItem(const HelpPage& page) {
  QList<QTreeWidgetItem*> above;
  for (const HelpSection& section : page.sections) {
    if (section.level > kDeepest) continue;
    QTreeWidgetItem* const item = contentsItem(page, section);
    while (above.size() >= std::max(section.level, 2) && above.size() > 1) above.removeLast();
    if (!above.isEmpty()) above.last()->addChild(item);
    above.append(item);
  }
  return above.isEmpty() ? nullptr : above.front();
}

}  // namespace

HelpWindow::HelpWindow()
    : m_back(look::toolButton("helpBack", "previous", tr("Back"), tr("Go to the place before (Alt+Left)"))),
      m_forward(look::toolButton("helpForward", "next", tr("Forward"), tr("Go forward again (Alt+Right)"))),
      m_words(new QLineEdit),
      m_contents(new QTreeWidget),
      m_found(new QListView),
      m_rows(new QStandardItemModel(this)),
      m_none(look::emptyLabel("helpNothing", tr("No page has all these words."))),
      m_left(new QStackedWidget),
      m_page(new PageView),
      m_split(new QSplitter) {
  setObjectName("helpWindow");
  setAttribute(Qt::WA_QuitOnClose, false);
  setWindowTitle(tr("Help"));
  makeContents();
  makeFound();
  for (QWidget* const part :
       {static_cast<QWidget*>(m_contents), static_cast<QWidget*>(m_found), static_cast<QWidget*>(m_none)})
    m_left->addWidget(part);
  m_split->addWidget(m_left);
  m_split->addWidget(m_page);
  m_split->setStretchFactor(1, 1);
  m_split->setChildrenCollapsible(false);
  auto* column = look::makeLayout<QVBoxLayout>(this, 0);
  column->addLayout(makeBar());
  column->addWidget(m_split, 1);
  makeKeys();
  connect(m_page, &PageView::placeRequested, this, [this](const HelpPlace& place) { goTo(place); });
  restore();
}

QHBoxLayout* HelpWindow::makeBar() {
  m_words->setObjectName("helpWords");
  m_words->setAccessibleName(tr("Search all pages"));
  m_words->setPlaceholderText(tr("Search all pages (Ctrl+F)"));
  m_words->setClearButtonEnabled(true);
  m_words->setMaximumWidth(kSearchWidth);
  m_words->installEventFilter(this);
  auto* bar = new QHBoxLayout;
  bar->setContentsMargins(look::kPaneMargins);
  bar->addWidget(m_words, 1);
  bar->addWidget(m_back);
  bar->addWidget(m_forward);
  bar->addStretch(1);
  connect(m_words, &QLineEdit::textChanged, this, &HelpWindow::search);
  connect(m_words, &QLineEdit::returnPressed, this, [this] { openHit(std::max(0, m_found->currentIndex().row())); });
  connect(m_back, &QToolButton::clicked, this, [this] { walk(-1); });
  connect(m_forward, &QToolButton::clicked, this, [this] { walk(+1); });
  return bar;
}

void HelpWindow::makeContents() {
  m_contents->setObjectName("helpContents");
  m_contents->setAccessibleName(tr("Contents"));
  m_contents->setHeaderHidden(true);
  m_contents->setFrameShape(QFrame::NoFrame);
  for (const HelpPage& page : helpPages())
    if (QTreeWidgetItem* const item = pageItem(page)) m_contents->addTopLevelItem(item);
  const auto open = [this](QTreeWidgetItem* item) { goTo(placeOf(*item)); };
  connect(m_contents, &QTreeWidget::itemClicked, this, open);
  connect(m_contents, &QTreeWidget::itemActivated, this, open);
}

void HelpWindow::makeFound() {
  m_found->setObjectName("helpFound");
  m_found->setAccessibleName(tr("Found sections"));
  m_found->setFrameShape(QFrame::NoFrame);
  m_found->setModel(m_rows);
  m_found->setItemDelegate(new HitDelegate(m_found));
  m_found->setResizeMode(QListView::Adjust);
  m_found->setEditTriggers(QAbstractItemView::NoEditTriggers);
  m_found->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  m_found->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  connect(m_found, &QListView::clicked, this, [this](const QModelIndex& index) { openHit(index.row()); });
  connect(m_found, &QListView::activated, this, [this](const QModelIndex& index) { openHit(index.row()); });
}

void HelpWindow::makeKeys() {
  const auto add = [this](const QKeySequence& key, auto then) {
    connect(new QShortcut(key, this), &QShortcut::activated, this, then);
  };
  add(QKeySequence(Qt::Key_Escape), [this] { close(); });
  add(QKeySequence(QKeySequence::Find), [this] {
    m_words->setFocus(Qt::ShortcutFocusReason);
    m_words->selectAll();
  });
  add(QKeySequence("Alt+Left"), [this] { walk(-1); });
  add(QKeySequence("Alt+Right"), [this] { walk(+1); });
}

void HelpWindow::restore() {
  const look::Settings settings;
  if (!restoreGeometry(settings.value(kGeometry).toByteArray())) resize(kFirstSize);
  if (!m_split->restoreState(settings.value(kSplit).toByteArray()))
    m_split->setSizes({kContentsWidth, kFirstSize.width() - kContentsWidth});
}

void HelpWindow::closeEvent(QCloseEvent* event) {
  look::Settings settings;
  settings.setValue(kGeometry, saveGeometry());
  settings.setValue(kSplit, m_split->saveState());
  QWidget::closeEvent(event);
}

const HelpPlace& HelpWindow::place() const { return m_page->place(); }

void HelpWindow::open(const HelpPlace& place) {
  show();
  raise();
  activateWindow();
  m_words->clear();
  goTo(place);
  m_page->setFocus(Qt::OtherFocusReason);
}

/// Whatever was ahead is forgotten, as in a browser.
void HelpWindow::goTo(const HelpPlace& place, const QString& words) {
  const HelpPlace there = findSection(place) ? place : HelpPlace{helpPages().front().path};
  if (m_now < 0 || m_seen[m_now] != there) {
    m_seen.resize(m_now + 1);
    m_seen.append(there);
    m_now = m_seen.size() - 1;
  }
  showPlace(there, words);
}

void HelpWindow::walk(int steps) {
  const qsizetype next = m_now + steps;
  if (next < 0 || next >= m_seen.size()) return;
  m_now = next;
  showPlace(m_seen[next], {});
}

void HelpWindow::showPlace(const HelpPlace& place, const QString& words) {
  m_page->showPlace(place, words);
  m_back->setEnabled(m_now > 0);
  m_forward->setEnabled(m_now + 1 < m_seen.size());
  setWindowTitle(tr("%1 \u2014 Help").arg(findPage(place.page)->title));
  selectInContents(place);
}

/// Only the page that is read is expanded.
void HelpWindow::selectInContents(const HelpPlace& place) {
  QTreeWidgetItem* shown = nullptr;
  for (QTreeWidgetItemIterator it(m_contents); *it; ++it) {
    const HelpPlace here = placeOf(**it);
    if (here.page == place.page && (here.section == place.section || !shown)) shown = *it;
  }
  if (!shown) return m_contents->setCurrentItem(nullptr);
  QTreeWidgetItem* page = shown;
  while (page->parent()) page = page->parent();
  if (!page->isExpanded()) m_contents->collapseAll();
  page->setExpanded(true);
  m_contents->setCurrentItem(shown);
  m_contents->scrollToItem(shown);
}

void HelpWindow::search() {
  const QString words = m_words->text();
  m_hits = searchHelp(words);
  m_rows->clear();
  static_cast<HitDelegate*>(m_found->itemDelegate())->setWords(words);
  for (const HelpHit& hit : std::as_const(m_hits)) {
    auto* row = new QStandardItem(hit.title);
    row->setData(hit.line, HitDelegate::kLineRole);
    row->setData(QString(hit.title + ". " + hit.line), Qt::AccessibleTextRole);
    m_rows->appendRow(row);
  }
  m_found->setCurrentIndex(m_rows->index(0, 0));
  if (words.trimmed().isEmpty()) {
    m_page->highlight({});
    return m_left->setCurrentWidget(m_contents);
  }
  m_left->setCurrentWidget(m_hits.isEmpty() ? static_cast<QWidget*>(m_none) : m_found);
}

void HelpWindow::openHit(int row) {
  if (row < 0 || row >= m_hits.size()) return;
  m_found->setCurrentIndex(m_rows->index(row, 0));
  goTo(m_hits[row].place, m_words->text());
}

bool HelpWindow::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
  const int key = static_cast<QKeyEvent*>(event)->key();
  if (key != Qt::Key_Down && key != Qt::Key_Up) return QWidget::eventFilter(watched, event);
  QCoreApplication::sendEvent(m_found, event);
  return true;
}

}  // namespace lanelab
