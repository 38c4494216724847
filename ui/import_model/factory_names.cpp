// SPDX-License-Identifier: GPL-3.0-only
#include "ui/import_model/factory_names.h"

#include <QRegularExpression>
#include <cstdio>

#include "base/regular_file.h"

namespace lanelab {
namespace {

constexpr std::size_t kMostBytes = 1 << 20;

}  // namespace

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

}  // namespace lanelab
