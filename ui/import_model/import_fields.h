// SPDX-License-Identifier: GPL-3.0-only
// What the fields of Import Model hold, as text, and the export that they describe. Thread: the window's.
#pragma once

#include <QDir>
#include <QString>
#include <QStringList>

#include "base/result.h"
#include "engine/exporter/network_export.h"

namespace lanelab {

struct ImportFields {
  QString factory;    ///< MODULE:FACTORY
  QString input;      ///< "3x224x224"
  QString arguments;  ///< KEY=VALUE, one in a line
  QString config;     ///< may be empty
  int seed = 0;
  int batch = 2;
  QString python;  ///< empty: usualPython()
  QString out;     ///< empty: defaultFile()

  bool operator==(const ImportFields&) const = default;
};

/// "resnet18.pt2" in `folder`, named after the factory; empty while there is no factory.
QString defaultFile(const ImportFields& fields, const QDir& folder);

/// The functions and classes of a Python file, to offer them as factories of networks; any thread.
/// Names defined without indentation, in order; those that begin with an underscore are left out. Nothing is run. Empty
/// for a file that cannot be read; of a long file the first MiB is read.
QStringList factoryNames(const QString& path);

/// Relative paths of files count from `folder`. Errors (BadInput) begin with the name of a field that is empty or
/// cannot be read; what the values mean is checked by Python.
Result<NetworkExport> exportOf(const ImportFields& fields, const QDir& folder);

/// The object name of the field that an error is about, by how the sentence begins, be it exportOf()'s or one of
/// exportNetwork(); empty if it is not known.
QString fieldOf(const Error& error);

/// The command line that does the same.
QString commandOf(const NetworkExport& network);

/// All but the file to write, which follows from the others, between starts in the window's ini file.
ImportFields rememberedFields();
void remember(const ImportFields& fields);

}  // namespace lanelab
