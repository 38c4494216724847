// SPDX-License-Identifier: GPL-3.0-only
#include "ui/look/message_strip.h"

#include <QAccessible>
#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>
#include <algorithm>

#include "ui/look/elided_label.h"
#include "ui/look/icons.h"
#include "ui/look/parts.h"
#include "ui/look/plain_text.h"
#include "ui/look/theme.h"

namespace lanelab {

namespace {
constexpr int kIconSize = 4 * look::kGrid;
}

MessageStrip::MessageStrip(QWidget* parent)
    : QFrame(parent),
      m_icon(new look::PlainLabel),
      m_line(new ElidedLabel),
      m_text(look::wrappedLabel("messageText")),
      m_more(look::toolButton("openMessage", "down", tr("Show all of this message"), tr("Show all of this message"))) {
  setObjectName("messageStrip");
  auto* row =
      look::makeLayout<QHBoxLayout>(this, 2 * look::kGrid, {3 * look::kGrid, look::kGrid, look::kGrid, look::kGrid});
  row->addWidget(m_icon, 0, Qt::AlignTop);
  m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  m_line->setObjectName("messageLine");
  row->addWidget(m_line, 1);
  row->addWidget(m_text, 1);
  QSizePolicy keeps_room = m_more->sizePolicy();
  keeps_room.setRetainSizeWhenHidden(true);  // else its coming would shorten the line, whose end calls for it
  m_more->setSizePolicy(keeps_room);
  connect(m_more, &QToolButton::clicked, this, [this] { setOpen(!m_open); });
  row->addWidget(m_more, 0, Qt::AlignTop);
  for (const char* const name : {"messageAction", "messageAction2", "messageAction3"}) {
    const std::size_t index = m_choices.size();
    m_choices.push_back({look::button(name, {}, {}), nullptr});
    m_choices.back().button->hide();
    connect(m_choices.back().button, &QPushButton::clicked, this, [this, index] {
      const auto then = m_choices[index].then;
      clear();
      if (then) then();
    });
    row->addWidget(m_choices.back().button, 0, Qt::AlignTop);
  }
  auto* close = look::toolButton("closeMessage", "close", tr("Hide this message"), tr("Hide this message"));
  connect(close, &QToolButton::clicked, this, &MessageStrip::clear);
  row->addWidget(close, 0, Qt::AlignTop);
  hide();
}

void MessageStrip::say(Kind kind, const QString& sentence) {
  if (isVisibleTo(parentWidget()) && kind < m_kind) return;
  m_kind = kind;
  withdrawOffer();
  const QString shown = look::shownText(sentence);
  m_text->setText(shown);
  m_text->setAccessibleName(shown);
  m_line->setText(QString(shown).replace('\n', ' '));
  setOpen(kind == Kind::Error);  // what to do is at its end
  showIcon();
  show();
  Q_EMIT shownChanged(true);
  update();  // the new kind's colour is painted on all of it, not only where the text changed
  QAccessibleEvent alert(this, QAccessible::Alert);
  QAccessible::updateAccessibility(&alert);
}

void MessageStrip::offer(const QString& sentence, const std::vector<Offer>& offers) {
  clear();
  say(Kind::Information, sentence);
  for (std::size_t i = 0; i < std::min(offers.size(), m_choices.size()); ++i) {
    m_choices[i].then = offers[i].then;
    m_choices[i].button->setText(offers[i].text);
    m_choices[i].button->show();
  }
}

void MessageStrip::withdrawOffer() {
  for (Choice& choice : m_choices) {
    choice.then = nullptr;
    choice.button->hide();
  }
}

void MessageStrip::clear() {
  m_kind = Kind::Information;
  withdrawOffer();
  m_text->clear();
  m_line->clear();
  hide();
  Q_EMIT shownChanged(false);
}

void MessageStrip::setOpen(bool open) {
  m_open = open;
  m_line->setVisible(!open);
  m_text->setVisible(open);
  m_more->setIcon(look::icon(open ? "up" : "down"));
  showMore();
}

void MessageStrip::showMore() {
  const bool fits = m_line->sizeHint().width() <= (m_open ? m_text : static_cast<QWidget*>(m_line))->width();
  m_more->setVisible(!fits && !sentence().isEmpty());
}

void MessageStrip::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  showMore();
}

QString MessageStrip::sentence() const { return m_text->text(); }

/// Painted from the scheme in force rather than from a palette, which a change of scheme would leave behind.
void MessageStrip::paintEvent(QPaintEvent*) {
  const auto& palette = look::current();
  const QColor mark = m_kind == Kind::Error     ? palette.error
                      : m_kind == Kind::Warning ? palette.warning
                                                : palette.accent;
  QPainter painter(this);
  painter.fillRect(rect(), look::mix(palette.surface, mark, 0.14));
  painter.fillRect(QRect(0, 0, look::kGrid, height()), mark);
}

void MessageStrip::changeEvent(QEvent* event) {
  QFrame::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) showIcon();
}

void MessageStrip::showIcon() {
  m_icon->setPixmap(look::icon(m_kind == Kind::Information ? "info" : "warning").pixmap(kIconSize, kIconSize));
}

}  // namespace lanelab
