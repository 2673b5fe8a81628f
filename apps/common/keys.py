"""Primary keys as addresses and bodies write them."""


def key_of(text: object) -> int:
    """Return the primary key that the text names; 0, which no row has, for what names none."""
    written = str(text)
    return int(written) if written.isdecimal() and len(written) < 19 else 0
