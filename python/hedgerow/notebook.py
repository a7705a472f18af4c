"""Pages and drawings inside notebooks: each in a frame, which keeps its style to itself and runs no script."""

from __future__ import annotations

import html
import re

_SIZE = re.compile(r'<svg [^>]*?viewBox="0 0 ([0-9.]+) ([0-9.]+)"')
_DEFAULT = (640.0, 400.0)


def page(text: str) -> str:
    """Return a page as a part of a notebook."""
    return _framed(text, "width: 100%; height: 40em; border: 1px solid #8888")


def drawing(svg: str) -> str:
    """Return a drawing as a part of a notebook, as large as it is; it is scrolled if it is wider."""
    found = _SIZE.search(svg)
    width, height = (float(found[1]), float(found[2])) if found else _DEFAULT
    # Drawings are dark where readers prefer that, and so is what is around them in the frame.
    style = ":root{color-scheme:light dark}body{margin:0}svg{display:block}"
    body = f"<!doctype html><meta charset=utf-8><style>{style}</style>{svg}"
    # A scroll bar takes some of the height.
    return _framed(body, f"width: {width:.0f}px; max-width: 100%; height: {height + 16:.0f}px; border: 0")


def _framed(source: str, style: str) -> str:
    return f'<iframe srcdoc="{html.escape(source, quote=True)}" sandbox="" style="{style}"></iframe>'
