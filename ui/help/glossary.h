// SPDX-License-Identifier: GPL-3.0-only
// The terms of LaneLab: one table, from which tool tips follow: that of docs/glossary.md, or of glossary.LANGUAGE.md
// beside it. Read once; GUI thread.
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

#include "ui/help/help_pages.h"

namespace lanelab {

struct Term {
  QStringList words;  ///< "activation checkpointing", "recompute": all mean the same
  QString meaning;    ///< a sentence
  HelpPlace more;     ///< the section that speaks of it
};

const QList<Term>& glossary();

/// The term that a label or the header of a column names, whatever its unit, number and case: "Periods (ms)" is the
/// period, "Micro-batch size" the micro-batch. Of several the longest. Null if there is none.
const Term* termOf(const QString& label);

/// A tool tip for the label: "Period: ..."; empty if it names no term.
QString termTip(const QString& label);
/// One line for each term in a text, such as "drain 62 %, imbalance 38 %", in its order.
QString termsTip(const QString& text);

}  // namespace lanelab
