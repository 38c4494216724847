// SPDX-License-Identifier: GPL-3.0-only
#include "ui/levels/level_pane.h"

#include <QAccessible>
#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <utility>

#include "base/text.h"
#include "engine/levels/level_run.h"
#include "ui/levels/level_progress.h"
#include "ui/levels/level_view.h"
#include "ui/look/brief_label.h"
#include "ui/look/elided_label.h"
#include "ui/look/parts.h"
#include "ui/look/plain_text.h"

namespace lanelab {
namespace {

constexpr int kChoiceCharacters = 17;

std::vector<LevelBoard> emptyBoards() {
  std::vector<LevelBoard> boards;
  for (const Level& level : levels()) boards.emplace_back(level);
  return boards;
}

QString shownTitle(const Level& level) { return look::shownText(sentence(level.title)); }

bool isRedo(const QKeyEvent& key) { return QKeySequence(key.keyCombination()) == QKeySequence("Ctrl+Shift+Z"); }

}  // namespace

LevelPane::LevelPane(std::vector<DeviceInfo> devices, QWidget* parent)
    : QWidget(parent),
      m_devices(std::move(devices)),
      m_boards(emptyBoards()),
      m_choice(new QComboBox),
      m_headline(new ElidedLabel),
      m_lesson(new look::BriefLabel(2, this)),
      m_view(new LevelView),
      m_sentence(new ElidedLabel) {
  m_choice->setObjectName("levelChoice");
  m_choice->setAccessibleName(tr("Level"));
  m_choice->setToolTip(tr("Choose a level; each remembers the best order that you built"));
  m_choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_choice->setMinimumContentsLength(kChoiceCharacters);
  m_headline->setObjectName("levelHeadline");
  m_lesson->setObjectName("levelLesson");
  m_view->setObjectName("levelView");
  m_sentence->setObjectName("levelSentence");
  auto* column = look::makeLayout<QVBoxLayout>(this, look::kGrid, look::kPaneMargins);
  column->addLayout(makeControls());
  column->addWidget(m_lesson);
  column->addWidget(m_view, 1);
  column->addWidget(m_sentence);
  connectView();
  setFocusProxy(m_view);
  refreshChoice();
  showLevel(0);
}

QHBoxLayout* LevelPane::makeControls() {
  auto* row = new QHBoxLayout;
  row->setSpacing(look::kGrid);
  row->addWidget(m_choice);
  row->addWidget(m_headline, 1);
  const auto add = [this, row](auto* button, void (LevelPane::*work)()) {
    button->setFocusPolicy(Qt::TabFocus);  // a click leaves the keyboard to the board
    connect(button, &QAbstractButton::clicked, this, work);
    row->addWidget(button);
    return button;
  };
  m_undo = add(look::toolButton("levelUndo", "undo", tr("Undo"), tr("Take the last action back (Backspace)")),
               &LevelPane::undo);
  m_redo =
      add(look::toolButton("levelRedo", "redo", tr("Redo"), tr("Place it again (Ctrl+Shift+Z)")), &LevelPane::redo);
  m_clear =
      add(look::toolButton("levelClear", "refresh", tr("Start Over"), tr("Take all actions back")), &LevelPane::clear);
  m_hint =
      add(look::narrowButton("levelHint", tr("Hint"), tr("Show a hint; again for the next one")), &LevelPane::showHint);
  m_run = add(look::narrowButton("levelRun", tr("Run It"), {}), &LevelPane::run);
  m_next = add(look::narrowButton("levelNext", tr("Next Level"), tr("Go to the next level")), &LevelPane::showNext);
  m_close =
      add(look::toolButton("levelClose", "close", tr("Close"), tr("Go back to the schedule of the variant (Esc)")),
          &LevelPane::closeRequested);
  connect(m_choice, &QComboBox::activated, this, [this](int level) { showLevel(static_cast<std::size_t>(level)); });
  return row;
}

void LevelPane::connectView() {
  connect(m_view, &LevelView::placeRequested, this, &LevelPane::place);
  connect(m_view, &LevelView::undoRequested, this, &LevelPane::undo);
  connect(m_view, &LevelView::closeRequested, this, &LevelPane::closeRequested);
  connect(m_view, &LevelView::pointedChanged, this, &LevelPane::showMove);
}

void LevelPane::showLevel(std::size_t level) {
  if (level >= m_boards.size()) return;
  m_level = level;
  m_known = knownOrders(board().level());
  m_next_hint = 0;
  m_choice->setCurrentIndex(static_cast<int>(level));
  m_lesson->setSentence(look::shownText(sentence(board().level().lesson)));
  refresh();
}

void LevelPane::showNext() { showLevel(m_level + 1); }

void LevelPane::place(const Action& action, LaneId lane) {
  if (const auto why = board().whyNot(action, lane)) return say(look::shownText(*why), /*wrong=*/true);
  built().place(action);
  if (board().isComplete()) {
    LevelProgress().note(level(), board().step());
    refreshChoice();
  }
  refresh();
}

void LevelPane::undo() {
  if (!board().canUndo()) return;
  const Action last = board().placed().back().action;
  built().undo();
  refresh();
  m_view->select(last);
}

void LevelPane::redo() {
  if (built().redo()) refresh();
}

void LevelPane::clear() {
  built().clear();
  refresh();
}

void LevelPane::showHint() {
  const auto& hints = level().hints;
  say(look::shownText(sentence(hints[m_next_hint])));
  m_next_hint = (m_next_hint + 1) % hints.size();
}

void LevelPane::run() {
  say(m_run->toolTip());
  Q_EMIT runRequested(levelRun(board(), m_known, m_devices));
}

void LevelPane::setRunning(bool running) {
  m_running = running;
  refreshButtons();
}

void LevelPane::refresh() {
  m_view->setBoard(board());
  m_headline->setText(headline());
  refreshButtons();
  showMove();
}

void LevelPane::refreshChoice() {
  m_choice->clear();
  for (std::size_t i = 0; i < levels().size(); ++i) {
    const auto best = LevelProgress().best(levels()[i]);
    const QString name = tr("%1. %2").arg(i + 1).arg(shownTitle(levels()[i]));
    m_choice->addItem(best ? tr("%1: %2").arg(name, look::shownText(standing(*best, parOf(levels()[i])))) : name);
  }
  m_choice->setCurrentIndex(static_cast<int>(m_level));
}

void LevelPane::refreshButtons() {
  const bool complete = board().isComplete();
  m_undo->setEnabled(board().canUndo());
  m_redo->setEnabled(board().canRedo());
  m_clear->setEnabled(board().canUndo());
  m_run->setEnabled(complete && !m_running);
  m_next->setEnabled(m_level + 1 < m_boards.size());
  if (!complete || m_running) {
    m_run->setToolTip(m_running ? tr("Not during a run.") : tr("Place all actions first, then train the order."));
    return;
  }
  m_run->setToolTip(tr("Train this order beside %1. %2")
                        .arg(QString::fromStdString(std::string(comparedWith(board(), m_known).title)),
                             look::shownText(lanesOfRun(level(), m_devices))));
}

QString LevelPane::headline() const {
  const std::int64_t par = parOf(level());
  if (board().canUndo())
    return tr("Step %1, par %2, idle %3 %")
        .arg(board().step())
        .arg(par)
        .arg(QString::fromStdString(formatNumber(100 * board().idleShare())));
  const auto limit = level().memory_limit;
  return limit ? tr("Par %1, at most %2 stored per lane").arg(par).arg(*limit) : tr("Par %1").arg(par);
}

/// What the action under the pointer, or the selected one, would do; of a finished order what it is.
void LevelPane::showMove() {
  const auto action = m_view->pointed();
  if (board().isComplete()) return say(look::shownText(verdict(board(), m_known)));
  if (!action) return say(tr("All of lane %1 is placed. Select another lane.").arg(m_view->lane().value));
  if (const auto why = board().whyNot(*action)) return say(look::shownText(*why));
  LevelBoard after = board();
  after.place(*action);
  say(tr("%1 starts at %2: the step takes at least %3, par is %4.")
          .arg(QString::fromStdString(toString(*action)))
          .arg(board().preview(*action).start)
          .arg(after.leastStep())
          .arg(parOf(level())));
}

/// Screen readers hear it as the description of the board.
void LevelPane::say(const QString& sentence, bool wrong) {
  QPalette ink;
  if (wrong) ink.setColor(QPalette::WindowText, look::current().error);
  m_sentence->setPalette(ink);
  m_sentence->setText(sentence);
  m_view->setAccessibleDescription(sentence);
  QAccessibleEvent event(m_view, QAccessible::DescriptionChanged);
  QAccessible::updateAccessibility(&event);
}

/// Undo and redo are those of the level while the keyboard is in it, not those of the experiment.
bool LevelPane::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    auto* const key = static_cast<QKeyEvent*>(event);
    if (key->matches(QKeySequence::Undo) || isRedo(*key)) {
      event->accept();
      return true;
    }
  }
  return QWidget::event(event);
}

void LevelPane::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Undo)) return undo();
  if (isRedo(*event)) return redo();
  if (event->key() == Qt::Key_Escape) return closeRequested();
  QWidget::keyPressEvent(event);
}

}  // namespace lanelab
