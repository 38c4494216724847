// SPDX-License-Identifier: GPL-3.0-only
#include "app/window/tasks.h"

#include <QCoreApplication>
#include <QFile>

namespace lanelab {

std::vector<MainWindow::Example> bundledExamples() {
  std::vector<MainWindow::Example> examples;
  const std::pair<QString, QString> files[] = {
      {QCoreApplication::translate("Examples", "Demo"), ":/experiments/demo.json"},
      {QCoreApplication::translate("Examples", "Digits"), ":/experiments/digits.json"},
      {QCoreApplication::translate("Examples", "Tutorial"), ":/experiments/tutorial.json"},
      {QCoreApplication::translate("Examples", "Schedules"), ":/experiments/schedules.json"},
      {QCoreApplication::translate("Examples", "Memory"), ":/experiments/memory.json"},
      {QCoreApplication::translate("Examples", "Strategies"), ":/experiments/replicas.json"},
      {QCoreApplication::translate("Examples", "ViT: equal blocks"), ":/experiments/vit.json"},
      {QCoreApplication::translate("Examples", "ConvNeXt: front-heavy activations"), ":/experiments/convnext.json"},
      {QCoreApplication::translate("Examples", "U-Net: skips over the cut"), ":/experiments/unet.json"},
      {QCoreApplication::translate("Examples", "Swin: unequal stages"), ":/experiments/swin.json"},
      {QCoreApplication::translate("Examples", "MLP-Mixer: split backward"), ":/experiments/mixer.json"},
      {QCoreApplication::translate("Examples", "GPT-2: tied weights"), ":/experiments/gpt2.json"},
      {QCoreApplication::translate("Examples", "Llama: too small for two lanes"), ":/experiments/llama.json"}};
  for (const auto& [title, path] : files) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) continue;
    auto experiment = parseExperiment(file.readAll().toStdString(), path.toStdString());
    if (experiment.ok()) examples.push_back({title, std::move(experiment).value()});
  }
  return examples;
}

std::vector<NetworkOffer> bundledNetworks() {
  return {{QCoreApplication::translate("Examples", "Llama 2 7B"), ":/models/llama-2-7b/config.json", {}},
          {QCoreApplication::translate("Examples", "Tiny Llama"), ":/models/tiny-llama/config.json", "3 4 5 6"},
          {QCoreApplication::translate("Examples", "Tied weights"), ":/models/tied-tree.json", {}}};
}

}  // namespace lanelab
