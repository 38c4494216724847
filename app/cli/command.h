// SPDX-License-Identifier: GPL-3.0-only
// A command of lanelab-cli and its options, over CLI11 (https://github.com/CLIUtils/CLI11): the words of a command line
// are read into values of the command's own. CLI11 is one large header of templates; here it stays out of the files of
// the commands, each of which would take seconds longer to compile. Both classes are handles on what the program's root
// holds until main returns. Bad words end the reading with CLI11's sentence.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/cli/command_tree.h"
#include "base/result.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace lanelab {

class Option {
 public:
  explicit Option(CLI::Option* option) : m_option(option) {}

  Option required() const;
  Option showDefault() const;  ///< --help shows the present value
  Option oneOf(const std::vector<std::string>& words) const;
  Option between(int least, int most) const;
  Option notNegative() const;
  Option positive() const;
  Option check(
      const std::function<std::string(const std::string& word)>& fault) const;  ///< `fault` is "" for a good word

  // For options that fill a list.
  Option commaSeparated() const;
  Option repeatable() const;  ///< one value each time the option is named
  Option expected(int count) const;
  Option sizes() const;  ///< bytes, or with units: 4kB is 4000, 4KiB is 4096

  Option excludes(const Option& other) const;
  Option needs(const Option& other) const;

 private:
  CLI::Option* m_option;
};

/// What --help prints below the options.
struct CommandHelp {
  std::vector<std::string> examples;        ///< two or three command lines, without the program's name
  std::string notes = {};                   ///< what does not fit into the description of one option
  std::string failure = "the work failed";  ///< what exit code 1 means
};

class Command {
 public:
  explicit Command(CLI::App& app) : m_app(&app) {}

  /// With all that was described so far.
  CommandTree tree() const;
  Command subcommand(const std::string& name, const std::string& description) const;
  void help(const CommandHelp& help) const;
  void whenChosen(const std::function<void()>& callback) const;  ///< called once the whole command line was read

  /// `--name` or, without dashes, the next argument. Behind a space what --help shows for the value, such as
  /// "--out FILE"; without, "N" for a number. `value` has to outlive the reading. Kinds of values: those at the end of
  /// command.cpp.
  template <typename Value>
  Option option(const std::string& name, Value& value, const std::string& description) const;
  Option flag(const std::string& name, bool& value, const std::string& description) const;
  /// --set KEY=VALUE, which changes the experiment of FILE.
  void assignments(std::vector<std::string>& values) const;
  /// --json, which prints `object`.
  void json(bool& value, const std::string& object = "one JSON object instead of tables") const;

 private:
  CLI::App* m_app;
};

/// Gives each option of a chosen command to the subcommand that was chosen below it, once `app` has read the command
/// line: `runs --runs DIR delete ID` is `runs delete ID --runs DIR`. BadInput if the subcommand does not have the
/// option, or was given another value of it.
Status handDownOptions(const CLI::App& app);

}  // namespace lanelab
