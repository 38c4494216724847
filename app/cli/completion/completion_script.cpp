// SPDX-License-Identifier: GPL-3.0-only
#include "app/cli/completion/completion_script.h"

#include <algorithm>
#include <functional>

#include "base/text.h"

namespace lanelab {
namespace {

bool isArgument(const OptionEntry& option) { return option.names.empty(); }

/// What a shell can offer for a value.
enum class Offer { Words, Folders, Files, Nothing };

Offer offerFor(const OptionEntry& option) {
  if (!option.words.empty()) return Offer::Words;
  if (option.value == "DIR") return Offer::Folders;
  const bool file = option.value.find("FILE") != std::string::npos || option.value == "PROGRAM";
  return file || isArgument(option) ? Offer::Files : Offer::Nothing;
}

std::string functionName(const std::string& command) {
  std::string name = "_" + command;
  std::ranges::replace_if(
      name, [](char c) { return c == ' ' || c == '-'; }, '_');
  return name;
}

/// Calls `visit` with each command, the program first, and the words before it and its name: " runs delete"; "" for
/// the program.
void visitCommands(const CommandTree& command, const std::string& path,
                   const std::function<void(const CommandTree&, const std::string& path)>& visit) {
  visit(command, path);
  for (const CommandTree& below : command.commands) visitCommands(below, path + " " + below.name, visit);
}

// bash -------------------------------------------------------------------------------------------

/// What compgen is given for a value.
std::string compgenOf(const OptionEntry& option) {
  switch (offerFor(option)) {
    case Offer::Words: return "-W '" + joined(option.words, " ") + "'";
    case Offer::Folders: return "-d";
    case Offer::Files: return "-f";
    case Offer::Nothing: break;
  }
  return "-W ''";
}

/// A row of the case that knows the options with values.
std::string bashValueRow(const std::string& path, const OptionEntry& option) {
  std::vector<std::string> patterns;
  const std::string begin = "'" + path + " ";
  for (const std::string& name : option.names) patterns.push_back(begin + name + "'");
  return "    " + joined(patterns, " | ") + ") offered=(" + compgenOf(option) + ") ;;\n";
}

/// A row of the case that knows what may come next: commands and options, and files if there are arguments.
std::string bashWordsRow(const std::string& path, const CommandTree& command) {
  std::vector<std::string> commands, options;
  bool takes_files = false;
  for (const CommandTree& below : command.commands) commands.push_back(below.name);
  for (const OptionEntry& option : command.options) {
    options.insert(options.end(), option.names.begin(), option.names.end());
    takes_files = takes_files || (isArgument(option) && option.words.empty());
  }
  std::string words = "-W '" + joined(commands, " ") + "'";
  for (const OptionEntry& option : command.options)
    if (isArgument(option) && !option.words.empty()) words = compgenOf(option);
  return "    '" + path + "') options='" + joined(options, " ") + "' offered=(" + words + (takes_files ? " -f" : "") +
         ") ;;\n";
}

// zsh --------------------------------------------------------------------------------------------

std::string quoted(const std::string& text) {
  std::string shown = "'";
  for (const char c : text) shown += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return shown + "'";
}

/// Colons and brackets end parts of a specification of _arguments.
std::string escaped(const std::string& text) {
  std::string shown;
  for (const char c : text) {
    if (c == ':' || c == '[' || c == ']' || c == '\\') shown += '\\';
    shown += c;
  }
  return shown;
}

/// ":FILE:_files"; empty for a flag.
std::string zshValue(const OptionEntry& option) {
  if (option.value.empty()) return {};
  std::string begin = ":" + escaped(option.value) + ":";
  switch (offerFor(option)) {
    case Offer::Words: return begin + "(" + joined(option.words, " ") + ")";
    case Offer::Folders: return begin + "_files -/";
    case Offer::Files: return begin + "_files";
    case Offer::Nothing: break;
  }
  return begin;
}

std::vector<std::string> zshSpecifications(const OptionEntry& option) {
  if (isArgument(option)) return {quoted((option.repeatable ? "*" : "") + zshValue(option))};
  std::vector<std::string> specifications;
  for (const std::string& name : option.names)
    specifications.push_back(
        quoted((option.repeatable ? "*" : "") + name + "[" + escaped(option.description) + "]" + zshValue(option)));
  return specifications;
}

std::string zshFunction(const CommandTree& command, const std::string& path) {
  std::string specifications;
  for (const OptionEntry& option : command.options) {
    if (isArgument(option) && !command.commands.empty()) continue;
    for (const std::string& text : zshSpecifications(option)) specifications += " \\\n    " + text;
  }
  if (command.commands.empty()) return functionName(path) + "() {\n  _arguments" + specifications + "\n}\n";
  std::string rows, calls;
  for (const CommandTree& below : command.commands) {
    rows += "\n    " + quoted(below.name + ":" + below.description);
    calls += "\n      " + below.name + ") " + functionName(path + " " + below.name) + " ;;";
  }
  return functionName(path) +
         "() {\n  local context state state_descr line\n  typeset -A opt_args\n  local -a commands=(" + rows +
         "\n  )\n  _arguments -C" + specifications +
         " \\\n    '1:command:->command' \\\n    '*::argument:->argument'\n"
         "  case $state in\n    command) _describe command commands ;;\n    argument) case $line[1] in" +
         calls + "\n    esac ;;\n  esac\n}\n";
}

}  // namespace

std::string bashCompletion(const CommandTree& program) {
  std::vector<std::string> paths;
  std::string values, words;
  visitCommands(program, "", [&](const CommandTree& command, const std::string& path) {
    if (!path.empty()) paths.push_back("'" + path + "'");
    for (const OptionEntry& option : command.options)
      if (!isArgument(option) && !option.value.empty()) values += bashValueRow(path, option);
    words += bashWordsRow(path, command);
  });
  const std::string name = functionName(program.name);
  return "# Completions of " + program.name + " for bash, printed by: " + program.name + " completion bash\n" + name +
         "() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} command='' options='' i\n"
         "  local -a offered=()\n"
         "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
         "    case \"$command ${COMP_WORDS[i]}\" in\n"
         "      " +
         joined(paths, " | ") +
         ") command+=\" ${COMP_WORDS[i]}\" ;;\n"
         "    esac\n"
         "  done\n"
         "  case \"$command ${COMP_WORDS[COMP_CWORD - 1]}\" in\n" +
         values +
         "  esac\n"
         "  if [ ${#offered[@]} = 0 ]; then\n"
         "    case $command in\n" +
         words +
         "    esac\n"
         "    case $word in -*) offered=(-W \"$options\") ;; esac\n"
         "  fi\n"
         "  mapfile -t COMPREPLY < <(compgen \"${offered[@]}\" -- \"$word\")\n"
         "}\n"
         "complete -o filenames -F " +
         name + " " + program.name + "\n";
}

std::string zshCompletion(const CommandTree& program) {
  std::string functions;
  visitCommands(program, program.name,
                [&](const CommandTree& command, const std::string& path) { functions += zshFunction(command, path); });
  return "#compdef " + program.name + "\n# Completions of " + program.name + " for zsh, printed by: " + program.name +
         " completion zsh\n" + functions + functionName(program.name) + " \"$@\"\n";
}

}  // namespace lanelab
