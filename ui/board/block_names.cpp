// SPDX-License-Identifier: GPL-3.0-only
#include "ui/board/block_names.h"

#include <QHash>
#include <QRegularExpression>
#include <QStringList>

#include "ui/look/plain_text.h"

namespace lanelab {
namespace {

/// The last parts of a path, at least so many that it does not begin with the number of a list's element.
struct PathEnd {
  QStringList parts;
  qsizetype used = 1;

  explicit PathEnd(const QString& path) : parts(path.split(QLatin1Char('.'))) {
    while (!isWhole() && text().at(0).isDigit()) ++used;
  }
  bool isWhole() const { return used >= parts.size(); }
  QString text() const {
    const QString end = parts.mid(parts.size() - used).join(QLatin1Char('.'));
    return end.isEmpty() ? QStringLiteral("-") : end;
  }
};

QHash<QString, int> countsOf(const std::vector<QString>& texts) {
  QHash<QString, int> counts;
  for (const QString& text : texts) ++counts[text];
  return counts;
}

std::vector<QString> textsOf(const std::vector<PathEnd>& ends) {
  std::vector<QString> texts;
  for (const PathEnd& end : ends) texts.push_back(end.text());
  return texts;
}

/// Longer ends where several blocks have the same one.
std::vector<QString> distinctEnds(std::vector<PathEnd> ends) {
  for (bool again = true; again;) {
    const std::vector<QString> texts = textsOf(ends);
    const QHash<QString, int> counts = countsOf(texts);
    again = false;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      if (ends[i].isWhole() || counts.value(texts[i]) < 2) continue;
      ++ends[i].used;
      again = true;
    }
  }
  return textsOf(ends);
}

/// Without what the numbers of a list make plain: "layer3.0" is "3.0", "encoder_layer_3" is "layer_3".
QString withoutPrefix(const QString& text) {
  static const QRegularExpression numbered_layer(QStringLiteral("^layer(\\d.*)$"));
  static const QRegularExpression numbered_part(QStringLiteral("^.*_([A-Za-z]+_\\d+)$"));
  for (const QRegularExpression* const form : {&numbered_layer, &numbered_part})
    if (const auto match = form->match(text); match.hasMatch()) return match.captured(1);
  return text;
}

}  // namespace

std::vector<QString> shortBlockNames(const ModelSpec& model) {
  std::vector<PathEnd> ends;
  for (const BlockSpec& block : model.blocks) ends.emplace_back(look::shownName(block.name));
  const std::vector<QString> distinct = distinctEnds(std::move(ends));
  std::vector<QString> names;
  for (const QString& end : distinct) names.push_back(withoutPrefix(end));
  const QHash<QString, int> counts = countsOf(names);
  for (std::size_t i = 0; i < names.size(); ++i)
    if (counts.value(names[i]) > 1) names[i] = distinct[i];
  return names;
}

std::vector<BlockId> blocksNamed(const ModelSpec& model, const QString& text) {
  std::vector<BlockId> found;
  if (text.trimmed().isEmpty()) return found;
  for (std::size_t i = 0; i < model.blocks.size(); ++i)
    if (look::hasWords(QString::fromStdString(model.blocks[i].name), text)) found.emplace_back(i);
  return found;
}

}  // namespace lanelab
