# SPDX-License-Identifier: GPL-3.0-only
"""What the panes of the window say, as the program pane_texts prints it, and how it is read."""
import dataclasses
import json
import re


class Panes:
    """Of one variant of a run, of a trace, or of two runs that are compared."""

    def __init__(self, where, said):
        self.where, self.said = where, said

    def find(self, widget, pane=""):
        return next((one for one in self.said if one["widget"] == widget and one["pane"].startswith(pane)), {})

    def text(self, widget, pane=""):
        return self.find(widget, pane).get("text", "")

    def tip(self, widget, pane=""):
        return self.find(widget, pane).get("tip", "")

    def spoken(self, widget, pane=""):
        return self.find(widget, pane).get("spoken", "")

    def painted(self, widget, pane=""):
        return self.find(widget, pane).get("painted", [])

    def rows(self, widget, pane=""):
        """[{title: cell}]"""
        found = self.find(widget, pane)
        return [dict(zip(found["columns"], row)) for row in found.get("rows", [])]

    def table(self, widget, pane=""):
        """{first cell: {title: cell}}, as table_of() reads printed ones."""
        return {next(iter(row.values())): row for row in self.rows(widget, pane)}

    def tips(self, widget, pane=""):
        """The tips of each row, those of its cells one after another."""
        return ["\n".join(dict.fromkeys(row)) for row in self.find(widget, pane).get("tips", [])]

    def everything(self, pane):
        """All that is said in a pane, tips and painted texts too."""
        said = [one for one in self.said if one["pane"] == pane]
        return "\n".join(text for one in said for text in (one.get("text", ""), one["tip"], *one.get("painted", []), *one.get("columns", []),
                                                           *(cell for row in one.get("rows", []) + one.get("tips", []) for cell in row)))

    def panes(self, begin):
        """Names of those that begin so."""
        return list(dict.fromkeys(one["pane"] for one in self.said if one["pane"].startswith(begin)))


def read_panes(printed):
    """{path: {variant: Panes}}"""
    return {path: {variant: Panes(f"{path.rsplit('/', 1)[-1]}, {variant}" if variant else path.rsplit("/", 1)[-1], said) for variant, said in variants.items()}
            for path, variants in json.loads(printed).items()}


def of_pane(pane, rows):
    """Statements of a pane that are checked as those of commands are, under a name of their own."""
    return (dataclasses.replace(row, name=f"{pane}: {row.name}") for row in rows)


def lines_of(*texts):
    """Sentences one under another, as commands print them."""
    return "\n".join(re.sub(r"(?<=[.)]) (?=[A-Z0-9])", "\n", text) for text in texts)
