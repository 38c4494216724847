// SPDX-License-Identifier: GPL-3.0-only
// What the details of spans and of gaps have in common: links to other spans, and the causes of idle time. As rows, as
// text and as JSON. Pure.
#pragma once

#include <QJsonArray>
#include <QJsonObject>
#include <QString>
#include <QStringList>
#include <utility>
#include <vector>

#include "profiler/analysis/cause.h"
#include "ui/timeline/model/dependencies.h"

namespace lanelab {

/// Name and value.
using DetailRows = std::vector<std::pair<QString, QString>>;

/// Another span, and when it ended or began relative to the one that is described.
struct SpanLink {
  SpanRef span;
  QString title;
  QString lane;
  Nanoseconds apart = 0;  ///< from its end to the described start, or from the described end to its start
  bool operator==(const SpanLink&) const = default;
};

/// What the span waited for: the transfer or action before it, what that carries, and what its lane did last.
std::vector<SpanLink> linksBefore(const TimelineData& data, const Dependencies& dependencies, SpanRef ref);
/// What waits for it, the other way round.
std::vector<SpanLink> linksAfter(const TimelineData& data, const Dependencies& dependencies, SpanRef ref);

/// "F3 on cpu:0, ended 1.2 ms before" and "..., began 1.2 ms after".
QString waitedText(const SpanLink& link);
QString waitingText(const SpanLink& link);
/// Causes by size, each with its share: "drain" and "1.2 ms (62 %)".
DetailRows causeRows(const CauseTimes& causes);

/// Adds "name: value" lines.
void addLines(QStringList& lines, const DetailRows& rows);
void addLines(QStringList& lines, const QString& name, const std::vector<SpanLink>& links,
              QString (*text)(const SpanLink&));

double microsecondsOf(Nanoseconds time);  ///< as exported traces have times
QJsonArray jsonOf(const std::vector<SpanLink>& links);
QJsonObject jsonOf(const CauseTimes& causes);

}  // namespace lanelab
