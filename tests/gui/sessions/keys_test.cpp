// SPDX-License-Identifier: GPL-3.0-only
// Which command has which key: at first, by a preset, and as the user wants it.
#include <gmock/gmock.h>

#include <QKeySequenceEdit>
#include <QLabel>
#include <QTreeWidget>

#include "tests/gui/sessions/session_world.h"
#include "ui/settings/key_map.h"
#include "ui/settings/settings_dialog.h"
#include "ui/settings/settings_store.h"
#include "ui/timeline/view/timeline_view.h"

namespace lanelab::test {
namespace {

using ::testing::HasSubstr;

QList<QKeySequence> keys(const QStringList& texts) {
  QList<QKeySequence> all;
  for (const QString& text : texts) all.append(QKeySequence(text));
  return all;
}

TEST(Keys, OfTheUserComeBeforeThePresetAndThatBeforeTheFirst) {
  const QKeySequence f("F"), run("Ctrl+R"), none;
  struct Case {
    const char* what;
    KeyPreset preset;
    std::optional<QKeySequence> own_of_zoom, own_of_run;
    QStringList zoom, run;
  };
  const Case cases[] = {
      {"at first", KeyPreset::LaneLab, {}, {}, {"Ctrl+E"}, {"Ctrl+R", "F5"}},
      {"a preset adds its key", KeyPreset::Perfetto, {}, {}, {"F", "Ctrl+E"}, {"Ctrl+R", "F5"}},
      {"an own key is alone", KeyPreset::Perfetto, QKeySequence("Z"), {}, {"Z"}, {"Ctrl+R", "F5"}},
      {"none is wanted", KeyPreset::LaneLab, {}, none, {"Ctrl+E"}, {}},
      {"taken from its first command", KeyPreset::LaneLab, run, {}, {"Ctrl+R"}, {"F5"}},
      {"taken from a preset", KeyPreset::Perfetto, {}, f, {"Ctrl+E"}, {"F"}},
      {"the first of two own ones", KeyPreset::LaneLab, f, f, {"F"}, {}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const auto in_force = keysInForce(
        {{"zoomSelection", keys({"Ctrl+E"}), c.own_of_zoom}, {"run", keys({"Ctrl+R", "F5"}), c.own_of_run}}, c.preset);
    EXPECT_EQ(in_force.at("zoomSelection"), keys(c.zoom));
    EXPECT_EQ(in_force.at("run"), keys(c.run));
  }
}

void expectOneCommandPerKey(const MainWindow& window) {
  const auto* const keys_of_window = window.findChild<KeyMap*>();
  QSet<QString> taken;
  EXPECT_GT(keys_of_window->commands().size(), 80U);
  for (const KeyMap::Command& command : keys_of_window->commands())
    for (const QKeySequence& key : command.action->shortcuts()) {
      EXPECT_FALSE(taken.contains(key.toString())) << key.toString().toStdString();
      taken.insert(key.toString());
    }
  EXPECT_GT(taken.size(), 40);
}

/// A window, and its dialog at the page of keys.
struct KeysWindow {
  SessionPlace place;
  StartedWindow w{place};
  KeysWindow() { w.trigger("settings"); }
  ~KeysWindow() { look::Settings().clear(); }

  template <class T>
  T* find(const char* name) const {
    T* const found = w.window->findChild<T*>(QLatin1String(name));
    EXPECT_NE(found, nullptr) << name;
    return found;
  }
  void choose(const QString& path) const {
    const auto found = find<QTreeWidget>("keyList")->findItems(path, Qt::MatchExactly);
    ASSERT_EQ(found.size(), 1) << path.toStdString();
    find<QTreeWidget>("keyList")->setCurrentItem(found.front());
  }
  void type(const char* key) const { find<QKeySequenceEdit>("newKey")->setKeySequence(QKeySequence(key)); }
  void press(const char* button) const { find<QPushButton>(button)->click(); }
  std::string sentence() const { return find<QLabel>("keySentence")->text().toStdString(); }
  QString keyOf(const char* action) const { return w.window->action(action)->shortcut().toString(); }
};

TEST(Keys, NoneOfAnyPresetMeansTwoThings) {
  const KeysWindow k;
  SettingsStore store;
  for (const std::string& preset : words<KeyPreset>()) {
    store.set(store.row("keys/preset"), QString::fromStdString(preset));
    k.w.trigger("settings");  // reads what the other store wrote
    expectOneCommandPerKey(*k.w.window);
  }
}

TEST(Keys, AFreeKeyIsAssignedAndNamedByTheTip) {
  const KeysWindow k;
  k.choose("Run > Run");
  k.type("Ctrl+R");
  EXPECT_EQ(k.sentence(), "");
  k.press("assignKey");
  EXPECT_EQ(k.keyOf("run"), "Ctrl+R");
  EXPECT_THAT(k.w.window->action("run")->toolTip().toStdString(), HasSubstr("(Ctrl+R)"));
  k.press("resetKey");
  EXPECT_EQ(k.keyOf("run"), "Ctrl+Return");
  EXPECT_THAT(k.w.window->action("run")->toolTip().toStdString(), HasSubstr("(Ctrl+Return)"));
}

TEST(Keys, AKeyOfAnotherCommandIsNamedBeforeItIsTaken) {
  const KeysWindow k;
  k.choose("Run > Run");
  k.type("Ctrl+S");
  EXPECT_THAT(k.sentence(), HasSubstr("Ctrl+S is the key of File > Save, which loses it."));
  EXPECT_EQ(k.keyOf("save"), "Ctrl+S") << "nothing is done yet";
  k.press("assignKey");
  EXPECT_EQ(k.keyOf("run"), "Ctrl+S");
  EXPECT_EQ(k.keyOf("save"), "");
  expectOneCommandPerKey(*k.w.window);
  k.choose("Run > Run");
  k.press("resetKey");
  EXPECT_EQ(k.keyOf("save"), "Ctrl+S") << "it is free again";
}

TEST(Keys, ACommandCanBeWithoutAKey) {
  const KeysWindow k;
  k.choose("File > Save");
  k.press("removeKey");
  EXPECT_EQ(k.keyOf("save"), "");
  const StartedWindow again(k.place);
  EXPECT_EQ(again.window->action("save")->shortcut().toString(), "") << "also at the next start";
}

TEST(Keys, APlainKeyOfACommandComesBeforeThatOfTheTimeline) {
  const KeysWindow k;
  auto* const timeline = k.find<TimelineView>("timeline");
  const auto takes = [&] {
    QKeyEvent press(QEvent::ShortcutOverride, Qt::Key_F, Qt::NoModifier);
    press.ignore();
    QCoreApplication::sendEvent(timeline, &press);
    return press.isAccepted();
  };
  EXPECT_TRUE(takes()) << "it fits the timeline";
  SettingsStore store;
  store.set(store.row("keys/preset"), "perfetto");
  k.w.trigger("settings");  // reads what the other store wrote
  EXPECT_EQ(k.keyOf("zoomSelection"), "F");
  EXPECT_FALSE(takes());
}

}  // namespace
}  // namespace lanelab::test
