"""Make a model's text safe for the database and the page."""

from __future__ import annotations

# Control characters except tab and line breaks.
CONTROLS = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 127])


def clean_text(text: str) -> str:
    """Return the text without control characters. Surrogate pairs are joined; a lone surrogate
    becomes �.
    """
    return (
        text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").translate(CONTROLS)
    )
