"""The unified social credit code (GB 32100-2015) and the organisation code inside it (GB 11714)."""

ALPHABET = "0123456789ABCDEFGHJKLMNPQRTUWXY"
ORGANISATION_WEIGHTS = (3, 7, 9, 10, 5, 8, 4, 2)


def organisation_check(body: str) -> str:
    """Return the ninth character of an organisation code (GB 11714) from its first eight."""
    total = sum(
        int(char, 36) * weight for char, weight in zip(body, ORGANISATION_WEIGHTS, strict=True)
    )
    value = 11 - total % 11
    return {10: "X", 11: "0"}.get(value, str(value))


def credit_check(body: str) -> str:
    """Return the eighteenth character of a credit code (GB 32100-2015) from its first seventeen."""
    total = sum(ALPHABET.index(char) * 3**place % 31 for place, char in enumerate(body))
    return ALPHABET[-total % 31]


def is_valid_credit_code(code: str) -> bool:
    """Return whether both check characters of `code` are correct."""
    if len(code) != 18 or not set(code) <= set(ALPHABET):
        return False
    return code[16] == organisation_check(code[8:16]) and code[17] == credit_check(code[:17])
