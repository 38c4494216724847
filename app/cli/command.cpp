// SPDX-License-Identifier: GPL-3.0-only
#include "app/cli/command.h"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <optional>
#include <type_traits>

#include "app/cli/help.h"

namespace lanelab {

Option Option::required() const { return Option(m_option->required()); }
Option Option::typeName(const std::string& name) const { return Option(m_option->type_name(name)); }
Option Option::showDefault() const { return Option(m_option->capture_default_str()); }
Option Option::oneOf(const std::vector<std::string>& words) const {
  return Option(m_option->check(CLI::IsMember(words)));
}
Option Option::between(int least, int most) const { return Option(m_option->check(CLI::Range(least, most))); }
Option Option::notNegative() const { return Option(m_option->check(CLI::NonNegativeNumber)); }
Option Option::positive() const { return Option(m_option->check(CLI::PositiveNumber)); }
Option Option::check(const std::function<std::string(const std::string&)>& fault) const {
  return Option(m_option->check(fault));
}
Option Option::commaSeparated() const { return Option(m_option->delimiter(',')); }
Option Option::repeatable() const { return Option(m_option->allow_extra_args(false)); }
Option Option::expected(int count) const { return Option(m_option->expected(count)); }
Option Option::sizes() const { return Option(m_option->transform(CLI::AsSizeValue(true))); }
Option Option::excludes(const Option& other) const { return Option(m_option->excludes(other.m_option)); }
Option Option::needs(const Option& other) const { return Option(m_option->needs(other.m_option)); }

Command Command::subcommand(const std::string& name, const std::string& description) const {
  return Command(*m_app->add_subcommand(name, description));
}
void Command::help(const CommandHelp& help) const { m_app->footer(helpEnd(help)); }
void Command::whenChosen(const std::function<void()>& callback) const { m_app->callback(callback); }
Option Command::flag(const std::string& name, bool& value, const std::string& description) const {
  return Option(m_app->add_flag(name, value, description));
}
void Command::assignments(std::vector<std::string>& values) const {
  option("--set", values, "Change a value of the experiment first, such as data.batch=64; repeatable")
      .repeatable()
      .typeName("KEY=VALUE");
}
void Command::json(bool& value, const std::string& object) const { flag("--json", value, "Print " + object); }

template <typename Value>
Option Command::option(const std::string& name, Value& value, const std::string& description) const {
  CLI::Option* const option = m_app->add_option(name, value, description);
  if constexpr (!std::is_same_v<Value, std::string> && !std::is_same_v<Value, std::vector<std::string>>)
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

}  // namespace lanelab
