// SPDX-License-Identifier: GPL-3.0-only
// Charts under the mouse and the finger, also outside of them.
#include "ui/charts/chart_canvas.h"

#include <gtest/gtest.h>

#include <QLineSeries>
#include <QPointingDevice>
#include <QTest>

namespace lanelab {
namespace {

constexpr QPoint kOutside[] = {{581, 227}, {913, -14}, {-40, 90}, {100, 4000}, {-1, -1}};

class ChartCanvases : public testing::Test {
 protected:
  ChartCanvases() {
    m_canvas.resize(320, 180);
    m_canvas.show();
  }

  void showCurve() {
    std::unique_ptr<QChart> chart = makeChart(look::current());
    auto* series = new QLineSeries;
    series->append(0, 1);
    series->append(1, 2);
    chart->addSeries(series);
    m_canvas.showChart(std::move(chart), {});
    QCoreApplication::processEvents();
  }

  QWidget* viewport() { return m_canvas.viewport(); }

  ChartCanvas m_canvas{"tried", "A chart that is tried"};
};

TEST_F(ChartCanvases, AnswerSecondButtonsOutsideOfThem) {
  showCurve();
  for (const QPoint& outside : kOutside) {
    for (const Qt::MouseButton second : {Qt::RightButton, Qt::MiddleButton, Qt::BackButton, Qt::LeftButton}) {
      QTest::mousePress(viewport(), Qt::LeftButton, {}, {160, 100});
      QTest::mouseMove(viewport(), outside);
      QTest::mousePress(viewport(), second, {}, outside);
      QTest::mouseRelease(viewport(), second, {}, outside);
      QTest::mouseDClick(viewport(), second, {}, outside);
      QTest::mouseRelease(viewport(), Qt::LeftButton, {}, outside);
    }
  }
  EXPECT_FALSE(m_canvas.grab().isNull());
}

TEST_F(ChartCanvases, AnswerFingersOutsideOfThem) {
  showCurve();
  const std::unique_ptr<QPointingDevice> device(QTest::createTouchDevice());
  for (const QPoint& outside : kOutside) {
    QTest::touchEvent(viewport(), device.get()).press(0, {160, 100}, viewport());
    QTest::touchEvent(viewport(), device.get()).move(0, outside, viewport());
    QTest::touchEvent(viewport(), device.get()).stationary(0).press(1, outside, viewport());
    QTest::touchEvent(viewport(), device.get()).release(0, outside, viewport()).release(1, outside, viewport());
  }
  EXPECT_FALSE(m_canvas.grab().isNull());
}

TEST_F(ChartCanvases, AnswerTheMouseBeforeTheyShowAChart) {
  for (const QPoint& place : {QPoint(160, 100), kOutside[0]}) {
    QTest::mouseClick(viewport(), Qt::LeftButton, {}, place);
    QTest::mouseDClick(viewport(), Qt::RightButton, {}, place);
  }
  EXPECT_FALSE(m_canvas.grab().isNull());
}

TEST_F(ChartCanvases, LeaveTheWheelToWhatScrollsThem) {
  showCurve();
  QWheelEvent event(QPointF(50, 50), viewport()->mapToGlobal(QPointF(50, 50)), {}, {0, 120}, Qt::NoButton, {},
                    Qt::NoScrollPhase, false);
  QCoreApplication::sendEvent(viewport(), &event);
  EXPECT_FALSE(event.isAccepted());
}

}  // namespace
}  // namespace lanelab
