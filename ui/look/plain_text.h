// SPDX-License-Identifier: GPL-3.0-only
// Names that somebody else chose, shown as they are. Qt guesses whether a text is HTML: it would obey the tags in a
// name and open the files they name.
//
// Pure functions but for showTextsPlain(), which is called in the GUI thread.
#pragma once

#include <QString>
#include <string>

#include "base/result.h"

class QApplication;

namespace lanelab::look {

inline constexpr int kLongestTypedName = 200;  ///< characters that a field for a name takes

/// From now on tooltips, and labels that Qt makes, show plain text. Those of the window's own are PlainLabel
/// (plain_label.h).
void showTextsPlain(QApplication& app);

/// `name` in one line: control characters, marks that reorder text and non-characters as U+FFFD, the middle of a very
/// long one as an ellipsis.
QString shownName(const QString& name);
inline QString shownName(const std::string& name) { return shownName(QString::fromStdString(name)); }

/// shownName() short enough to stand beside a control or a drawing.
QString briefName(const QString& name);
inline QString briefName(const std::string& name) { return briefName(QString::fromStdString(name)); }

/// A sentence that holds names, as shownName() but with its newlines; only words so long that no line can hold them are
/// shortened.
QString shownText(const QString& text);
inline QString shownText(const std::string& text) { return shownText(QString::fromStdString(text)); }
/// An error or another message of engine and profiler in the language of the window: translated by its code (context
/// "messages"), then filled with its values.
QString shownText(const Message& message);

/// shownName() for menus, buttons and tabs, where a single & marks a key.
QString buttonText(const QString& name);
inline QString buttonText(const std::string& name) { return buttonText(QString::fromStdString(name)); }

/// The text of an entry or a button without the mark of its key: "Open" of "&Open" and of "Open(&O)", as Chinese has
/// it.
QString withoutMnemonic(const QString& text);

/// Errors whose words are in the language of the window already.
inline Error badInput(const QString& sentence) { return Error::badInput(verbatim(sentence.toStdString())); }
inline Error failed(const QString& sentence) { return Error::failed(verbatim(sentence.toStdString())); }

/// Whether `name` has all words of `text`, in whichever case.
bool hasWords(const QString& name, const QString& text);

/// With a capital letter first.
QString capitalised(QString text);

/// What may be typed or pasted as a name: one line without control characters, at most kLongestTypedName long.
QString typedName(const QString& text);

}  // namespace lanelab::look
