// SPDX-License-Identifier: GPL-3.0-only
#include "ui/experiment/form_rows.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QLocale>
#include <QMap>
#include <QRegularExpression>
#include <cmath>
#include <limits>
#include <type_traits>

#include "base/text.h"
#include "engine/experiment/edits/network_edits.h"
#include "engine/experiment/model_file.h"
#include "ui/look/parts.h"
#include "ui/look/placeholder.h"
#include "ui/look/plain_text.h"

namespace lanelab {
namespace {

/// What the engine's rows call a value, in the language of the window.
QString fieldText(const char* words) { return QCoreApplication::translate("fields", words); }

/// What the form calls a word at a place; a word that is not listed is shown as it is.
const QMap<QString, QString>& wordTitles() {
  static const QMap<QString, QString> all = {{"model.arch=toy", QObject::tr("Toy (two linear layers)")},
                                             {"model.arch=linear", QObject::tr("One linear layer")},
                                             {"data.source=random", QObject::tr("Random data")},
                                             {"data.source=text", QObject::tr("Text file (bytes as tokens)")},
                                             {"data.source=digits", QObject::tr("Handwritten digits")},
                                             {"data.source=cifar10", QObject::tr("CIFAR-10")},
                                             {"data.source=folder", QObject::tr("Image folder")},
                                             {"data.source=file", QObject::tr("Tensor file")},
                                             {"data.skip_unreadable=off", QObject::tr("Report as error")},
                                             {"data.skip_unreadable=on", QObject::tr("Skip")},
                                             {"training.loss=mse", QObject::tr("Mean squared error")},
                                             {"training.loss=cross_entropy", QObject::tr("Cross entropy")},
                                             {"training.loss=output", QObject::tr("Returned by the network")},
                                             {"training.optimizer=sgd", QObject::tr("SGD")},
                                             {"training.optimizer=adam", QObject::tr("Adam")},
                                             {"training.lr_schedule=constant", QObject::tr("Constant")},
                                             {"training.lr_schedule=step", QObject::tr("Step")},
                                             {"training.lr_schedule=cosine", QObject::tr("Cosine")},
                                             {"training.layout=channels_last", QObject::tr("Channels last")},
                                             {"training.layout=contiguous", QObject::tr("Contiguous")},
                                             {"training.kernels=fused", QObject::tr("Fused")},
                                             {"training.kernels=aten", QObject::tr("PyTorch (ATen)")},
                                             {"training.precision=bf16", QObject::tr("bf16 (fp32 master weights)")},
                                             {"training.precision=tf32", QObject::tr("tf32 (GPUs only)")},
                                             {"training.batch_norm=micro-batch", QObject::tr("Per micro-batch")},
                                             {"training.batch_norm=deferred", QObject::tr("Deferred statistics")},
                                             {"training.batch_norm=synchronised", QObject::tr("Synchronized (slow)")},
                                             {"training.recompute=none", QObject::tr("Off")},
                                             {"training.recompute=activations", QObject::tr("ReLUs of batch norms")},
                                             {"training.recompute=stage", QObject::tr("Whole stages")},
                                             {"record=off", QObject::tr("Off")},
                                             {"record=actions", QObject::tr("Actions")},
                                             {"record=blocks", QObject::tr("Blocks")},
                                             {"record=operators", QObject::tr("Operators")}};
  return all;
}

QString titleOf(const QString& place, const std::string& word) {
  const QString text = QString::fromStdString(word);
  if (text.startsWith("resnet")) return "ResNet-" + text.mid(6);
  if (place != "record" && (text == "off" || text == "on")) {
    const QString plain = text == "on" ? QObject::tr("On") : QObject::tr("Off");
    return wordTitles().value(place + "=" + text, plain);
  }
  return wordTitles().value(place + "=" + text, text);
}

/// Instead of its name, of a network that is a file: "file:" and the path.
const QString kFileWord = QStringLiteral("file:");

/// The networks by name, the model file if there is one, and an entry that asks for a file.
FormField* networkField(ExperimentDocument* document, const QString& name, const ChoiceField::Choices& known) {
  auto* const field = new ChoiceField(
      document,
      [document] {
        return document->experiment().model.file ? QStringLiteral("model.file") : QStringLiteral("model.arch");
      },
      name, name,
      [document, known] {
        ChoiceField::Choices choices = known;
        if (const auto& file = document->experiment().model.file) {
          const QString path = QString::fromStdString(*file);
          choices.emplace_back(kFileWord + path, look::shownName(QFileInfo(path).fileName()));
        }
        return choices;
      },
      [](const Experiment& e) {
        return e.model.file ? kFileWord + QString::fromStdString(*e.model.file) : QString::fromStdString(e.model.arch);
      },
      [](Experiment& e, const QString& chosen) {
        if (!chosen.startsWith(kFileWord)) setArchitecture(e, chosen.toStdString());
      });
  field->addCommand(QObject::tr("Choose File..."), [document, field] {
    look::askForFile(field, "modelFileDialog", QObject::tr("Choose Network"),
                     QObject::tr("Exported networks (*.pt2);;All files (*)"), [document](const QString& path) {
                       document->useModel(QObject::tr("Network"), openModelFile(path.toStdString()));
                     });
  });
  return field;
}

/// How deep in the modules of a model file its blocks are.
FormRow blocksRow(ExperimentDocument* document) {
  constexpr int kDeepest = 6;  // of the networks of torchvision and transformers; a file may name another depth
  const auto listed = [](const Experiment& e) {
    return e.model.blocks && !e.model.blocks->modules.empty() ? static_cast<int>(e.model.blocks->modules.size()) : 0;
  };
  const QString name = QObject::tr("Choice of blocks");
  auto* const field = new ChoiceField(
      document, [] { return QStringLiteral("model.blocks"); }, name, name,
      [document, listed] {
        ChoiceField::Choices choices{{QString(), QObject::tr("Automatic")}};
        for (int depth = 1; depth <= kDeepest; ++depth)
          choices.emplace_back(QString::number(depth), QObject::tr("Modules at depth %1").arg(depth));
        if (const int modules = listed(document->experiment()); modules > 0)
          choices.emplace_back("modules", QObject::tr("%n listed module(s)", nullptr, modules));
        return choices;
      },
      [listed](const Experiment& e) {
        if (listed(e) > 0) return QStringLiteral("modules");
        return e.model.blocks && e.model.blocks->depth ? QString::number(*e.model.blocks->depth) : QString();
      },
      [](Experiment& e, const QString& chosen) {
        if (chosen != "modules") setBlockDepth(e, chosen.isEmpty() ? std::nullopt : std::optional(chosen.toInt()));
      });
  field->setObjectName("modelBlocks");
  return {QObject::tr("Blocks"), field};
}

// What changes other values, too.
void assign(Experiment& e, OptimizerKind& out, OptimizerKind value) {
  if (&out == &e.training.optimizer) setOptimizer(e, value);
}
void assign(Experiment& e, DataSource& out, DataSource value) {
  if (&out != &e.data.source) return;
  setDataSource(e, value);
  if (value == DataSource::Digits) setToLearn(e);
}
template <class T>
void assign(Experiment&, T& out, T value) {
  out = value;
}

/// The texts of numbers, always with a point.
QLocale numberLocale() {
  QLocale locale = QLocale::c();
  locale.setNumberOptions(QLocale::RejectGroupSeparator | QLocale::OmitGroupSeparator);
  return locale;
}

// Each says in words what it expects when the text is no value.

QString readValue(const QString& text, int& value) {
  bool ok = false;
  const qlonglong number = numberLocale().toLongLong(text.trimmed(), &ok);
  if (!ok) return FormField::tr("\"%1\" is not a whole number. Enter digits only, such as 16.").arg(text);
  if (std::abs(number) > std::numeric_limits<int>::max())
    return FormField::tr("%1 is too large. Enter at most 2147483647.").arg(text);
  value = static_cast<int>(number);
  return {};
}

QString readValue(const QString& text, std::uint64_t& value) {
  bool ok = false;
  const qulonglong number = numberLocale().toULongLong(text.trimmed(), &ok);
  if (!ok) return FormField::tr("\"%1\" is not a seed. Enter a whole number from 0.").arg(text);
  value = number;
  return {};
}

QString readValue(const QString& text, double& value) {
  bool ok = false;
  const double number = numberLocale().toDouble(text.trimmed(), &ok);
  if (!ok || !std::isfinite(number))
    return FormField::tr("\"%1\" is not a number. Enter it with a decimal point, such as 0.001.").arg(text);
  value = number;
  return {};
}

QString readValue(const QString& text, Shape& value) {
  const Shape shape = parseShape(text.trimmed().toStdString());
  if (shape.empty())
    return FormField::tr(
               "\"%1\" is not an input size. Enter channels x height x width, such as 3x64x64, or one number.")
        .arg(text);
  value = shape;
  return {};
}

QString readValue(const QString& text, std::string& value) {
  value = text.toStdString();
  return {};
}
QString readValue(const QString& text, std::vector<std::string>& value) {
  for (const QString& one : text.simplified().split(' ', Qt::SkipEmptyParts)) value.push_back(one.toStdString());
  return {};
}
template <class T>
QString readValue(const QString& text, std::optional<T>& value) {
  T read{};
  const bool none = text.trimmed().isEmpty();
  const QString refusal = none ? QString() : readValue(text, read);
  if (refusal.isEmpty()) value = none ? std::nullopt : std::optional(read);
  return refusal;
}

QString textOf(int value) { return QString::number(value); }
QString textOf(std::uint64_t value) { return QString::number(value); }
QString textOf(double value) { return QString::fromStdString(exactNumber(value)); }
QString textOf(const Shape& value) { return QString::fromStdString(formatShape(value)); }
QString textOf(const std::string& value) { return QString::fromStdString(value); }
QString textOf(const std::vector<std::string>& value) {
  QStringList texts;
  for (const std::string& text : value) texts << QString::fromStdString(text);
  return texts.join(' ');
}
template <class T>
requires requires(const T& value) { textOf(value); }
QString textOf(const std::optional<T>& value) { return value ? textOf(*value) : QString(); }

template <class T>
constexpr bool kIsOptionalWord = false;
template <Worded E>
constexpr bool kIsOptionalWord<std::optional<E>> = true;

template <class T>
constexpr bool kHasText = requires(T value, QString text) {
  textOf(value);
  readValue(text, value);
}
&&!std::is_same_v<T, std::optional<bool>>;

ChoiceField::Choices choicesAt(const QString& place, const std::vector<std::string>& words) {
  ChoiceField::Choices choices;
  for (const std::string& word : words) choices.emplace_back(QString::fromStdString(word), titleOf(place, word));
  return choices;
}

/// The experiment's mode, which is that of a variant without its own, and all others.
template <class E>
ChoiceField::Choices variantChoices(const Experiment& experiment, const QString& key) {
  const QString place = "training." + key;
  ChoiceField::Choices choices = choicesAt(place, words<E>());
  forEachField<TrainingConfig>([&]<class T>(const Field<TrainingConfig, T>& field) {
    if constexpr (std::is_same_v<T, E>) {
      const QString of_all = titleOf(place, toWord(experiment.training.*field.member));
      choices.insert(choices.begin(), {QString(), QObject::tr("As above (%1)").arg(of_all)});
    }
  });
  return choices;
}

/// "training.lr_warmup" as trainingLrWarmup.
QString objectName(const QString& place) {
  QString name;
  for (const QString& part : place.split(QRegularExpression("[._]")))
    name += name.isEmpty() ? part : look::capitalised(part);
  return name;
}

/// Makes the inputs of one section's rows.
template <class S, class Part>
struct RowMaker {
  ExperimentDocument* document;
  QString section;
  std::function<FormField::Where(const QString& key)> where;
  Part part;  ///< the section within an experiment, null if there is none
  std::vector<FormRow>& rows;
  QString only = {};  ///< this key

  template <class T>
  void operator()(const Field<S, T>& row) const {
    if (!row.rules.label || (!only.isEmpty() && only != row.key)) return;
    const QString name = look::capitalised(fieldText(row.name));
    FormField* const field = input(row, where(row.key), name);
    field->setObjectName(objectName(section.isEmpty() ? row.key : section + "." + row.key));
    rows.push_back({fieldText(row.rules.label), field});
  }

  template <class T>
  FormField* input(const Field<S, T>& row, const FormField::Where& place, const QString& name) const {
    if constexpr (std::is_same_v<T, bool>) {
      return choice(
          row, place, name,
          [=] {
            return choicesAt(place(), {"off", "on"});
          },
          [](bool on) { return std::string(on ? "on" : "off"); },
          [](const std::string& word, bool) { return word == "on"; });
    } else if constexpr (Worded<T>) {
      return choice(
          row, place, name, [=] { return choicesAt(place(), words<T>()); }, toWord<T>,
          [](const std::string& word, T now) { return fromWord<T>(word).value_or(now); });
    } else if constexpr (kIsOptionalWord<T>) {
      using E = typename T::value_type;
      return choice(
          row, place, name,
          [document = document, key = QString(row.key)] { return variantChoices<E>(document->experiment(), key); },
          [](const T& own) { return own ? toWord(*own) : std::string(); },
          [](const std::string& word, const T&) { return fromWord<E>(word); });
    } else if constexpr (kHasText<T>) {
      if (row.rules.words) return networkField(document, name, choicesAt(place(), row.rules.words()));
      return text(row, place, name);
    } else {
      return nullptr;  // sections and what only files have: rows without a label
    }
  }

  template <class T, class Word, class Value>
  FormField* choice(const Field<S, T>& row, const FormField::Where& place, const QString& name,
                    std::function<ChoiceField::Choices()> choices, Word word, Value value) const {
    return new ChoiceField(
        document, place, name, name, std::move(choices),
        [part = part, word, member = row.member](const Experiment& e) {
          const auto* const values = part(e);
          return values ? QString::fromStdString(word(values->*member)) : QString();
        },
        [part = part, value, member = row.member](Experiment& e, const QString& chosen) {
          T& now = part(e)->*member;
          assign(e, now, value(chosen.toStdString(), now));
        });
  }

  template <class T>
  FormField* text(const Field<S, T>& row, const FormField::Where& place, const QString& name) const {
    auto* const field = new TextField(
        document, place, name, name,
        [part = part, member = row.member](const Experiment& e) {
          const auto* const values = part(e);
          return values ? textOf(values->*member) : QString();
        },
        [part = part, member = row.member](Experiment& e, const QString& typed) {
          return readValue(typed, part(e)->*member);
        });
    if (row.rules.placeholder) look::showDefault(*field->input(), fieldText(row.rules.placeholder));
    return field;
  }
};

template <class S, class Part>
std::vector<FormRow> rowsOf(ExperimentDocument* document, const QString& section, Part part) {
  std::vector<FormRow> rows;
  const auto where = [&section](const QString& key) {
    return [place = section.isEmpty() ? key : section + "." + key] { return place; };
  };
  forEachField<S>(RowMaker<S, Part>{document, section, where, part, rows});
  return rows;
}

}  // namespace

std::vector<FormRow> formRows(ExperimentDocument* document, const QString& section) {
  if (section == "model") {
    std::vector<FormRow> rows = rowsOf<ModelConfig>(document, section, [](auto& e) { return &e.model; });
    rows.insert(rows.begin() + 1, blocksRow(document));
    return rows;
  }
  if (section == "data") return rowsOf<DataConfig>(document, section, [](auto& e) { return &e.data; });
  if (section == "training") return rowsOf<TrainingConfig>(document, section, [](auto& e) { return &e.training; });
  return rowsOf<Experiment>(document, section, [](auto& e) { return &e; });
}

ChoiceField::Choices recomputeChoices(const Experiment& experiment) {
  return variantChoices<Recompute>(experiment, "recompute");
}

FormRow variantRow(ExperimentDocument* document, const QString& key) {
  std::vector<FormRow> rows;
  const auto part = [document](auto& e) { return document->activeIn(e); };
  const auto where = [document](const QString& own) { return [document, own] { return document->activePlace(own); }; };
  forEachField<VariantConfig>(RowMaker<VariantConfig, decltype(part)>{document, "variant", where, part, rows, key});
  return rows.at(0);
}

}  // namespace lanelab
