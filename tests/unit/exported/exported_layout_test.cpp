// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/exported_layout.h"

#include <gmock/gmock.h>

#include "tests/unit/exported/built_program.h"

namespace lanelab::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// A convolution of the user's tensor, and what is made of it.
struct Chain : BuiltProgram {
  ValueId made = call("aten.conv2d.default", {user}, "conv");

  ValueId then(const std::string& target, ValueId from) { return call(target, {from}, "net"); }
  std::set<ValueId> laidOut(ValueId result) {
    returning(result);
    return valuesInExportedLayout(program.graph, valueFlowOf(program.graph));
  }
};

TEST(ExportedLayout, IsKeptWhereAViewThatMayCopyIsWritten) {
  Chain chain;
  chain.then("aten.relu_.default", chain.then("aten.flatten.using_ints", chain.made));
  EXPECT_THAT(chain.laidOut(chain.made), ElementsAre(chain.made));
}

TEST(ExportedLayout, IsKeptWhereWhatWasViewedIsWrittenLater) {
  Chain chain;
  const ValueId view = chain.then("aten.view.default", chain.made);
  chain.then("aten.mul_.Tensor", chain.made);
  EXPECT_THAT(chain.laidOut(view), ElementsAre(chain.made));
}

TEST(ExportedLayout, IsKeptThroughViewsOfViews) {
  Chain chain;
  const ValueId part = chain.then("aten.select.int", chain.then("aten.reshape.default", chain.made));
  chain.then("aten.fill_.Scalar", part);
  EXPECT_THAT(chain.laidOut(chain.made), ElementsAre(chain.made));
}

TEST(ExportedLayout, IsKeptWhereStridesAreGiven) {
  Chain chain;
  EXPECT_THAT(chain.laidOut(chain.then("aten.as_strided.default", chain.made)), ElementsAre(chain.made));
}

TEST(ExportedLayout, IsKeptOfTheUsersTensorToo) {
  BuiltProgram built;
  const ValueId view = built.call("aten.flatten.using_ints", {built.user}, "net");
  const ValueId made = built.call("aten.add_.Tensor", {view}, "net");
  const ExportedGraph& graph = built.returning(made).graph;
  EXPECT_THAT(valuesInExportedLayout(graph, valueFlowOf(graph)), ElementsAre(built.user));
}

TEST(ExportedLayout, IsFreeWhereNothingIsWritten) {
  Chain chain;
  EXPECT_THAT(chain.laidOut(chain.then("aten.flatten.using_ints", chain.made)), IsEmpty());
}

TEST(ExportedLayout, IsFreeWhereViewsNeverCopy) {
  Chain chain;
  chain.then("aten.relu_.default", chain.made);
  chain.then("aten.mul_.Tensor", chain.then("aten.permute.default", chain.made));
  EXPECT_THAT(chain.laidOut(chain.made), IsEmpty());
}

}  // namespace
}  // namespace lanelab::test
