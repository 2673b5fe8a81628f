"""Protective clothing."""

from demo.pictures.canvas import Canvas
from demo.pictures.colour import INK, STEEL, WHITE, get_text_colour, shade
from demo.pictures.registry import draws
from demo.pictures.shapes import draw_cuboid, mark
from demo.pictures.subject import Subject

LIME, ORANGE = "#d8e829", "#f08135"


@draws("helmet")
def helmet(c: Canvas, s: Subject) -> None:
    """Draw a safety helmet."""
    body = s.tint("#f4bd25")
    c.shadow(400, 620, 290)
    c.path("M170 500C160 290 270 190 410 190S650 300 640 500Z", c.ball(body))
    c.path("M360 194Q400 160 450 196L470 500H350Z", c.slant(shade(body, 0.12)), 'opacity=".9"')
    c.stroke(
        "M270 250Q220 340 222 480M540 250Q590 340 588 480", shade(body, -0.2), 7, 'opacity=".6"'
    )
    c.path(
        "M110 520Q130 480 180 486H640Q700 490 700 530Q690 560 640 560H180Q110 566 110 520Z",
        c.down(body),
    )
    c.path(
        "M200 566Q240 640 300 650M600 566Q560 640 500 650",
        "none",
        f'stroke="{INK}" stroke-width="10"',
    )
    c.disc(410, 400, 50, "#ffffff")
    c.text(410, 412, s.brand, 34, s.accent, width=84, weight=700)


@draws("goggles", "eyecare")
def goggles(c: Canvas, s: Subject) -> None:
    """Draw safety glasses, or a welding shield."""
    dark = s.says("茶色", "焊接")
    c.shadow(400, 580, 280, 18)
    if s.says("面罩", "面屏"):
        c.rect(190, 190, 420, 90, c.rod("#2b313a"), 40)
        c.path(
            "M210 270H590V560Q590 640 400 650T210 560Z",
            c.slant("#4a525e" if dark else "#d6e9f3"),
            'opacity=".85"',
        )
        c.path("M240 290H340L280 600Q250 580 240 540Z", "#ffffff", 'opacity=".3"')
        mark(c, s, 400, 248, 28, "#ffffff")
        return
    c.stroke("M120 380Q60 330 90 270M680 380Q740 330 710 270", INK, 20)
    lens = "#6b4a33" if dark else "#c7e2f1"
    for x, flip in ((256, 1), (544, -1)):
        c.begin(f"translate({x} 400) scale({flip} 1)")
        c.path(
            "M-140 -60Q-140 -100 -90 -104L90 -90Q134 -80 130 -30Q120 110 0 116Q-120 110 -140 -60Z",
            c.slant(lens),
            f'stroke="{INK}" stroke-width="13" opacity=".92"',
        )
        c.path("M-100 -70L-10 -66L-60 80Q-110 50 -100 -70Z", "#ffffff", 'opacity=".38"')
        c.end()
    c.stroke("M382 352Q400 330 418 352", INK, 16)
    mark(c, s, 400, 560, 28)


@draws("earplug")
def earplug(c: Canvas, s: Subject) -> None:
    """Draw ear plugs on their cord, or ear muffs."""
    tint = s.tint(ORANGE)
    c.shadow(400, 640, 240)
    if s.says("耳罩"):
        c.path("M210 440C200 120 600 120 590 440", "none", f'stroke="{INK}" stroke-width="34"')
        for x in (210, 590):
            c.rect(x - 66, 380, 132, 220, c.tube(tint), 50)
            c.text(x, 500, s.english, 24, get_text_colour(tint), width=110, weight=700)
        return
    c.stroke("M270 360C240 130 560 130 530 360", "#2f6fd0", 9)
    for x, turn in ((270, -10), (530, 10)):
        c.begin(f"translate({x} 460) rotate({turn})")
        c.path("M-50 130H50L30 -100Q0 -140 -30 -100Z", c.tube(tint))
        c.rect(-54, 110, 108, 44, c.tube(shade(tint, -0.12)), 20)
        c.end()
    mark(c, s, 400, 680, 26)


@draws("workglove")
def workglove(c: Canvas, s: Subject) -> None:
    """Draw a pair of work gloves, their palms coated."""
    coat = s.tint("#5b6470")
    base = "#f0e6d2" if s.says("棉纱") else "#b0713f" if s.says("电焊") else "#e3e7ea"
    c.shadow(400, 670, 260)
    for x, flip, turn in ((290, -1, -10), (510, 1, 10)):
        c.begin(f"translate({x} 400) rotate({turn}) scale({flip} 1)")
        c.path(
            "M-90 240V-20L-96 -150Q-94 -180 -72 -178T-50 -150L-46 -40L-40 -200Q-36 -228 -14 -226T6 -200L6 -46L20 -190Q26 -214 46 -210T62 -180L54 -30L72 -130Q80 -150 98 -144T108 -116L90 40L130 -16Q152 -36 166 -18T160 20L96 130V240Z",
            c.slant(base),
            f'stroke="{shade(base, -0.3)}" stroke-width="3"',
        )
        if not s.says("棉纱"):
            c.path(
                "M-90 110V-20L-94 -110H-52L-46 -40L-42 -150H4L6 -46L16 -140H58L54 -30L64 -90H104L90 40L120 0L150 40L96 110Z",
                c.slant(coat),
                'opacity=".93"',
            )
        c.rect(-94, 170, 194, 74, c.tube(shade(coat, 0.1)), 8)
        c.end()
    c.text(270, 632, s.spec, 30, get_text_colour(coat), width=120)
    c.text(530, 632, s.english, 24, get_text_colour(coat), width=130)


@draws("shoes", "boots")
def shoes(c: Canvas, s: Subject) -> None:
    """Draw a safety shoe, or a rubber boot."""
    body = s.tint("#30353d")
    c.shadow(410, 640, 300)
    if s.kind == "boots":
        c.path(
            "M250 130H440L450 460Q560 480 660 540Q690 570 680 610H260Q240 420 250 130Z",
            c.tube(body),
        )
        c.path("M250 606H690V640Q680 650 660 650H262Q244 640 250 606Z", c.down(shade(body, -0.3)))
        c.rect(246, 130, 198, 34, c.tube(shade(body, 0.2)), 8)
        mark(c, s, 348, 330, 30, get_text_colour(body), 150)
        return
    c.path(
        "M140 560C130 430 170 330 200 300L330 290L380 400Q480 450 620 470Q700 490 700 560Z",
        c.slant(body),
    )
    c.path("M560 462Q700 480 700 562H540Q520 500 560 462Z", c.slant(shade(body, 0.16)))
    c.path(
        "M130 556H706Q716 610 690 624H150Q126 610 130 556Z",
        c.down("#d9a05a" if s.seed % 2 else "#3a3f47"),
    )
    c.stroke("".join(f"M{160 + n * 42} 626v-20" for n in range(13)), "#ffffff", 6, 'opacity=".35"')
    for n in range(4):
        c.stroke(f"M{306 + n * 34} {338 + n * 30}l56 -28", ORANGE if s.seed % 2 else "#e6ebf0", 9)
    c.path("M196 300L330 290L340 318L190 340Z", c.down(shade(body, -0.3)))
    mark(c, s, 240, 500, 26, get_text_colour(body), 130)


def torso(c: Canvas, fill: str, *, sleeves: float, length: float = 640) -> None:
    """Draw an upper garment; `sleeves` is the length of the sleeves."""
    if sleeves:
        reach = 130 * sleeves
        c.path(
            f"M250 170L{190 - reach * 0.5:g} {250 + reach:g}L{250 - reach * 0.1:g} {280 + reach:g}L300 300Z",
            c.slant(shade(fill, -0.06)),
        )
        c.path(
            f"M550 170L{610 + reach * 0.5:g} {250 + reach:g}L{550 + reach * 0.1:g} {280 + reach:g}L500 300Z",
            c.slant(shade(fill, -0.14)),
        )
    c.path(
        f"M240 172Q300 140 330 140Q400 220 470 140Q500 140 560 172L548 300L556 {length}Q400 {length + 24} 244 {length}L252 300Z",
        c.slant(fill),
    )


@draws("vest", "tshirt", "workwear", "raincoat", "coverall")
def garment(c: Canvas, s: Subject) -> None:
    """Draw a vest, a shirt, overalls, a raincoat or a protective suit."""
    default = {
        "vest": LIME,
        "tshirt": WHITE,
        "workwear": "#2f5fa8",
        "raincoat": "#2f6fd0",
        "coverall": "#f3f5f7",
    }[s.kind]
    body = s.tint(default)
    c.shadow(400, 680, 220)
    if s.kind in {"raincoat", "coverall"}:
        c.path("M310 160Q310 70 400 70T490 160L470 230H330Z", c.slant(shade(body, 0.05)))
        c.oval(400, 165, 58, 62, shade(body, -0.45))
    torso(c, body, sleeves={"vest": 0, "tshirt": 0.35}.get(s.kind, 1.4), length=660)
    ink = shade(body, -0.35)
    if s.kind == "vest" or s.says("反光"):
        for x in (276, 486):
            c.rect(x, 160, 38, 490, c.tube("#e9eef2"), 0)
        for y in (400, 530):
            c.rect(249, y, 304, 44, c.rod("#e9eef2"))
    if s.kind != "tshirt":
        c.stroke("M400 210V664", ink, 5)
    if s.kind == "workwear":
        for x in (276, 436):
            c.rect(x, 300, 90, 100, "none", 8, f'stroke="{ink}" stroke-width="4"')
            c.path(f"M{x} 300h90v26l-45 16l-45 -16Z", shade(body, -0.12))
        c.rect(250, 172, 300, 18, ORANGE, 4, 'opacity=".9"')
    if s.kind == "tshirt":
        c.path("M330 142Q400 216 470 142", "none", f'stroke="{ink}" stroke-width="9"')
        c.text(400, 400, s.english, 50, get_text_colour(body), width=240, weight=700)
    mark(
        c,
        s,
        330 if s.kind != "tshirt" else 400,
        620 if s.kind != "workwear" else 376,
        20,
        get_text_colour(body),
        110,
    )


@draws("harness", "escape")
def harness(c: Canvas, s: Subject) -> None:
    """Draw a climbing harness with its hook and rope, or a smoke hood box."""
    c.shadow(400, 670, 240)
    if s.kind == "escape":
        draw_cuboid(c, 230, 210, 320, 420, 110, "#d63b3f", 10)
        c.text(390, 300, "消防应急", 52, "#ffffff", width=280, weight=700)
        c.disc(390, 430, 86, "#ffffff")
        c.path("M390 350q60 60 40 110t-40 40t-40 -40t10 -60q14 20 20 10q0 -40 10 -60Z", ORANGE)
        c.text(390, 580, s.noun, 36, "#ffffff", width=290)
        return
    for d in (
        "M280 140L520 560M520 140L280 560",
        "M270 400H530M260 560H540",
        "M280 560Q240 640 300 660Q360 640 340 560M460 560Q440 640 500 660Q560 640 520 560",
    ):
        c.stroke(d, ORANGE, 30)
        c.stroke(d, "#3a3f47", 6, 'stroke-dasharray="14 10"')
    c.disc(400, 350, 34, c.ball(STEEL))
    c.stroke("M420 340C620 260 660 420 620 560", "#f4bd25", 16)
    c.stroke("M620 560q-40 60 0 80q50 -10 24 -70", STEEL, 16)
