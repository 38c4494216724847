// SPDX-License-Identifier: GPL-3.0-only
// The table of settings, row by row: what is written is read again, alone; the dialog shows each row and changes it.
#include <gmock/gmock.h>

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QSpinBox>
#include <QTabWidget>
#include <QToolButton>

#include "tests/gui/sessions/session_world.h"
#include "ui/settings/key_map.h"
#include "ui/settings/setting_field.h"
#include "ui/settings/settings_dialog.h"
#include "ui/settings/settings_store.h"

namespace lanelab::test {
namespace {

/// Begins and ends without any setting.
struct FreshSettings {
  FreshSettings() { look::Settings().clear(); }
  ~FreshSettings() { look::Settings().clear(); }
};

/// A value that the row's editor takes and that is not the default.
struct OtherValue {
  const SettingRow& row;
  QVariant now = row.value(Settings());

  QVariant operator()(const ToggleEditor&) const { return !now.toBool(); }
  QVariant operator()(const NumberEditor& editor) const {
    return now.toInt() == editor.high ? editor.low : editor.high;
  }
  QVariant operator()(const ChoiceEditor& editor) const {
    for (const auto& [stored, shown] : editor.choices)
      if (stored != now.toString()) return stored;
    return {};
  }
  QVariant operator()(const FolderEditor&) const { return QStringLiteral("/somewhere/else"); }
};
QVariant otherValue(const SettingRow& row) { return std::visit(OtherValue{row}, row.editor); }

TEST(Settings, EachRowHasItsOwnKeyAndWords) {
  QSet<QString> keys;
  for (const SettingRow& row : settingRows()) {
    SCOPED_TRACE(row.key.toStdString());
    EXPECT_FALSE(keys.contains(row.key));
    keys.insert(row.key);
    EXPECT_FALSE(row.group.isEmpty());
    EXPECT_FALSE(row.title.isEmpty());
    EXPECT_FALSE(row.tip.isEmpty());
    EXPECT_FALSE(row.tip.endsWith('.')) << "the dialog sets it";
    EXPECT_TRUE(otherValue(row).isValid());
    const auto* const choice = std::get_if<ChoiceEditor>(&row.editor);
    for (const auto& [stored, shown] : choice ? choice->choices : ChoiceEditor().choices)
      EXPECT_FALSE(shown.isEmpty()) << stored.toStdString();
    EXPECT_EQ(row.read(row.value(Settings())), row.value(Settings())) << "the default is a value";
  }
}

TEST(Settings, EachRowIsWrittenReadAndReset) {
  for (const SettingRow& row : settingRows()) {
    SCOPED_TRACE(row.key.toStdString());
    const FreshSettings fresh;
    SettingsStore store;
    int changes = 0;
    QObject::connect(&store, &SettingsStore::changed, &store, [&] { ++changes; });
    store.set(row, otherValue(row));
    EXPECT_EQ(changes, 1);
    const Settings read = readSettings();
    EXPECT_EQ(read, store.values());
    for (const SettingRow& other : settingRows())
      EXPECT_EQ(other.value(read), other.key == row.key ? otherValue(row) : other.value(Settings()))
          << other.key.toStdString();
    EXPECT_EQ(look::Settings().allKeys(), QStringList(row.key)) << "no other key is written";
    store.reset(row);
    EXPECT_EQ(changes, 2);
    EXPECT_EQ(readSettings(), Settings());
    EXPECT_EQ(look::Settings().allKeys(), QStringList());
  }
}

TEST(Settings, AMemberWithoutARowWouldStayAsItIs) {
  Settings all;
  for (const SettingRow& row : settingRows()) row.put(all, otherValue(row));
  const Settings plain;
  // As many members as rows: one that is added to Settings is to be added here, and to the table.
  const auto& [theme, font_size, language, reopen, runs_folder, undo_limit, repeats, record, stored_block_times,
               ask_unsaved, ask_stop, ask_busy, notify, keys, wheel] = all;
  EXPECT_EQ(settingRows().size(), 15U);
  EXPECT_NE(theme, plain.theme);
  EXPECT_NE(font_size, plain.font_size);
  EXPECT_NE(language, plain.language);
  EXPECT_NE(reopen, plain.reopen);
  EXPECT_NE(runs_folder, plain.runs_folder);
  EXPECT_NE(undo_limit, plain.undo_limit);
  EXPECT_NE(repeats, plain.repeats);
  EXPECT_NE(record, plain.record);
  EXPECT_NE(stored_block_times, plain.stored_block_times);
  EXPECT_NE(ask_unsaved, plain.ask_unsaved);
  EXPECT_NE(ask_stop, plain.ask_stop);
  EXPECT_NE(ask_busy, plain.ask_busy);
  EXPECT_NE(notify, plain.notify);
  EXPECT_NE(keys, plain.keys);
  EXPECT_NE(wheel, plain.wheel);
}

TEST(Settings, WhatIsDamagedReadsAsItsDefault) {
  const FreshSettings fresh;
  for (const char* const damaged : {"perhaps", "-1", "1e99", "99999999999", ""}) {
    for (const SettingRow& row : settingRows())
      if (!row.read(QString(damaged)).isValid()) look::Settings().setValue(row.key, QString(damaged));
    EXPECT_EQ(readSettings(), Settings()) << damaged;
  }
}

TEST(Settings, OfTwoWindowsTheLastWriterOfAKeyHasItAndNoOtherKeyChanges) {
  const FreshSettings fresh;
  SettingsStore one;
  one.set(one.row("new/repeats"), 3);
  one.set(one.row("look/scheme"), "light");
  const QString path = look::Settings().fileName();
  look::Settings().sync();
  // As another process writes it: its own file, in which it changed one key and has another.
  QFile file(path);
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write("[look]\nscheme=dark\n[new]\nrepeats=3\n[ask]\nbusy=false\n");
  file.close();
  one.set(one.row("new/repeats"), 4);
  EXPECT_EQ(one.values().repeats, 4);
  EXPECT_EQ(one.values().theme, look::Scheme::Dark);
  EXPECT_FALSE(one.values().ask_busy);
  EXPECT_EQ(readSettings(), one.values());
}

/// The dialog over a store of its own.
struct ShownDialog {
  FreshSettings fresh;
  QWidget window;
  SettingsStore store;
  KeyMap keys{*new QMenuBar(&window), {}, &store, &window};
  SettingsDialog* dialog = new SettingsDialog(&store, &keys, &window);

  ShownDialog() { dialog->show(); }
  template <class T>
  T* find(const QString& name) const {
    T* const found = dialog->findChild<T*>(name);
    EXPECT_NE(found, nullptr) << name.toStdString();
    return found;
  }
  QStringList visibleRows() const {
    QStringList rows;
    for (const auto* field : dialog->findChildren<SettingField*>())
      if (!field->isHidden()) rows << field->row().key;
    return rows;
  }
};

/// What a user does with the editor of a row to give it another value.
struct UseEditor {
  const ShownDialog& w;
  const SettingRow& row;
  QString name = "edit-" + row.key;

  void operator()(const ToggleEditor&) const { w.find<QCheckBox>(name)->click(); }
  void operator()(const NumberEditor&) const { w.find<QSpinBox>(name)->setValue(otherValue(row).toInt()); }
  void operator()(const ChoiceEditor&) const {
    auto* const box = w.find<QComboBox>(name);
    box->setCurrentIndex(box->findData(otherValue(row)));
    Q_EMIT box->activated(box->currentIndex());
  }
  void operator()(const FolderEditor&) const {
    auto* const line = w.find<QLineEdit>(name);
    line->setText(otherValue(row).toString());
    Q_EMIT line->editingFinished();
  }
};

TEST(SettingsDialog, EachRowIsEditedAndReset) {
  for (const SettingRow& row : settingRows()) {
    SCOPED_TRACE(row.key.toStdString());
    const ShownDialog w;
    auto* const reset = w.find<QToolButton>("reset-" + row.key);
    EXPECT_FALSE(reset->isEnabled());
    std::visit(UseEditor{w, row}, row.editor);
    EXPECT_EQ(row.value(w.store.values()), otherValue(row));
    EXPECT_TRUE(reset->isEnabled());
    reset->click();
    EXPECT_EQ(w.store.values(), Settings());
    EXPECT_FALSE(reset->isEnabled());
    std::visit(UseEditor{w, row}, row.editor);
    EXPECT_EQ(row.value(w.store.values()), otherValue(row)) << "the editor shows the default again";
  }
}

TEST(SettingsDialog, APresetOfKeysSetsTheWheelOfItsProgramAndSaysSo) {
  const ShownDialog w;
  const auto choose = [&](const char* key, const char* value) {
    auto* const box = w.find<QComboBox>(QStringLiteral("edit-") + key);
    box->setCurrentIndex(box->findData(value));
    Q_EMIT box->activated(box->currentIndex());
  };
  const auto reset = [&] { w.find<QToolButton>("reset-keys/preset")->click(); };
  const struct {
    const char* what;
    std::function<void()> act;
    look::WheelUse wheel;
    const char* said;
  } cases[] = {
      {"Perfetto", [&] { choose("keys/preset", "perfetto"); }, look::WheelUse::Scrolls,
       "Mouse wheel was set, too: Scrolls."},
      {"the user's own choice", [&] { choose("mouse/wheel", "zooms"); }, look::WheelUse::Zooms, ""},
      {"LaneLab, which has it", [&] { choose("keys/preset", "lanelab"); }, look::WheelUse::Zooms, ""},
      {"Perfetto again", [&] { choose("keys/preset", "perfetto"); }, look::WheelUse::Scrolls,
       "Mouse wheel was set, too: Scrolls."},
      {"reset", reset, look::WheelUse::Zooms, "Mouse wheel was set, too: Zooms."},
  };
  const auto* const also = w.find<QLabel>("also-keys/preset");
  EXPECT_TRUE(also->isHidden());
  for (const auto& [what, act, wheel, said] : cases) {
    SCOPED_TRACE(what);
    act();
    EXPECT_EQ(w.store.values().wheel, wheel);
    EXPECT_EQ(also->text().toStdString(), said);
    EXPECT_EQ(also->isHidden(), also->text().isEmpty());
    EXPECT_EQ(w.find<QComboBox>("edit-mouse/wheel")->currentData().toString().toStdString(), toWord(wheel));
  }
}

TEST(SettingsDialog, SearchLeavesTheRowsThatHaveTheWords) {
  const ShownDialog w;
  const int all = static_cast<int>(w.visibleRows().size());
  EXPECT_EQ(all, static_cast<int>(settingRows().size()));
  auto* const words = w.find<QLineEdit>("settingWords");
  words->setText("font size");
  EXPECT_EQ(w.visibleRows(), QStringList("look/font-size"));
  words->setText("questions");
  EXPECT_EQ(w.visibleRows(), QStringList({"ask/unsaved", "ask/stop", "ask/busy"})) << "by their heading";
  words->setText("nothing of that kind");
  EXPECT_EQ(w.visibleRows(), QStringList());
  EXPECT_FALSE(w.find<QWidget>("noSetting")->isHidden());
  words->clear();
  EXPECT_EQ(w.visibleRows().size(), all);
}

TEST(SettingsDialog, ShowsWhatAnotherWindowChose) {
  ShownDialog w;
  look::Settings().setValue("ask/busy", false);
  w.store.reread();
  EXPECT_FALSE(w.find<QCheckBox>("edit-ask/busy")->isChecked());
}

/// A window whose settings the user changes.
struct ChangedWindow {
  FreshSettings fresh;
  SessionPlace place;
  StartedWindow w{place};

  void choose(const QString& key, const QString& value) const {
    auto* const box = w.window->findChild<QComboBox*>("edit-" + key);
    ASSERT_NE(box, nullptr);
    box->setCurrentIndex(box->findData(value));
    Q_EMIT box->activated(box->currentIndex());
  }
  void set(const QString& key, int value) const {
    auto* const box = w.window->findChild<QSpinBox*>("edit-" + key);
    ASSERT_NE(box, nullptr);
    box->setValue(value);
  }
};

TEST(SettingsOfTheWindow, AThemeCountsAtOnceAndTheMenuShowsIt) {
  const ChangedWindow c;
  c.w.trigger("settings");
  c.choose("look/scheme", "dark");
  EXPECT_TRUE(look::current().dark);
  EXPECT_TRUE(c.w.window->action("scheme2")->isChecked());
  c.w.trigger("scheme1");
  EXPECT_FALSE(look::current().dark);
  EXPECT_EQ(readSettings().theme, look::Scheme::Light);
}

TEST(SettingsOfTheWindow, NewExperimentsBeginWithTheChosenRepeatsAndRecording) {
  const ChangedWindow c;
  c.w.trigger("settings");
  c.set("new/repeats", 3);
  c.choose("new/record", "actions");
  c.w.trigger("new");
  EXPECT_EQ(c.w.document().experiment().repeats, 3);
  EXPECT_EQ(c.w.document().experiment().record, RecordMode::Actions);
  c.w.trigger("example-Small");
  EXPECT_EQ(c.w.document().experiment().repeats, smallExperiment().repeats) << "an example is as it is";
}

TEST(SettingsOfTheWindow, TheUndoLimitCountsFromTheNextExperiment) {
  const ChangedWindow c;
  const auto edits = [&] {
    for (int steps = 3; steps < 8; ++steps) c.w.edit(steps);
    return c.w.document().undoStack()->count();
  };
  c.w.trigger("settings");
  EXPECT_EQ(edits(), 5);
  c.set("edit/undo-limit", 2);
  c.w.window->openExperiment(smallExperiment(), {});
  EXPECT_EQ(edits(), 2);
}

}  // namespace
}  // namespace lanelab::test
