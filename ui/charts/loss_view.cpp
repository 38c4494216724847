#include <QLabel>
#include <QPainter>
#include <QStackedLayout>
#include <algorithm>

#include "engine/base/text.h"
#include "ui/charts/chart_canvas.h"
#include "ui/charts/comparison_view.h"
#include "ui/charts/loss_chart.h"

namespace lanelab {

namespace {

Picture pictureOf(const std::vector<LossView::Curve>& curves, const QString& metadata) {
  Picture picture;
  picture.title = LossView::tr("Loss by step");
  picture.caption =
      LossView::tr("Loss of each step of one repeat (n = 1, the newest), by variant; measured. Lines that coincide lie over one another.");
  picture.size = QSizeF(720, 300);
  picture.metadata = metadata;
  picture.paint = [curves](QPainter& painter, const QRectF& rect, const look::Palette& palette) {
    paintChart(makeLossChart(curves, palette), painter, rect);
  };
  return picture;
}

std::string quoted(const QString& text) {
  QString copy = text;
  return ('"' + copy.replace('"', "\"\"") + '"').toStdString();
}

}  // namespace

Picture lossPicture(const RunRecord& record) { return pictureOf(lossCurves(record), QString::fromStdString(toJson(record.experiment))); }

class LossView::Impl {
 public:
  explicit Impl(LossView* owner) {
    m_pages = new QStackedLayout(owner);
    auto* empty = new QLabel(LossView::tr("The loss of each step is drawn here while a run goes."));
    empty->setObjectName("lossEmpty");
    empty->setAlignment(Qt::AlignCenter);
    empty->setWordWrap(true);
    m_pages->addWidget(empty);
    m_canvas = new ChartCanvas;
    m_canvas->setObjectName("lossChart");
    m_canvas->setAccessibleName(LossView::tr("Loss by step of each variant"));
    m_canvas->setFocusPolicy(Qt::NoFocus);
    m_pages->addWidget(m_canvas);
    QObject::connect(m_canvas, &ChartCanvas::paletteChanged, owner, [this] { show(); });
  }

  void show() {
    const bool any = std::any_of(curves.begin(), curves.end(), [](const auto& curve) { return !curve.losses.empty(); });
    m_pages->setCurrentIndex(any ? 1 : 0);
    m_canvas->showChart(makeLossChart(curves, look::current()));
  }

  std::vector<Curve> curves;

 private:
  QStackedLayout* m_pages;
  ChartCanvas* m_canvas;
};

LossView::LossView(QWidget* parent) : QWidget(parent), m_impl(std::make_unique<Impl>(this)) {}
LossView::~LossView() = default;

void LossView::setCurves(std::vector<Curve> curves) {
  m_impl->curves = std::move(curves);
  m_impl->show();
}

Picture LossView::picture() const { return pictureOf(m_impl->curves, {}); }

std::string LossView::csv() const {
  std::string text = "variant,step,loss\r\n";
  for (const auto& curve : m_impl->curves)
    for (std::size_t i = 0; i < curve.losses.size(); ++i)
      text += quoted(curve.name) + "," + std::to_string(i) + "," + exactNumber(curve.losses[i]) + "\r\n";
  return text;
}

}  // namespace lanelab
