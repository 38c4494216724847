// Which device holds which module of a network, as Hugging Face accelerate maps it: choose network, strategy and memory, and see the map at once.
// Where the network is the experiment's own, the map can be placed on its lanes. Thread: the window's.
#pragma once

#include <QDialog>
#include <QTimer>
#include <optional>

#include "engine/run/executor.h"
#include "engine/run/llama_question.h"
#include "ui/device_map/map_network.h"
#include "ui/device_map/map_picture.h"
#include "ui/experiment/experiment_document.h"

class QComboBox;
class QLineEdit;
class QPushButton;

namespace lanelab {

class LimitFields;
class MapResult;

class DeviceMapDialog : public QDialog {
  Q_OBJECT

 public:
  /// `infer` may be empty: then no network is asked anything.
  DeviceMapDialog(ExperimentDocument& document, std::vector<DeviceInfo> devices, std::vector<NetworkOffer> offers, LlamaInference infer,
                  QWidget* parent = nullptr);
  ~DeviceMapDialog() override;

  /// A Llama's config.json or a module tree, chosen at once; what is wrong with it stands in the dialog.
  void openNetwork(const QString& path);
  /// Empty while there is none.
  const std::optional<MapAnswer>& answer() const { return m_answer; }
  Picture picture() const;
  std::string csv() const;

 Q_SIGNALS:
  void placeRequested(const lanelab::Placement& placement);
  void exportRequested();

 private:
  QWidget* makeForm();
  void addChoices();
  void chooseFile();
  void takeNetwork();
  void showDocument();
  void ask();
  Result<MapQuestion> question() const;
  void showAnswer(const Result<MapAnswer>& answer);
  void showPlacing();
  QString headline() const;
  QString notes() const;
  QString caption() const;
  bool ofExperiment() const;
  void copy();
  void infer();

  ExperimentDocument& m_document;
  std::vector<DeviceInfo> m_devices;
  std::vector<NetworkOffer> m_offers;
  LlamaInference m_infer;
  std::vector<LaneConfig> m_lanes;  ///< whose memory the fields were filled with
  std::optional<MapNetwork> m_network;
  QString m_wrong;  ///< with the network that was chosen
  std::optional<MapAnswer> m_answer;
  std::optional<Placement> m_placement;
  QComboBox *m_networks, *m_strategy, *m_type;
  QLineEdit* m_kept_whole;
  LimitFields* m_limits;
  MapResult* m_result;
  QPushButton *m_open, *m_ask, *m_place, *m_copy, *m_export;
  QTimer m_soon;  ///< typing asks once it rests for a moment
};

}  // namespace lanelab
