// SPDX-License-Identifier: GPL-3.0-only
#include "app/cli/command.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <sstream>
#include <type_traits>

#include "app/cli/help.h"
#include "base/parse_number.h"
#include "base/text.h"

namespace lanelab {
namespace {

/// What of `option` was given already that excludes it. Null if nothing.
const CLI::Option* excluding(const CLI::Option& option) {
  for (const CLI::Option* const other : option.get_excludes())
    if (other->count() > 0) return other;
  return nullptr;
}

Status handDown(const CLI::Option& given, CLI::App& command, const std::string& command_name) {
  const std::string name = given.get_name();
  CLI::Option* const own = command.get_option_no_throw(name);
  if (own == nullptr)
    return Error::badInput("{} is not an option of {}. See lanelab-cli {} --help.", name, command_name, command_name);
  if (own->count() > 0) {
    if (own->results() == given.results()) return {};
    return Error::badInput("{} is given twice: {} before {} and {} after it. Give it once.", name,
                           joined(given.results(), " "), command.get_name(), joined(own->results(), " "));
  }
  if (const CLI::Option* const other = excluding(*own))
    return Error::badInput("{} excludes {}. Leave one of them out.", name, other->get_name());
  for (const std::string& value : given.results()) own->add_result(value);
  own->run_callback();
  return {};
}

Status handDownFrom(const CLI::App& parent, const std::string& parents) {
  for (CLI::App* const command : parent.get_subcommands()) {
    const std::string name = parents + command->get_name();
    for (const CLI::Option* const option : parent.get_options())
      if (option->count() > 0)
        if (const Status done = handDown(*option, *command, name); !done.ok()) return done;
    if (const Status done = handDownFrom(*command, name + " "); !done.ok()) return done;
  }
  return {};
}

/// The words of "SHELL:{bash,zsh}", as CLI11 shows what oneOf() demands; none if it demands nothing.
std::vector<std::string> wordsIn(const std::string& type) {
  const std::size_t begin = type.find('{'), end = type.rfind('}');
  if (begin == std::string::npos || end == std::string::npos) return {};
  std::vector<std::string> words;
  std::istringstream rest(type.substr(begin + 1, end - begin - 1));
  for (std::string word; std::getline(rest, word, ',');) words.push_back(word);
  return words;
}

OptionEntry entryOf(const CLI::Option& option) {
  OptionEntry entry;
  if (!option.get_positional()) {
    if (!option.get_lnames().empty()) entry.names.push_back("--" + option.get_lnames().front());  // others are old
    for (const std::string& name : option.get_snames()) entry.names.push_back("-" + name);
  }
  const std::string type = option.get_type_name();
  if (option.get_positional())
    entry.value = option.get_name(true);
  else if (option.get_items_expected_max() > 0)
    entry.value = type.substr(0, type.find(':'));
  entry.words = wordsIn(type);
  entry.description = option.get_description();
  entry.repeatable = option.get_items_expected_max() > 1;
  return entry;
}

CommandTree treeOf(const CLI::App& app) {
  CommandTree tree{app.get_name(), app.get_description()};
  for (const bool positional : {true, false})
    for (const CLI::Option* option :
         app.get_options([&](const CLI::Option* each) { return each->get_positional() == positional; }))
      tree.options.push_back(entryOf(*option));
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    tree.commands.push_back(treeOf(*command));
  return tree;
}

}  // namespace

Option Option::required() const { return Option(m_option->required()); }
Option Option::showDefault() const { return Option(m_option->capture_default_str()); }
Option Option::oneOf(const std::vector<std::string>& words) const {
  return Option(m_option->check(CLI::IsMember(words)));
}
Option Option::between(int least, int most) const { return Option(m_option->check(CLI::Range(least, most))); }
// CLI11 names the largest double as the limit.
Option Option::notNegative() const {
  return check([](const std::string& text) {
    return parseNumber<double>(text).value_or(-1) >= 0 ? std::string() : text + " is not a number of 0 or more";
  });
}
Option Option::positive() const {
  return check([](const std::string& text) {
    return parseNumber<double>(text).value_or(0) > 0 ? std::string() : text + " is not a number above 0";
  });
}
Option Option::check(const std::function<std::string(const std::string&)>& fault) const {
  return Option(m_option->check(fault));
}
Option Option::commaSeparated() const { return Option(m_option->delimiter(',')); }
Option Option::repeatable() const { return Option(m_option->allow_extra_args(false)); }
Option Option::expected(int count) const { return Option(m_option->expected(count)); }
Option Option::sizes() const { return Option(m_option->transform(CLI::AsSizeValue(true))); }
Option Option::excludes(const Option& other) const { return Option(m_option->excludes(other.m_option)); }
Option Option::needs(const Option& other) const { return Option(m_option->needs(other.m_option)); }

CommandTree Command::tree() const { return treeOf(*m_app); }
Command Command::subcommand(const std::string& name, const std::string& description) const {
  const Command command(*m_app->add_subcommand(name, description));
  m_app->require_subcommand(m_app->get_require_subcommand_min(), 1);  // a second one would replace the first silently
  return command;
}
void Command::help(const CommandHelp& help) const { m_app->footer(helpEnd(help)); }
void Command::whenChosen(const std::function<void()>& callback) const { m_app->callback(callback); }
Option Command::flag(const std::string& name, bool& value, const std::string& description) const {
  return Option(m_app->add_flag(name, value, description));
}
void Command::assignments(std::vector<std::string>& values) const {
  option("--set KEY=VALUE", values, "Change a value of the experiment first, such as data.batch=64; repeatable")
      .repeatable();
}
void Command::json(bool& value, const std::string& object) const { flag("--json", value, "Print " + object); }

template <typename Value>
Option Command::option(const std::string& name, Value& value, const std::string& description) const {
  constexpr bool kWords = std::is_same_v<Value, std::string> || std::is_same_v<Value, std::vector<std::string>>;
  const std::size_t end = std::min(name.find(' '), name.size());
  CLI::Option* const option = m_app->add_option(name.substr(0, end), value, description);
  if (end < name.size())
    option->type_name(name.substr(end + 1));
  else if (!kWords)
    option->type_name("N");
  return Option(option);
}

template Option Command::option(const std::string&, std::string&, const std::string&) const;
template Option Command::option(const std::string&, int&, const std::string&) const;
template Option Command::option(const std::string&, std::int64_t&, const std::string&) const;
template Option Command::option(const std::string&, std::uint64_t&, const std::string&) const;
template Option Command::option(const std::string&, double&, const std::string&) const;
template Option Command::option(const std::string&, std::optional<int>&, const std::string&) const;
template Option Command::option(const std::string&, std::optional<std::int64_t>&, const std::string&) const;
template Option Command::option(const std::string&, std::optional<std::uint64_t>&, const std::string&) const;
template Option Command::option(const std::string&, std::vector<int>&, const std::string&) const;
template Option Command::option(const std::string&, std::vector<std::int64_t>&, const std::string&) const;
template Option Command::option(const std::string&, std::vector<std::uint64_t>&, const std::string&) const;
template Option Command::option(const std::string&, std::vector<double>&, const std::string&) const;
template Option Command::option(const std::string&, std::vector<std::string>&, const std::string&) const;

Status handDownOptions(const CLI::App& app) { return handDownFrom(app, ""); }

}  // namespace lanelab
