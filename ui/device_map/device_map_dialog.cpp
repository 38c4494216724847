#include "ui/device_map/device_map_dialog.h"

#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/base/text.h"
#include "engine/plan/device_map_json.h"
#include "engine/plan/map_placement.h"
#include "ui/device_map/infer_dialog.h"
#include "ui/device_map/lane_limits.h"
#include "ui/device_map/limit_fields.h"
#include "ui/device_map/map_result.h"

namespace lanelab {
namespace {

constexpr int kSoon = 40;  // milliseconds
constexpr QSize kFirstSize(1000, 600);
constexpr int kFormWidth = 86 * look::kGrid;

QString bytesText(std::int64_t bytes) { return QString::fromStdString(formatBytes(bytes)); }

std::int64_t heldOn(const MapTable& table, MapDevice::Kind kind) {
  std::int64_t held = 0;
  for (const MapShare& share : table.devices)
    if (share.device.kind == kind) held += share.held;
  return held;
}

QComboBox* choice(QWidget* parent, const char* name, const QStringList& texts, const QString& tip) {
  auto* box = new QComboBox(parent);
  box->setObjectName(QLatin1String(name));
  box->setToolTip(tip);
  for (const QString& text : texts) box->addItem(text, text);
  return box;
}

std::vector<std::string> namesIn(const QString& text) {
  std::vector<std::string> names;
  for (const QString& name : text.split(QLatin1Char(','), Qt::SkipEmptyParts))
    if (!name.trimmed().isEmpty()) names.push_back(name.trimmed().toStdString());
  return names;
}

}  // namespace

DeviceMapDialog::DeviceMapDialog(ExperimentDocument& document, std::vector<DeviceInfo> devices, std::vector<NetworkOffer> offers, LlamaInference infer,
                                 QWidget* parent)
    : QDialog(parent),
      m_document(document),
      m_devices(std::move(devices)),
      m_offers(std::move(offers)),
      m_infer(std::move(infer)),
      m_networks(choice(this, "mapNetwork", {}, tr("The network to map; nothing of it is loaded"))),
      m_strategy(choice(this, "mapStrategy", {"auto", "balanced", "balanced_low_0", "sequential"},
                        tr("auto and balanced fill all GPUs alike, balanced_low_0 leaves room on the first, sequential fills one after another"))),
      m_type(choice(this, "mapType", {}, tr("Count wider floating-point weights in this type"))),
      m_kept_whole(new QLineEdit(this)),
      m_limits(new LimitFields(this)),
      m_result(new MapResult(this)),
      m_open(new QPushButton(tr("&Open..."), this)),
      m_ask(new QPushButton(tr("&Infer..."), this)),
      m_place(new QPushButton(tr("&Place on Lanes"), this)),
      m_copy(new QPushButton(tr("Cop&y as JSON"), this)),
      m_export(new QPushButton(tr("&Export..."), this)) {
  setObjectName(QStringLiteral("deviceMapDialog"));
  setWindowTitle(tr("Device Map"));
  resize(kFirstSize);
  m_ask->setObjectName(QStringLiteral("mapInfer"));
  m_ask->setToolTip(tr("Ask the network for tokens, with its modules where the map puts them"));
  m_place->setObjectName(QStringLiteral("mapPlace"));
  m_place->setToolTip(tr("Put the blocks on the lanes that the GPUs stand for; can be undone"));
  m_copy->setObjectName(QStringLiteral("mapCopy"));
  m_copy->setToolTip(tr("Copy the map as from_pretrained, dispatch_model and infer --device-map take it"));
  m_export->setObjectName(QStringLiteral("mapExport"));
  m_export->setToolTip(tr("Save the bars as PNG, SVG or PDF, the table as CSV"));
  auto* shut = new QPushButton(tr("&Close"), this);
  shut->setObjectName(QStringLiteral("mapClose"));
  auto* buttons = new QHBoxLayout;  // a QDialogButtonBox sends Tab to its first button, hidden as it may be
  buttons->addStretch();
  for (QPushButton* button : {m_ask, m_place, m_copy, m_export, shut}) buttons->addWidget(button);
  for (QPushButton* button : findChildren<QPushButton*>()) button->setAutoDefault(false);  // Enter in a field answers, and closes nothing
  auto* row = new QHBoxLayout;
  row->setSpacing(5 * look::kGrid);
  row->addWidget(makeForm());
  row->addWidget(m_result, 1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(4 * look::kGrid, 4 * look::kGrid, 4 * look::kGrid, 4 * look::kGrid);
  column->setSpacing(3 * look::kGrid);
  column->addLayout(row, 1);
  column->addLayout(buttons);

  m_soon.setSingleShot(true);
  m_soon.setInterval(kSoon);
  connect(&m_soon, &QTimer::timeout, this, &DeviceMapDialog::ask);
  connect(m_strategy, &QComboBox::currentIndexChanged, this, &DeviceMapDialog::ask);
  connect(m_type, &QComboBox::currentIndexChanged, this, &DeviceMapDialog::ask);
  connect(m_kept_whole, &QLineEdit::textEdited, &m_soon, qOverload<>(&QTimer::start));
  connect(m_limits, &LimitFields::changed, &m_soon, qOverload<>(&QTimer::start));
  connect(m_networks, &QComboBox::currentIndexChanged, this, &DeviceMapDialog::takeNetwork);
  connect(m_open, &QPushButton::clicked, this, &DeviceMapDialog::chooseFile);
  connect(m_ask, &QPushButton::clicked, this, &DeviceMapDialog::infer);
  connect(m_copy, &QPushButton::clicked, this, &DeviceMapDialog::copy);
  connect(m_export, &QPushButton::clicked, this, &DeviceMapDialog::exportRequested);
  connect(m_place, &QPushButton::clicked, this, [this] {
    if (m_placement) Q_EMIT placeRequested(*m_placement);
  });
  connect(shut, &QPushButton::clicked, this, &QDialog::reject);
  connect(&m_document, &ExperimentDocument::changed, this, &DeviceMapDialog::showDocument);
  connect(&m_document, &ExperimentDocument::activeVariantChanged, this, &DeviceMapDialog::showPlacing);
  addChoices();
  showDocument();
  setTabOrder(m_networks, m_open);  // one for all is Qt 6.6's
  setTabOrder(m_open, m_strategy);
  setTabOrder(m_strategy, m_kept_whole);
  setTabOrder(m_kept_whole, m_type);
  m_limits->follow(m_type);
  m_networks->setFocus();
}

DeviceMapDialog::~DeviceMapDialog() = default;

QWidget* DeviceMapDialog::makeForm() {
  m_open->setObjectName(QStringLiteral("mapOpen"));
  m_open->setToolTip(tr("A Llama's config.json, or a module tree as device-map --tree takes it"));
  m_type->addItem(tr("as in the network"), QString());
  for (const char* type : {"float32", "float16", "bfloat16", "int8"}) m_type->addItem(QLatin1String(type), QLatin1String(type));
  m_kept_whole->setObjectName(QStringLiteral("mapKeptWhole"));
  m_kept_whole->setPlaceholderText(tr("none"));
  m_kept_whole->setToolTip(tr("Classes of modules that no two devices share, with commas between them (accelerate's no_split_module_classes)"));
  auto* panel = new QWidget(this);
  panel->setFixedWidth(kFormWidth);
  auto* network = new QHBoxLayout;
  network->setSpacing(look::kGrid);
  m_networks->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  network->addWidget(m_networks, 1);
  network->addWidget(m_open);
  auto* form = new QFormLayout;
  form->setVerticalSpacing(2 * look::kGrid);
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  form->addRow(tr("&Network"), network);
  static_cast<QLabel*>(form->labelForField(network))->setBuddy(m_networks);
  form->addRow(tr("&Strategy"), m_strategy);
  form->addRow(tr("&Keep whole"), m_kept_whole);
  form->addRow(tr("&Type"), m_type);
  auto* column = new QVBoxLayout(panel);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(3 * look::kGrid);
  column->addLayout(form);
  auto* title = new QLabel(tr("Memory to fill, at most"), panel);
  title->setToolTip(tr("accelerate's max_memory. An empty field takes the device away."));
  column->addWidget(title);
  auto* area = new QScrollArea(panel);
  area->setWidgetResizable(true);
  area->setFrameShape(QFrame::NoFrame);
  area->setFocusPolicy(Qt::NoFocus);
  area->setWidget(m_limits);
  column->addWidget(area, 1);
  return panel;
}

void DeviceMapDialog::addChoices() {
  const QSignalBlocker quiet(m_networks);
  m_networks->addItem({});  // the experiment's, named by showDocument
  for (const NetworkOffer& one : m_offers) m_networks->addItem(one.title, one.path);
  m_networks->addItem(tr("Toy of PyTorch's tutorial"), QStringLiteral("toy"));
}

bool DeviceMapDialog::ofExperiment() const { return m_networks->currentIndex() == 0; }

void DeviceMapDialog::openNetwork(const QString& path) {
  int index = m_networks->findData(path);
  if (index < 0) {
    const QFileInfo file(path);
    index = m_networks->count();
    const QSignalBlocker quiet(m_networks);
    m_networks->addItem(tr("%1 in %2").arg(file.fileName(), file.dir().dirName()), path);
  }
  if (index == m_networks->currentIndex()) return takeNetwork();
  m_networks->setCurrentIndex(index);
}

void DeviceMapDialog::chooseFile() {
  auto* dialog = new QFileDialog(this, tr("Open Network"), {}, tr("Llama's config.json or module tree (*.json)"));
  dialog->setObjectName(QStringLiteral("mapFileDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  connect(dialog, &QFileDialog::fileSelected, this, &DeviceMapDialog::openNetwork);
  dialog->open();
}

void DeviceMapDialog::takeNetwork() {
  const std::vector<std::string> before = m_network ? m_network->kept_whole : std::vector<std::string>{};
  const QString path = m_networks->currentData().toString(), title = m_networks->currentText();
  const ModelSpec& model = m_document.model();
  Result<MapNetwork> network = ofExperiment()                     ? mapNetworkOf(model.arch, model.classes, QString::fromStdString(model.arch))
                               : path == QStringLiteral("toy") ? mapNetworkOf("toy", 5, title)
                                                                  : readMapNetwork(path, title);
  m_wrong = network.ok() ? QString() : QString::fromStdString(network.error().message);
  m_network.reset();
  if (network.ok()) m_network = std::move(*network);
  const std::vector<std::string> names = m_network ? m_network->kept_whole : std::vector<std::string>{};
  if (names != before || m_kept_whole->text().isEmpty()) m_kept_whole->setText(QString::fromStdString(joined(names, ", ")));
  ask();
}

void DeviceMapDialog::showDocument() {
  const std::vector<LaneConfig>& lanes = m_document.experiment().lanes;
  if (lanes != m_lanes) {
    m_lanes = lanes;
    m_limits->setGpus(gpusOfLanes(lanes, m_devices));
    m_limits->setCpu(cpuBesideLanes(lanes, m_devices));
  }
  {
    const QSignalBlocker quiet(m_networks);
    m_networks->setItemText(0, tr("%1 (experiment)").arg(QString::fromStdString(m_document.model().arch)));
  }
  if (ofExperiment() || !m_network) return takeNetwork();
  ask();
}

Result<MapQuestion> DeviceMapDialog::question() const {
  MapQuestion question;
  const Result<MapPolicy> policy = parseMapPolicy(m_strategy->currentData().toString().toStdString());
  if (!policy.ok()) return policy.error();
  question.policy = *policy;
  const Result<MemoryLimits> limits = m_limits->limits();
  if (!limits.ok()) return limits.error();
  question.limits = *limits;
  question.kept_whole = namesIn(m_kept_whole->text());
  if (const std::string type = m_type->currentData().toString().toStdString(); !type.empty()) {
    const Result<ElementType> known = parseElementType(type);
    if (!known.ok()) return known.error();
    question.type = *known;
  }
  return question;
}

void DeviceMapDialog::ask() {
  m_soon.stop();
  if (!m_network) return showAnswer(Error::badInput(m_wrong.toStdString()));
  const Result<MapQuestion> asked = question();
  showAnswer(asked.ok() ? answerTo(*asked, *m_network->tree) : Result<MapAnswer>(asked.error()));
}

void DeviceMapDialog::showAnswer(const Result<MapAnswer>& answer) {
  m_answer.reset();
  if (answer.ok()) m_answer = *answer;
  if (m_answer)
    m_result->showMap(m_answer->table, picture(), headline(), notes());
  else
    m_result->showError(QString::fromStdString(answer.error().message));
  m_ask->setVisible(m_infer && m_network && m_network->llama);
  m_ask->setEnabled(m_answer.has_value());
  m_copy->setEnabled(m_answer.has_value());
  m_export->setEnabled(m_answer.has_value());
  showPlacing();
}

/// Whether the map can be placed, and why not.
void DeviceMapDialog::showPlacing() {
  m_placement.reset();
  m_result->setWhyNot({});
  m_place->setVisible(ofExperiment());
  if (!ofExperiment() || !m_answer) return m_place->setEnabled(false);
  const Result<Placement> placement = placementOfMap(m_document.model(), m_answer->map, static_cast<int>(m_document.experiment().lanes.size()));
  const bool good = placement.ok() && m_document.problems().empty();
  m_place->setEnabled(good && *placement != m_document.activePlacement());
  if (good) m_placement = *placement;
  if (!placement.ok()) m_result->setWhyNot(tr("Not for these lanes: %1").arg(QString::fromStdString(placement.error().message)));
}

QString DeviceMapDialog::headline() const {
  const MapTable& table = m_answer->table;
  const std::int64_t gpu = heldOn(table, MapDevice::Kind::Gpu), cpu = heldOn(table, MapDevice::Kind::Cpu), disk = heldOn(table, MapDevice::Kind::Disk);
  const QString whole = tr("%1 takes %2").arg(m_network->title, bytesText(table.total));
  if (cpu == 0 && disk == 0) {
    const auto used = std::count_if(table.devices.begin(), table.devices.end(), [](const MapShare& share) { return share.entries > 0; });
    return used == 1 ? tr("%1 and fits on one GPU.").arg(whole) : tr("%1 and fits on %2 GPUs.").arg(whole).arg(used);
  }
  QStringList parts;
  if (gpu > 0) parts << tr("%1 on GPUs").arg(bytesText(gpu));
  if (cpu > 0) parts << tr("%1 on the CPU").arg(bytesText(cpu));
  if (disk > 0) parts << tr("%1 on disk").arg(bytesText(disk));
  return tr("%1: %2.").arg(whole, parts.join(QStringLiteral(", ")));
}

QString DeviceMapDialog::caption() const {
  const QString kept = m_kept_whole->text().trimmed();
  const QString type = m_type->currentData().toString();
  QString text = tr("Strategy %1").arg(m_strategy->currentText());
  if (!kept.isEmpty()) text += tr(", kept whole: %1").arg(kept);
  if (!type.isEmpty()) text += tr(", counted in %1").arg(type);
  return text + tr(". Predicted from shapes and types; the map that accelerate makes.");
}

QString DeviceMapDialog::notes() const {
  QStringList sentences{caption()};
  const std::vector<std::string> classes = classesOf(*m_network->tree);
  for (const std::string& name : namesIn(m_kept_whole->text())) {
    if (std::binary_search(classes.begin(), classes.end(), name)) continue;
    const std::string near = nearestName(name, classes);
    sentences << (near.empty() ? tr("No module is of class \"%1\".").arg(QString::fromStdString(name))
                               : tr("No module is of class \"%1\": did you mean \"%2\"?").arg(QString::fromStdString(name), QString::fromStdString(near)));
  }
  if (!m_answer->map.lost_buffers.empty())
    sentences << tr("%1 stand in no entry, since their module was split and accelerate leaves its own buffers out: keep its class whole.")
                     .arg(QString::fromStdString(joined(m_answer->map.lost_buffers, ", ")));
  return sentences.join(QLatin1Char(' '));
}

Picture DeviceMapDialog::picture() const {
  return m_answer ? mapPicture(*m_answer, tr("Device map of %1").arg(m_network->title), caption()) : Picture{};
}

std::string DeviceMapDialog::csv() const { return m_answer ? mapCsv(m_answer->table) : std::string(); }

void DeviceMapDialog::infer() {
  if (!m_answer || !m_network->llama) return;
  const QString path = m_networks->currentData().toString();
  const auto offer = std::find_if(m_offers.begin(), m_offers.end(), [&](const NetworkOffer& one) { return one.path == path; });
  auto* dialog = new InferDialog({m_network->title, *m_network->llama, m_answer->map, m_network->weights, offer == m_offers.end() ? QString() : offer->prompt},
                                 m_infer, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->open();
}

void DeviceMapDialog::copy() {
  if (m_answer) QGuiApplication::clipboard()->setText(QString::fromStdString(placesJson(m_answer->map)));
}

}  // namespace lanelab
