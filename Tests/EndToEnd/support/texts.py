# SPDX-License-Identifier: Apache-2.0
"""The English texts of the dashboard: those of its page, and those that its modules tag with t`…`."""

import re
from html.parser import HTMLParser
from pathlib import Path

FILES = Path(__file__).parents[3] / "Sources/WebAssets/Files"
ATTRIBUTES = ("aria-label", "title", "placeholder", "label")


class _Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.texts = set()
        self.skipped = 0

    def _add(self, text):
        text = " ".join(text.split())
        if re.search("[A-Za-z]{2}", text):
            self.texts.add(text)

    def handle_starttag(self, tag, attributes):
        if tag in ("code", "head", "script", "noscript"):
            self.skipped += 1
        for name, value in attributes:
            if name in ATTRIBUTES and value:
                self._add(value)

    def handle_endtag(self, tag):
        if tag in ("code", "head", "script", "noscript"):
            self.skipped -= 1

    def handle_data(self, data):
        if not self.skipped:
            self._add(data)


def of_page():
    page = _Page()
    page.feed((FILES / "dashboard.html").read_text())
    return page.texts


def of_modules():
    modules = sorted((FILES / "dashboard").glob("*.js"))
    # In texts.js it is an example.
    return {text for path in modules if path.name != "texts.js" for text in _tagged(path.read_text())}


def _tagged(source):
    for match in re.finditer(r"\bt`", source):
        text, place, number = "", match.end(), 0
        while source[place] != "`":
            if source.startswith("${", place):
                place = _end(source, place + 2)
                text += f"{{{number}}}"
                number += 1
            else:
                text += source[place]
                place += 1
        yield text


def _end(source, place):
    """Returns the place after the brace that ends an expression; templates in it may have expressions again."""
    while source[place] != "}":
        if source[place] == "`":
            place += 1
            while source[place] != "`":
                place = _end(source, place + 2) if source.startswith("${", place) else place + 1
        place += 1
    return place + 1
