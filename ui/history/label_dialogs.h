// SPDX-License-Identifier: GPL-3.0-only
// Asks for tags and notes of runs, without waiting. Thread: GUI.
#pragma once

#include <QString>
#include <QStringList>
#include <functional>

class QWidget;

namespace lanelab {

/// `runs` names what is labelled; `tags` are those that all of them have, `known` are offered. `then` hears the new
/// list.
void askForTags(QWidget* parent, const QString& runs, const QStringList& tags, const QStringList& known,
                const std::function<void(const QStringList& tags)>& then);
void askForNote(QWidget* parent, const QString& run, const QString& note,
                const std::function<void(const QString& note)>& then);

}  // namespace lanelab
