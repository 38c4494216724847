#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-only
"""export --what report: the timeline in the page holds the spans of the trace, texts of any kind remain text, and nothing is loaded."""
import base64
import html.parser
import json
import random
import unittest
import zlib

from cli_world import CliTest

HOSTILE = ["</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", "\"'`${1}", "line\u2028and\u2029", "<!--", "]]>", "&lt;"]


class Page(html.parser.HTMLParser):
    """Elements by name, and the texts of scripts."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.scripts, self.references, self.open = [], [], [], None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.elements.append(tag)
        self.references += [value for name, value in attributes if name in ("src", "href")]
        self.open = tag
        if tag == "script":
            self.scripts.append("")

    def handle_endtag(self, tag):
        self.open = None

    def handle_data(self, data):
        if self.open == "script":
            self.scripts[-1] += data


def numbers(data):
    at = 0

    def byte():
        nonlocal at
        at += 1
        return data[at - 1]

    def number():
        value = shift = 0
        while True:
            read = byte()
            value |= (read & 127) << shift
            shift += 7
            if read < 128:
                return value
    return number, byte


def spans_of(shown):
    """[(row, name, start in ns, length, step, stage, micro-batch)] as timeline_html.h describes the format."""
    number, byte = numbers(zlib.decompress(base64.b64decode(shown["spans"])))
    spans = []
    for row in shown["rows"]:
        now = 0
        for _ in range(row["spans"]):
            now += number()
            length, name = number(), number()
            byte(), byte()
            spans.append((row["kind"], shown["names"][name], now, length, number() - 1, number() - 1, number() - 1))
    return spans


class ReportTimeline(CliTest):
    def page_of(self, folder):
        out = self.folder / "report.html"
        self.done("export", folder, "--what", "report", "--format", "html", "--out", out)
        return out.read_text(encoding="utf-8")

    def imported(self, events):
        trace = self.folder / "trace.json"
        trace.write_text(json.dumps({"traceEvents": events}))
        self.done("import", trace, "--out", self.folder / "imported")
        return self.folder / "imported"

    def kernels(self, count):
        draw = random.Random(1)
        now, events = 0, []
        for i in range(count):
            now += draw.randrange(1, 50)
            length = draw.randrange(1, 40)
            events.append({"ph": "X", "cat": "kernel", "name": f"kernel_{draw.randrange(200)}", "pid": 0, "tid": 7, "ts": now, "dur": length, "args": {"device": 0, "stream": 7}})
            now += length
        return events

    def shown_in(self, text):
        return json.loads(next(script for script in Page(text).scripts if script.startswith('{"title"')))

    def test_all_spans_are_there(self):
        events = self.kernels(3000)
        spans = [span for span in spans_of(self.shown_in(self.page_of(self.imported(events)))) if span[0] == "stream"]
        begin = events[0]["ts"]
        self.assertEqual([(name, start, length) for _, name, start, length, *_ in spans],
                         [(event["name"], (event["ts"] - begin) * 1000, event["dur"] * 1000) for event in events])

    def test_100000_spans_take_at_most_3_mb(self):
        self.assertLess(len(self.page_of(self.imported(self.kernels(100_000))).encode()), 3_000_000)

    def test_names_remain_text_and_nothing_is_loaded(self):
        events = [{**event, "name": name} for event, name in zip(self.kernels(len(HOSTILE)), HOSTILE)]
        text = self.page_of(self.imported(events))
        page = Page(text)
        self.assertEqual(page.elements.count("script"), 2)
        self.assertNotIn("img", page.elements)
        self.assertEqual(page.references, [])
        self.assertNotIn("\u2028", text)
        self.assertEqual([span[1] for span in spans_of(self.shown_in(text)) if span[0] == "stream"], HOSTILE)

    def test_paper_has_a_drawing(self):
        text = self.page_of(self.imported(self.kernels(50)))
        self.assertIn('<svg class="paper"', text)
        self.assertIn("@media print", text)


if __name__ == "__main__":
    unittest.main()
