# SPDX-License-Identifier: GPL-3.0-only
"""Holds resources/translations/lanelab_en.ts to the sources: each text with %n has an English singular and plural.

check_plurals.py ROOT          reports what is missing, empty or left over
check_plurals.py --write ROOT  writes the file again: forms that are there stay, "step(s)" gives "step" and "steps"
Needs lupdate of Qt 6 (Debian: qt6-l10n-tools); skips by name without it.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

SKIPPED = 77
FILE = "resources/translations/lanelab_en.ts"


def lupdate():
    return shutil.which("/usr/lib/qt6/bin/lupdate") or shutil.which("lupdate6") or shutil.which("lupdate")


def updated(program, root, ts):
    """The file as the sources ask for it, in a temporary copy."""
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / ts.name
        if ts.exists():
            shutil.copy(ts, copy)
        subprocess.run(
            [program, "-silent", "-pluralonly", "-no-obsolete", "-locations", "none", "-source-language", "en",
             "-target-language", "en", "-extensions", "cpp,h", "-I", ".", "ui", "app/window", "app/set_up", "-ts", str(copy)],
            cwd=root, check=True, timeout=120, capture_output=True)
        return copy.read_text(encoding="utf-8")


def messages(text):
    """(context, source) -> the two forms."""
    found = {}
    for context in xml.fromstring(text.encode("utf-8")).iter("context"):
        for message in context.iter("message"):
            forms = [form.text or "" for form in message.iter("numerusform")]
            found[context.findtext("name"), message.findtext("source")] = forms
    return found


def faults(wanted, given):
    for key in wanted:
        forms = given.get(key)
        if forms is None:
            yield f"{FILE}: {key[0]}: \"{key[1]}\" is missing. Run tests/arch/check_plurals.py --write ."
        elif len(forms) != 2 or not all(forms) or any("(s)" in form or "(es)" in form for form in forms):
            yield f"{FILE}: {key[0]}: \"{key[1]}\" needs a singular and a plural, not {forms}."
    for key in given.keys() - wanted.keys():
        yield f"{FILE}: {key[0]}: \"{key[1]}\" is used nowhere. Run tests/arch/check_plurals.py --write ."


def with_forms(text):
    """Empty forms become those of the source, by its "(s)"."""
    def filled(match):
        source = match.group("source")
        forms = re.sub(r"\((s|es)\)", "", source), re.sub(r"\((s|es)\)", r"\1", source)
        lines = "".join(f"            <numerusform>{form}</numerusform>\n" for form in forms)
        return match.group("head") + "<translation>\n" + lines + "        </translation>"

    text = re.sub(r'(?P<head><source>(?P<source>[^<]*)</source>\s*)<translation type="unfinished">\s*'
                  r'(?:<numerusform></numerusform>\s*)+</translation>', filled, text)
    return text.replace('<translation type="unfinished">', "<translation>")  # lupdate doubts forms that it took over


def main():
    write = "--write" in sys.argv
    root = pathlib.Path([word for word in sys.argv[1:] if word != "--write"][0])
    program = lupdate()
    if program is None:
        print("skipped: lupdate is not installed (Debian: qt6-l10n-tools)")
        return SKIPPED
    ts = root / FILE
    text = updated(program, root, ts)
    if write:
        ts.parent.mkdir(parents=True, exist_ok=True)
        ts.write_text(with_forms(text), encoding="utf-8")
        return 0
    found = list(faults(messages(text), messages(ts.read_text(encoding="utf-8")) if ts.exists() else {}))
    print("\n".join(found) or f"{len(messages(text))} plural texts, no fault")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
