"""Text that a model wrote, fit for a database and a page."""

from __future__ import annotations

# What no database column and no page takes; tabs and line ends stay.
CONTROLS = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 127])


def cleaned(text: str) -> str:
    """Return the text without control characters, halves of a character joined; a half alone becomes �."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").translate(CONTROLS)
