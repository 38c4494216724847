// SPDX-License-Identifier: GPL-3.0-only
#include "ui/look/plain_label.h"

#include "ui/look/plain_text.h"

namespace lanelab::look {

std::unique_ptr<QMessageBox> plainBox(QMessageBox::Icon icon, const QString& title, const QString& text,
                                      QMessageBox::StandardButtons buttons, QWidget* parent) {
  auto box = std::make_unique<QMessageBox>(icon, title, QString(), buttons, parent);
  box->setTextFormat(Qt::PlainText);
  box->setText(shownText(text));
  return box;
}

}  // namespace lanelab::look
