// SPDX-License-Identifier: GPL-3.0-only
#include "ui/history/runs_filter.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <algorithm>
#include <set>

#include "ui/look/parts.h"
#include "ui/look/plain_text.h"
#include "ui/look/theme.h"

namespace lanelab {

namespace {

std::vector<std::string> strategiesOf(const std::vector<RunEntry>& runs) {
  std::set<std::string> found;
  for (const RunEntry& run : runs)
    for (const VariantEntry& variant : run.variants) found.insert(variant.strategy);
  return {found.begin(), found.end()};
}

std::vector<std::string> statusesOf(const std::vector<RunEntry>& runs) {
  std::set<std::string> found;
  for (const RunEntry& run : runs) found.insert(run.damaged ? "damaged" : toWord(run.status));
  return {found.begin(), found.end()};
}

}  // namespace

RunsFilter::RunsFilter(std::function<const std::vector<RunEntry>&()> runs, QWidget* parent)
    : QWidget(parent), m_runs(std::move(runs)) {
  auto* row = look::makeLayout<QHBoxLayout>(this, look::kGrid, {look::kGrid, look::kGrid, look::kGrid, 0});
  m_search = new QLineEdit;
  m_search->setObjectName("runsSearch");
  m_search->setPlaceholderText(tr("Search"));
  m_search->setAccessibleName(tr("Search runs"));
  m_search->setToolTip(tr("Show runs whose name, model, strategy, tags or note contain these words"));
  m_search->setClearButtonEnabled(true);
  connect(m_search, &QLineEdit::textChanged, this, [this](const QString& text) {
    m_filter.search = text.toStdString();
    Q_EMIT changed();
  });
  row->addWidget(m_search, 1);
  m_count = new look::PlainLabel;
  m_count->setObjectName("runsCount");
  m_count->setForegroundRole(QPalette::PlaceholderText);
  row->addWidget(m_count);
  m_groups = look::button("runsGroups", tr("Group"), tr("Group the runs by model, strategy, tag, day or machine"));
  m_groups->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
  row->addWidget(m_groups);
  m_button =
      look::button("runsFilter", tr("Filter"), tr("Show runs of a status, strategy or tag, or starred runs only"));
  m_button->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
  m_menu = new QMenu(m_button);
  m_menu->setObjectName("runsFilterMenu");
  m_button->setMenu(m_menu);
  connect(m_menu, &QMenu::aboutToShow, this, &RunsFilter::fillMenu);
  row->addWidget(m_button);
}

void RunsFilter::offerGroups(QMenu* menu) { m_groups->setMenu(menu); }

void RunsFilter::showGrouped(bool grouped) { m_groups->setText(grouped ? tr("Grouped") : tr("Group")); }

void RunsFilter::clear() {
  m_filter = {};
  const QSignalBlocker quiet(m_search);
  m_search->clear();
  update();
}

void RunsFilter::showCount(int shown, int all) {
  m_count->setText(shown == all ? QString() : tr("%1 of %2").arg(shown).arg(all));
  m_count->setVisible(shown != all);
}

void RunsFilter::focusSearch() {
  m_search->setFocus();
  m_search->selectAll();
}

void RunsFilter::addChoice(const QString& text, bool checked, const std::function<void(bool)>& choose) {
  QAction* const action = m_menu->addAction(text);
  action->setCheckable(true);
  action->setChecked(checked);
  connect(action, &QAction::triggered, this, [this, choose](bool on) {
    choose(on);
    update();
  });
}

void RunsFilter::addWords(const QString& title, const std::vector<std::string>& words,
                          std::vector<std::string>& chosen) {
  if (words.empty()) return;
  m_menu->addSection(title);
  for (const std::string& word : words)
    addChoice(look::buttonText(word), std::ranges::find(chosen, word) != chosen.end(), [&chosen, word](bool on) {
      std::erase(chosen, word);
      if (on) chosen.push_back(word);
    });
}

void RunsFilter::fillMenu() {
  m_menu->clear();
  const std::vector<RunEntry>& runs = m_runs();
  addChoice(tr("Starred &Only"), m_filter.starred, [this](bool on) { m_filter.starred = on; });
  addWords(tr("Status"), statusesOf(runs), m_filter.statuses);
  addWords(tr("Strategy"), strategiesOf(runs), m_filter.strategies);
  addWords(tr("Tags"), tagsOf(runs), m_filter.tags);
  m_menu->addSeparator();
  connect(m_menu->addAction(tr("&Clear Filter")), &QAction::triggered, this, &RunsFilter::clear);
}

void RunsFilter::update() {
  RunFilter choices = m_filter;
  choices.search.clear();
  m_button->setText(choices == RunFilter{} ? tr("Filter") : tr("Filter (on)"));
  Q_EMIT changed();
}

}  // namespace lanelab
