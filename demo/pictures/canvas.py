"""A sheet to draw one product on: shapes, gradients and text, written as SVG."""

from html import escape

from demo.pictures.colour import shade

FONT = "'Noto Sans CJK SC','Noto Sans SC','PingFang SC','Microsoft YaHei',sans-serif"


def text_width(text: str, size: float) -> float:
    """Return the approximate width of a text. A Chinese character is as wide as it is high."""
    return sum(
        size if ord(char) > 0x2E80 else size * (0.3 if char in " .:·|il1" else 0.6) for char in text
    )


def fit(text: str, size: float, width: float) -> float:
    """Return the biggest size up to `size` at which the text is no wider than `width`."""
    return min(size, size * width / max(text_width(text, size), 1))


class Canvas:
    """Collects the shapes and the gradients of one picture. Every gradient id contains the
    picture's key, so ids are unique on a page.
    """

    def __init__(self, key: str) -> None:
        self.key = key
        self.body: list[str] = []
        self.defs: dict[str, str] = {}
        self._refs: dict[tuple[str, str], str] = {}

    def _gradient(
        self,
        kind: str,
        colour: str,
        attributes: str,
        stops: tuple[tuple[float, str], ...],
        tag: str = "linearGradient",
    ) -> str:
        known = self._refs.get((kind, colour))
        if known is None:
            name = f"{self.key}{len(self.defs)}"
            inner = "".join(
                f'<stop offset="{offset:g}" stop-color="{stop}"/>' for offset, stop in stops
            )
            self.defs[name] = f'<{tag} id="{name}" {attributes}>{inner}</{tag}>'
            known = self._refs[kind, colour] = f"url(#{name})"
        return known

    def down(self, colour: str) -> str:
        """Return a fill lit from above."""
        stops = ((0, shade(colour, 0.2)), (0.45, colour), (1, shade(colour, -0.16)))
        return self._gradient("down", colour, 'x1="0" y1="0" x2="0" y2="1"', stops)

    def slant(self, colour: str) -> str:
        """Return a fill lit from the upper left."""
        stops = ((0, shade(colour, 0.3)), (0.5, colour), (1, shade(colour, -0.2)))
        return self._gradient("slant", colour, 'x1="0" y1="0" x2="1" y2="1"', stops)

    def tube(self, colour: str) -> str:
        """Return the fill of an upright cylinder."""
        stops = (
            (0, shade(colour, -0.22)),
            (0.16, colour),
            (0.34, shade(colour, 0.42)),
            (0.55, colour),
            (1, shade(colour, -0.3)),
        )
        return self._gradient("tube", colour, 'x1="0" y1="0" x2="1" y2="0"', stops)

    def rod(self, colour: str) -> str:
        """Return the fill of a lying cylinder."""
        stops = (
            (0, shade(colour, -0.06)),
            (0.22, shade(colour, 0.48)),
            (0.5, colour),
            (1, shade(colour, -0.3)),
        )
        return self._gradient("rod", colour, 'x1="0" y1="0" x2="0" y2="1"', stops)

    def ball(self, colour: str) -> str:
        """Return the fill of a sphere."""
        stops = ((0, shade(colour, 0.5)), (0.45, colour), (1, shade(colour, -0.34)))
        return self._gradient(
            "ball", colour, 'cx="0.36" cy="0.3" r="0.78"', stops, "radialGradient"
        )

    def rect(
        self, x: float, y: float, w: float, h: float, fill: str, rx: float = 0, more: str = ""
    ) -> None:
        """Draw a rectangle, its corners rounded by `rx`."""
        self.body.append(
            f'<rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" rx="{rx:g}" fill="{fill}"{more and " " + more}/>'
        )

    def path(self, d: str, fill: str, more: str = "") -> None:
        """Draw a filled path."""
        self.body.append(f'<path d="{d}" fill="{fill}"{more and " " + more}/>')

    def stroke(self, d: str, colour: str, width: float, more: str = "", cap: str = "round") -> None:
        """Draw a line with round joints and round ends, or with ends of another `cap`."""
        ends = f'stroke-linecap="{cap}" stroke-linejoin="round"'
        self.body.append(
            f'<path d="{d}" fill="none" stroke="{colour}" stroke-width="{width:g}" {ends}{more and " " + more}/>'
        )

    def oval(self, cx: float, cy: float, rx: float, ry: float, fill: str, more: str = "") -> None:
        """Draw an ellipse."""
        self.body.append(
            f'<ellipse cx="{cx:g}" cy="{cy:g}" rx="{rx:g}" ry="{ry:g}" fill="{fill}"{more and " " + more}/>'
        )

    def disc(self, cx: float, cy: float, r: float, fill: str, more: str = "") -> None:
        """Draw a circle."""
        self.body.append(
            f'<circle cx="{cx:g}" cy="{cy:g}" r="{r:g}" fill="{fill}"{more and " " + more}/>'
        )

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        fill: str,
        *,
        width: float = 600,
        anchor: str = "middle",
        weight: int = 600,
    ) -> None:
        """Write one line of text. Reduce its size if it would be wider than `width`."""
        if text:
            self.body.append(
                f'<text x="{x:g}" y="{y:g}" font-size="{fit(text, size, width):.3g}" fill="{fill}" text-anchor="{anchor}" '
                f'font-weight="{weight}">{escape(text)}</text>'
            )

    def shadow(self, cx: float, cy: float, rx: float, ry: float = 26) -> None:
        """Draw a soft shadow on the floor."""
        name = f"{self.key}s"
        stop = '<stop offset="0" stop-color="#33415a" stop-opacity=".34"/><stop offset=".55" stop-color="#33415a" stop-opacity=".14"/>'
        self.defs[name] = (
            f'<radialGradient id="{name}">{stop}<stop offset="1" stop-color="#33415a" stop-opacity="0"/></radialGradient>'
        )
        self.oval(cx, cy, rx, ry, f"url(#{name})")

    def begin(self, transform: str, more: str = "") -> None:
        """Open a group with a translation, rotation or scale."""
        self.body.append(f'<g transform="{transform}"{more and " " + more}>')

    def end(self) -> None:
        """Close the last open group."""
        self.body.append("</g>")
