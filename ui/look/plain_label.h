// SPDX-License-Identifier: GPL-3.0-only
// Labels and message boxes that never take a name for HTML, not even before they are shown: Qt opens what a tag names
// as soon as a label has the text. Thread: GUI.
#pragma once

#include <QGridLayout>
#include <QLabel>
#include <QMessageBox>
#include <QSpacerItem>
#include <memory>

#include "ui/look/plain_text.h"

namespace lanelab::look {

class PlainLabel : public QLabel {
  Q_OBJECT

 public:
  explicit PlainLabel(QWidget* parent = nullptr) : QLabel(parent) { setTextFormat(Qt::PlainText); }
  explicit PlainLabel(const QString& text, QWidget* parent = nullptr) : PlainLabel(parent) { setText(text); }
};

inline constexpr int kLeastBoxWidth = 400;

/// A box that asks or tells `text`, which may hold names. It is deleted when it is closed.
inline QMessageBox* plainBox(const char* name, QMessageBox::Icon icon, const QString& title, const QString& text,
                             QMessageBox::StandardButtons buttons, QWidget* parent) {
  auto box = std::make_unique<QMessageBox>(icon, title, QString(), buttons, parent);
  box->setObjectName(QLatin1String(name));
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setTextFormat(Qt::PlainText);
  box->setText(shownText(text));
  if (auto* const grid = qobject_cast<QGridLayout*>(box->layout()))  // else window managers cut the title
    grid->addItem(new QSpacerItem(kLeastBoxWidth, 0), grid->rowCount(), 0, 1, grid->columnCount());
  return box.release();
}

}  // namespace lanelab::look
