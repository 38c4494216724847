// SPDX-License-Identifier: GPL-3.0-only
#include "engine/libtorch/torch_place.h"

#include <gtest/gtest.h>

#include <stdlib.h>

#include "tests/support/temporary_folder.h"

namespace lanelab {
namespace {

/// An environment with a torch of this version, which may be complete.
class Environment {
 public:
  explicit Environment(const std::string& version, bool complete = true) {
    m_folder.write("lib/python3.11/site-packages/torch/lib/libtorch_cpu.so", "");
    m_folder.write("lib/python3.11/site-packages/torch/version.py",
                   "__all__ = ['__version__']\n__version__ = '" + version + "'\ncuda = None\n");
    m_folder.write("bin/python3", "");
    if (complete) m_folder.write("lanelab.stamp", "");
  }

  std::string path() const { return m_folder.path(); }
  std::string packages() const { return m_folder.file("lib/python3.11/site-packages"); }
  const test::TemporaryFolder& folder() const { return m_folder; }

 private:
  test::TemporaryFolder m_folder;
};

TEST(TorchPlace, IsFoundByTheEnvironmentItsPackagesOrTheirTorch) {
  const Environment environment("2.15.0+cu132");
  for (const std::string& chosen : {environment.path(), environment.packages(), environment.packages() + "/torch"}) {
    const Result<TorchPlace> place = findTorch({.chosen = chosen});
    ASSERT_TRUE(place.ok()) << chosen;
    EXPECT_EQ(place->package, environment.packages() + "/torch");
    EXPECT_EQ(place->version, "2.15.0+cu132");
    EXPECT_EQ(place->python(), environment.path() + "/bin/python3");
  }
}

TEST(TorchPlace, HasTheFoldersOfLibtorchAndOfCudaIfItIsThere) {
  const Environment environment("2.15.0");
  const std::string torch = environment.packages() + "/torch/lib";
  const Result<TorchPlace> place = findTorch({.chosen = environment.path()});
  EXPECT_EQ(place->libraryFolders(), (std::vector<std::filesystem::path>{torch}));
  environment.folder().write("lib/python3.11/site-packages/nvidia/cu13/lib/libcudart.so.13", "");
  EXPECT_EQ(place->libraryFolders(),
            (std::vector<std::filesystem::path>{torch, environment.packages() + "/nvidia/cu13/lib"}));
}

TEST(TorchPlace, IsThatOfTheOwnEnvironmentIfNoneIsChosen) {
  const Environment own("2.15.0"), other("2.15.1");
  EXPECT_EQ(findTorch({.own = own.path()})->version, "2.15.0");
  EXPECT_EQ(findTorch({.chosen = other.path(), .own = own.path()})->version, "2.15.1");
}

TEST(TorchPlace, IsNotAnEnvironmentThatIsNotComplete) {
  const Environment half("2.15.0", false);
  const Result<TorchPlace> place = findTorch({.own = half.path()});
  ASSERT_FALSE(place.ok());
  EXPECT_EQ(place.error().kind, Error::Kind::Failed);
  EXPECT_EQ(place.error().message,
            "PyTorch is not in " + half.path() +
                ". Run lanelab-setup-torch, which installs it there, or set LANELAB_TORCH_ROOT to a Python environment "
                "that has PyTorch.");
}

TEST(TorchPlace, OfAChosenFolderIsNotReplacedByAnotherOne) {
  const Environment own("2.15.0");
  const Result<TorchPlace> place = findTorch({.chosen = "/absent", .own = own.path()});
  ASSERT_FALSE(place.ok());
  EXPECT_EQ(place.error().kind, Error::Kind::BadInput);
  EXPECT_TRUE(place.error().message.starts_with("LANELAB_TORCH_ROOT: /absent has no PyTorch")) << place.error().message;
}

TEST(TorchPlace, FitsABuildWithItsMinorVersion) {
  const struct {
    std::string version, built;
    bool fits;
  } rows[] = {{"2.15.0", "2.15.0", true},        {"2.15.3+cu132", "2.15.0", true},
              {"2.11.0", "2.15.0", false},       {"2.1.0", "2.15.0", false},
              {"3.15.0", "2.15.0", false},       {"2.16.0a0+git1", "2.15.0", false},
              {"2.15.0a0+git1", "2.15.0", true}, {"", "2.15.0", true}};
  for (const auto& [version, built, fits] : rows)
    EXPECT_EQ(fitsBuild({"/packages/torch", version}, built).ok(), fits) << version;
  EXPECT_EQ(
      fitsBuild({"/packages/torch", "2.11.0"}, "2.15.0").error().message,
      "PyTorch 2.11.0 in /packages/torch does not fit: this LaneLab was built with 2.15.0. Set LANELAB_TORCH_ROOT "
      "to a Python environment that has PyTorch 2.15, or unset it and run lanelab-setup-torch.");
}

TEST(TorchSearch, IsWhatTheEnvironmentSays) {
  ::setenv("LANELAB_TORCH_ROOT", "/chosen", 1);
  ::setenv("XDG_DATA_HOME", "/data", 1);
  EXPECT_EQ(torchSearch().chosen, "/chosen");
  EXPECT_EQ(torchSearch().own, "/data/lanelab/python");
  ::unsetenv("XDG_DATA_HOME");
  ::setenv("HOME", "/users/ada", 1);
  EXPECT_EQ(torchSearch().own, "/users/ada/.local/share/lanelab/python");
}

}  // namespace
}  // namespace lanelab
