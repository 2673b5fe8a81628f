"""Safety products: extinguishers, signs, cones, alarms, first aid, torches and locks."""

from demo.pictures.canvas import Canvas
from demo.pictures.colour import INK, STEEL, WHITE, get_text_colour, shade
from demo.pictures.registry import draws
from demo.pictures.shapes import draw_cuboid, draw_knob, mark
from demo.pictures.subject import Subject

LIME, ORANGE = "#d8e829", "#f08135"


@draws("extinguisher")
def extinguisher(c: Canvas, s: Subject) -> None:
    """Draw a fire extinguisher."""
    red = "#d02f2f"
    c.shadow(400, 690, 170)
    c.stroke("M440 200C560 210 560 330 540 470", INK, 22)
    c.path("M520 460H562L580 560H506Z", c.tube(INK))
    c.path("M290 330Q290 240 390 236T490 330V650Q490 676 390 680T290 650Z", c.tube(red))
    c.rect(352, 180, 76, 64, c.tube("#59626f"), 8)
    c.path("M300 150H470V180H360Z", c.down(INK))
    c.path("M290 120Q380 90 480 124L470 146H300Z", c.down(red))
    c.disc(346, 210, 26, c.slant("#ffffff"), f'stroke="{INK}" stroke-width="5"')
    c.stroke("M346 210l10 -14", "#37a36a", 5)
    c.rect(300, 370, 180, 190, "#fff8ea", 8)
    c.text(390, 420, "灭火器", 48, red, width=160, weight=700)
    c.text(390, 470, s.noun, 24, INK, width=168)
    c.text(390, 524, s.spec, 44, red, width=150, weight=700)


@draws("exitsign")
def exitsign(c: Canvas, s: Subject) -> None:
    """Draw an exit sign, or an emergency lamp."""
    c.shadow(400, 640, 290)
    if s.says("应急灯"):
        draw_cuboid(c, 250, 380, 270, 240, 90, WHITE, 12)
        for x in (310, 470):
            c.disc(x, 300, 80, c.slant("#dfe4e9"))
            c.disc(x, 300, 58, c.ball("#fff3b8"))
        c.text(385, 520, "消防应急", 44, "#d63b3f", weight=700)
        return
    draw_cuboid(c, 110, 300, 520, 230, 40, "#e9edf1", 8)
    c.rect(126, 316, 488, 198, c.slant("#1f9a5a"), 4)
    c.text(300, 440, "安全出口", 72, "#ffffff", width=300, weight=700)
    c.text(300, 490, "EXIT", 38, "#ffffff", weight=700)
    c.disc(530, 366, 18, "#ffffff")
    c.stroke(
        "M530 392L510 440L540 470M510 440L480 480M526 400L566 420M526 400L496 424", "#ffffff", 15
    )


@draws("speedbump")
def speedbump(c: Canvas, s: Subject) -> None:
    """Draw a speed bump."""
    c.shadow(400, 640, 290)
    c.path("M90 560L200 440H690L720 470V560Z", c.down("#2b313a"))
    for n in range(4):
        c.path(f"M{190 + n * 130} 450h64l-70 104h-74Z", "#f4bd25")
    mark(c, s, 400, 640, 24)


@draws("sign")
def sign(c: Canvas, s: Subject) -> None:
    """Draw a safety sign: forbidden, fire or warning."""
    c.shadow(400, 640, 290)
    kind = (
        s.seed % 3
        if not s.says("禁止", "消防", "警示")
        else 0
        if s.says("禁止")
        else 2
        if s.says("警示")
        else 1
    )
    if kind == 0:
        c.rect(210, 150, 380, 490, c.slant("#ffffff"), 16, 'stroke="#d5dce4" stroke-width="3"')
        c.disc(400, 350, 140, "#ffffff", 'stroke="#d63b3f" stroke-width="32"')
        c.rect(300, 340, 160, 26, INK, 4)
        c.rect(466, 340, 34, 26, ORANGE, 4)
        c.stroke("M304 254L496 446", "#d63b3f", 30)
        c.text(400, 590, "禁止吸烟", 60, INK, weight=700)
    elif kind == 1:
        c.rect(210, 150, 380, 490, c.slant("#d02f2f"), 16)
        c.path("M400 220q90 90 70 180t-70 70t-70 -70t20 -110q20 40 30 20q0 -60 20 -90Z", "#ffffff")
        c.text(400, 570, s.noun[:4], 60, "#ffffff", width=330, weight=700)
        c.text(400, 614, "119", 36, "#ffffff")
    else:
        c.rect(210, 150, 380, 490, c.slant("#f6c526"), 16)
        c.path(
            "M400 210L530 430H270Z",
            "#f6c526",
            f'stroke="{INK}" stroke-width="22" stroke-linejoin="round"',
        )
        c.rect(388, 290, 24, 76, INK, 10)
        c.disc(400, 396, 15, INK)
        c.text(400, 550, "当心安全", 60, INK, weight=700)
        c.text(400, 604, s.noun, 32, INK, width=300)


@draws("cone", "barrier")
def cone(c: Canvas, s: Subject) -> None:
    """Draw a traffic cone, or a belt barrier."""
    tint = s.tint(ORANGE)
    c.shadow(400, 680, 250)
    if s.kind == "barrier":
        for x in (210, 590):
            c.oval(x, 660, 90, 24, c.slant(INK))
            c.rect(x - 20, 190, 40, 470, c.tube(tint))
            c.rect(x - 28, 176, 56, 70, c.tube(INK), 8)
        c.rect(236, 196, 330, 36, c.rod("#d63b3f"))
        c.text(400, 224, s.english, 26, "#ffffff", width=260)
        return
    c.path("M210 640H590L620 676Q400 696 180 676Z", c.down("#2b313a"))
    c.path("M370 140Q400 126 430 140L550 640Q400 670 250 640Z", c.tube(tint))
    c.path("M340 270Q400 290 460 270L484 370Q400 394 316 370Z", c.tube("#f7f9fa"))
    c.path("M300 440Q400 466 500 440L522 530Q400 560 278 530Z", c.tube("#f7f9fa"))


@draws("smoke", "detector")
def detector(c: Canvas, s: Subject) -> None:
    """Draw a smoke alarm, or a hand-held metal detector."""
    c.shadow(400, 620, 230)
    if s.kind == "detector":
        c.begin("rotate(-36 400 400)")
        c.rect(120, 350, 320, 110, c.rod("#2b313a"), 50)
        c.rect(430, 372, 250, 66, c.rod("#4a525e"), 30)
        c.disc(470, 405, 12, "#d63b3f")
        mark(c, s, 280, 418, 36, "#ffffff")
        c.end()
        return
    c.oval(400, 470, 240, 110, c.down("#d5dce3"))
    c.oval(400, 420, 240, 110, c.slant("#fafbfc"))
    c.oval(400, 400, 150, 64, "none", 'stroke="#c3ccd6" stroke-width="12" stroke-dasharray="24 12"')
    c.oval(400, 394, 60, 26, c.slant("#e3e8ed"))
    c.disc(520, 430, 9, "#d63b3f")
    mark(c, s, 400, 490, 24)


@draws("firstaid", "aed")
def firstaid(c: Canvas, s: Subject) -> None:
    """Draw a first-aid case with its cross."""
    body = s.tint("#f08135" if s.kind == "aed" else "#d63b3f")
    c.shadow(410, 650, 290)
    c.path(
        "M310 300q0 -70 60 -70h80q60 0 60 70",
        "none",
        f'stroke="{shade(body, -0.35)}" stroke-width="30"',
    )
    draw_cuboid(c, 150, 310, 440, 310, 130, body, 40)
    c.stroke("M150 400H590", shade(body, -0.3), 6)
    ink = "#d63b3f" if get_text_colour(body) != "#ffffff" else "#ffffff"
    c.path("M345 420H395V465H440V515H395V560H345V515H300V465H345Z", ink)
    c.text(
        370,
        600,
        f"{s.brand} {'AED' if s.kind == 'aed' else '急救'}",
        36,
        get_text_colour(body),
        width=340,
        weight=700,
    )
    for x in (240, 470):
        c.rect(x, 386, 50, 34, c.rod(STEEL), 6)


@draws("flashlight", "headlamp")
def flashlight(c: Canvas, s: Subject) -> None:
    """Draw a torch with its beam."""
    c.shadow(400, 600, 300)
    c.begin("rotate(-22 400 400)")
    c.path("M610 300L780 200V600L610 500Z", "#fff0b0", 'opacity=".5"')
    c.rect(110, 346, 380, 108, c.rod("#2b313a"), 22)
    c.stroke("".join(f"M{150 + n * 22} 352V448" for n in range(9)), "#59626f", 7)
    c.path("M480 346L560 286H630V514H560L480 454Z", c.rod("#3a414b"))
    c.oval(630, 400, 26, 114, c.slant("#fff6d0"))
    c.rect(390, 336, 60, 26, c.rod(ORANGE), 10)
    mark(c, s, 420, 412, 24, "#ffffff", 120)
    c.end()


@draws("lock")
def lock(c: Canvas, s: Subject) -> None:
    """Draw a padlock with its keys, or with number wheels."""
    body = s.tint("#cfa14a")
    c.shadow(400, 650, 220)
    c.path(
        "M300 400V290Q300 180 400 180T500 290V400", "none", f'stroke="{STEEL}" stroke-width="44"'
    )
    c.stroke("M290 380V290Q290 190 380 176", "#ffffff", 8, 'opacity=".6"')
    draw_cuboid(c, 250, 380, 300, 250, 40, body, 26)
    if s.says("密码"):
        for n in range(4):
            c.rect(282 + n * 62, 440, 48, 96, c.down("#22272f"), 8)
            c.text(306 + n * 62, 506, str((s.seed >> n) % 10), 48, "#ffffff", weight=700)
    else:
        c.disc(400, 490, 26, shade(body, -0.6))
        c.path("M390 500h20l10 60h-40Z", shade(body, -0.6))
    mark(c, s, 400, 606, 26, get_text_colour(body), 200)
    draw_knob(c, 280, 410, 9)
    draw_knob(c, 520, 410, 9)


@draws("container", "crate", "partsbox")
def plastic_box(c: Canvas, s: Subject) -> None:
    """Draw a plastic box: a transport crate, a clear storage box, or a bin for small parts."""
    body = s.tint("#2f6fd0")
    c.shadow(410, 650, 300)
    clear = s.colour_word == "透明"
    if s.kind == "partsbox":
        for row in range(2):
            for column in range(2):
                x, y = 140 + column * 260, 300 + row * 180
                c.path(f"M{x} {y}L{x + 60} {y - 40}H{x + 270}L{x + 220} {y}Z", shade(body, -0.4))
                c.path(f"M{x} {y + 50}H{x + 220}V{y + 150}H{x}Z", c.slant(body), 'opacity=".95"')
                c.path(
                    f"M{x + 220} {y + 50}L{x + 270} {y - 40}V{y + 110}L{x + 220} {y + 150}Z",
                    c.down(shade(body, -0.2)),
                )
                c.rect(x + 60, y + 76, 100, 44, "#ffffff", 6)
        return
    draw_cuboid(c, 120, 340, 470, 280, 190, body, 12)
    if s.kind == "crate":
        c.path("M150 336L290 268H720L584 336Z", shade(body, -0.45))
        c.stroke("".join(f"M{160 + n * 55} 440V610" for n in range(8)), shade(body, -0.2), 7)
    else:
        c.path("M104 344L272 252H760L610 344Z", c.slant(shade(body, 0.25 if not clear else 0.5)))
        c.rect(104, 340, 510, 40, c.down("#59a0dc" if clear else shade(body, -0.15)), 12)
    c.rect(290, 380, 130, 44, shade(body, -0.4), 20)
    c.text(355, 540, s.english, 46, get_text_colour(body), width=340, weight=700)
    c.text(355, 590, s.spec, 28, get_text_colour(body), width=340)
