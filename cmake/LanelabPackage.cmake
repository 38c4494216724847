# SPDX-License-Identifier: GPL-3.0-only
# cpack -G DEB: the packages lanelab and lanelab-dev. Their dependencies are found by dpkg-shlibdeps but for PyTorch, which no Debian package is: users
# install it with lanelab-setup-torch.
set(_made "${PROJECT_BINARY_DIR}/install")
set(LANELAB_MAINTAINER "LaneLab contributors <contributors@lanelab.invalid>" CACHE STRING "Who maintains the Debian package")

string(TIMESTAMP package_date "%a, %d %b %Y %H:%M:%S +0000" UTC)
configure_file(cmake/debian/changelog.in "${_made}/changelog.Debian")
execute_process(COMMAND "${LANELAB_GZIP}" -9nc "${_made}/changelog.Debian" OUTPUT_FILE "${_made}/changelog.Debian.gz")
execute_process(COMMAND "${LANELAB_GZIP}" -9nc "${PROJECT_SOURCE_DIR}/CHANGELOG.md" OUTPUT_FILE "${_made}/changelog.gz")
foreach(_package lanelab lanelab-dev)
  install(FILES "${_made}/changelog.Debian.gz" "${_made}/changelog.gz" cmake/debian/copyright DESTINATION share/doc/${_package} COMPONENT debian-${_package} EXCLUDE_FROM_ALL)
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME lanelab)
set(CPACK_PACKAGE_VENDOR LaneLab)
set(CPACK_PACKAGE_CONTACT "${LANELAB_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "train neural networks across devices and see where the time goes")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL programs devel debian-lanelab debian-lanelab-dev)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_LANELAB_PACKAGE_NAME lanelab)
set(CPACK_DEBIAN_LANELAB_PACKAGE_SECTION science)
set(CPACK_DEBIAN_LANELAB_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${LANELAB_SITE_PACKAGES}/torch/lib;${LANELAB_SITE_PACKAGES}/nvidia/cu13/lib")
set(CPACK_DEBIAN_LANELAB_PACKAGE_RECOMMENDS "libcurl4, python3 (>= 3.11), python3-venv, qt6-wayland, qt6-translations-l10n, fonts-wqy-microhei | fonts-noto-cjk")
set(CPACK_DEBIAN_LANELAB_DESCRIPTION "Place the blocks of a network on CPU cores or GPUs, train it with LibTorch, see
what every device does and why it is idle, and compare single-device,
data-parallel, model-parallel and pipelined training.
.
PyTorch is not part of it: lanelab-setup-torch installs it for a user.")
set(CPACK_DEBIAN_LANELAB-DEV_DESCRIPTION "Libraries and headers of the engine, which needs no Qt: plan, predict and train
in programs of your own.")
set(CPACK_DEBIAN_LANELAB-DEV_PACKAGE_NAME lanelab-dev)
set(CPACK_DEBIAN_LANELAB-DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LANELAB-DEV_PACKAGE_DEPENDS
    "lanelab (= ${PROJECT_VERSION}-1), nlohmann-json3-dev, libsimdjson-dev, libsqlite3-dev, zlib1g-dev, libpng-dev, libjpeg-dev, libhwloc-dev, pkg-config")
include(CPack)
cpack_add_component_group(lanelab)
cpack_add_component_group(lanelab-dev)
cpack_add_component(programs GROUP lanelab)
cpack_add_component(debian-lanelab GROUP lanelab)
cpack_add_component(devel GROUP lanelab-dev)
cpack_add_component(debian-lanelab-dev GROUP lanelab-dev)
