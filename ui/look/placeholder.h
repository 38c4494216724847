// SPDX-License-Identifier: GPL-3.0-only
// What an empty field shows: what applies then, or what could be typed. The two must not look alike. Thread: GUI.
#pragma once

#include <QString>

class QLineEdit;
class QPlainTextEdit;

namespace lanelab::look {

/// What applies while the field is empty, as normal text, in every scheme.
void showDefault(QLineEdit& field, const QString& text);
/// "e.g. 3x224x224", in the lighter tone of placeholders.
void showExample(QLineEdit& field, const QString& example);
void showExample(QPlainTextEdit& field, const QString& example);

}  // namespace lanelab::look
