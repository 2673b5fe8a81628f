"""统一社会信用代码: the check digit of GB 32100-2015, section 4."""

ALPHABET = "0123456789ABCDEFGHJKLMNPQRTUWXY"
WEIGHTS = (1, 3, 9, 27, 19, 26, 16, 17, 20, 29, 25, 13, 8, 24, 10, 30, 28)


def check_digit(first_17: str) -> str:
    """Return the 18th character for the first 17."""
    total = sum(
        ALPHABET.index(char) * weight for char, weight in zip(first_17, WEIGHTS, strict=True)
    )
    return ALPHABET[(31 - total % 31) % 31]


def is_credit_code(code: str) -> bool:
    """Whether the 18 characters belong to the alphabet and the check digit is correct."""
    return (
        len(code) == 18
        and all(char in ALPHABET for char in code)
        and check_digit(code[:17]) == code[17]
    )
