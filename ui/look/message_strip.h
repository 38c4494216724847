// SPDX-License-Identifier: GPL-3.0-only
// A strip above the centre that shows one sentence where the user is looking, instead of a box in the way.
#pragma once

#include <QFrame>
#include <functional>
#include <vector>

class QLabel;
class QPushButton;

namespace lanelab {

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
  /// Says what was done, in place of any sentence, with buttons that undo it or do what follows.
  void offer(const QString& sentence, const std::vector<Offer>& offers);
  void clear();
  QString sentence() const;
  Kind kind() const { return m_kind; }

 protected:
  void changeEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void showIcon();
  void withdrawOffer();

  Kind m_kind = Kind::Information;
  QLabel* m_icon;
  QLabel* m_text;
  struct Choice {
    QPushButton* button;
    std::function<void()> then;
  };
  std::vector<Choice> m_choices;  ///< hidden while nothing is offered
};

}  // namespace lanelab
