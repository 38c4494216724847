<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name></name>
    <message numerus="yes">
        <source>%n matching action(s)</source>
        <translation>
            <numerusform>%n matching action</numerusform>
            <numerusform>%n matching actions</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>BoardView</name>
    <message numerus="yes">
        <source>Move %n block(s)</source>
        <translation>
            <numerusform>Move %n block</numerusform>
            <numerusform>Move %n blocks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 on lane %2, %n block(s) chosen</source>
        <translation>
            <numerusform>%1 on lane %2, %n block chosen</numerusform>
            <numerusform>%1 on lane %2, %n blocks chosen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CheckDialog</name>
    <message numerus="yes">
        <source>All variants equal their reference after %n step(s), measured.</source>
        <translation>
            <numerusform>All variants equal their reference after %n step, measured.</numerusform>
            <numerusform>All variants equal their reference after %n steps, measured.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LayerTableModel</name>
    <message numerus="yes">
        <source>Move %n block(s)</source>
        <translation>
            <numerusform>Move %n block</numerusform>
            <numerusform>Move %n blocks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message numerus="yes">
        <source>%n event(s) of this file could not be used; lanelab-cli import lists them by kind.</source>
        <translation>
            <numerusform>%n event of this file could not be used; lanelab-cli import lists them by kind.</numerusform>
            <numerusform>%n events of this file could not be used; lanelab-cli import lists them by kind.</numerusform>
        </translation>
    </message>
</context>
</TS>
