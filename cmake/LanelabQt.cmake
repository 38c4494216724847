# Qt 6.4 or later. QT_NO_KEYWORDS: torch uses an identifier named slots (pytorch#19405), so Qt's macros of that name stay off everywhere.
find_package(Qt6 6.4 REQUIRED COMPONENTS Widgets Charts Svg Test)
add_library(lanelab_qt INTERFACE)
target_link_libraries(lanelab_qt INTERFACE Qt6::Widgets Qt6::Charts Qt6::Svg)
target_compile_definitions(lanelab_qt INTERFACE QT_NO_KEYWORDS)

# moc and rcc for the targets of the current folder and below; called where Qt code lives, so that nothing else is scanned.
macro(lanelab_use_moc)
  set(CMAKE_AUTOMOC ON)
  set(CMAKE_AUTORCC ON)
endmacro()
