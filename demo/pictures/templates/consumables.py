"""Toner, ink, ribbons, and supplies for binding machines."""

from demo.pictures.canvas import Canvas
from demo.pictures.colour import INK, STEEL, WHITE, shade
from demo.pictures.registry import draws
from demo.pictures.shapes import (
    draw_bottle,
    draw_carton,
    draw_cuboid,
    draw_cylinder,
    draw_knob,
    draw_label,
    draw_roll,
    mark,
)
from demo.pictures.subject import Subject

CARTRIDGE = "#343a43"


def cartridge(c: Canvas, s: Subject, x: float, y: float, scale: float, band: str) -> None:
    """Draw a toner cartridge with its drum and a band in the toner's colour."""
    c.begin(f"translate({x} {y}) scale({scale:g})")
    c.path("M-250 -60L-200 -130H230L270 -60V40H-250Z", c.down(CARTRIDGE))
    c.path("M-250 -60L-200 -130H230L270 -60Z", c.slant(shade(CARTRIDGE, 0.16)))
    c.rect(-236, 36, 494, 52, c.rod("#3f7fb5" if band == CARTRIDGE else shade(band, 0.1)), 26)
    c.rect(-262, 10, 40, 86, c.down(shade(CARTRIDGE, -0.3)), 10)
    c.rect(246, 10, 36, 86, c.down(shade(CARTRIDGE, -0.3)), 10)
    c.rect(-190, -50, 250, 74, "#f4f6f8", 6)
    c.rect(-190, -50, 250, 24, band, 6)
    c.text(-65, 8, f"{s.english} {s.model}", 26, INK, width=230)
    c.rect(110, -40, 90, 50, shade(CARTRIDGE, 0.25), 8)
    c.stroke("M124 -15h62", shade(CARTRIDGE, -0.3), 8)
    c.end()


@draws("toner")
def toner(c: Canvas, s: Subject) -> None:
    """Draw a toner cartridge in front of its box."""
    band = s.tint("#30353d")
    c.shadow(420, 650, 300)
    draw_cuboid(c, 250, 200, 330, 300, 140, shade(s.accent, 0.86))
    c.rect(250, 200, 330, 84, c.slant(s.accent), 6)
    c.text(415, 258, f"{s.brand} {s.noun}", 40, "#ffffff", width=290, weight=700)
    c.text(415, 350, s.spec, 38, INK, width=280, weight=700)
    c.disc(415, 412, 28, c.ball(band))
    cartridge(c, s, 370, 560, 0.98, band)


@draws("drum")
def drum(c: Canvas, s: Subject) -> None:
    """Draw a drum unit with its green drum to the front."""
    c.shadow(410, 620, 300)
    c.begin("translate(400 440) scale(1.15)")
    c.path("M-260 -80L-210 -150H220L270 -80V60H-260Z", c.down(CARTRIDGE))
    c.rect(-240, -40, 480, 96, c.rod("#4a9a86"), 48)
    c.rect(-270, -50, 44, 120, c.down(shade(CARTRIDGE, -0.3)), 10)
    c.rect(232, -50, 44, 120, c.down(shade(CARTRIDGE, -0.3)), 10)
    c.rect(-150, -136, 300, 50, "#f4f6f8", 6)
    c.text(0, -100, f"{s.english} {s.model}", 30, INK, width=280)
    c.end()


@draws("powder")
def powder(c: Canvas, s: Subject) -> None:
    """Draw a bottle of toner powder."""
    c.shadow(400, 650, 200)
    draw_bottle(c, 400, 240, 270, 410, "#3a4049", neck=0.5, shoulder=0.14)
    c.rect(330, 170, 140, 84, c.tube(s.accent), 10)
    draw_label(c, s, 280, 380, 240, 200)


@draws("inkcart")
def inkcart(c: Canvas, s: Subject) -> None:
    """Draw an ink cartridge, or four in their colours for a set."""
    tints = (
        [s.tint("#30353d")] if s.pack_count == 1 else ["#30353d", "#1aa7c4", "#d13a8b", "#f4bd25"]
    )
    c.shadow(400, 640, 280)
    wide = 260 if len(tints) == 1 else 116
    for step, tint in enumerate(tints):
        x = 400 - wide * len(tints) / 2 + step * (wide + 14) - 7 * len(tints)
        draw_cuboid(c, x, 280, wide, 340, 90, CARTRIDGE, 10)
        c.rect(x + 8, 300, wide - 16, 200, "#ffffff", 8)
        c.rect(x + 8, 420, wide - 16, 80, c.slant(tint), 8)
        c.text(x + wide / 2, 350, s.english, 34, s.accent, width=wide - 40, weight=700)
        c.text(x + wide / 2, 394, s.spec, 28, INK, width=wide - 36)
        c.rect(x + wide * 0.3, 530, wide * 0.4, 60, shade(CARTRIDGE, -0.4), 6)
        c.rect(x + wide * 0.2, 616, wide * 0.3, 20, c.tube("#d9b25a"), 3)


@draws("inkbottle2")
def ink_refill(c: Canvas, s: Subject) -> None:
    """Draw refill bottles of printer ink."""
    tints = (
        [s.tint("#30353d")] if s.pack_count == 1 else ["#30353d", "#1aa7c4", "#d13a8b", "#f4bd25"]
    )
    c.shadow(400, 650, 260)
    wide = 230 if len(tints) == 1 else 128
    for step, tint in enumerate(tints):
        x = 400 + (step - (len(tints) - 1) / 2) * (wide + 12)
        draw_bottle(c, x, 280, wide, 370, shade(tint, 0.1), neck=0.42, shoulder=0.16)
        c.path(
            f"M{x - wide * 0.22:g} 292H{x + wide * 0.22:g}L{x + wide * 0.1:g} 180H{x - wide * 0.1:g}Z",
            c.tube(shade(tint, -0.2)),
        )
        c.rect(x - wide * 0.42, 420, wide * 0.84, 160, "#ffffff", 8)
        c.text(x, 470, s.brand, 40, s.accent, width=wide * 0.7, weight=700)
        c.text(x, 510, s.spec, 30, INK, width=wide * 0.7)
        c.rect(x - wide * 0.42, 540, wide * 0.84, 40, tint, 6)


@draws("ribbon")
def ribbon(c: Canvas, s: Subject) -> None:
    """Draw a ribbon cassette, long and flat."""
    c.shadow(400, 610, 310)
    draw_carton(c, s, 220, 220, 340, 200, 130)
    c.path(
        "M90 500H300L320 470H480L500 500H710V600Q710 610 700 610H100Q90 610 90 600Z",
        c.down(CARTRIDGE),
    )
    c.rect(300, 452, 200, 22, c.rod("#22262d"), 4)
    draw_knob(c, 180, 556, 34, "#4b535f")
    draw_knob(c, 620, 556, 34, "#4b535f")
    mark(c, s, 400, 568, 36, "#ffffff")


@draws("labeltape")
def labeltape(c: Canvas, s: Subject) -> None:
    """Draw a label tape cassette with some tape pulled out."""
    tint = s.tint(WHITE)
    c.shadow(410, 630, 270)
    draw_cuboid(c, 200, 270, 360, 340, 80, "#ffffff" if tint != WHITE else "#e6ebf0", 30)
    c.disc(330, 440, 92, c.slant("#dfe5eb"))
    c.disc(330, 440, 62, c.slant(tint))
    c.disc(330, 440, 22, c.ball(STEEL))
    c.rect(200, 290, 360, 46, s.accent)
    c.text(380, 324, f"{s.brand} {s.attributes.get('带宽', '')}", 30, "#ffffff", width=320)
    c.path("M540 560H740V600H540Z", c.down(tint), 'stroke="#cfd8e1"')
    c.text(640, 590, s.model, 26, INK, width=180)


@draws("ribbonroll", "stretch", "strapping")
def ribbonroll(c: Canvas, s: Subject) -> None:
    """Draw a broad roll: carbon ribbon, stretch film or strap."""
    tint = {"ribbonroll": "#3b414b", "stretch": "#d5e4ec", "strapping": "#f0c64a"}[s.kind]
    if s.kind == "strapping" and s.says("PET"):
        tint = "#3f9d6b"
    c.shadow(420, 640, 300)
    draw_roll(c, 270, 440, 170, 66, 420, tint)
    if s.kind == "strapping":
        c.stroke(
            "".join(f"M{340 + n * 38} {254 - n * 14}v340" for n in range(8)),
            shade(tint, -0.25),
            4,
            'opacity=".5"',
        )
    c.begin("translate(480 380) rotate(-20)")
    c.rect(-90, -50, 180, 110, "#ffffff", 8, 'opacity=".92"')
    c.text(0, 0, s.brand, 40, s.accent, weight=700)
    c.text(0, 40, s.spec, 26, INK, width=160)
    c.end()


@draws("comb", "rivet")
def comb(c: Canvas, s: Subject) -> None:
    """Draw binding combs or rivet tubes in front of their box."""
    tint = s.tint("#f3f5f7" if s.kind == "rivet" else "#30353d")
    c.shadow(410, 650, 290)
    draw_carton(c, s, 230, 210, 350, 270, 130)
    for step in range(3):
        y = 510 + step * 46
        c.rect(110 + step * 24, y, 540, 34, c.rod(tint), 17)
        if s.kind == "comb":
            c.stroke(
                "".join(f"M{140 + step * 24 + n * 32} {y + 4}v26" for n in range(16)),
                shade(tint, -0.45),
                7,
                'opacity=".55"',
            )


@draws("cover", "laminate")
def cover(c: Canvas, s: Subject) -> None:
    """Draw a stack of clear sheets with their paper band, or a wide roll of film."""
    if s.says("冷裱", "覆膜"):
        c.shadow(420, 620, 300)
        draw_roll(c, 230, 460, 130, 50, 520, "#dbe8ef")
        draw_label(c, s, 390, 330, 220, 130)
        return
    tint = s.tint("#d6e6f1")
    c.shadow(410, 650, 280)
    for step in range(5):
        c.rect(
            190 + step * 8,
            190 - step * 8,
            380,
            450,
            c.slant(shade(tint, 0.2)),
            8,
            'opacity=".75" stroke="#b9cddb" stroke-width="1.5"',
        )
    c.path("M230 170L420 170L320 610H230Z", "#ffffff", 'opacity=".4"')
    c.rect(222, 380, 380, 130, "#ffffff", 0, 'opacity=".95"')
    c.rect(222, 380, 380, 34, s.accent)
    c.text(412, 460, f"{s.brand} {s.noun}", 38, INK, width=330, weight=700)
    c.text(412, 496, s.spec, 26, "#5b6675")


@draws("disc")
def disc(c: Canvas, s: Subject) -> None:
    """Draw a spindle of discs, or a jewel case."""
    c.shadow(400, 640, 270)
    if s.says("盒", "收纳"):
        draw_cuboid(c, 200, 210, 380, 400, 40, "#dfeaf1", 8)
        c.disc(400, 410, 170, c.slant("#c6d2dd"))
        c.disc(400, 410, 46, "#eef3f6")
        mark(c, s, 400, 330, 30)
        return
    draw_cylinder(c, 400, 330, 440, 270, "#ccd6df", "#e4eaf0", 0.2)
    c.stroke(
        "".join(f"M180 {350 + n * 22}A220 88 0 0 0 620 {350 + n * 22}" for n in range(12)),
        "#93a1b0",
        2,
        'opacity=".5"',
    )
    c.oval(400, 330, 220, 88, c.slant("#bccbdc"))
    c.path("M400 330L590 286A220 88 0 0 1 616 348Z", "#f6d7ee", 'opacity=".7"')
    c.path("M400 330L210 374A220 88 0 0 1 184 312Z", "#cdeef6", 'opacity=".7"')
    c.oval(400, 330, 52, 21, "#f4f7f9")
    draw_cylinder(c, 400, 230, 56, 100, "#eef2f5")
    draw_label(c, s, 300, 440, 200, 120)
