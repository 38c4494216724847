// SPDX-License-Identifier: GPL-3.0-only
#include "ui/look/plain_text.h"

#include <QApplication>
#include <QEvent>
#include <QLabel>
#include <QRegularExpression>
#include <QScreen>

#include "base/utf8.h"

namespace lanelab::look {
namespace {

constexpr qsizetype kLongestName = 120;
constexpr qsizetype kLongestBrief = 28;
constexpr qsizetype kLongestWord = 72;
constexpr qsizetype kLongestText = 4000;

/// The labels that Qt makes: tooltips, which are polished before they get their text, and those of forms and dialogs,
/// before they are drawn.
class PlainLabels : public QObject {
 public:
  using QObject::QObject;

  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() != QEvent::Polish) return false;
    auto* label = qobject_cast<QLabel*>(watched);
    if (!label) return false;
    label->setTextFormat(Qt::PlainText);
    if (label->windowType() == Qt::ToolTip) label->setMaximumSize(label->screen()->availableSize());
    return false;
  }
};

bool isShown(char32_t code) {
  return !isControl(code) && !isBidiOverride(code) && !isNonCharacter(code) && !QChar::isSurrogate(code);
}

QString withoutHidden(const QString& text, std::string_view allowed) {
  QString shown;
  shown.reserve(text.size());
  for (const char32_t code : text.toUcs4()) {
    const bool good = isShown(code) || (code < 0x20 && allowed.find(static_cast<char>(code)) != allowed.npos);
    shown += QChar::fromUcs4(good ? code : char32_t{QChar::ReplacementCharacter});
  }
  return shown;
}

/// The first and last characters with an ellipsis between; no character of two code units is cut.
QString shortened(const QString& text, qsizetype most) {
  if (text.size() <= most) return text;
  qsizetype head = most - most / 3 - 1, tail = most / 3;
  if (text[head - 1].isHighSurrogate()) --head;
  if (text[text.size() - tail].isLowSurrogate()) --tail;
  return text.left(head) + QChar(0x2026) + text.right(tail);
}

/// Between any two characters of Chinese, Japanese and Korean a line may be broken.
bool isWide(QChar c) {
  const char16_t code = c.unicode();
  return (code >= 0x2e80 && code <= 0xd7a3) || (code >= 0xf900 && code <= 0xfaff) || (code >= 0xff00 && code <= 0xff60);
}

/// Where a line of text may be broken.
bool isBreak(QChar c) { return c.isSpace() || c == QLatin1Char('/') || c == QLatin1Char('-') || isWide(c); }

QString withShortWords(const QString& text) {
  QString shown;
  for (qsizetype start = 0; start < text.size();) {
    qsizetype end = start;
    while (end < text.size() && !isBreak(text[end])) ++end;
    shown += shortened(text.mid(start, end - start), kLongestWord);
    if (end < text.size()) shown += text[end++];
    start = end;
  }
  return shown;
}

std::string wordsOf(const Message& message) {
  if (message.code == nullptr) return message.message;
  std::vector<std::string> values;
  for (const Message& value : message.values) values.push_back(wordsOf(value));
  return filledIn(QCoreApplication::translate("messages", message.code).toStdString(), values);
}

}  // namespace

void showTextsPlain(QApplication& app) { app.installEventFilter(new PlainLabels(&app)); }

QString shownName(const QString& name) {
  return shortened(withoutHidden(shortened(name, 2 * kLongestName), ""), kLongestName);
}

QString briefName(const QString& name) { return shortened(shownName(name), kLongestBrief); }

QString shownText(const QString& text) { return withShortWords(withoutHidden(shortened(text, kLongestText), "\n\t")); }

QString shownText(const Message& message) { return shownText(wordsOf(message)); }

QString buttonText(const QString& name) { return shownName(name).replace(QLatin1Char('&'), QLatin1String("&&")); }

QString withoutMnemonic(const QString& text) {
  static const QRegularExpression mark("\\(&[^&]\\)|&(.)");
  return QString(text).replace(mark, "\\1");
}

QString capitalised(QString text) {
  if (!text.isEmpty()) text[0] = text[0].toUpper();
  return text;
}

bool hasWords(const QString& name, const QString& text) {
  const QStringList words = text.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts);
  return std::ranges::all_of(words, [&](const QString& word) { return name.contains(word, Qt::CaseInsensitive); });
}

QString typedName(const QString& text) {
  QString name;
  for (const char32_t code : text.toUcs4()) {
    if (QChar::isSpace(code))
      name += QLatin1Char(' ');
    else if (isShown(code))
      name += QChar::fromUcs4(code);
  }
  if (name.size() <= kLongestTypedName) return name;
  const bool cuts = name[kLongestTypedName - 1].isHighSurrogate();
  return name.left(kLongestTypedName - (cuts ? 1 : 0));
}

}  // namespace lanelab::look
