// SPDX-License-Identifier: GPL-3.0-only
// Shows a page, scrolled to a section, with words highlighted. A link within the program asks for its place; all others
// open in the browser of the desktop, when they are clicked and not before. Thread: GUI.
#pragma once

#include <QTextBrowser>

#include "ui/help/help_pages.h"

namespace lanelab {

class PageDocument;

class PageView : public QTextBrowser {
  Q_OBJECT

 public:
  explicit PageView(QWidget* parent = nullptr);

  /// The place must exist. `words`: highlighted on the whole page.
  void showPlace(const HelpPlace& place, const QString& words = {});
  const HelpPlace& place() const { return m_place; }
  void highlight(const QString& words);

 Q_SIGNALS:
  void placeRequested(const lanelab::HelpPlace& place);

 protected:
  void changeEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void follow(const QUrl& url);
  void fitText();
  void render();
  void renderAgain();
  void scrollTo(int position);
  QRectF codeArea(int first, int last) const;

  HelpPlace m_place;
  QString m_words;
  PageDocument* m_page = nullptr;
  int m_width = 0;  ///< of the figures of m_page
};

}  // namespace lanelab
