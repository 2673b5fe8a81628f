"""Solids that many templates share: boxes, bottles, bags, rolls, screens, labels."""

from demo.pictures.canvas import Canvas
from demo.pictures.colour import INK, STEEL, get_text_colour, is_light, shade
from demo.pictures.subject import Subject

WALLPAPERS = ("#2b6cb8", "#2a7f8f", "#4a56b0", "#33608c", "#6a55a8", "#1f8a7a")
DX, DY = 0.8, 0.42  # offset to the right and up per unit of depth


def draw_cuboid(
    c: Canvas, x: float, y: float, w: float, h: float, depth: float, colour: str, rx: float = 6
) -> None:
    """Draw a box seen from the upper right; `x, y, w, h` is its front."""
    dx, dy = depth * DX, depth * DY
    c.path(
        f"M{x + rx:g} {y:g}L{x + dx:g} {y - dy:g}H{x + w + dx:g}L{x + w - 2:g} {y + 2:g}Z",
        c.slant(shade(colour, 0.3)),
    )
    c.path(
        f"M{x + w - 2:g} {y + 2:g}L{x + w + dx:g} {y - dy:g}V{y + h - dy:g}L{x + w - 2:g} {y + h:g}Z",
        c.down(shade(colour, -0.2)),
    )
    c.rect(x, y, w, h, c.down(colour), rx)
    c.stroke(f"M{x + 4:g} {y + 2:g}H{x + w - 4:g}", "#ffffff", 2.5, 'opacity=".45"')


def draw_label(
    c: Canvas,
    s: Subject,
    x: float,
    y: float,
    w: float,
    h: float,
    *,
    colour: str = "",
    ground: str = "#ffffff",
    rx: float = 8,
) -> None:
    """Draw the brand's label: a coloured head with the brand, then the article's name and its
    size.
    """
    colour = colour or s.accent
    head = h * 0.36
    c.rect(x, y, w, h, ground, rx)
    c.path(
        f"M{x:g} {y + rx:g}q0 {-rx:g} {rx:g} {-rx:g}H{x + w - rx:g}q{rx:g} 0 {rx:g} {rx:g}V{y + head:g}H{x:g}Z",
        c.slant(colour),
    )
    c.text(
        x + w / 2,
        y + head * 0.72,
        s.brand,
        head * 0.58,
        get_text_colour(colour),
        width=w * 0.8,
        weight=700,
    )
    ink = get_text_colour(ground)
    c.text(x + w / 2, y + h * 0.63, s.noun, h * 0.2, ink, width=w * 0.86)
    c.text(x + w / 2, y + h * 0.87, s.spec or s.model, h * 0.15, ink, width=w * 0.8, weight=400)


def mark(
    c: Canvas, s: Subject, x: float, y: float, size: float, fill: str = "", width: float = 260
) -> None:
    """Write the brand's English name as printed on the product."""
    c.text(x, y, s.english, size, fill or s.accent, width=width, weight=700)


def get_print_colour(s: Subject, ground: str) -> str:
    """Return the colour of print on `ground`: the brand's on a light ground, white on a dark
    one.
    """
    return s.accent if is_light(ground) else "#ffffff"


def draw_carton(
    c: Canvas, s: Subject, x: float, y: float, w: float, h: float, depth: float, colour: str = ""
) -> None:
    """Draw a printed box with the brand's label on its front."""
    colour = colour or s.accent
    draw_cuboid(c, x, y, w, h, depth, colour)
    ground = shade(colour, 0.9)
    c.rect(x + w * 0.08, y + h * 0.1, w * 0.84, h * 0.8, ground, 8)
    c.text(x + w / 2, y + h * 0.32, s.brand, h * 0.16, colour, width=w * 0.7, weight=700)
    c.text(x + w / 2, y + h * 0.54, s.noun, h * 0.14, INK, width=w * 0.74)
    c.text(
        x + w / 2, y + h * 0.76, s.spec or s.model, h * 0.11, "#5b6675", width=w * 0.7, weight=400
    )


def draw_bottle(
    c: Canvas,
    cx: float,
    top: float,
    w: float,
    h: float,
    colour: str,
    *,
    neck: float = 0.4,
    shoulder: float = 0.2,
) -> None:
    """Draw the body of a bottle without a cap. `neck` is the width of its mouth and `shoulder`
    the height of its slope, both as shares.
    """
    half, mouth, slope = w / 2, w * neck / 2, h * shoulder
    c.path(
        f"M{cx - mouth:g} {top:g}H{cx + mouth:g}V{top + slope * 0.3:g}C{cx + mouth:g} {top + slope * 0.8:g} {cx + half:g} {top + slope * 0.6:g} {cx + half:g} {top + slope * 1.5:g}"
        f"V{top + h - 22:g}q0 22 -22 22H{cx - half + 22:g}q-22 0 -22 -22V{top + slope * 1.5:g}C{cx - half:g} {top + slope * 0.6:g} {cx - mouth:g} {top + slope * 0.8:g} {cx - mouth:g} {top + slope * 0.3:g}Z",
        c.tube(colour),
    )  # fmt: skip


def draw_cylinder(
    c: Canvas,
    cx: float,
    top: float,
    w: float,
    h: float,
    colour: str,
    lid: str = "",
    squash: float = 0.13,
) -> None:
    """Draw an upright cylinder with its top face."""
    half, ry = w / 2, w * squash
    c.path(
        f"M{cx - half:g} {top:g}V{top + h:g}A{half:g} {ry:g} 0 0 0 {cx + half:g} {top + h:g}V{top:g}Z",
        c.tube(colour),
    )
    c.oval(cx, top, half, ry, c.slant(lid or shade(colour, 0.35)))


def draw_roll(
    c: Canvas,
    cx: float,
    cy: float,
    r: float,
    hole: float,
    width: float,
    colour: str,
    core: str = "#cfae86",
) -> None:
    """Draw a roll lying on its side, its face to the front left."""
    dx, dy = width * 0.82, width * 0.3
    c.path(
        f"M{cx:g} {cy - r:g}l{dx:g} {-dy:g}a{r:g} {r:g} 0 0 1 0 {2 * r:g}l{-dx:g} {dy:g}Z",
        c.rod(shade(colour, -0.06)),
    )
    c.disc(cx, cy, r, c.slant(colour))
    for ring in (0.9, 0.76, 0.62):
        if r * ring > hole * 1.15:
            c.disc(
                cx,
                cy,
                r * ring,
                "none",
                f'stroke="{shade(colour, -0.28)}" stroke-width="1.6" opacity=".4"',
            )
    c.disc(cx, cy, hole, core)
    c.disc(cx + hole * 0.08, cy, hole * 0.8, c.slant(shade(core, -0.45)))


def draw_bag(c: Canvas, x: float, y: float, w: float, h: float, colour: str) -> None:
    """Draw a filled bag with crimped seams at the top and the bottom."""
    c.path(
        f"M{x + 10:g} {y + 26:g}C{x - 6:g} {y + h * 0.3:g} {x - 8:g} {y + h * 0.7:g} {x + 8:g} {y + h - 24:g}H{x + w - 8:g}"
        f"C{x + w + 8:g} {y + h * 0.7:g} {x + w + 6:g} {y + h * 0.3:g} {x + w - 10:g} {y + 26:g}Z",
        c.tube(colour),
    )
    for top in (y, y + h - 26):
        c.rect(x + 4, top, w - 8, 28, c.down(shade(colour, 0.12)), 4)
        c.stroke(
            f"M{x + 10:g} {top + 9:g}H{x + w - 10:g}M{x + 10:g} {top + 18:g}H{x + w - 10:g}",
            shade(colour, -0.2),
            2,
            'opacity=".5"',
        )
    c.path(
        f"M{x + w * 0.12:g} {y + 50:g}c-12 {h * 0.25:g} -12 {h * 0.5:g} 2 {h * 0.72:g}l18 0c-14 {-h * 0.22:g} -14 {-h * 0.47:g} 0 {-h * 0.72:g}Z",
        "#ffffff",
        'opacity=".28"',
    )


def draw_screen(
    c: Canvas, s: Subject, x: float, y: float, w: float, h: float, rx: float = 12, frame: str = INK
) -> None:
    """Draw a lit screen in a narrow frame, with a wallpaper of hills."""
    wall = WALLPAPERS[s.seed % len(WALLPAPERS)]
    c.rect(x, y, w, h, c.down(frame), rx)
    b = 9
    c.rect(x + b, y + b, w - 2 * b, h - 2 * b, c.slant(shade(wall, 0.1)), max(rx - 6, 2))
    c.path(
        f"M{x + b:g} {y + h * 0.72:g}Q{x + w * 0.3:g} {y + h * 0.4:g} {x + w * 0.55:g} {y + h * 0.66:g}T{x + w - b:g} {y + h * 0.5:g}V{y + h - b:g}H{x + b:g}Z",
        shade(wall, 0.42),
        'opacity=".6"',
    )
    c.path(
        f"M{x + b:g} {y + h * 0.84:g}Q{x + w * 0.4:g} {y + h * 0.62:g} {x + w * 0.7:g} {y + h * 0.8:g}T{x + w - b:g} {y + h * 0.72:g}V{y + h - b:g}H{x + b:g}Z",
        shade(wall, 0.7),
        'opacity=".6"',
    )
    c.path(
        f"M{x + b:g} {y + b:g}H{x + w * 0.52:g}L{x + w * 0.22:g} {y + h - b:g}H{x + b:g}Z",
        "#ffffff",
        'opacity=".1"',
    )


def draw_ruler_marks(
    c: Canvas, x: float, y: float, width: float, count: int, long: float, colour: str
) -> None:
    """Draw the scale of a ruler."""
    step = width / count
    parts = [
        f"M{x + n * step:g} {y:g}v{long if n % 5 == 0 else long * 0.55:g}" for n in range(count + 1)
    ]
    c.stroke("".join(parts), colour, 2)


def draw_knob(c: Canvas, cx: float, cy: float, r: float, colour: str = STEEL) -> None:
    """Draw a round button or a screw head."""
    c.disc(cx, cy + r * 0.12, r * 1.06, "#1c2533", 'opacity=".18"')
    c.disc(cx, cy, r, c.ball(colour))


def draw_feet(c: Canvas, xs: tuple[float, ...], y: float, colour: str = INK, w: float = 44) -> None:
    """Draw the feet of a machine or a cupboard."""
    for x in xs:
        c.rect(x - w / 2, y, w, 16, colour, 4)


def draw_panel(c: Canvas, x: float, y: float, w: float, h: float) -> None:
    """Draw a small display with two buttons and a lamp."""
    c.rect(x, y, w, h, c.down("#262c35"), 8)
    c.rect(x + 8, y + 8, w * 0.5, h - 16, c.slant("#7fc3e8"), 4)
    for step in range(2):
        c.disc(x + w * 0.66 + step * w * 0.18, y + h / 2, h * 0.16, "#5b6675")
    c.disc(x + w * 0.93, y + h * 0.25, 4, "#5fdc8b")
