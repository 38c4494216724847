// SPDX-License-Identifier: GPL-3.0-only
// Networks that torch.export.save() wrote, opened in the window.
#include <QDragEnterEvent>
#include <QLineEdit>
#include <QMimeData>
#include <QUndoStack>

#include "tests/gui/window/window_world.h"
#include "ui/board/board_view.h"
#include "ui/experiment/experiment_document.h"
#include "ui/look/message_strip.h"

namespace lanelab::test {
namespace {

QString exported(const char* name) {
  return QStringLiteral(LANELAB_SOURCE_DIR "/tests/data/exported/%1.pt2").arg(QLatin1String(name));
}

bool isNetwork(const WindowWorld& w, const char* name) {
  return waitFor([&] { return w.window->document().model().arch == name; });
}

TEST(ExportedNetwork, BecomesTheModelOfTheOpenExperimentAndUndoRestoresTheOther) {
  WindowWorld w;
  const Experiment before = w.window->document().experiment();
  w.window->openPath(exported("gpt2"));
  ASSERT_TRUE(isNetwork(w, "gpt2")) << w.window->messages().sentence().toStdString();
  EXPECT_TRUE(w.window->messages().sentence().contains("The network is gpt2.pt2 now"));
  EXPECT_TRUE(w.window->document().problems().empty()) << w.window->document().problems().front().message;
  EXPECT_EQ(w.window->document().experiment().name, before.name);
  w.window->document().undoStack()->undo();
  EXPECT_EQ(w.window->document().experiment(), before);
}

TEST(ExportedNetwork, IsDroppedOnTheWindow) {
  WindowWorld w;
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(exported("vit"))});
  QDragEnterEvent enter(QPoint(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(w.window.get(), &enter);
  QDropEvent drop(QPointF(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(w.window.get(), &drop);
  EXPECT_TRUE(isNetwork(w, "vit"));
}

struct RefusedFile {
  const char* name;
  QByteArray content;
};

TEST(ExportedNetwork, AFileThatIsNoneChangesNothing) {
  WindowWorld w;
  const Experiment before = w.window->document().experiment();
  for (const RefusedFile& refused : {RefusedFile{"empty.pt2", ""}, RefusedFile{"text.pt2", "no archive"}}) {
    const QString path = w.place.filePath(refused.name);
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly) && file.write(refused.content) == refused.content.size());
    file.close();
    w.window->openPath(path);
    EXPECT_TRUE(waitFor([&] { return w.window->messages().sentence().contains(refused.name); })) << refused.name;
    EXPECT_EQ(w.window->document().experiment(), before) << refused.name;
    w.window->messages().clear();
  }
  w.window->openPath(exported("mixtral"));
  EXPECT_TRUE(waitFor([&] { return w.window->messages().sentence().contains("mixtral.pt2"); }));
  EXPECT_EQ(w.window->document().experiment(), before);
}

TEST(ExportedNetwork, ItsBlocksAreFoundByName) {
  WindowWorld w;
  w.window->openPath(exported("gpt2"));
  ASSERT_TRUE(isNetwork(w, "gpt2"));
  auto* const board = w.find<BoardView>("board");
  auto* const field = w.find<QLineEdit>("blockFindField");
  board->setFocus();
  QTest::keyClick(board, Qt::Key_F, Qt::ControlModifier);
  ASSERT_TRUE(field->isVisible());
  QTest::keyClicks(field, "h.");
  const ModelSpec& model = w.window->document().model();
  const BlockId first = *model.find("inner.transformer.h.0");
  EXPECT_EQ(board->selectedBlocks(), std::vector<BlockId>{first});
  QTest::keyClick(field, Qt::Key_Return);
  EXPECT_EQ(board->selectedBlocks(), std::vector<BlockId>{BlockId(first.value + 1)});
  QTest::keyClick(field, Qt::Key_Escape);
  EXPECT_FALSE(field->isVisible());
}

}  // namespace
}  // namespace lanelab::test
