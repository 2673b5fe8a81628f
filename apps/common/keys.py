"""Primary keys in addresses and request bodies."""


def key_of(text: object) -> int:
    """Return the text as a primary key; 0, which no row has, if the text is malformed."""
    written = str(text)
    return int(written) if written.isascii() and written.isdecimal() and len(written) < 19 else 0
