// SPDX-License-Identifier: GPL-3.0-only
#include "ui/attach/attach_fields.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <cmath>
#include <utility>

#include "profiler/attach/job_page.h"
#include "ui/look/plain_text.h"

namespace lanelab {
namespace {

constexpr double kGib = 1 << 30;

struct AttachTexts {
  Q_DECLARE_TR_FUNCTIONS(AttachFields)
};

/// Adds "8=node2:41002" to the request; a sentence if it is not an address of a rank.
QString addRank(AttachRequest& request, const QString& word) {
  const qsizetype equals = word.indexOf(QLatin1Char('='));
  bool is_number = false;
  const int rank = word.left(equals).toInt(&is_number);
  if (equals < 1 || !is_number || rank < 0)
    return AttachTexts::tr("\"%1\" is not RANK=HOST:PORT. Enter addresses such as 8=node2:41002, with spaces between.")
        .arg(look::shownName(word));
  const Result<ServerAddress> address = readServerAddress(word.mid(equals + 1).toStdString());
  if (!address.ok()) return look::shownText(address.error());
  if (!request.rank_addresses.try_emplace(rank, *address).second)
    return AttachTexts::tr("Rank %1 has two addresses. Enter one.").arg(rank);
  return {};
}

}  // namespace

std::variant<AttachRequest, AttachProblem> requestOf(const AttachFields& fields) {
  AttachRequest request;
  if (fields.page.trimmed().isEmpty())
    return AttachProblem{
        "attachPage",
        AttachTexts::tr("The page of the job is not set. Enter the HOST:PORT of its debug server, such as "
                        "node1:25999.")};
  const Result<ServerAddress> page = readServerAddress(fields.page.trimmed().toStdString(), kDebugServerPort);
  if (!page.ok()) return AttachProblem{"attachPage", look::shownText(page.error())};
  request.page = *page;
  static const QRegularExpression between(QStringLiteral("[\\s,]+"));
  for (const QString& word : fields.rank_addresses.split(between, Qt::SkipEmptyParts))
    if (const QString wrong = addRank(request, word); !wrong.isEmpty())
      return AttachProblem{"attachRankAddresses", wrong};
  request.seconds = fields.seconds;
  request.grace_s = fields.grace_s;
  request.most_bytes = static_cast<std::int64_t>(std::llround(fields.most_gib * kGib));
  return request;
}

QString freeTraceFolder(const QString& folder) {
  const QDir inside(folder);
  QString free = inside.absoluteFilePath(QStringLiteral("job"));
  for (int number = 2; QFileInfo::exists(free); ++number)
    free = inside.absoluteFilePath(QStringLiteral("job-%1").arg(number));
  return free;
}

}  // namespace lanelab
