// SPDX-License-Identifier: GPL-3.0-only
#include "ui/device_map/infer_dialog.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSpinBox>
#include <QVBoxLayout>

#include "base/text.h"
#include "ui/look/parts.h"
#include "ui/look/placeholder.h"
#include "ui/look/plain_text.h"
#include "ui/look/quantity_text.h"
#include "ui/look/theme.h"
#include "ui/look/work_bar.h"

namespace lanelab {
namespace {

constexpr QSize kInferSize(640, 320);
constexpr int kMostTokens = 4096, kFirstTokens = 12;

Result<std::vector<std::int64_t>> tokensIn(const QString& text) {
  static const QRegularExpression between(QStringLiteral("[\\s,]+"));
  std::vector<std::int64_t> tokens;
  for (const QString& word : text.split(between, Qt::SkipEmptyParts)) {
    bool number = false;
    tokens.push_back(word.toLongLong(&number));
    if (!number)
      return look::badInput(
          InferDialog::tr("Prompt: \"%1\" is not a token ID. Enter numbers separated by spaces, such as 3 4 5.")
              .arg(word));
  }
  return tokens;
}

}  // namespace

InferDialog::InferDialog(Start start, LlamaInference infer, QWidget* parent)
    : QDialog(parent),
      m_start(std::move(start)),
      m_infer(std::move(infer)),
      m_weights(new QLineEdit(isBuiltIn() ? builtInName() : m_start.weights, this)),
      m_prompt(new QLineEdit(m_start.prompt, this)),
      m_generate(new QSpinBox(this)),
      m_int8(new QCheckBox(tr("&8-bit weights in memory"), this)),
      m_result(look::wrappedLabel("inferResult", {}, this)),
      m_cost(look::wrappedLabel("inferCost", {}, this)),
      m_open(new QPushButton(tr("&Open..."), this)),
      m_ask(look::button("inferAsk", tr("&Generate"), {}, this)) {
  setObjectName(QStringLiteral("inferDialog"));
  setWindowTitle(tr("Infer: %1").arg(m_start.title));
  resize(kInferSize);
  m_weights->setObjectName(QStringLiteral("inferWeights"));
  m_weights->setToolTip(tr("A safetensors file, a folder of shards, or their index"));
  look::showExample(*m_weights, QStringLiteral("model.safetensors"));
  m_prompt->setObjectName(QStringLiteral("inferPrompt"));
  m_prompt->setToolTip(tr("Token IDs, separated by spaces"));
  look::showExample(*m_prompt, QStringLiteral("3 4 5"));
  m_generate->setObjectName(QStringLiteral("inferTokens"));
  m_generate->setRange(1, kMostTokens);
  m_generate->setValue(kFirstTokens);
  m_generate->setToolTip(tr("Number of tokens to generate; each is the most likely one"));
  m_int8->setObjectName(QStringLiteral("inferInt8"));
  m_int8->setToolTip(tr("Rounds the linear layers in memory to 8 bits and reports how much the logits change"));
  m_result->setFont(look::headlineFont());
  for (QLabel* label : {m_result, m_cost})
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  m_open->setAutoDefault(false);
  m_ask->setDefault(true);
  auto* form = new QFormLayout;
  form->setVerticalSpacing(2 * look::kGrid);
  look::addFormRow(form, tr("&Weights"), look::beside(m_weights, m_open), m_weights);
  form->addRow(tr("&Prompt (token IDs)"), m_prompt);
  form->addRow(tr("New &tokens"), m_generate);
  form->addRow(QString(), m_int8);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  buttons->addButton(m_ask, QDialogButtonBox::ActionRole);
  auto* column = look::dialogColumn(this);
  column->addLayout(form);
  column->addWidget(m_result);
  column->addWidget(m_cost);
  column->addStretch();
  column->addWidget(new WorkBar(QStringLiteral("inferProgress"), WorkBar::Shape::Stacked, this, &m_computing));
  column->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(m_open, &QPushButton::clicked, this, [this] {
    look::askForFile(this, "inferFileDialog", tr("Open Weights"),
                     tr("Weights (*.safetensors *.safetensors.index.json)"),
                     [this](const QString& path) { m_weights->setText(path); });
  });
  connect(m_ask, &QPushButton::clicked, this, &InferDialog::ask);
  m_prompt->setFocus();
}

bool InferDialog::isBuiltIn() const { return m_start.weights.startsWith(QLatin1Char(':')); }
QString InferDialog::builtInName() const { return tr("%1 (built in)").arg(m_start.title); }

Result<std::string> InferDialog::weightsFile() {
  const QString typed = m_weights->text().trimmed();
  const QString path = isBuiltIn() && typed == builtInName() ? m_start.weights : typed;
  if (path.isEmpty())
    return look::badInput(
        tr("Weights: no file chosen. Choose the network's safetensors file or the folder of its shards."));
  if (!path.startsWith(QLatin1Char(':'))) return path.toStdString();
  const QString file =
      m_unpacked.filePath(QStringLiteral("model.safetensors"));  // files in the program cannot be mapped
  if (!QFile::exists(file) && !QFile::copy(path, file))
    return look::failed(tr("%1 cannot be unpacked to %2. Free some space in the temporary folder.").arg(path, file));
  return file.toStdString();
}

Result<LlamaQuestion> InferDialog::question() {
  LlamaQuestion question{m_start.config, {}, {}, m_start.map, m_generate->value(), m_int8->isChecked()};
  const auto tokens = tokensIn(m_prompt->text());
  if (!tokens.ok()) return tokens.error();
  question.prompt = *tokens;
  const Result<std::string> weights = weightsFile();
  if (!weights.ok()) return weights.error();
  question.weights = *weights;
  return question;
}

void InferDialog::ask() {
  if (m_computing.busy()) return;
  m_cost->clear();
  const Result<LlamaQuestion> asked = question();
  if (!asked.ok()) return look::showSentence(*m_result, look::shownText(asked.error()), true);
  m_ask->setEnabled(false);
  look::showSentence(*m_result, tr("Running"), false);
  m_computing.run([this, question = *asked](const WorkControl& control) -> LongWork::Then {
    return [this, answer = std::make_shared<Result<LlamaAnswer>>(m_infer(question, control))] { showAnswer(*answer); };
  });
}

void InferDialog::showAnswer(const Result<LlamaAnswer>& answer) {
  m_ask->setEnabled(true);
  if (!answer.ok()) return look::showSentence(*m_result, look::shownText(answer.error()), true);
  QStringList tokens;
  for (const std::int64_t token : answer->tokens) tokens << QString::number(token);
  look::showSentence(*m_result, tokens.join(QLatin1Char(' ')), false);
  m_cost->setText(costOf(*answer));
}

QString InferDialog::costOf(const LlamaAnswer& answer) const {
  QStringList sentences = {tr("Measured on this machine: %1 for %2 tokens, %3 of weights in memory.")
                               .arg(secondsText(answer.seconds))
                               .arg(answer.tokens.size())
                               .arg(bytesText(answer.resident_bytes))};
  if (answer.offloaded_bytes > 0)
    sentences << tr("%1 loaded from disk per pass; total wait %2.")
                     .arg(bytesText(answer.offloaded_bytes), secondsText(answer.waited_seconds));
  if (answer.int8_error)
    sentences << tr("8-bit weights change the prompt's logits by %1 on average.")
                     .arg(QString::fromStdString(formatNumber(*answer.int8_error)));
  if (!answer.missing_gpus.empty()) {
    QStringList gpus;
    for (const int gpu : answer.missing_gpus) gpus << QString::number(gpu);
    sentences << tr("No GPU %1 on this machine; its modules ran on the CPU.").arg(gpus.join(QStringLiteral(", ")));
  }
  return sentences.join(QLatin1Char(' '));
}

}  // namespace lanelab
