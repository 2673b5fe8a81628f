"""Tissue, cleaners, brooms, bins and disposable tableware."""

from demo.pictures.canvas import Canvas
from demo.pictures.colour import INK, STEEL, WHITE, get_text_colour, shade
from demo.pictures.registry import draws
from demo.pictures.shapes import draw_bottle, draw_cuboid, draw_cylinder, draw_label, draw_roll
from demo.pictures.subject import Subject


@draws("tissue", "handtowel", "wipes")
def tissue(c: Canvas, s: Subject) -> None:
    """Draw soft packs of tissue with one sheet pulled out, or a stack of packs."""
    tint = (
        ("#6bb6e6", "#8ccaa5", "#f0a8c0", "#e8c98a", "#9aa8e0")[s.seed % 5]
        if s.kind != "handtowel"
        else "#d3b98f"
    )
    c.shadow(410, 640, 300)
    rows = 1 if s.pack_count == 1 else 2 if s.pack_count <= 6 else 3
    high = 150 if rows < 3 else 110
    for n in range(rows):
        draw_cuboid(c, 130, 620 - (n + 1) * (high + 6), 430, high, 170, shade(tint, 0.06 * n), 26)
    top = 620 - rows * (high + 6)
    c.oval(412, top - 34, 120, 26, "#ffffff", 'opacity=".9"')
    c.path(
        f"M340 {top - 32}C350 {top - 120} 390 {top - 90} 410 {top - 150}C440 {top - 110} 480 {top - 130} 486 {top - 30}Q412 {top - 10} 340 {top - 32}Z",
        c.slant("#ffffff"),
        'stroke="#dbe3eb" stroke-width="2"',
    )
    face = 620 - (high + 6) * rows
    c.text(
        345,
        face + high * 0.5,
        s.brand,
        high * 0.36,
        "#ffffff" if get_text_colour(tint) == "#ffffff" else s.accent,
        width=260,
        weight=700,
    )
    c.text(
        345, face + high * 0.78, f"{s.noun} {s.spec}", high * 0.18, get_text_colour(tint), width=380
    )


@draws("tissuebox", "gloves", "mask", "medmask")
def dispenser_box(c: Canvas, s: Subject) -> None:
    """Draw a box with an opening and a piece of its content coming out."""
    inner = {"gloves": s.tint("#5fa8dc"), "mask": s.tint(WHITE), "medmask": s.tint("#9cc9ee")}.get(
        s.kind, "#ffffff"
    )
    c.shadow(410, 650, 290)
    draw_cuboid(c, 150, 370, 430, 250, 180, "#ffffff" if s.kind != "tissuebox" else s.accent, 8)
    c.path(
        "M150 480Q280 420 400 480T580 470V614q0 6 -6 6H156q-6 0 -6 -6Z",
        c.slant(shade(s.accent, 0.1 if s.kind != "tissuebox" else 0.3)),
    )
    c.oval(440, 332, 140, 22, "#2b333d", 'opacity=".55"')
    if s.kind == "gloves":
        c.path(
            "M360 336C350 250 370 200 384 200S398 240 400 270C400 220 410 180 424 182S434 230 434 268C440 220 452 196 464 202S464 250 460 280C476 250 494 240 500 252S480 310 470 338Z",
            c.slant(inner),
            f'stroke="{shade(inner, -0.3)}" stroke-width="2"',
        )
    elif s.kind in {"mask", "medmask"}:
        c.path(
            "M320 330Q330 190 440 176T560 330Q440 350 320 330Z",
            c.slant(inner),
            f'stroke="{shade(inner, -0.35)}" stroke-width="2.5"',
        )
        c.stroke("M334 270H548M330 300H552", shade(inner, -0.3), 3)
        c.stroke("M322 300q-60 20 -40 50M558 300q60 10 40 44", "#cfd7df", 6)
        if s.kind == "mask":
            c.disc(500, 270, 22, c.ball(shade(inner, -0.1)))
    else:
        c.path(
            "M360 332C370 240 400 260 430 190C460 240 510 220 520 330Z",
            c.slant("#ffffff"),
            'stroke="#dbe3eb" stroke-width="2"',
        )
    c.text(
        365,
        440,
        s.brand,
        54,
        s.accent if s.kind != "tissuebox" else "#ffffff",
        width=300,
        weight=700,
    )
    c.text(365, 550, s.noun, 42, "#ffffff", width=360, weight=700)
    c.text(365, 598, f"{s.spec} {s.colour_word}".strip(), 30, "#ffffff", width=360)


@draws("toiletroll", "jumboroll")
def toiletroll(c: Canvas, s: Subject) -> None:
    """Draw rolls of paper in a pyramid, or one jumbo roll."""
    c.shadow(410, 650, 290)
    if s.kind == "jumboroll":
        draw_roll(c, 330, 430, 210, 60, 190, "#f8fafb")
        draw_label(c, s, 500, 300, 170, 110)
        return
    spots = ((220, 470), (410, 470), (600, 470), (315, 300), (505, 300))
    for x, y in spots:
        draw_cylinder(c, x, y, 170, 150, "#fbfcfd", "#eef2f5", 0.16)
        c.oval(x, y, 30, 11, "#cdb08a")
        c.stroke(
            f"M{x - 84} {y + 50}Q{x} {y + 76} {x + 84} {y + 50}M{x - 84} {y + 100}Q{x} {y + 126} {x + 84} {y + 100}",
            "#dfe6ec",
            3,
        )
    draw_label(c, s, 300, 500, 220, 130)


def pump(c: Canvas, cx: float, top: float, colour: str) -> None:
    """Draw a pump head."""
    c.rect(cx - 34, top, 68, 46, c.tube(colour), 6)
    c.rect(cx - 10, top - 60, 20, 64, c.tube(shade(colour, -0.1)))
    c.path(
        f"M{cx - 90:g} {top - 60:g}q0 -30 30 -30H{cx + 30:g}q12 0 12 16v24H{cx - 60:g}q-12 0 -14 10h-16Z",
        c.down(colour),
    )


@draws("handsoap", "sanitizer", "shampoo")
def handsoap(c: Canvas, s: Subject) -> None:
    """Draw a pump bottle."""
    tint = (
        ("#8fd0b5", "#9cc9ee", "#f3b8c8", "#f1d58a", "#c3b3e6")[s.seed % 5]
        if s.kind != "sanitizer"
        else "#cfe6f2"
    )
    c.shadow(400, 660, 190)
    draw_bottle(c, 400, 260, 250, 390, tint, neck=0.34, shoulder=0.14)
    pump(c, 400, 224, WHITE)
    draw_label(c, s, 295, 390, 210, 190)


@draws("detergent", "laundry", "toiletcleaner", "disinfect", "alcohol")
def jug(c: Canvas, s: Subject) -> None:
    """Draw a bottle of cleaner: a jug with a handle, a bent neck, or a plain medicine bottle."""
    tint = {
        "detergent": "#f2c832",
        "laundry": "#4f8fdc",
        "toiletcleaner": "#3568b8",
        "disinfect": "#f3f5f7",
        "alcohol": "#f3f5f7",
    }[s.kind]
    if s.kind == "detergent" and s.seed % 2:
        tint = "#8cc152"
    c.shadow(400, 660, 210)
    if s.kind == "laundry" or s.spec.startswith(("5kg", "5L", "2.5L", "3.8")):
        c.path(
            "M300 200H420V260Q430 290 500 310Q580 340 580 430V620Q580 650 550 650H260Q230 650 230 620V420Q230 330 280 290Q300 270 300 240Z",
            c.tube(tint),
        )
        c.path("M470 340Q540 360 540 440V500H500V440Q500 400 456 386Z", "#fafbfc")
        c.rect(290, 146, 140, 66, c.tube("#e5595c" if s.kind == "laundry" else s.accent), 10)
        draw_label(c, s, 262, 440, 230, 170)
        return
    if s.kind == "toiletcleaner":
        c.begin("rotate(-16 400 260)")
        c.path("M372 260H428L420 150H384Z", c.tube("#e5595c"))
        c.end()
        draw_bottle(c, 400, 230, 220, 420, tint, neck=0.36, shoulder=0.2)
    else:
        draw_bottle(c, 400, 220, 240, 430, tint, neck=0.4, shoulder=0.14)
        c.rect(346, 160, 108, 72, c.tube(s.accent if s.kind != "disinfect" else "#2f6fd0"), 10)
    draw_label(
        c, s, 300, 400, 200, 190, colour="#2f6fd0" if s.kind in {"disinfect", "alcohol"} else ""
    )
    if s.kind == "alcohol" and s.says("喷雾"):
        pump(c, 400, 170, WHITE)


@draws("spray")
def spray(c: Canvas, s: Subject) -> None:
    """Draw a trigger spray."""
    tint = ("#7fc8ee", "#9fdcb0", "#f6b27a")[s.seed % 3]
    c.shadow(400, 660, 190)
    draw_bottle(c, 410, 270, 230, 380, tint, neck=0.3, shoulder=0.26)
    c.rect(376, 214, 70, 70, c.tube(WHITE), 6)
    c.path("M250 150H470Q500 150 500 180V216H340L330 190H250Z", c.down(WHITE))
    c.rect(226, 146, 34, 50, c.tube("#e5595c"), 6)
    c.path("M346 214Q330 270 290 290L276 272Q310 246 316 204Z", c.down("#e5595c"))
    draw_label(c, s, 312, 430, 196, 170)


@draws("aerosol", "freshener")
def aerosol(c: Canvas, s: Subject) -> None:
    """Draw an aerosol can."""
    tint = {"柠檬香": "#e8cf3a", "茉莉香": "#9ccf8a", "海洋香": "#4f9fd6"}.get(
        s.attributes.get("香型", ""), s.accent
    )
    c.shadow(400, 660, 180)
    draw_cylinder(c, 400, 280, 200, 370, tint, "#c3cad3")
    c.path("M310 284Q310 220 360 210H440Q490 220 490 284Q400 310 310 284Z", c.tube(STEEL))
    c.rect(352, 140, 96, 90, c.tube(WHITE), 18)
    draw_label(c, s, 304, 360, 192, 200, colour=shade(tint, -0.25))


@draws("mop", "broom", "squeegee", "brush")
def stick(c: Canvas, s: Subject) -> None:
    """Draw a tool on a stick: mop, broom with dustpan, squeegee, brush."""
    tint = s.tint("#2f6fd0")
    c.shadow(400, 680, 250)
    if s.kind == "brush":
        c.begin("rotate(28 400 400)")
        c.rect(378, 120, 44, 330, c.tube(tint), 22)
        c.rect(310, 440, 180, 60, c.down(shade(tint, 0.1)), 20)
        c.path("M316 500H484L500 610H300Z", c.tube("#f4f6f8"))
        c.stroke(
            "".join(f"M{318 + n * 16} 506L{306 + n * 18} 606" for n in range(11)), "#c3cdd7", 3
        )
        c.end()
        return
    c.begin("rotate(14 400 600)")
    c.rect(389, 90, 22, 490, c.tube(STEEL), 11)
    c.rect(384, 90, 32, 130, c.tube(tint), 14)
    if s.kind == "broom":
        c.path("M340 540H460L520 680H280Z", c.tube(shade(tint, 0.2)))
        c.stroke(
            "".join(f"M{352 + n * 12} 560L{296 + n * 26} 676" for n in range(9)),
            shade(tint, -0.3),
            3,
        )
        c.rect(332, 520, 136, 40, c.down(tint), 10)
    elif s.kind == "squeegee":
        c.rect(230, 570, 340, 34, c.rod(tint), 10)
        c.rect(220, 602, 360, 18, INK, 4)
    elif s.says("平板", "免手洗"):
        c.rect(372, 540, 56, 60, c.tube(INK), 10)
        c.rect(220, 596, 360, 30, c.down(tint), 12)
        c.rect(210, 620, 380, 44, c.rod("#e6ebf0"), 18)
    else:
        c.rect(360, 540, 80, 50, c.tube(tint), 12)
        for n in range(11):
            c.stroke(
                f"M{366 + n * 7} 586Q{330 + n * 14} 640 {270 + n * 26} 676",
                shade("#e9edf1", -0.1 * (n % 2)),
                22,
            )
    c.end()
    if s.kind == "broom":
        c.path("M120 560H290L310 670Q200 700 100 670Z", c.slant(tint))
        c.rect(190, 360, 24, 210, c.tube(STEEL), 10)


@draws("cloth", "towel")
def cloth(c: Canvas, s: Subject) -> None:
    """Draw a stack of folded cloths or towels."""
    tint = s.tint("#5fa8dc")
    c.shadow(410, 640, 290)
    layers = 2 if s.pack_count == 1 else 5
    high = 250 / layers
    for n in range(layers):
        y = 610 - (n + 1) * high
        shadeof = shade(tint, 0.12 * (n % 2))
        draw_cuboid(c, 150, y, 420, high - 4, 170, shadeof, 22)
        c.stroke(f"M166 {y + high * 0.5:g}H554", shade(shadeof, -0.2), 3, 'opacity=".6"')
    c.rect(330, 610 - layers * high, 90, layers * high, "#ffffff", 0, 'opacity=".9"')
    c.begin(f"translate(386 {610 - layers * high / 2:g}) rotate(-90)")
    c.text(0, 0, s.english, 34, s.accent, width=layers * high - 30, weight=700)
    c.end()


@draws("trashbag", "wrap", "ziplock")
def bagroll(c: Canvas, s: Subject) -> None:
    """Draw rolls of bags, or a flat pack of clear ones."""
    tint = s.tint("#cfe0ea")
    c.shadow(410, 640, 290)
    if s.kind == "ziplock":
        for n in range(4):
            c.rect(
                200 + n * 26,
                180 + n * 20,
                330,
                420,
                c.slant("#dcebf4"),
                10,
                'opacity=".75" stroke="#b5cbda" stroke-width="2"',
            )
            c.rect(200 + n * 26, 210 + n * 20, 330, 10, "#e5595c")
        draw_label(c, s, 330, 400, 230, 150)
        return
    for x, y, r in ((250, 330, 100), (460, 300, 100), (310, 500, 125)):
        draw_roll(c, x, y, r, r * 0.3, 260, shade(tint, 0.08))
        c.path(f"M{x + 90} {y - r * 0.6:g}l70 -26v{r * 1.2:g}l-70 26Z", s.accent)
    c.rect(470, 500, 190, 120, "#ffffff", 10, 'opacity=".95"')
    c.text(565, 552, s.brand, 44, s.accent, width=160, weight=700)
    c.text(565, 596, s.spec, 28, INK, width=168)


@draws("bin", "wheelbin")
def bin_(c: Canvas, s: Subject) -> None:
    """Draw a waste bin: pedal, open or on wheels."""
    body = s.tint("#8f98a5")
    c.shadow(400, 680, 230)
    if s.kind == "wheelbin":
        c.path("M220 240H560L520 660H270Z", c.tube(body))
        c.path("M200 220L250 160H560L590 220Z", c.slant(shade(body, 0.1)))
        c.rect(196, 216, 398, 34, c.down(shade(body, -0.1)), 10)
        c.disc(300, 664, 34, c.ball(INK))
        c.disc(500, 664, 34, c.ball(INK))
    else:
        steel = s.says("不锈钢")
        fill = STEEL if steel else body
        c.path("M230 250H570L540 650Q400 690 260 650Z", c.tube(fill))
        c.oval(400, 250, 172, 44, c.slant(shade(fill, 0.2)))
        if s.says("压圈"):
            c.oval(400, 250, 150, 36, shade(body, -0.6))
        else:
            c.path("M226 246Q240 170 400 166T574 246Q400 300 226 246Z", c.down(shade(fill, 0.1)))
            c.rect(350, 650, 100, 26, c.down(INK), 8)
    c.disc(400, 440, 58, "#ffffff", 'opacity=".92"')
    c.stroke("M378 462L400 416L422 462ZM368 470h20M412 470h20", "#37a36a", 7)
    c.text(400, 560, s.english, 34, get_text_colour(body), width=200, weight=700)
    c.text(400, 600, s.spec, 28, get_text_colour(body), width=180)


@draws("papercup", "cutlery")
def papercup(c: Canvas, s: Subject) -> None:
    """Draw a stack of paper cups, or chopsticks and lunch boxes."""
    tint = s.accent
    c.shadow(400, 660, 240)
    if s.kind == "cutlery":
        draw_cuboid(c, 150, 500, 380, 120, 190, WHITE, 14)
        c.path("M160 496L300 420H690L530 496Z", c.slant("#e9f0f4"))
        for n in range(5):
            c.rect(
                300 + n * 22,
                180,
                12,
                330,
                c.tube("#dbb27c"),
                4,
                f'transform="rotate({18 + n * 2} 300 500)"',
            )
        draw_label(c, s, 220, 510, 240, 100)
        return
    for x, y in ((310, 200), (510, 330)):
        for n in range(4 if x < 400 else 1):
            top = y + n * 26
            c.path(
                f"M{x - 110} {top}H{x + 110}L{x + 84} {top + 300}Q{x} {top + 326} {x - 84} {top + 300}Z",
                c.tube("#fbfcfd"),
            )
            c.rect(x - 116, top - 10, 232, 22, c.rod("#ffffff"), 11, 'stroke="#dbe3eb"')
        top = y + (3 if x < 400 else 0) * 26
        c.path(
            f"M{x - 100} {top + 110}q50 40 100 0t100 0L{x + 92} {top + 230}q-46 40 -92 0t-92 0Z",
            c.slant(tint),
        )
        c.text(x, top + 196, s.english, 32, "#ffffff", width=150, weight=700)


@draws("toothbrush")
def toothbrush(c: Canvas, s: Subject) -> None:
    """Draw a tooth brush and a tube of paste."""
    c.shadow(400, 620, 290)
    c.begin("rotate(-22 400 400)")
    c.path("M130 300L160 250H520V410H160L130 360Z", c.rod("#f7f9fa"))
    c.path("M240 250H520V410H240Z", c.rod(s.accent))
    c.rect(520, 280, 60, 100, c.rod("#e5595c"), 10)
    c.text(380, 346, f"{s.brand} {s.noun}", 44, "#ffffff", width=260, weight=700)
    c.rect(150, 510, 480, 30, c.rod("#5fb7e8"), 15)
    c.rect(150, 470, 120, 44, c.tube("#ffffff"), 4)
    c.stroke("".join(f"M{160 + n * 14} 474V508" for n in range(8)), "#a9d3ec", 6)
    c.end()
