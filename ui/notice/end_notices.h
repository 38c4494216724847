// SPDX-License-Identifier: GPL-3.0-only
// Notices when work of more than half a minute has ended and the user is elsewhere: one for each piece of work. Thread:
// the window's.
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <map>

namespace lanelab {

class Work;

class EndNotices : public QObject {
  Q_OBJECT

 public:
  static constexpr qint64 kLong = 30'000;  ///< ms

  struct Seams {
    std::function<qint64()> clock;  ///< ms, since any time
    std::function<bool()> wanted;   ///< the user is elsewhere, and wants to hear of it
    std::function<void(const QString& title, const QString& text)> send;
  };
  explicit EndNotices(Seams seams, QObject* parent = nullptr);

  /// Work of this name began; what began before it under the same name counts no more.
  void begin(const QString& name);
  /// It ended, which is said if it took long. Without begin() nothing is.
  void end(const QString& name, const QString& title, const QString& text = {});
  /// All of what `work` does, which `title` says the end of; what it does now counts from here.
  void follow(Work* work, const QString& title);

 private:
  Seams m_seams;
  std::map<QString, qint64> m_begun;
};

}  // namespace lanelab
