// SPDX-License-Identifier: GPL-3.0-only
// A strip above the centre that shows one sentence where the user is looking, instead of a box in the way. It is one
// line high, so that nothing below moves by more; what does not fit opens by a button, and of errors by itself.
#pragma once

#include <QFrame>
#include <functional>
#include <vector>

class QLabel;
class QPushButton;
class QToolButton;

namespace lanelab {

class ElidedLabel;

class MessageStrip : public QFrame {
  Q_OBJECT

 public:
  enum class Kind { Information, Warning, Error };

  explicit MessageStrip(QWidget* parent = nullptr);
  /// A graver sentence is not replaced by a lighter one; screen readers hear it.
  void say(Kind kind, const QString& sentence);
  void inform(const QString& sentence) { say(Kind::Information, sentence); }
  void warn(const QString& sentence) { say(Kind::Warning, sentence); }
  void reportError(const QString& sentence) { say(Kind::Error, sentence); }
  /// What can follow.
  struct Offer {
    QString text;
    std::function<void()> then;
  };
  /// Says what was done, in place of any sentence, with at most three buttons that undo it or do what follows.
  void offer(const QString& sentence, const std::vector<Offer>& offers);
  void clear();
  QString sentence() const;
  Kind kind() const { return m_kind; }
  /// Whether all of the sentence is shown, in as many lines as it takes.
  bool isOpen() const { return m_open; }

 Q_SIGNALS:
  /// There is a sentence now, or none any more.
  void shownChanged(bool shown);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void showIcon();
  void withdrawOffer();
  void setOpen(bool open);
  void showMore();  ///< whether the button that opens it is of use

  Kind m_kind = Kind::Information;
  bool m_open = false;
  QLabel* m_icon;
  ElidedLabel* m_line;  ///< while it is not open
  QLabel* m_text;       ///< while it is
  QToolButton* m_more;
  struct Choice {
    QPushButton* button;
    std::function<void()> then;
  };
  std::vector<Choice> m_choices;  ///< hidden while nothing is offered
};

}  // namespace lanelab
