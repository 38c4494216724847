// SPDX-License-Identifier: GPL-3.0-only
#include "ui/device_map/map_form.h"

#include <QComboBox>
#include <QDir>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <cstdint>

#include "base/text.h"
#include "base/whole_file.h"
#include "engine/placement/map_lookup.h"
#include "ui/look/parts.h"
#include "ui/look/placeholder.h"
#include "ui/look/plain_text.h"
#include "ui/look/theme.h"

namespace lanelab {
namespace {

constexpr int kSoon = 40;  // milliseconds
constexpr int kFormWidth = 86 * look::kGrid;
constexpr std::uint64_t kMostMapBytes = 16 << 20;  // of a map with a hundred thousand entries

QComboBox* choice(QWidget* parent, const char* name, const QStringList& texts, const QString& tip) {
  auto* box = new QComboBox(parent);
  box->setObjectName(QLatin1String(name));
  box->setToolTip(tip);
  box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  for (const QString& text : texts) box->addItem(text, text);
  return box;
}

QString fileTitle(const QString& path) {
  const QFileInfo file(path);
  return look::shownName(MapForm::tr("%1 in %2").arg(file.fileName(), file.dir().dirName()));
}

Result<OwnMap> readMap(const QString& path) {
  const std::string name = path.toStdString();
  const Result<std::string> text = readWholeFile(name, kMostMapBytes);
  if (!text.ok()) return text.error();
  Result<DeviceMap> map = parseDeviceMap(*text, name);
  if (!map.ok()) return map.error();
  return OwnMap{QFileInfo(path).fileName().toStdString(), std::move(*map)};
}

}  // namespace

MapForm::MapForm(std::vector<NetworkOffer> offers, QWidget* parent)
    : QWidget(parent),
      m_offers(std::move(offers)),
      m_networks(choice(this, "mapNetwork", {}, tr("The network to map; its weights are not loaded"))),
      m_strategy(choice(this, "mapStrategy", {"auto", "balanced", "balanced_low_0", "sequential"},
                        tr("auto and balanced fill all GPUs equally, balanced_low_0 leaves space on the first GPU, "
                           "sequential fills one GPU after another"))),
      m_type(choice(this, "mapType", {}, tr("Count floating-point weights of a wider dtype in this one"))),
      m_kept_whole(new QLineEdit(this)),
      m_limits(new LimitFields(this)),
      m_open(look::button(
          "mapOpen", tr("&Open..."),
          tr("Open an exported network (.pt2), a Llama's config.json, or a module tree as device-map --tree "
             "reads it"),
          this)),
      m_load(look::button("mapLoad", tr("&Load..."),
                          tr("Load your own map instead of a strategy: JSON as accelerate and infer --device-map read "
                             "it"),
                          this)) {
  m_kept_whole->setObjectName(QStringLiteral("mapKeptWhole"));
  look::showDefault(*m_kept_whole, tr("none"));
  m_kept_whole->setToolTip(
      tr("Classes of modules that are not split across devices, separated by commas (accelerate's "
         "no_split_module_classes)"));
  m_networks->addItem({});  // the experiment's, named by setExperiment
  for (const NetworkOffer& one : m_offers) m_networks->addItem(one.title, one.path);
  m_networks->addItem(tr("Toy of PyTorch's tutorial"), QStringLiteral("toy"));
  m_type->addItem(tr("as in the network"), QString());
  for (const char* type : {"float32", "float16", "bfloat16", "int8"})
    m_type->addItem(QLatin1String(type), QLatin1String(type));
  layOut();
  connectParts();
}

void MapForm::layOut() {
  setFixedWidth(kFormWidth);
  auto* form = new QFormLayout;
  form->setVerticalSpacing(2 * look::kGrid);
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  look::addFormRow(form, tr("&Network"), look::beside(m_networks, m_open), m_networks);
  look::addFormRow(form, tr("&Strategy"), look::beside(m_strategy, m_load), m_strategy);
  form->addRow(tr("No-spli&t classes"), m_kept_whole);
  form->addRow(tr("&dtype"), m_type);
  auto* column = look::makeLayout<QVBoxLayout>(this, 3 * look::kGrid);
  column->addLayout(form);
  auto* title = new look::PlainLabel(tr("Memory limits"), this);
  title->setToolTip(tr("accelerate's max_memory. An empty field excludes the device."));
  column->addWidget(title);
  auto* area = look::scrollArea(m_limits, this);
  area->setFocusPolicy(Qt::NoFocus);
  column->addWidget(area, 1);
  QWidget* before = m_networks;
  for (QWidget* next : std::initializer_list<QWidget*>{m_open, m_strategy, m_load, m_kept_whole, m_type})
    setTabOrder(std::exchange(before, next), next);  // one for all is Qt 6.6's
  m_limits->follow(m_type);
}

void MapForm::connectParts() {
  m_soon.setSingleShot(true);
  m_soon.setInterval(kSoon);
  connect(&m_soon, &QTimer::timeout, this, &MapForm::report);
  connect(m_type, &QComboBox::currentIndexChanged, this, &MapForm::report);
  connect(m_kept_whole, &QLineEdit::textEdited, &m_soon, qOverload<>(&QTimer::start));
  connect(m_limits, &LimitFields::changed, &m_soon, qOverload<>(&QTimer::start));
  connect(m_networks, &QComboBox::currentIndexChanged, this, &MapForm::setNetwork);
  connect(m_strategy, &QComboBox::currentIndexChanged, this, [this] {
    m_kept_whole->setEnabled(!ownMap());
    report();
  });
  connect(m_open, &QPushButton::clicked, this, [this] {
    look::askForFile(this, "mapFileDialog", tr("Open Network"),
                     tr("Exported network, Llama's config.json or module tree (*.pt2 *.json)"),
                     [this](const QString& path) { openNetwork(path); });
  });
  connect(m_load, &QPushButton::clicked, this, [this] {
    look::askForFile(this, "mapLoadDialog", tr("Load Device Map"), tr("Device map (*.json)"),
                     [this](const QString& path) { openMap(path); });
  });
}

void MapForm::focusFirst() { m_networks->setFocus(); }

void MapForm::report() {
  m_soon.stop();
  Q_EMIT changed();
}

bool MapForm::ofExperiment() const { return m_networks->currentIndex() == 0; }

void MapForm::setExperiment(const Resolution& resolution) {
  const ModelSpec& model = resolution.model();
  const auto& network = resolution.network();
  m_exported = network && network->described.model.imported ? network : nullptr;
  m_arch = model.arch;
  m_classes = model.classes;
  {
    const QSignalBlocker quiet(m_networks);
    m_networks->setItemText(0, tr("%1 (experiment)").arg(look::shownName(model.arch)));
  }
  if (ofExperiment() || !m_network) return setNetwork();
  report();
}

void MapForm::openNetwork(const QString& path) {
  int index = m_networks->findData(path);
  if (index < 0) {
    index = m_networks->count();
    const QSignalBlocker quiet(m_networks);
    m_networks->addItem(fileTitle(path), path);
  }
  if (index == m_networks->currentIndex()) return setNetwork();
  m_networks->setCurrentIndex(index);
}

void MapForm::setNetwork() {
  const std::vector<std::string> before = m_network ? m_network->kept_whole : std::vector<std::string>{};
  const QString path = m_networks->currentData().toString(), title = m_networks->currentText();
  const QString arch = QString::fromStdString(m_arch);
  Result<MapNetwork> network = ofExperiment() && m_exported    ? mapNetworkOf(*m_exported, arch)
                               : ofExperiment()                ? mapNetworkOf(m_arch, m_classes, arch)
                               : path == QStringLiteral("toy") ? mapNetworkOf("toy", 5, title)
                                                               : readMapNetwork(path, title);
  m_wrong = network.ok() ? QString() : look::shownText(network.error());
  m_network.reset();
  if (network.ok()) m_network = std::move(*network);
  const std::vector<std::string> names = m_network ? m_network->kept_whole : std::vector<std::string>{};
  if (names != before || m_kept_whole->text().isEmpty())
    m_kept_whole->setText(QString::fromStdString(joined(names, ", ")));
  report();
}

/// A file that is not a map is chosen all the same, so that its error is shown until another strategy is chosen.
void MapForm::openMap(const QString& path) {
  m_own = readMap(path);
  const QSignalBlocker quiet(m_strategy);
  int index = m_strategy->findData(QString());
  if (index < 0) {
    index = m_strategy->count();
    m_strategy->addItem({}, QString());
  }
  m_strategy->setItemText(index, fileTitle(path));
  m_strategy->setCurrentIndex(index);
  m_kept_whole->setEnabled(false);
  report();
}

const Result<OwnMap>* MapForm::ownMap() const {
  return m_strategy->currentData().toString().isEmpty() && m_own ? &*m_own : nullptr;
}

QString MapForm::prompt() const {
  const QString path = m_networks->currentData().toString();
  const auto offer = std::ranges::find(m_offers, path, &NetworkOffer::path);
  return offer == m_offers.end() ? QString() : offer->prompt;
}

std::vector<std::string> MapForm::noSplitClasses() const {
  std::vector<std::string> names;
  for (const QString& name : m_kept_whole->text().split(QLatin1Char(','), Qt::SkipEmptyParts))
    if (!name.trimmed().isEmpty()) names.push_back(name.trimmed().toStdString());
  return names;
}

Result<MapQuestion> MapForm::question() const {
  if (!m_network) return look::badInput(m_wrong);
  MapQuestion question;
  if (const Result<OwnMap>* const own = ownMap()) {
    if (!own->ok()) return own->error();
    question.own = **own;
  } else {
    const Result<MapPolicy> policy = parseMapPolicy(m_strategy->currentData().toString().toStdString());
    if (!policy.ok()) return policy.error();
    question.policy = *policy;
    question.kept_whole = noSplitClasses();
  }
  const Result<MemoryLimits> limits = m_limits->limits();
  if (!limits.ok()) return limits.error();
  question.limits = *limits;
  if (const std::string type = m_type->currentData().toString().toStdString(); !type.empty()) {
    const Result<ElementType> known = parseElementType(type);
    if (!known.ok()) return known.error();
    question.type = *known;
  }
  return question;
}

QString MapForm::caption() const {
  const QString kept = m_kept_whole->text().trimmed(), type = m_type->currentData().toString();
  QString text =
      ownMap() ? tr("Map %1").arg(m_strategy->currentText()) : tr("Strategy %1").arg(m_strategy->currentText());
  if (!kept.isEmpty() && !ownMap()) text += tr(", no-split classes: %1").arg(kept);
  if (!type.isEmpty()) text += tr(", counted in %1").arg(type);
  return text + (ownMap() ? tr(". Predicted from shapes and dtypes.")
                          : tr(". Predicted from shapes and dtypes; the same map as accelerate's."));
}

}  // namespace lanelab
