// SPDX-License-Identifier: GPL-3.0-only
#include "ui/import_model/import_fields.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "base/regular_file.h"
#include "base/shell_text.h"
#include "ui/look/plain_text.h"
#include "ui/look/settings.h"

namespace lanelab {
namespace {

constexpr QLatin1Char kColon(':');
constexpr std::size_t kMostBytes = 1 << 20;  ///< of a Python file

struct ImportTexts {
  Q_DECLARE_TR_FUNCTIONS(ImportTexts)
};

QString placedIn(const QDir& folder, const QString& path) {
  return path.isEmpty() ? path : QDir::cleanPath(folder.absoluteFilePath(path));
}

/// A module that Python finds stays as it is; a file gets its whole path.
QString placedFactory(const QDir& folder, const QString& factory) {
  const qsizetype colon = factory.lastIndexOf(kColon);
  const QString module = factory.left(colon);
  return module.endsWith(QLatin1String(".py")) ? placedIn(folder, module) + factory.mid(colon) : factory;
}

QStringList argumentsIn(const QString& text) {
  QStringList lines;
  for (const QString& line : text.split(QLatin1Char('\n')))
    if (!line.trimmed().isEmpty()) lines << line.trimmed();
  return lines;
}

struct ImportSettings : look::Settings {
  ImportSettings() { beginGroup("import-model"); }
};
constexpr std::pair<const char*, QString ImportFields::*> kTexts[] = {{"factory", &ImportFields::factory},
                                                                      {"input", &ImportFields::input},
                                                                      {"arguments", &ImportFields::arguments},
                                                                      {"config", &ImportFields::config},
                                                                      {"python", &ImportFields::python}};
constexpr std::pair<const char*, int ImportFields::*> kNumbers[] = {{"seed", &ImportFields::seed},
                                                                    {"batch", &ImportFields::batch}};

}  // namespace

QString defaultFile(const ImportFields& fields, const QDir& folder) {
  const QString factory = fields.factory.trimmed();
  const qsizetype colon = factory.lastIndexOf(kColon);
  if (colon < 0 || factory.endsWith(kColon)) return {};
  const QString name = factory.mid(colon + 1).replace(QLatin1Char('/'), QLatin1Char('-'));
  return folder.absoluteFilePath(name + QStringLiteral(".pt2"));
}

QStringList factoryNames(const QString& path) {
  static const QRegularExpression definition(QStringLiteral("^(?:def|class)[ \\t]+([A-Za-z]\\w*)"),
                                             QRegularExpression::MultilineOption);
  const OpenedFile opened = openRegularFile(path.toStdString());
  if (!opened.file) return {};
  QByteArray text(kMostBytes, '\0');
  text.truncate(static_cast<qsizetype>(std::fread(text.data(), 1, kMostBytes, opened.file.get())));
  QStringList names;
  for (auto found = definition.globalMatch(QString::fromUtf8(text)); found.hasNext();)
    names << found.next().captured(1);
  names.removeDuplicates();
  return names;
}

Result<NetworkExport> exportOf(const ImportFields& fields, const QDir& folder) {
  const QString factory = fields.factory.trimmed(), input = fields.input.trimmed();
  if (!factory.contains(kColon) || factory.startsWith(kColon) || factory.endsWith(kColon))
    return look::badInput(
        ImportTexts::tr("Network: \"%1\" is not MODULE:FACTORY. Enter a module or .py file and its function "
                        "or class, such as torchvision.models:resnet18 or net.py:make.")
            .arg(factory));
  if (input.isEmpty())
    return look::badInput(
        ImportTexts::tr("Input shape: it is not set. Enter the shape of one sample, such as 3x224x224, or "
                        "64:int64:1000 for 64 tokens below 1000."));
  NetworkExport network;
  for (const QString& argument : argumentsIn(fields.arguments)) {
    if (argument.indexOf(QLatin1Char('=')) < 1)
      return look::badInput(
          ImportTexts::tr("Arguments: \"%1\" is not KEY=VALUE. Enter one argument per line, such as num_classes=10.")
              .arg(argument));
    network.settings.push_back(argument.toStdString());
  }
  const QString out = fields.out.trimmed();
  network.factory = placedFactory(folder, factory).toStdString();
  network.input = input.toStdString();
  network.out = (out.isEmpty() ? defaultFile(fields, folder) : placedIn(folder, out)).toStdString();
  network.config = placedIn(folder, fields.config.trimmed()).toStdString();
  network.batch = fields.batch;
  network.seed = static_cast<std::uint64_t>(fields.seed);
  network.python = fields.python.trimmed().toStdString();
  return network;
}

QString fieldOf(const Error& error) {
  const QString sentence = QString::fromStdString(error.message);
  const std::pair<QString, const char*> beginnings[] = {
      {ImportTexts::tr("Network:"), "importFactory"},     {ImportTexts::tr("Input shape:"), "importInput"},
      {ImportTexts::tr("Arguments:"), "importArguments"}, {QStringLiteral("--input:"), "importInput"},
      {QStringLiteral("--config:"), "importConfig"},      {QStringLiteral("--out:"), "importOut"}};
  for (const auto& [beginning, field] : beginnings)
    if (sentence.startsWith(beginning)) return field;
  return {};
}

QString commandOf(const NetworkExport& network) {
  std::vector<std::string> words = {"lanelab-cli", "new-model", network.factory, "--input", network.input};
  for (const std::string& setting : network.settings) words.insert(words.end(), {"--set", setting});
  if (!network.config.empty()) words.insert(words.end(), {"--config", network.config});
  if (network.seed != NetworkExport{}.seed) words.insert(words.end(), {"--seed", std::to_string(network.seed)});
  if (network.batch != NetworkExport{}.batch) words.insert(words.end(), {"--batch", std::to_string(network.batch)});
  if (!network.python.empty()) words.insert(words.end(), {"--python", network.python});
  words.insert(words.end(), {"--out", network.out});
  return QString::fromStdString(shellLine(words));
}

ImportFields rememberedFields() {
  const ImportSettings settings;
  ImportFields fields;
  for (const auto& [key, text] : kTexts) fields.*text = settings.value(key).toString();
  for (const auto& [key, number] : kNumbers) fields.*number = settings.value(key, fields.*number).toInt();
  return fields;
}

void remember(const ImportFields& fields) {
  ImportSettings settings;
  for (const auto& [key, text] : kTexts) settings.setValue(key, fields.*text);
  for (const auto& [key, number] : kNumbers) settings.setValue(key, fields.*number);
}

}  // namespace lanelab
