// SPDX-License-Identifier: GPL-3.0-only
#include "ui/help/help_pages.h"

#include <QDir>
#include <QFile>
#include <QHash>
#include <QRegularExpression>
#include <QUrl>
#include <algorithm>

// Outside of any namespace, as the macro demands.
static void loadHelpPages() { Q_INIT_RESOURCE(help_pages); }

namespace lanelab {
namespace {

/// What a user reads first; pages that are not here follow by name, those for developers come last.
const QStringList& contentsOrder() {
  static const QStringList order{"docs/guide.md",
                                 "docs/glossary.md",
                                 "docs/glossary.zh_CN.md",
                                 "docs/models.md",
                                 "docs/models-and-training.md",
                                 "docs/schedules.md",
                                 "docs/planning.md",
                                 "docs/distributed.md",
                                 "docs/traces-and-idle-time.md",
                                 "docs/device-maps.md",
                                 "docs/imported-traces.md"};
  return order;
}
const QStringList& lastPages() {
  static const QStringList last{"docs/architecture.md", "CONTRIBUTING.md", "CHANGELOG.md"};
  return last;
}

QString textOf(const QString& path) {
  QFile file(helpResource(path));
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QStringList orderedPaths() {
  loadHelpPages();
  QStringList paths;
  for (const QString& name : QDir(helpResource("docs")).entryList({"*.md"}, QDir::Files, QDir::Name))
    paths << "docs/" + name;
  paths << "CONTRIBUTING.md"
        << "CHANGELOG.md";
  const auto rank = [](const QString& path) {
    const auto first = contentsOrder().indexOf(path), last = lastPages().indexOf(path);
    return first >= 0 ? first : last >= 0 ? 1000 + last : 500;
  };
  std::ranges::stable_sort(paths, {}, rank);
  return paths;
}

/// As GitHub makes it: small letters, no punctuation, hyphens for spaces.
QString anchorOf(const QString& title) {
  static const QRegularExpression others("[^\\w\\- ]", QRegularExpression::UseUnicodePropertiesOption);
  return title.trimmed().toLower().remove(others).replace(' ', '-');
}

/// A line without the marks of emphasis, code and links.
QString plainLine(QString line) {
  static const QRegularExpression link("!?\\[([^\\]]*)\\]\\([^)]*\\)"),
      emphasis("\\*\\*|(?<![\\w*])\\*(?=\\S)|(?<=\\S)\\*(?!\\w)"), edge("^\\s*\\|\\s*|\\s*\\|\\s*$"),
      between("\\s*\\|\\s*"), mark("^\\s*(?:[-*]|\\d+\\.)\\s+");
  line.replace(link, "\\1").remove(mark).remove(emphasis).remove('`');
  return line.remove(edge).replace(between, QStringLiteral(" \u00b7 ")).simplified();
}

/// Collects the lines of the sections of a page.
class SectionReader {
 public:
  void read(const QString& line) {
    static const QRegularExpression heading("^(#{1,6})\\s+(.*?)\\s*$"), starts("^\\s*(?:[-*]\\s|\\d+\\.\\s|\\|)"),
        rule("^\\s*\\|[\\s|:-]+$");
    if (line.trimmed().startsWith("```")) {
      m_fenced = !m_fenced;
      m_continues = false;
      return;
    }
    if (m_fenced) return addCode(line);
    if (const auto found = heading.match(line); found.hasMatch())
      return addHeading(found.captured(2), static_cast<int>(found.captured(1).size()));
    if (line.trimmed().isEmpty() || rule.match(line).hasMatch()) {
      m_continues = false;
      return;
    }
    if (line.startsWith("    ") && !m_continues) return addCode(line);
    addText(line, starts.match(line).hasMatch());
  }

  QList<HelpSection> take() { return std::move(m_sections); }

 private:
  void addHeading(const QString& text, int level) {
    const QString title = plainLine(text);
    const QString anchor = anchorOf(title);
    const int before = m_anchors[anchor]++;
    m_sections.append({title, before == 0 ? anchor : anchor + '-' + QString::number(before), level, {}});
    m_continues = false;
  }
  void addCode(const QString& line) {
    if (!m_sections.isEmpty() && !line.trimmed().isEmpty()) m_sections.last().lines << line.simplified();
  }
  /// Lines of one paragraph are joined.
  void addText(const QString& line, bool starts) {
    if (m_sections.isEmpty()) return;
    QStringList& lines = m_sections.last().lines;
    if (m_continues && !starts)
      lines.last() += ' ' + plainLine(line);
    else
      lines << plainLine(line);
    m_continues = true;
  }

  QList<HelpSection> m_sections;
  QHash<QString, int> m_anchors;
  bool m_fenced = false;
  bool m_continues = false;  ///< the next line may belong to the last paragraph
};

QList<HelpPage> readPages() {
  QList<HelpPage> pages;
  for (const QString& path : orderedPaths()) pages << readHelpPage(path, textOf(path));
  return pages;
}

/// The schemas that pages link to, each as a page that shows its file.
const QList<HelpPage>& schemas() {
  static const QList<HelpPage> pages = [] {
    loadHelpPages();
    QList<HelpPage> read;
    for (const QString& name : QDir(helpResource("resources/schema")).entryList({"*.json"}, QDir::Files)) {
      const QString path = "resources/schema/" + name;
      read << readHelpPage(path, QStringLiteral("# %1\n\n```json\n%2\n```\n").arg(name, textOf(path)));
    }
    return read;
  }();
  return pages;
}

}  // namespace

HelpPlace helpPlace(const QString& address) {
  const auto hash = address.indexOf('#');
  return hash < 0 ? HelpPlace{address} : HelpPlace{address.left(hash), address.mid(hash + 1)};
}

QString helpResource(const QString& path) { return ":/lanelab/help/" + path; }

HelpPage readHelpPage(const QString& path, const QString& markdown) {
  SectionReader reader;
  for (const QString& line : markdown.split('\n')) reader.read(line);
  HelpPage page{path, {}, markdown, reader.take()};
  page.title = page.sections.isEmpty() ? path : page.sections.front().title;
  return page;
}

const QList<HelpPage>& helpPages() {
  static const QList<HelpPage> pages = readPages();
  return pages;
}

const HelpPage* findPage(const QString& path) {
  const auto named = [&path](const HelpPage& page) { return page.path == path; };
  if (const auto found = std::ranges::find_if(helpPages(), named); found != helpPages().end()) return &*found;
  const auto found = std::ranges::find_if(schemas(), named);
  return found == schemas().end() ? nullptr : &*found;
}

const HelpSection* findSection(const HelpPlace& place) {
  const HelpPage* const page = findPage(place.page);
  if (!page || page->sections.isEmpty()) return nullptr;
  if (place.section.isEmpty()) return &page->sections.front();
  const auto found = std::ranges::find(page->sections, place.section, &HelpSection::anchor);
  return found == page->sections.end() ? nullptr : &*found;
}

HelpPlace linkedPlace(const QString& from_page, const QString& address) {
  const HelpPlace named = helpPlace(address);
  if (named.page.isEmpty()) return {from_page, named.section};
  if (!QUrl(named.page).isRelative()) return {};
  const QString folder = from_page.contains('/') ? from_page.section('/', 0, -2) + '/' : QString();
  return {QDir::cleanPath(folder + named.page), named.section};
}

}  // namespace lanelab
