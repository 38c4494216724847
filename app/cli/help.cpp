// SPDX-License-Identifier: GPL-3.0-only
#include "app/cli/help.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "base/text.h"

namespace lanelab {
namespace {

constexpr std::size_t kColumns = 100;      ///< of a line
constexpr std::size_t kTextColumn = 26;    ///< where descriptions begin
constexpr std::size_t kNoteColumns = 100;  ///< of the notes below the options

/// The words of `text`; a list that is wider than a line is cut after commas.
std::vector<std::string> wordsOf(const std::string& text, std::size_t width) {
  std::istringstream rest(text);
  std::vector<std::string> words;
  for (std::string word; rest >> word;) {
    for (std::size_t comma = 0; word.size() > width; word.erase(0, comma + 1)) {
      comma = word.rfind(',', width - 1);
      if (comma == std::string::npos) break;
      words.push_back(word.substr(0, comma + 1));
    }
    words.push_back(word);
  }
  return words;
}

/// `text` from column `column` on; further lines begin at `indent`.
std::string wrapped(const std::string& text, std::size_t indent, std::size_t column, std::size_t columns = kColumns) {
  std::string lines;
  for (const std::string& word : wordsOf(text, columns - indent)) {
    const bool first = lines.empty();
    if (!first && column + 1 + word.size() > columns) {
      lines += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (!first) {
      lines += ' ';
      ++column;
    }
    lines += word;
    column += word.size();
  }
  return lines;
}

/// A name and what it is for, in two columns.
std::string row(const std::string& name, const std::string& text) {
  std::string line = "  " + name;
  if (line.size() + 2 > kTextColumn) line += "\n";
  const std::size_t used = line.back() == '\n' ? 0 : line.size();
  return line + std::string(kTextColumn - used, ' ') + wrapped(text, kTextColumn, kTextColumn) + "\n";
}

std::string section(const std::string& title, const std::string& rows) {
  return rows.empty() ? "" : "\n" + title + ":\n" + rows;
}

/// "N" of "N:INT in [1 - 6]": the ranges are in the descriptions.
std::string typeOf(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  return type.substr(0, type.find(':'));
}

/// "--out DIR", "-h, --help".
std::string nameOf(const CLI::Option& option) {
  if (option.get_positional()) return option.get_name(true);
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  if (!option.get_lnames().empty()) names.push_back("--" + option.get_lnames().front());  // others are old names
  const bool valued = option.get_items_expected_max() > 0;
  return joined(names, ", ") + (valued ? " " + typeOf(option) : "");
}

std::string namesOf(const std::set<CLI::Option*>& options) {
  std::vector<std::string> names;
  for (const CLI::Option* option : options)
    names.push_back(option->get_positional() ? option->get_name(true) : option->get_name());
  std::ranges::sort(names);  // the set is in the order of addresses
  return joined(names, ", ");
}

std::string textOf(const CLI::Option& option) {
  std::string text = option.get_description();
  std::string usual = option.get_default_str();
  if (usual.starts_with('[') && usual.ends_with(']')) usual = usual.substr(1, usual.size() - 2);  // a list
  if (!usual.empty()) text += " (default: " + usual + ")";
  if (option.get_required() && !option.get_positional()) text += " (required)";
  if (!option.get_needs().empty()) text += "; needs " + namesOf(option.get_needs());
  if (!option.get_excludes().empty()) text += "; not with " + namesOf(option.get_excludes());
  return text;
}

std::string rowsOf(const CLI::App& app, bool positional) {
  std::string rows;
  for (const CLI::Option* option :
       app.get_options([&](const CLI::Option* each) { return each->get_positional() == positional; }))
    rows += row(nameOf(*option), textOf(*option));
  return rows;
}

std::vector<const CLI::App*> commandsOf(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::string usageOf(const CLI::App& app, const std::string& name) {
  std::string usage = "Usage: " + name + " [OPTIONS]";
  for (const CLI::Option* option : app.get_options([](const CLI::Option* each) { return each->get_positional(); })) {
    const std::string argument = nameOf(*option) + (option->get_items_expected_max() > 1 ? "..." : "");
    usage += option->get_required() ? " " + argument : " [" + argument + "]";
  }
  const char* const command = app.get_require_subcommand_min() > 0 ? " COMMAND" : " [COMMAND]";
  return usage + (commandsOf(app).empty() ? "" : command) + "\n";
}

/// The help of a command and of those below it, each as a section.
std::string manualSections(const CLI::App& command, const std::string& program, const std::string& name,
                           const std::string& level) {
  std::string sections =
      "\n" + level + " " + name + "\n\n```text\n" + helpText(command, program + " " + name) + "```\n";
  for (const CLI::App* below : commandsOf(command))
    sections += manualSections(*below, program, name + " " + below->get_name(), level + "#");
  return sections;
}

}  // namespace

std::string helpText(const CLI::App& app, const std::string& name) {
  std::string commands;
  for (const CLI::App* command : commandsOf(app)) commands += row(command->get_name(), command->get_description());
  const std::string end = app.get_footer();
  return wrapped(app.get_description() + ".", 0, 0) + "\n\n" + usageOf(app, name) +
         section("Arguments", rowsOf(app, true)) + section("Options", rowsOf(app, false)) +
         section("Commands", commands) + (end.empty() ? "" : "\n" + end);
}

std::string manualPage(const CLI::App& app, const std::string& name) {
  std::string page = "# Command line\n\n`" + name +
                     "` does what the window does, without Qt. This page is printed by `" + name +
                     " --help-all`; each section is the `--help` of one command.\n\n"
                     "| command | purpose |\n|---|---|\n";
  for (const CLI::App* command : commandsOf(app))
    page += "| [`" + command->get_name() + "`](#" + command->get_name() + ") | " + command->get_description() + " |\n";
  for (const CLI::App* command : commandsOf(app)) page += manualSections(*command, name, command->get_name(), "##");
  return page;
}

std::string helpEnd(const CommandHelp& help) {
  std::string end = help.notes.empty() ? "" : wrapped(help.notes, 0, 0, kNoteColumns) + "\n\n";
  end += "Examples:\n";
  for (const std::string& example : help.examples) end += "  lanelab-cli " + example + "\n";
  return end + "\nExit codes: 0 done, 1 " + help.failure + ", 2 bad input or usage, 130 cancelled\n";
}

}  // namespace lanelab
