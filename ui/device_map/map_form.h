// SPDX-License-Identifier: GPL-3.0-only
// What a device map is asked for: the network, the strategy or a map from a file, what stays whole, and what each
// device may hold. Thread: the window's.
#pragma once

#include <QTimer>
#include <QWidget>
#include <memory>
#include <optional>

#include "engine/experiment/resolution.h"
#include "ui/device_map/limit_fields.h"
#include "ui/device_map/map_answer.h"
#include "ui/device_map/map_network.h"

class QComboBox;
class QLineEdit;
class QPushButton;

namespace lanelab {

class MapForm : public QWidget {
  Q_OBJECT

 public:
  explicit MapForm(std::vector<NetworkOffer> offers, QWidget* parent = nullptr);

  /// An exported network, a Llama's config.json or a module tree, chosen at once.
  void openNetwork(const QString& path);
  /// A map as JSON, chosen at once in place of a strategy.
  void openMap(const QString& path);
  /// The experiment's network, which is first among the choices.
  void setExperiment(const Resolution& resolution);
  LimitFields& limits() { return *m_limits; }
  void focusFirst();

  bool ofExperiment() const;
  /// None where a file that was chosen is none; question() says why.
  const std::optional<MapNetwork>& network() const { return m_network; }
  /// Tokens to ask the network with; empty where it offers none.
  QString prompt() const;
  /// Errors are sentences with the fix.
  Result<MapQuestion> question() const;
  std::vector<std::string> noSplitClasses() const;
  /// What was asked, for a picture's caption.
  QString caption() const;

 Q_SIGNALS:
  void changed();  ///< while a user types only when that rests for a moment

 private:
  void layOut();
  void connectParts();
  void setNetwork();
  void report();
  /// Null while a strategy is chosen.
  const Result<OwnMap>* ownMap() const;

  std::vector<NetworkOffer> m_offers;
  std::string m_arch;                                 ///< of the experiment
  std::shared_ptr<const ExportedNetwork> m_exported;  ///< the same; null for one that is built in
  int m_classes = 0;
  std::optional<MapNetwork> m_network;
  QString m_wrong;                      ///< with the network that was chosen
  std::optional<Result<OwnMap>> m_own;  ///< the last that was opened
  QComboBox *m_networks, *m_strategy, *m_type;
  QLineEdit* m_kept_whole;
  LimitFields* m_limits;
  QPushButton *m_open, *m_load;
  QTimer m_soon;
};

}  // namespace lanelab
