// SPDX-License-Identifier: GPL-3.0-only
#include "ui/look/name_field.h"

#include <QLineEdit>
#include <QValidator>
#include <algorithm>

#include "ui/look/plain_text.h"

namespace lanelab::look {
namespace {

class NameValidator : public QValidator {
 public:
  using QValidator::QValidator;

  State validate(QString& input, int& position) const override {
    const QString name = typedName(input);
    if (name != input)
      position = std::min(static_cast<int>(typedName(input.left(position)).size()), static_cast<int>(name.size()));
    input = name;
    return Acceptable;
  }
};

}  // namespace

void makeNameField(QLineEdit& field) {
  field.setMaxLength(kLongestTypedName);
  field.setValidator(new NameValidator(&field));
}

QString NameDelegate::displayText(const QVariant& value, const QLocale&) const { return shownName(value.toString()); }

QWidget* NameDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                                    const QModelIndex& index) const {
  QWidget* editor = QStyledItemDelegate::createEditor(parent, option, index);
  if (auto* field = qobject_cast<QLineEdit*>(editor)) makeNameField(*field);
  return editor;
}

void NameDelegate::setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const {
  const auto* field = qobject_cast<QLineEdit*>(editor);
  if (!field || field->text() != typedName(index.data(Qt::EditRole).toString()))
    QStyledItemDelegate::setModelData(editor, model, index);
}

}  // namespace lanelab::look
