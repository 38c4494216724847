# SPDX-License-Identifier: GPL-3.0-only
"""Holds each resources/translations/lanelab_LANGUAGE.ts to the sources: all texts are translated, with their places.

check_translations.py ROOT          reports what is missing, unfinished, left over, or lost in translation
check_translations.py --write ROOT  writes the files again: new texts are added as unfinished, unused ones removed
Needs lupdate of Qt 6 (Debian: qt6-l10n-tools); skips by name without it. English has its plurals (check_plurals.py).
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

import engine_texts
from check_plurals import SKIPPED, lupdate

FOLDER = "resources/translations"
MNEMONIC = re.compile(r"&([^&\s])")
FULL_WIDTH = {"zh": re.compile(r"[\u4e00-\u9fff][,;:?!]|[\u4e00-\u9fff]\.(?!\w|\.)")}


def updated(program, root, ts):
    """The file as the sources ask for it, in a temporary copy, and what lupdate doubts: mostly contexts that it cannot tell."""
    with tempfile.TemporaryDirectory() as folder:
        copy, engine = pathlib.Path(folder) / ts.name, pathlib.Path(folder) / "engine_texts.cpp"
        shutil.copy(ts, copy)
        engine.write_text(engine_texts.noop_source(root), encoding="utf-8")
        told = subprocess.run(
            [program, "-silent", "-no-obsolete", "-locations", "none", "-source-language", "en",
             "-extensions", "cpp,h", "-I", ".", "ui", "app/window", "app/set_up", str(engine), "-ts", str(copy)],
            cwd=root, check=True, timeout=120, capture_output=True, text=True)
        return copy.read_text(encoding="utf-8"), told.stderr.splitlines()


def messages(text):
    """(context, source, comment) -> the translations, of which a plural has one a form; None if unfinished."""
    found = {}
    for context in xml.fromstring(text.encode("utf-8")).iter("context"):
        for message in context.iter("message"):
            translation = message.find("translation")
            forms = [form.text or "" for form in translation.iter("numerusform")] or [translation.text or ""]
            key = context.findtext("name"), message.findtext("source"), message.findtext("comment")
            found[key] = None if translation.get("type") == "unfinished" else forms
    return found


def places(text):
    """What the program fills in: %1, %L1, %n, and the values of the engine's messages."""
    numbered = [int(number) for number in re.findall(r"\{(\d+)\}", text)]
    values = text.count("{}") if not numbered else max(numbered) + 1
    return sorted(set(re.findall(r"%L?\d|%n|%p", text))), values


def lost(context, source, text):
    """What a translation lacks of its source."""
    if not text.strip():
        return "is empty"
    places_of, places_in = places(source), places(text)
    if places_in[0] != places_of[0] or (context == "messages" and places_in[1] != places_of[1]):
        return "has other places than"
    of, within = MNEMONIC.findall(source.replace("&&", "")), MNEMONIC.findall(text.replace("&&", ""))
    if [key.upper() for key in of] != [key.upper() for key in within]:
        return "has another mnemonic than"
    if sorted(re.findall(r"<[/a-z][^>]*>", source)) != sorted(re.findall(r"<[/a-z][^>]*>", text)):
        return "has other tags than"
    if source.partition("\t")[2] != text.partition("\t")[2]:
        return "has another key than"
    if source.strip() == source and text.strip() != text:
        return "begins or ends with a space, unlike"
    return None


def faults(name, wanted, given):
    """Sentences; `wanted` has a text as unfinished if lupdate did not find it in the file."""
    language = name.split("_")[1]
    for key, forms in wanted.items():
        if forms is None:
            yield f"{name}: {key[0]}: \"{key[1]}\" is {'unfinished' if key in given else 'missing'}."
            continue
        for form in forms:
            fault = lost(key[0], key[1], form)
            if fault:
                yield f"{name}: {key[0]}: \"{form}\" {fault} \"{key[1]}\"."
            halved = language in FULL_WIDTH and FULL_WIDTH[language].search(form)
            if halved:
                yield f"{name}: {key[0]}: \"{form}\" has \"{halved.group()}\"; the mark is full-width after Han characters."
    for key in given.keys() - wanted.keys():
        yield f"{name}: {key[0]}: \"{key[1]}\" is used nowhere."


def main():
    write = "--write" in sys.argv
    root = pathlib.Path([word for word in sys.argv[1:] if word != "--write"][0])
    program = lupdate()
    if program is None:
        print("skipped: lupdate is not installed (Debian: qt6-l10n-tools)")
        return SKIPPED
    found, count = [], 0
    for ts in sorted((root / FOLDER).glob("lanelab_*.ts")):
        if ts.stem == "lanelab_en":
            continue
        text, doubts = updated(program, root, ts)
        found += [f"{doubt}: its texts would be looked up elsewhere." for doubt in doubts]
        if write:
            ts.write_text(text, encoding="utf-8")
        wanted = messages(text)
        count += len(wanted)
        found += faults(ts.stem, wanted, messages(ts.read_text(encoding="utf-8")))
    print("\n".join(found) or f"{count} translations, no fault")
    if found and not write:
        print("Run tests/arch/check_translations.py --write . and translate what is unfinished.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
