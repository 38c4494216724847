// SPDX-License-Identifier: GPL-3.0-only
#include "ui/look/placeholder.h"

#include <QCoreApplication>
#include <QEvent>
#include <QLineEdit>
#include <QPlainTextEdit>

#include "ui/look/theme.h"

namespace lanelab::look {
namespace {

QString exampleText(const QString& example) {
  return QCoreApplication::translate("Placeholder", "e.g. %1").arg(example);
}

/// Draws the placeholder of its field as the text of the scheme that is applied. Disabled, it is as faint as others.
class DefaultTone : public QObject {
 public:
  explicit DefaultTone(QLineEdit* field) : QObject(field), m_field(field) {
    setObjectName(kName);
    field->installEventFilter(this);
    show();
  }
  static bool isOn(const QLineEdit& field) { return field.findChild<QObject*>(kName, Qt::FindDirectChildrenOnly); }

  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::PaletteChange) show();
    return QObject::eventFilter(watched, event);
  }

 private:
  void show() {
    if (m_field->palette().color(QPalette::Active, QPalette::PlaceholderText) == current().text) return;
    QPalette tone;
    for (const QPalette::ColorGroup group : {QPalette::Active, QPalette::Inactive})
      tone.setColor(group, QPalette::PlaceholderText, current().text);
    m_field->setPalette(tone);
  }

  static constexpr QLatin1String kName{"defaultTone"};
  QLineEdit* m_field;
};

}  // namespace

void showDefault(QLineEdit& field, const QString& text) {
  field.setPlaceholderText(text);
  if (!DefaultTone::isOn(field)) new DefaultTone(&field);
}

void showExample(QLineEdit& field, const QString& example) { field.setPlaceholderText(exampleText(example)); }
void showExample(QPlainTextEdit& field, const QString& example) { field.setPlaceholderText(exampleText(example)); }

}  // namespace lanelab::look
