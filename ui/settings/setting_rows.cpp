// SPDX-License-Identifier: GPL-3.0-only
#include "ui/settings/setting_rows.h"

#include <QCoreApplication>
#include <QDir>
#include <algorithm>

#include "engine/library/run_folders.h"
#include "ui/look/language.h"

namespace lanelab {

namespace {

struct SettingText {
  Q_DECLARE_TR_FUNCTIONS(SettingText)
};

using Choices = std::vector<std::pair<QString, QString>>;

/// The parts of a row that a reader looks for.
struct Described {
  QString key, group, title, tip;
};

SettingRow rowOf(const Described& what, SettingEditor editor) {
  return {what.key, what.group, what.title, what.tip, std::move(editor), {}, {}, false, {}};
}

SettingRow toggleRow(bool Settings::*member, const Described& what) {
  SettingRow row = rowOf(what, ToggleEditor{});
  row.value = [member](const Settings& s) { return QVariant(s.*member); };
  row.put = [member](Settings& s, const QVariant& value) { s.*member = value.toBool(); };
  return row;
}

SettingRow numberRow(int Settings::*member, const Described& what, NumberEditor editor) {
  SettingRow row = rowOf(what, std::move(editor));
  row.value = [member](const Settings& s) { return QVariant(s.*member); };
  row.put = [member](Settings& s, const QVariant& value) { s.*member = value.toInt(); };
  return row;
}

SettingRow textRow(QString Settings::*member, const Described& what, SettingEditor editor) {
  SettingRow row = rowOf(what, std::move(editor));
  row.value = [member](const Settings& s) { return QVariant(s.*member); };
  row.put = [member](Settings& s, const QVariant& value) { s.*member = value.toString(); };
  return row;
}

/// `titles` in the order of the words.
template <Worded E>
SettingRow choiceRow(E Settings::*member, const Described& what, const QStringList& titles) {
  ChoiceEditor editor;
  const std::vector<std::string> all = words<E>();
  for (std::size_t i = 0; i < all.size(); ++i)
    editor.choices.emplace_back(QString::fromStdString(all[i]), titles.value(static_cast<qsizetype>(i)));
  SettingRow row = rowOf(what, std::move(editor));
  row.value = [member](const Settings& s) { return QVariant(QString::fromStdString(toWord(s.*member))); };
  row.put = [member](Settings& s, const QVariant& value) {
    s.*member = fromWord<E>(value.toString().toStdString()).value_or(Settings().*member);
  };
  return row;
}

SettingRow sizeRow(const Described& what) {
  ChoiceEditor editor{{{QStringLiteral("0"), SettingText::tr("That of the desktop")}}};
  for (const int points : {8, 9, 10, 11, 12, 14, 16})
    editor.choices.emplace_back(QString::number(points), SettingText::tr("%1 pt").arg(points));
  SettingRow row = rowOf(what, std::move(editor));
  row.value = [](const Settings& s) { return QVariant(QString::number(s.font_size)); };
  row.put = [](Settings& s, const QVariant& value) { s.font_size = value.toInt(); };
  return row;
}

SettingRow afterRestart(SettingRow row) {
  row.after_restart = true;
  return row;
}

Choices languages() {
  Choices choices = {{QString(), SettingText::tr("That of the system")}};
  for (const look::Language& language : look::languages()) choices.emplace_back(language.code, language.name);
  return choices;
}

std::vector<SettingRow> rowsOfWindow() {
  const QString window = SettingText::tr("Window");
  return {choiceRow(&Settings::theme,
                    {"look/scheme", window, SettingText::tr("Theme"), SettingText::tr("Colours of the window")},
                    {SettingText::tr("System"), SettingText::tr("Light"), SettingText::tr("Dark"),
                     SettingText::tr("High Contrast")}),
          afterRestart(sizeRow({"look/font-size", window, SettingText::tr("Font size"),
                                SettingText::tr("Size of texts, tables and charts")})),
          afterRestart(
              textRow(&Settings::language,
                      {"look/language", window, SettingText::tr("Language"), SettingText::tr("Language of all texts")},
                      ChoiceEditor{languages()})),
          toggleRow(&Settings::reopen,
                    {"session/reopen", window, SettingText::tr("Reopen the last experiment"),
                     SettingText::tr("Start with the experiment, run and variant that were shown when the "
                                     "window closed. When off, LaneLab starts with the demo")}),
          toggleRow(&Settings::notify,
                    {"notify/ended", window, SettingText::tr("Notify when long work ends"),
                     SettingText::tr(
                         "Show a notification of the desktop when a run, or other work of more than 30 s, ends while "
                         "another window is active")}),
          numberRow(&Settings::undo_limit,
                    {"edit/undo-limit", window, SettingText::tr("Undo history"),
                     SettingText::tr("Number of edits that can be undone, of experiments that are opened from now on")},
                    {0, 10'000, SettingText::tr("All edits"), SettingText::tr(" edits")})};
}

std::vector<SettingRow> rowsOfRuns() {
  const QString runs = SettingText::tr("Runs and new experiments");
  return {
      afterRestart(textRow(&Settings::runs_folder,
                           {"runs/folder", runs, SettingText::tr("Folder of runs"),
                            SettingText::tr("Where new runs are stored, unless --runs names another folder")},
                           FolderEditor{QDir::toNativeSeparators(QString::fromStdString(userRunsFolder()))})),
      numberRow(&Settings::repeats,
                {"new/repeats", runs, SettingText::tr("Repeats"),
                 SettingText::tr("Counted repeats of each variant of a new experiment; a confidence interval needs 5")},
                {1, 1000, {}, {}}),
      choiceRow(&Settings::record,
                {"new/record", runs, SettingText::tr("Record"),
                 SettingText::tr("What the traces of a new experiment record")},
                {SettingText::tr("Nothing"), SettingText::tr("Actions"), SettingText::tr("Blocks"),
                 SettingText::tr("Operators")}),
      afterRestart(toggleRow(
          &Settings::stored_block_times,
          {"predict/stored-block-times", runs, SettingText::tr("Use stored block times"),
           SettingText::tr("Predict from block times that were measured on this machine before. When off, only those "
                           "that were measured since LaneLab was started count")}))};
}

std::vector<SettingRow> rowsOfQuestions() {
  const QString questions = SettingText::tr("Questions");
  return {
      toggleRow(&Settings::ask_unsaved,
                {"ask/unsaved", questions, SettingText::tr("Ask about unsaved edits when the window closes"),
                 SettingText::tr("When off, they are stored aside and open again at the next start")}),
      toggleRow(&Settings::ask_stop,
                {"ask/stop", questions, SettingText::tr("Ask before a run is stopped when the window closes"),
                 SettingText::tr("When off, the run is cancelled; completed measurements are stored")}),
      toggleRow(&Settings::ask_busy,
                {"ask/busy", questions, SettingText::tr("Ask before a run on a busy machine"),
                 SettingText::tr("When off, the run starts, and its record says that other programs used the cores")})};
}

const QString kWheel = QStringLiteral("mouse/wheel");

/// Hands use both as in the program that they know.
SettingRow withItsWheel(SettingRow keys) {
  keys.beside = {kWheel, [](const QVariant& preset) {
                   const bool perfetto = preset.toString().toStdString() == toWord(KeyPreset::Perfetto);
                   return QString::fromStdString(toWord(perfetto ? look::WheelUse::Scrolls : look::WheelUse::Zooms));
                 }};
  return keys;
}

std::vector<SettingRow> rowsOfInput() {
  const QString input = SettingText::tr("Keys and mouse");
  return {
      withItsWheel(choiceRow(
          &Settings::keys,
          {"keys/preset", input, SettingText::tr("Preset of keys"),
           SettingText::tr("Keys of the commands that have none of your own. The timeline has the keys of Perfetto "
                           "in both: W, S, A and D. The mouse wheel is set, too: Perfetto's scrolls, and zooms with "
                           "Ctrl")},
          {SettingText::tr("LaneLab"), SettingText::tr("Perfetto")})),
      choiceRow(&Settings::wheel,
                {kWheel, input, SettingText::tr("Mouse wheel"),
                 SettingText::tr("What the wheel does in the timeline; Ctrl+wheel does the other. Perfetto scrolls. "
                                 "Shift+wheel and a touchpad move left and right in both")},
                {SettingText::tr("Zooms"), SettingText::tr("Scrolls")})};
}

struct ReadStored {
  const QVariant& stored;

  /// An ini file has words for it.
  QVariant operator()(const ToggleEditor&) const {
    const QString word = stored.toString();
    return word == "true" || word == "false" ? QVariant(word == "true") : QVariant();
  }
  QVariant operator()(const NumberEditor& editor) const {
    bool is_number = false;
    const int value = stored.toInt(&is_number);
    return is_number && value >= editor.low && value <= editor.high ? QVariant(value) : QVariant();
  }
  QVariant operator()(const ChoiceEditor& editor) const {
    const QString word = stored.toString();
    const bool known = std::ranges::any_of(editor.choices, [&](const auto& choice) { return choice.first == word; });
    return known ? QVariant(word) : QVariant();
  }
  QVariant operator()(const FolderEditor&) const {
    const QString folder = stored.toString();
    return folder.isEmpty() || QDir::isAbsolutePath(folder) ? QVariant(folder) : QVariant();
  }
};

}  // namespace

QVariant SettingRow::read(const QVariant& stored) const {
  return stored.isValid() ? std::visit(ReadStored{stored}, editor) : QVariant();
}

std::vector<SettingRow> settingRows() {
  std::vector<SettingRow> rows = rowsOfWindow();
  for (auto&& part : {rowsOfRuns(), rowsOfQuestions(), rowsOfInput()})
    rows.insert(rows.end(), part.begin(), part.end());
  return rows;
}

}  // namespace lanelab
