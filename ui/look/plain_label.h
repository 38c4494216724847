// SPDX-License-Identifier: GPL-3.0-only
// Labels and message boxes that never take a name for HTML, not even before they are shown: Qt opens what a tag names
// as soon as a label has the text. Thread: GUI.
#pragma once

#include <QLabel>
#include <QMessageBox>
#include <memory>

#include "ui/look/plain_text.h"

namespace lanelab::look {

class PlainLabel : public QLabel {
  Q_OBJECT

 public:
  explicit PlainLabel(QWidget* parent = nullptr) : QLabel(parent) { setTextFormat(Qt::PlainText); }
  explicit PlainLabel(const QString& text, QWidget* parent = nullptr) : PlainLabel(parent) { setText(text); }
};

inline constexpr int kLeastBoxText = 320;  ///< pixels

/// A box that asks or tells `text`, which may hold names. It is deleted when it is closed.
inline QMessageBox* plainBox(const char* name, QMessageBox::Icon icon, const QString& title, const QString& text,
                             QMessageBox::StandardButtons buttons, QWidget* parent) {
  auto box = std::make_unique<QMessageBox>(icon, title, QString(), buttons, parent);
  box->setObjectName(QLatin1String(name));
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setTextFormat(Qt::PlainText);
  box->setText(shownText(text));
  if (auto* const label = box->findChild<QLabel*>("qt_msgbox_label"))  // else window managers cut the title
    label->setMinimumWidth(kLeastBoxText);
  return box.release();
}

}  // namespace lanelab::look
