"""Household appliances."""

from demo.pictures.canvas import Canvas
from demo.pictures.colour import INK, STEEL, WHITE, get_text_colour, shade
from demo.pictures.registry import draws
from demo.pictures.shapes import (
    draw_cuboid,
    draw_cylinder,
    draw_feet,
    draw_knob,
    get_print_colour,
    mark,
)
from demo.pictures.subject import Subject


@draws("aircon")
def aircon(c: Canvas, s: Subject) -> None:
    """Draw an air conditioner, wall-mounted or free-standing."""
    if s.says("立柜"):
        c.shadow(400, 690, 180)
        draw_cylinder(c, 400, 150, 260, 520, WHITE, squash=0.1)
        c.rect(350, 200, 100, 330, c.tube("#dfe5ea"), 16)
        c.stroke("".join(f"M360 {220 + n * 22}h80" for n in range(14)), "#aeb8c3", 5)
        c.text(400, 600, "26", 48, "#5fb7e8")
        mark(c, s, 400, 650, 26)
        return
    c.shadow(400, 590, 320, 16)
    c.path(
        "M70 290Q70 250 110 250H690Q730 250 730 290V440Q730 500 680 510H120Q70 500 70 440Z",
        c.down("#f7f9fa"),
    )
    c.path("M90 450H710Q704 496 670 500H130Q96 496 90 450Z", c.down("#c4ced8"))
    c.stroke("M120 470H680M126 484H674", "#9aa6b3", 4)
    c.text(640, 350, "26°", 42, "#5fb7e8")
    c.text(400, 370, f"{s.english}", 34, s.accent, weight=700)
    c.stroke(
        "M180 540q40 34 0 70M300 540q40 34 0 70M500 540q40 34 0 70M620 540q40 34 0 70",
        "#a9d3ec",
        6,
        'opacity=".8"',
    )


@draws("fridge", "sterilizer", "icemaker")
def fridge(c: Canvas, s: Subject) -> None:
    """Draw a refrigerator with one, two or side-by-side doors. A display case shows its
    content.
    """
    body = s.tint(STEEL if s.kind != "fridge" else WHITE)
    small = s.says("单门", "台式", "茶杯")
    top = 280 if small else 130
    c.shadow(420, 680, 230)
    draw_cuboid(c, 230, top, 310, 660 - top, 150, body, 16)
    if s.says("展示", "消毒柜") or s.kind == "icemaker":
        c.rect(250, top + 60, 270, 560 - top, c.slant("#2b3a48"), 10)
        tints = ("#d63b3f", "#f4bd25", "#37a36a", "#2f6fd0", "#f08135")
        for n in range(15 if not small else 10):
            x, y = 272 + n % 5 * 48, top + 84 + n // 5 * (150 if not small else 110)
            fill = c.tube(tints[(n + s.seed) % 5]) if s.kind == "fridge" else c.tube("#dfeaf1")
            c.rect(x, y, 34, 92 if not small else 66, fill, 10)
        c.path(f"M250 {top + 60}H360L270 {620}H250Z", "#ffffff", 'opacity=".12"')
    elif s.says("对开"):
        c.stroke(f"M385 {top + 6}V654", shade(body, -0.35), 4)
        for x in (362, 400):
            c.rect(x, top + 150, 10, 180, c.tube(shade(body, -0.3)), 5)
    elif not small:
        c.stroke(f"M234 {top + 200}H536", shade(body, -0.35), 4)
        c.rect(504, top + 120, 12, 66, c.tube(shade(body, -0.3)), 6)
        c.rect(504, top + 216, 12, 110, c.tube(shade(body, -0.3)), 6)
    else:
        c.rect(504, top + 60, 12, 110, c.tube(shade(body, -0.3)), 6)
    mark(c, s, 330, top + 40, 26, get_print_colour(s, body), 150)
    draw_feet(c, (270, 500), 656, w=36)


@draws("washer")
def washer(c: Canvas, s: Subject) -> None:
    """Draw a washing machine."""
    body = s.tint(WHITE)
    c.shadow(410, 670, 250)
    draw_cuboid(c, 200, 200, 380, 450, 130, body, 16)
    c.rect(214, 214, 352, 76, c.down(shade(body, -0.08)), 10)
    draw_knob(c, 390, 252, 26)
    c.rect(440, 232, 110, 42, INK, 6)
    c.text(495, 264, "0:45", 28, "#7fc3e8")
    mark(c, s, 290, 262, 24)
    if s.says("波轮"):
        c.path("M230 200L330 160H640L560 200Z", c.slant("#3a414b"))
        c.rect(240, 320, 300, 290, c.down(shade(body, 0.05)), 14)
        return
    c.disc(390, 460, 140, c.slant("#c9d1da"))
    c.disc(390, 460, 112, c.slant("#3a4654"))
    c.disc(390, 460, 90, c.ball("#5b7a99"))
    c.path("M306 470q40 -24 84 0t84 0a84 84 0 0 1 -168 0Z", "#a9d3ec", 'opacity=".7"')
    c.path("M330 400q30 -40 80 -30q-50 10 -70 50Z", "#ffffff", 'opacity=".6"')


@draws("dispenser", "purifier", "waterheater")
def dispenser(c: Canvas, s: Subject) -> None:
    """Draw a water dispenser with its bottle, a purifier, or a water heater."""
    body = s.tint(WHITE)
    if s.kind == "waterheater":
        c.shadow(400, 620, 290, 18)
        c.rect(110, 270, 580, 270, c.rod("#f4f6f8"), 130)
        c.rect(330, 360, 170, 90, c.slant("#2b333d"), 14)
        c.text(415, 424, "55°C", 48, "#7fc3e8")
        mark(c, s, 230, 420, 36, width=160)
        for x, tint in ((330, "#d63b3f"), (460, "#2f6fd0")):
            c.rect(x - 14, 536, 28, 70, c.tube(STEEL), 4)
            c.rect(x - 14, 580, 28, 14, tint)
        return
    c.shadow(410, 690, 190)
    table = s.says("台式")
    top = 380 if table else 280
    if s.kind == "dispenser" and not s.says("即热", "茶吧"):
        c.path(
            f"M320 {top}V{top - 130}q0 -34 34 -34h90q34 0 34 34V{top}Z",
            c.tube("#8fc7ea"),
            'opacity=".8"',
        )
        c.stroke(f"M322 {top - 90}H476M322 {top - 50}H476", "#6fb0da", 5)
    draw_cuboid(c, 280, top, 230, 670 - top, 110, body, 16)
    c.rect(296, top + 20, 198, 120, c.down("#2b333d"), 12)
    for x, tint in ((345, "#d63b3f"), (395, "#2f6fd0"), (445, "#5fdc8b")):
        c.disc(x, top + 54, 13, tint)
        if s.kind == "dispenser" and x != 445:
            c.path(f"M{x - 10} {top + 84}h20v24h-20Z", c.tube(STEEL))
    if not table:
        c.rect(
            300,
            top + 170,
            190,
            180,
            c.down(shade(body, 0.06)),
            10,
            f'stroke="{shade(body, -0.2)}" stroke-width="2"',
        )
    mark(c, s, 395, 640 if not table else top + 180, 26, get_print_colour(s, body), 180)


@draws("fan", "tower")
def fan(c: Canvas, s: Subject) -> None:
    """Draw a fan with its grille, or a tower."""
    body = s.tint(WHITE)
    c.shadow(400, 690, 190)
    if s.kind == "tower" or s.says("塔扇"):
        c.path("M320 130Q400 110 480 130L500 650H300Z", c.tube(body))
        c.rect(346, 230, 108, 330, c.tube("#4a525e"), 20)
        c.stroke("".join(f"M356 {250 + n * 20}h88" for n in range(15)), shade(body, -0.1), 5)
        c.text(400, 190, "24", 40, "#5fb7e8")
        mark(c, s, 400, 610, 24, get_print_colour(s, body), 150)
        c.path("M270 650H530L550 686H250Z", c.down(shade(body, -0.2)))
        return
    tall = not s.says("台扇", "壁扇")
    c.rect(388, 470, 24, 190 if tall else 130, c.tube(STEEL))
    c.oval(400, 660 if tall else 620, 150, 34, c.slant(body))
    c.disc(400, 320, 210, "#f8fafb", f'stroke="{shade(body, -0.3)}" stroke-width="10"')
    tint = ("#8fc7ea", "#b9c4cf", "#9dd6c0")[s.seed % 3]
    for turn in range(0, 360, 72):
        c.path(
            "M400 320C340 250 350 150 420 136C480 160 470 260 400 320Z",
            c.slant(tint),
            f'transform="rotate({turn} 400 320)" opacity=".9"',
        )
    for turn in range(0, 180, 12):
        c.stroke(
            "M400 112V528",
            shade(body, -0.35),
            1.6,
            f'transform="rotate({turn} 400 320)" opacity=".6"',
        )
    c.disc(400, 320, 46, c.ball(body))
    c.text(400, 328, s.english, 16, s.accent, width=76, weight=700)


@draws("heater")
def heater(c: Canvas, s: Subject) -> None:
    """Draw a heater: oil fins, quartz bars or a warm-air box."""
    body = s.tint(WHITE)
    c.shadow(410, 670, 250)
    if s.says("油汀"):
        for n in range(9):
            c.rect(190 + n * 44, 230, 40, 400, c.tube(body), 20)
        c.rect(570, 260, 70, 350, c.tube("#3a414b"), 14)
        draw_knob(c, 605, 340, 24)
        draw_knob(c, 605, 410, 24)
        mark(c, s, 370, 660, 26)
        return
    draw_cuboid(c, 210, 230, 340, 400, 110, body, 30)
    c.rect(240, 300, 280, 240, c.slant("#3a2620"), 16)
    for n in range(4):
        c.rect(258, 324 + n * 54, 244, 18, c.rod("#ff8a3c"), 9)
    c.stroke("".join(f"M{262 + n * 24} 306V534" for n in range(10)), "#aab4c0", 4)
    mark(c, s, 380, 592, 30, get_print_colour(s, body))
    draw_knob(c, 380, 266, 18)


@draws("airpurifier", "humidifier", "mosquito")
def purifier(c: Canvas, s: Subject) -> None:
    """Draw an air purifier, a humidifier with its mist, or a mosquito lamp."""
    body = s.tint(WHITE)
    c.shadow(400, 670, 200)
    if s.kind == "humidifier":
        c.path(
            "M380 190C340 130 420 110 390 60M420 190C460 140 390 110 440 70",
            "none",
            'stroke="#a9d3ec" stroke-width="16" stroke-linecap="round" opacity=".6"',
        )
        c.path(
            "M400 200C520 200 560 330 560 470S520 650 400 650S240 610 240 470S280 200 400 200Z",
            c.tube(body),
        )
        c.path("M246 430H554Q556 650 400 650T246 430Z", c.tube("#a9d3ec"), 'opacity=".6"')
        c.oval(400, 216, 40, 14, shade(body, -0.4))
        c.disc(400, 590, 26, "#ffffff", 'stroke="#5fb7e8" stroke-width="5"')
        mark(c, s, 400, 400, 32, get_print_colour(s, body))
        return
    if s.kind == "mosquito":
        draw_cylinder(c, 400, 210, 220, 430, body)
        c.rect(312, 270, 176, 270, c.tube("#8f6bff"), 10, 'opacity=".8"')
        c.stroke("".join(f"M{320 + n * 20} 262V548" for n in range(9)), shade(body, -0.1), 8)
        mark(c, s, 400, 610, 26, get_print_colour(s, body), 160)
        return
    draw_cuboid(c, 240, 200, 300, 440, 140, body, 24)
    c.path("M262 196L370 142H640L530 196Z", c.slant("#59626f"))
    c.stroke("".join(f"M264 {420 + n * 20}h250" for n in range(9)), shade(body, -0.3), 6)
    c.disc(390, 310, 66, "none", 'stroke="#5fdc8b" stroke-width="10"')
    c.text(390, 326, f"{8 + s.seed % 30:03d}", 46, "#4a525e")
    mark(c, s, 390, 404, 22, get_print_colour(s, body))


@draws("vacuum", "robot")
def vacuum(c: Canvas, s: Subject) -> None:
    """Draw a vacuum cleaner: drum, stick or robot."""
    body = s.tint("#5b6470")
    c.shadow(400, 660, 280)
    if s.kind == "robot":
        c.oval(400, 520, 270, 130, c.down(shade(body, -0.25)))
        c.oval(400, 480, 270, 130, c.slant(body))
        c.oval(400, 470, 70, 34, c.down("#22272f"))
        c.oval(400, 456, 70, 34, c.slant("#59626f"))
        c.disc(400, 560, 12, "#5fb7e8")
        mark(c, s, 400, 390, 28, get_print_colour(s, body))
        return
    if s.says("无线"):
        c.stroke("M520 200L330 600", STEEL, 22)
        c.path("M440 150Q560 100 600 210L560 300L450 320Q410 240 440 150Z", c.slant(body))
        c.disc(520, 220, 46, c.ball(s.accent))
        c.path("M210 600H430L450 650H190Z", c.down(body))
        return
    c.stroke("M430 300C500 120 640 150 640 300L610 620", INK, 24)
    c.path("M540 620H690L710 656H530Z", c.down(INK))
    draw_cylinder(
        c, 320, 330, 300, 240, s.accent if s.colour_word != "黑色" else body, shade(INK, 0.1)
    )
    c.rect(170, 300, 300, 60, c.tube(INK), 26)
    c.rect(260, 236, 120, 70, "none", 24, f'stroke="{INK}" stroke-width="18"')
    for x in (200, 430):
        c.disc(x, 620, 34, c.ball(INK))
    mark(c, s, 320, 480, 32, "#ffffff", 220)


@draws("iron", "hairdryer", "handdryer", "shaver")
def small_care(c: Canvas, s: Subject) -> None:
    """Draw an iron, a hair dryer, a hand dryer or a shaver."""
    body = s.tint(WHITE if s.kind != "iron" else "#2f6fd0")
    c.shadow(400, 660, 220)
    if s.kind == "iron":
        c.path("M110 600C200 480 330 420 480 410L620 420L690 600Z", c.slant(body))
        c.path("M110 600H690V636H100Q96 616 110 600Z", c.down(STEEL))
        c.stroke("M330 430C360 300 420 280 520 280H600Q640 290 640 430", shade(body, -0.2), 46)
        mark(c, s, 440, 540, 34, get_text_colour(body))
    elif s.kind == "hairdryer":
        c.path(
            "M370 420H470L500 640Q500 660 470 660H400Q374 660 372 640Z", c.tube(shade(body, -0.06))
        )
        c.path("M160 270L250 230H560Q640 240 640 330T560 430H250L160 390Z", c.rod(body))
        c.rect(140, 256, 40, 146, c.rod(INK), 8)
        c.disc(590, 330, 60, c.slant("#59626f"))
        mark(c, s, 390, 344, 34, get_print_colour(s, body))
    elif s.kind == "handdryer":
        draw_cuboid(c, 240, 180, 310, 400, 90, body, 60)
        c.rect(290, 520, 210, 30, INK, 15)
        c.disc(395, 300, 20, "#5fb7e8")
        mark(c, s, 395, 400, 34, get_print_colour(s, body))
        c.stroke("M330 610v40M395 610v60M460 610v40", "#a9d3ec", 9)
    else:
        c.rect(310, 300, 180, 350, c.tube(body), 60)
        c.path("M290 310Q290 200 400 200T510 310Z", c.tube(INK))
        for x in (346, 454):
            c.disc(x, 230, 48, c.slant(STEEL))
            c.disc(x, 230, 30, shade(STEEL, -0.3))
        c.disc(400, 420, 28, c.ball(s.accent))
        mark(c, s, 400, 580, 26, get_print_colour(s, body), 140)
