// SPDX-License-Identifier: GPL-3.0-only
#include "ui/history/label_dialogs.h"

#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QVBoxLayout>

#include "ui/look/parts.h"
#include "ui/look/theme.h"

namespace lanelab {

namespace {

struct LabelTexts {
  Q_DECLARE_TR_FUNCTIONS(RunsList)
};

constexpr QSize kNoteSize(420, 240);

QDialog* labelDialog(QWidget* parent, const char* name, const QString& title) {
  auto* dialog = new QDialog(parent);
  dialog->setObjectName(QLatin1String(name));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(title);
  look::dialogColumn(dialog);
  return dialog;
}

void finishDialog(QDialog* dialog, const QString& sentence, QWidget* field) {
  auto* label = look::wrappedLabel("labelSentence", sentence);
  label->setBuddy(field);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
  QObject::connect(buttons, &QDialogButtonBox::accepted, dialog, &QDialog::accept);
  QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  auto* column = qobject_cast<QVBoxLayout*>(dialog->layout());
  column->addWidget(label);
  column->addWidget(field, 1);
  column->addWidget(buttons);
  field->setFocus();
  dialog->open();
}

}  // namespace

void askForTags(QWidget* parent, const QString& runs, const QStringList& tags, const QStringList& known,
                const std::function<void(const QStringList&)>& then) {
  auto* dialog = labelDialog(parent, "tagsDialog", LabelTexts::tr("Tags"));
  auto* field = new QLineEdit(tags.join(QStringLiteral(", ")));
  field->setObjectName("tagsField");
  field->setMinimumWidth(80 * look::kGrid);
  if (!known.isEmpty()) field->setToolTip(LabelTexts::tr("In use: %1").arg(known.join(QStringLiteral(", "))));
  QObject::connect(dialog, &QDialog::accepted, parent, [field, then] {
    QStringList chosen;
    for (const QString& tag : field->text().split(',')) chosen.append(tag.trimmed());
    chosen.removeAll(QString());
    chosen.removeDuplicates();
    then(chosen);
  });
  finishDialog(dialog, LabelTexts::tr("&Tags of %1, separated by commas:").arg(runs), field);
}

void askForNote(QWidget* parent, const QString& run, const QString& note,
                const std::function<void(const QString&)>& then) {
  auto* dialog = labelDialog(parent, "noteDialog", LabelTexts::tr("Note"));
  auto* field = new QPlainTextEdit(note);
  field->setObjectName("noteField");
  field->setTabChangesFocus(true);
  QObject::connect(dialog, &QDialog::accepted, parent, [field, then] { then(field->toPlainText()); });
  finishDialog(dialog, LabelTexts::tr("&Note on %1:").arg(run), field);
  dialog->resize(kNoteSize);
}

}  // namespace lanelab
