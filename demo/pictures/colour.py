"""Colours: the catalogue's colour words, brand colours, and their shades."""

from functools import cache

WHITE, INK = "#f3f5f7", "#2a2f38"
STEEL, BRASS, WOOD, KRAFT, GLASS = "#b9c1cb", "#d9a441", "#d2a679", "#c99e6b", "#cfe4f0"

NAMED = {
    "黑色": "#30353d", "白色": "#f3f5f7", "灰色": "#8f98a5", "灰白色": "#d5dae0", "银色": "#c3cad3", "蓝色": "#2f6fd0",
    "深蓝色": "#1d3a74", "红色": "#d63b3f", "绿色": "#37a36a", "黄色": "#f4bd25", "橙色": "#f08135", "粉色": "#f08fb0",
    "棕色": "#86583a", "胡桃色": "#7a4f35", "原木色": "#d8ae7d", "金色": "#d9a83f", "香槟金": "#d8bf94", "古铜色": "#a9743f",
    "黄铜色": "#cfa14a", "青色": "#1aa7c4", "品红色": "#d13a8b", "荧光黄": "#d8e829", "米色": "#e9dcc4", "蓝黑色": "#1f2c4d",
    "透明": "#d6e6f1",
}  # fmt: skip
RAINBOW = ("#e5595c", "#f4bd25", "#37a36a", "#2f6fd0", "#8b62c9", "#f08135")
BRAND_COLOURS = (
    "#1f5fa8", "#c8402f", "#16806b", "#d0711c", "#5a4bb0", "#0f7c9c", "#b03068", "#3f7d2c", "#8a5a2b", "#2d4a7c", "#a33b3b", "#0b6e4f",
)  # fmt: skip
# Colours that follow from the kind of product: water is blue, tea is green, fire is red.
OWN_COLOURS = {
    "SHANBO": "#1f7fc0", "CHAYIN": "#2f7d5b", "SHOSUI": "#b8322c", "JIELAN": "#1f7fb0",
    "VIYUE": "#24508f", "ZOXU": "#3a5a78", "JUNJIA": "#c2571a",
}  # fmt: skip


def _split_channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mix(first: str, second: str, share: float) -> str:
    """Return `first` with `share` (0…1) of `second` in it."""
    pairs = zip(_split_channels(first), _split_channels(second), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


@cache
def shade(colour: str, amount: float) -> str:
    """Return a lighter (amount > 0) or darker (amount < 0) colour. Light colours darken towards
    slate, so white does not look dirty.
    """
    if amount >= 0:
        return mix(colour, "#ffffff", amount)
    return mix(colour, "#5d6b80" if is_light(colour) else "#0b1220", -amount)


def is_light(colour: str) -> bool:
    """Return whether dark text is more readable on this colour."""
    red, green, blue = _split_channels(colour)
    return 0.3 * red + 0.59 * green + 0.11 * blue > 168


def get_text_colour(colour: str) -> str:
    """Return the text colour that is readable on `colour`."""
    return "#2a2f38" if is_light(colour) else "#ffffff"
