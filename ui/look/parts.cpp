// SPDX-License-Identifier: GPL-3.0-only
#include "ui/look/parts.h"

#include <QAbstractScrollArea>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/look/icons.h"
#include "ui/look/theme.h"

namespace lanelab::look {
namespace {

void openDialog(QFileDialog* dialog, const char* name, const std::function<void(const QString&)>& then) {
  dialog->setObjectName(QLatin1String(name));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  QObject::connect(dialog, &QFileDialog::fileSelected, dialog->parentWidget(), then);
  dialog->open();
}

/// Qt's own refuses the name of a folder that is not there yet.
class NewFolderDialog : public QFileDialog {
 public:
  NewFolderDialog(QWidget* parent, const QString& title, const QString& folder) : QFileDialog(parent, title, folder) {
    setFileMode(QFileDialog::Directory);
    setOption(QFileDialog::ShowDirsOnly);
    setOption(QFileDialog::DontUseNativeDialog);
    auto* const edit = findChild<QLineEdit*>("fileNameEdit");
    auto* const buttons = findChild<QDialogButtonBox*>();
    if (!edit || !buttons) return;
    const auto allow = [edit, buttons] {
      for (QAbstractButton* const button : buttons->buttons())
        if (buttons->buttonRole(button) == QDialogButtonBox::AcceptRole) button->setEnabled(!edit->text().isEmpty());
    };
    connect(edit, &QLineEdit::textChanged, this, allow, Qt::QueuedConnection);
  }

  void accept() override {
    for (const QString& path : selectedFiles()) QDir().mkpath(path);
    QFileDialog::accept();
  }
};

}  // namespace

QPushButton* button(const char* name, const QString& text, const QString& tip, QWidget* parent) {
  auto* button = new QPushButton(text, parent);
  button->setObjectName(QLatin1String(name));
  button->setToolTip(tip);
  return button;
}

QPushButton* narrowButton(const char* name, const QString& text, const QString& tip) {
  QPushButton* const narrow = button(name, text, tip);
  narrow->setMaximumWidth(narrow->fontMetrics().horizontalAdvance(text) + 6 * kGrid);
  return narrow;
}

QToolButton* toolButton(const char* name, const char* icon_name, const QString& text, const QString& tip) {
  auto* button = new QToolButton;
  button->setObjectName(QLatin1String(name));
  button->setIcon(icon(QLatin1String(icon_name)));
  button->setAccessibleName(text);
  button->setToolTip(tip);
  button->setAutoRaise(true);
  return button;
}

PlainLabel* wrappedLabel(const char* name, const QString& text, QWidget* parent) {
  auto* label = new PlainLabel(text, parent);
  label->setObjectName(QLatin1String(name));
  label->setWordWrap(true);
  return label;
}

void showSentence(QLabel& label, const QString& sentence, bool wrong) {
  QPalette ink;
  if (wrong) ink.setColor(QPalette::WindowText, current().error);
  label.setPalette(ink);
  label.setText(sentence);
}

PlainLabel* emptyLabel(const char* name, const QString& text) {
  PlainLabel* const label = wrappedLabel(name, text);
  label->setAlignment(Qt::AlignCenter);
  return label;
}

void setUpTable(QTableView& table, const QString& name, const QString& accessible_name) {
  table.setObjectName(name);
  table.setAccessibleName(accessible_name);
  table.setEditTriggers(QAbstractItemView::NoEditTriggers);
  table.setFont(textFont());
  table.setSelectionBehavior(QAbstractItemView::SelectRows);
  table.setTabKeyNavigation(false);
  table.setShowGrid(false);
  table.setFrameShape(QFrame::NoFrame);
  table.setWordWrap(false);
  table.verticalHeader()->hide();
  table.verticalHeader()->setDefaultSectionSize(6 * kGrid);
  QHeaderView* const header = table.horizontalHeader();
  header->setFont(textFont());
  header->setMinimumSectionSize(0);
  header->setSectionResizeMode(QHeaderView::ResizeToContents);
  header->setHighlightSections(false);
  header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
}

QScrollArea* scrollArea(QWidget* content, QWidget* parent) {
  auto* area = new QScrollArea(parent);
  area->setWidgetResizable(true);
  area->setFrameShape(QFrame::NoFrame);
  area->setWidget(content);
  return area;
}

void setScrollRange(QAbstractScrollArea& area, QSize content, QSize step) {
  const auto set = [](QScrollBar& bar, int whole, int room, int single) {
    bar.setPageStep(room);
    bar.setSingleStep(single);
    bar.setRange(0, std::max(0, whole - room));
  };
  const QSize room = area.viewport()->size();
  set(*area.horizontalScrollBar(), content.width(), room.width(), step.width());
  set(*area.verticalScrollBar(), content.height(), room.height(), step.height());
}

QVBoxLayout* dialogColumn(QWidget* dialog) {
  return makeLayout<QVBoxLayout>(dialog, 3 * kGrid, {4 * kGrid, 4 * kGrid, 4 * kGrid, 4 * kGrid});
}

QHBoxLayout* beside(QWidget* field, QWidget* button) {
  auto* row = new QHBoxLayout;
  row->setSpacing(kGrid);
  row->addWidget(field, 1);
  row->addWidget(button);
  return row;
}

void addFormRow(QFormLayout* form, const QString& label, QLayout* fields, QWidget* buddy) {
  form->addRow(label, fields);
  static_cast<QLabel*>(form->labelForField(fields))->setBuddy(buddy);
}

void askForFile(QWidget* parent, const char* name, const QString& title, const QString& filter,
                const std::function<void(const QString&)>& then, const QString& folder) {
  auto* dialog = new QFileDialog(parent, title, folder, filter);
  dialog->setFileMode(QFileDialog::ExistingFile);
  openDialog(dialog, name, then);
}

void askForFolder(QWidget* parent, const char* name, const QString& title, const QString& folder,
                  const std::function<void(const QString&)>& then) {
  auto* dialog = new QFileDialog(parent, title, folder);
  dialog->setFileMode(QFileDialog::Directory);
  dialog->setOption(QFileDialog::ShowDirsOnly);
  openDialog(dialog, name, then);
}

void askForNewFolder(QWidget* parent, const char* name, const QString& title, const QString& folder,
                     const std::function<void(const QString&)>& then) {
  openDialog(new NewFolderDialog(parent, title, folder), name, then);
}

void askWhereToSave(QWidget* parent, const char* name, const QString& title, const QString& folder,
                    const QString& filter, const QString& offered, const std::function<void(const QString&)>& then) {
  auto* dialog = new QFileDialog(parent, title, folder, filter);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(filter.section("(*.", 1).section(')', 0, 0));
  if (!offered.isEmpty()) dialog->selectFile(offered);
  openDialog(dialog, name, then);
}

}  // namespace lanelab::look
