# SPDX-License-Identifier: GPL-3.0-only
# Where cmake --install puts programs, what a desktop knows them by, and the libraries. Installed programs find each other and their files relative to
# themselves, and LibTorch at each start (app/start), so a prefix may be moved. Components: programs, devel.
set(_id io.github.lanelab.LaneLab)
set(_programs "${CMAKE_INSTALL_LIBEXECDIR}/lanelab")
set(_data "${CMAKE_INSTALL_DATADIR}/lanelab")
set(_made "${PROJECT_BINARY_DIR}/install")  # files that are made for the installation
file(MAKE_DIRECTORY "${_made}")
find_package(Python3 3.9 COMPONENTS Interpreter)
find_program(LANELAB_GZIP gzip REQUIRED)

# Programs: those that users call, and those that need LibTorch in a folder of their own.
set(_started lanelab-cli-torch)
set(_modules "")
install(TARGETS lanelab-cli RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT programs)
if(TARGET lanelab)
  install(PROGRAMS $<TARGET_FILE:lanelab-start> DESTINATION "${CMAKE_INSTALL_BINDIR}" RENAME lanelab COMPONENT programs)
  list(APPEND _started lanelab lanelab-set-up)
endif()
install(TARGETS ${_started} RUNTIME DESTINATION "${_programs}" COMPONENT programs)
if(TARGET lanelab_cuda)
  install(TARGETS lanelab_cuda LIBRARY DESTINATION "${_programs}" COMPONENT programs)
  set(_modules liblanelab_cuda.so)
endif()
# The wheel's folders are in the linker's options, which CMake leaves alone.
foreach(_file ${_started} ${_modules})
  install(CODE "file(RPATH_REMOVE FILE \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${_programs}/${_file}\")" COMPONENT programs)
endforeach()

# PyTorch for a user.
file(RELATIVE_PATH data_from_bin "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_DATADIR}/lanelab")
configure_file(cmake/lanelab-setup-torch.in "${_made}/lanelab-setup-torch" @ONLY)
install(PROGRAMS "${_made}/lanelab-setup-torch" DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT programs)
install(FILES cmake/torch_environment.sh cmake/check_venv.py requirements.lock DESTINATION "${_data}/setup" COMPONENT programs)

# Examples, schemas, pages.
install(DIRECTORY resources/experiments resources/schema DESTINATION "${_data}" COMPONENT programs FILES_MATCHING PATTERN "*.json")
install(FILES LICENSE DESTINATION "${_data}" COMPONENT programs)
install(FILES README.md CHANGELOG.md DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT programs)
install(DIRECTORY docs DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT programs FILES_MATCHING PATTERN "*.md" PATTERN "*.png" PATTERN man EXCLUDE PATTERN examples EXCLUDE)

# lanelab_made(FILE DESTINATION COMMAND... DEPENDS...): a file that a command prints, for the installation.
set(_made_files "")
function(lanelab_made file destination)
  cmake_parse_arguments(ARG "" "" "COMMAND;DEPENDS" ${ARGN})
  add_custom_command(OUTPUT "${_made}/${file}" COMMAND ${ARG_COMMAND} > "${_made}/${file}" DEPENDS ${ARG_DEPENDS} VERBATIM)
  install(FILES "${_made}/${file}" DESTINATION "${destination}" COMPONENT programs)
  set(_made_files ${_made_files} "${_made}/${file}" PARENT_SCOPE)
endfunction()

# Manual pages; that of lanelab-cli is its help.
set(_man "${CMAKE_INSTALL_MANDIR}/man1")
set(_man_pages "${PROJECT_SOURCE_DIR}/docs/man/lanelab-setup-torch.1")
if(TARGET lanelab)
  list(APPEND _man_pages "${PROJECT_SOURCE_DIR}/docs/man/lanelab.1")
endif()
if(Python3_FOUND)
  set(_page "${PROJECT_SOURCE_DIR}/docs/command-line.md")
  add_custom_command(OUTPUT "${_made}/lanelab-cli.1" COMMAND "${Python3_EXECUTABLE}" -B "${PROJECT_SOURCE_DIR}/cmake/manual_page.py" "${_page}" "${_made}/lanelab-cli.1"
                     DEPENDS "${_page}" "${PROJECT_SOURCE_DIR}/cmake/manual_page.py" VERBATIM)
  list(APPEND _man_pages "${_made}/lanelab-cli.1")
endif()
foreach(_page IN LISTS _man_pages)
  get_filename_component(_name "${_page}" NAME)
  lanelab_made("${_name}.gz" "${_man}" COMMAND "${LANELAB_GZIP}" -9nc "${_page}" DEPENDS "${_page}")
endforeach()

# Completions, from the program's own commands.
lanelab_made(lanelab-cli "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" COMMAND lanelab-cli completion bash DEPENDS lanelab-cli lanelab-cli-torch)
lanelab_made(_lanelab-cli "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions" COMMAND lanelab-cli completion zsh DEPENDS lanelab-cli lanelab-cli-torch)
add_custom_target(install_files ALL DEPENDS ${_made_files})
add_dependencies(programs install_files)

# What a desktop knows LaneLab by.
if(TARGET lanelab)
  # Screenshots are named by address, and only a repository with a home has one.
  set(LANELAB_HOME "" CACHE STRING "Address of the files of this repository, such as https://example.org/lanelab/raw/main; empty: it has none")
  set(screenshots "")
  if(LANELAB_HOME)
    set(screenshots "  <screenshots>\n")
    set(_default " type=\"default\"")
    foreach(_shot "compare;A run on two lanes with its timeline and the comparison of its variants" "timeline;Each idle stretch of a step names its cause")
      list(GET _shot 0 _name)
      list(GET _shot 1 _caption)
      string(APPEND screenshots "    <screenshot${_default}>\n      <caption>${_caption}</caption>\n"
             "      <image type=\"source\" width=\"1600\" height=\"900\">${LANELAB_HOME}/resources/desktop/screenshots/${_name}.png</image>\n    </screenshot>\n")
      set(_default "")
    endforeach()
    string(APPEND screenshots "  </screenshots>\n")
  endif()
  configure_file(resources/desktop/${_id}.metainfo.xml.in "${_made}/${_id}.metainfo.xml" @ONLY)
  install(FILES "${_made}/${_id}.metainfo.xml" DESTINATION "${CMAKE_INSTALL_DATADIR}/metainfo" COMPONENT programs)
  install(FILES resources/desktop/${_id}.desktop DESTINATION "${CMAKE_INSTALL_DATADIR}/applications" COMPONENT programs)
  install(FILES resources/desktop/${_id}.xml DESTINATION "${CMAKE_INSTALL_DATADIR}/mime/packages" COMPONENT programs)
  set(_icons "${CMAKE_INSTALL_DATADIR}/icons/hicolor")
  install(FILES resources/icons/lanelab.svg DESTINATION "${_icons}/scalable/apps" RENAME ${_id}.svg COMPONENT programs)
  foreach(_size 48 64 128 256)
    install(FILES resources/desktop/icons/${_size}.png DESTINATION "${_icons}/${_size}x${_size}/apps" RENAME ${_id}.png COMPONENT programs)
  endforeach()
endif()

# Libraries: find_package(LaneLab) has LaneLab::planning, and LaneLab::training where PyTorch is. Headers of the rooms without torch, and the two that
# make an executor of LibTorch; none needs Qt or torch.
set(_planning base profiler_trace profiler_analysis profiler_io engine_files engine_libtorch engine_core)
set(_training profiler_collect engine_torch engine_dist)
install(TARGETS ${_planning} EXPORT LaneLabPlanning ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}/lanelab" COMPONENT devel)
install(TARGETS ${_training} EXPORT LaneLabTraining ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}/lanelab" COMPONENT devel)
set(_headers "${CMAKE_INSTALL_INCLUDEDIR}/lanelab")
install(DIRECTORY base profiler engine DESTINATION "${_headers}" COMPONENT devel FILES_MATCHING PATTERN "*.h"
        PATTERN collect EXCLUDE PATTERN engine/torch EXCLUDE PATTERN engine/dist EXCLUDE PATTERN engine/cuda EXCLUDE PATTERN engine/library EXCLUDE)
install(FILES engine/torch/train/torch_executor.h DESTINATION "${_headers}/engine/torch/train" COMPONENT devel)
install(FILES engine/dist/run_processes.h DESTINATION "${_headers}/engine/dist" COMPONENT devel)
install(DIRECTORY docs/examples/ DESTINATION "${CMAKE_INSTALL_DOCDIR}/examples" COMPONENT devel)

include(CMakePackageConfigHelpers)
find_package(PNG QUIET)
find_package(JPEG QUIET)
string(REGEX MATCH "^[0-9]+\\.[0-9]+" LANELAB_TORCH_MINOR "${LANELAB_TORCH_VERSION}")
set(_config "${CMAKE_INSTALL_LIBDIR}/cmake/LaneLab")
configure_package_config_file(cmake/LaneLabConfig.cmake.in "${_made}/LaneLabConfig.cmake" INSTALL_DESTINATION "${_config}")
# Before 1.0 a minor version may change what is in the headers.
write_basic_package_version_file("${_made}/LaneLabConfigVersion.cmake" VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
install(EXPORT LaneLabPlanning NAMESPACE LaneLab:: DESTINATION "${_config}" COMPONENT devel)
install(EXPORT LaneLabTraining NAMESPACE LaneLab:: DESTINATION "${_config}" COMPONENT devel)
install(FILES "${_made}/LaneLabConfig.cmake" "${_made}/LaneLabConfigVersion.cmake" cmake/LanelabTorchTargets.cmake DESTINATION "${_config}" COMPONENT devel)
