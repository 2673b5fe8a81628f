"""Boards, sports, games and celebrations."""

from demo.pictures.canvas import Canvas
from demo.pictures.colour import INK, RAINBOW, STEEL, WHITE, WOOD, get_text_colour, shade
from demo.pictures.registry import draws
from demo.pictures.shapes import draw_carton, draw_cuboid, draw_cylinder, draw_roll, mark
from demo.pictures.subject import Subject


@draws("whiteboard", "corkboard", "chalkboard")
def board(c: Canvas, s: Subject) -> None:
    """Draw a framed board, on a stand if it has one."""
    face = {"whiteboard": "#fdfefe", "corkboard": "#d2a26a", "chalkboard": "#2f6b52"}[s.kind]
    if s.says("布面", "公告"):
        face = "#4a6fa8"
    frame = WOOD if s.kind == "corkboard" else STEEL
    c.shadow(400, 690, 260, 18)
    if s.says("支架"):
        c.stroke("M220 560L180 690M580 560L620 690M200 630H600", "#59626f", 14)
    wide = 620 if s.says("180", "240") else 520
    left = 400 - wide / 2
    c.rect(left, 190, wide, 390, c.slant(frame), 14)
    c.rect(left + 16, 206, wide - 32, 358, c.slant(face), 6)
    if s.kind == "whiteboard":
        c.stroke(
            f"M{left + 70:g} 300q40 -60 90 0t90 -10M{left + 70:g} 380h200M{left + 70:g} 430h140",
            ("#2f6fd0", "#d63b3f", "#37a36a")[s.seed % 3],
            7,
            'opacity=".75"',
        )
        c.path(
            f"M{left + 16:g} 206H{left + wide * 0.5:g}L{left + wide * 0.24:g} 564H{left + 16:g}Z",
            "#dfe9f0",
            'opacity=".45"',
        )
        for n in range(3):
            c.disc(left + wide - 60 - n * 50, 250, 16, c.ball(RAINBOW[n]))
    elif s.kind == "corkboard":
        for n, (x, y, turn) in enumerate(((110, 270, -6), (270, 250, 4), (180, 400, 3))):
            c.begin(f"translate({left + x:g} {y}) rotate({turn})")
            c.rect(-50, -10, 110, 110, c.slant(("#fff3b0", "#cfe8f6", "#fbd3de")[n]), 2)
            c.disc(4, -4, 10, c.ball("#d63b3f"))
            c.end()
    else:
        c.text(400, 400, "欢迎光临", 80, "#eef5f1", weight=400)
    c.rect(left + 60, 576, wide - 120, 24, c.rod(shade(frame, -0.1)), 6)
    c.text(
        left + wide - 30,
        552,
        f"{s.english} {s.spec}",
        22,
        get_text_colour(face),
        anchor="end",
        width=260,
    )


@draws("stand", "tablecard")
def stand(c: Canvas, s: Subject) -> None:
    """Draw a roll-up banner, or a table card."""
    c.shadow(400, 690, 220, 18)
    if s.kind == "tablecard":
        c.path(
            "M150 600L260 330H690L620 600Z",
            c.slant("#dcebf4"),
            'opacity=".8" stroke="#b5cbda" stroke-width="3"',
        )
        c.path("M180 580L276 350H664L598 580Z", "#ffffff")
        c.text(420, 500, "嘉 宾", 100, "#b5282e", weight=700)
        c.rect(140, 596, 500, 26, c.rod("#cfe0ea"), 6)
        return
    c.path("M240 660H560L600 690H200Z", c.down(STEEL))
    c.rect(254, 110, 292, 550, c.slant(s.accent))
    c.rect(246, 104, 308, 16, c.rod(STEEL), 6)
    c.text(400, 230, s.brand, 84, "#ffffff", width=250, weight=700)
    c.text(400, 290, s.noun, 40, "#ffffff", width=250)
    c.path("M254 440Q330 380 400 440T546 420V660H254Z", shade(s.accent, 0.4), 'opacity=".6"')
    c.path("M254 520Q340 460 420 520T546 510V660H254Z", "#ffffff", 'opacity=".7"')
    c.text(400, 620, s.spec, 36, s.accent, width=240, weight=700)


@draws("globe")
def globe(c: Canvas, s: Subject) -> None:
    """Draw a globe, or a folded map."""
    c.shadow(400, 680, 190)
    if s.says("挂图"):
        c.path(
            "M140 240L310 200V600L140 640ZM310 200L490 240V640L310 600ZM490 240L660 200V600L490 640Z",
            c.slant("#cfe6f2"),
            'stroke="#a9c6d8" stroke-width="3"',
        )
        c.path(
            "M200 340Q280 270 360 320T560 300Q600 380 520 430T360 500Q260 520 220 440Z",
            c.slant("#e9c46a"),
        )
        return
    c.path(
        "M290 170C160 300 170 520 400 590C500 600 570 540 590 480",
        "none",
        f'stroke="{STEEL}" stroke-width="20"',
    )
    c.disc(420, 360, 200, c.ball("#4f9fe0"))
    c.path(
        "M330 230Q400 190 440 250T400 330Q340 350 300 300ZM440 380Q540 340 560 420T470 520Q420 480 440 380ZM280 400q50 -10 50 50t-40 40q-30 -40 -10 -90Z",
        "#8cc152",
    )
    c.rect(384, 580, 32, 70, c.tube(STEEL))
    c.oval(400, 660, 130, 30, c.slant("#3a414b"))
    mark(c, s, 400, 668, 24, "#ffffff")


@draws("paint", "calligraphy")
def paint(c: Canvas, s: Subject) -> None:
    """Draw tubes of paint, or a brush with its ink stone."""
    c.shadow(400, 650, 290)
    if s.kind == "calligraphy":
        c.path("M130 280H560L600 640H90Z", c.slant("#fbf8ef"), 'stroke="#e3dcc8" stroke-width="2"')
        c.text(300, 520, ("福", "和", "静", "雅")[s.seed % 4], 220, "#2a2a2a", weight=700)
        c.begin("rotate(32 600 380)")
        c.rect(584, 130, 32, 380, c.tube("#7a4a2c"), 8)
        c.path("M582 510H618Q624 590 600 650Q576 590 582 510Z", c.tube("#3a3530"))
        c.end()
        return
    draw_cuboid(c, 150, 470, 430, 140, 160, WHITE, 8)
    for n in range(6):
        x = 180 + n * 66
        c.path(f"M{x} 250H{x + 50}L{x + 44} 470H{x + 6}Z", c.tube("#eef1f4"))
        c.rect(x + 4, 330, 42, 90, c.slant(RAINBOW[n]))
        c.rect(x + 12, 214, 26, 40, c.tube(INK), 4)
    c.text(365, 560, f"{s.brand} {s.noun} {s.spec}", 36, s.accent, width=400, weight=700)


@draws("basketball", "football", "volleyball")
def ball(c: Canvas, s: Subject) -> None:
    """Draw a ball with its seams."""
    c.shadow(400, 650, 210)
    if s.kind == "basketball":
        c.disc(400, 400, 240, c.ball("#d9742c"))
        seams = "M400 160V640M160 400H640M230 230Q360 400 230 570M570 230Q440 400 570 570"
        c.stroke(seams, "#3a2416", 9)
    elif s.kind == "football":
        c.disc(400, 400, 240, c.ball("#f7f9fa"))
        c.path("M400 300l95 69 -36 112h-118l-36 -112Z", s.accent)
        c.path(
            "M270 190l60 -20 70 50 -20 0ZM560 240l60 80 -40 40 -46 -80ZM240 240l-60 80 40 40 46 -80ZM250 560l80 0 40 60 -60 10ZM550 560l-80 0 -40 60 60 10Z",
            s.accent,
        )
        c.stroke(
            "M400 300V220M495 369l80 -14M459 481l50 80M341 481l-50 80M305 369l-80 -14", "#59626f", 5
        )
    else:
        tint = s.tint("#2f6fd0")
        c.disc(400, 400, 240, c.ball(WHITE))
        c.path("M400 160A240 240 0 0 1 640 400Q520 330 400 400Z", c.slant(tint))
        c.path(
            "M400 400Q400 540 280 607A240 240 0 0 1 163 360Q280 320 400 400Z", c.slant("#f4bd25")
        )
        c.stroke(
            "M400 400Q520 330 640 400M400 400V160M400 400Q280 320 163 360M400 400Q400 540 280 607M400 400Q500 470 480 626",
            "#8d96a3",
            5,
        )
    c.begin("rotate(-12 400 400)")
    c.text(
        400,
        440 if s.kind == "football" else 520,
        s.english,
        46,
        "#ffffff" if s.kind == "football" else "#2b2018",
        width=200,
        weight=700,
    )
    c.end()


@draws("badminton", "shuttle", "pingpong")
def racket(c: Canvas, s: Subject) -> None:
    """Draw a racket, shuttlecocks, or a table tennis bat with balls."""
    tint = s.tint("#2f6fd0")
    c.shadow(400, 660, 240)
    if s.kind == "pingpong":
        for x, flip, colour in ((300, -18, "#2b2f36"), (470, 16, "#c9302f")):
            c.begin(f"translate({x} 350) rotate({flip})")
            c.rect(-28, 110, 56, 190, c.tube("#c48a4f"), 14)
            c.path(
                "M-130 0C-130 -170 130 -170 130 0Q120 110 40 140H-40Q-120 110 -130 0Z",
                c.slant(colour),
            )
            c.end()
        for x in (590, 650):
            c.disc(x, 610 - (x - 590) // 3, 34, c.ball("#ffffff"))
        mark(c, s, 490, 330, 30, "#ffffff", 150)
        return
    if s.kind == "shuttle":
        draw_cylinder(c, 280, 190, 150, 440, s.accent)
        c.begin("translate(284 420) rotate(-90)")
        c.text(0, 10, s.english, 48, "#ffffff", width=300, weight=700)
        c.end()
        for x, y, turn in ((500, 500, 20), (600, 360, -30)):
            c.begin(f"translate({x} {y}) rotate({turn})")
            c.path(
                "M-80 -130L-30 40H30L80 -130Q0 -90 -80 -130Z",
                c.slant("#ffffff"),
                'stroke="#cfd7df" stroke-width="3"',
            )
            c.stroke("M-46 -120L-16 40M0 -112V40M46 -120L16 40M-56 -40H56", "#cfd7df", 4)
            c.path("M-36 40H36V70Q0 120 -36 70Z", c.tube("#efe6d2"))
            c.end()
        return
    c.begin("rotate(34 400 400)")
    c.oval(400, 250, 130, 165, "none", f'stroke="{tint}" stroke-width="18"')
    grid = "".join(f"M{290 + n * 22} 110V390" for n in range(11)) + "".join(
        f"M275 {110 + n * 24}H525" for n in range(12)
    )
    c.stroke(grid, "#aab4c0", 2)
    c.path("M386 412H414L408 540H392Z", c.tube(tint))
    c.rect(384, 530, 32, 190, c.tube(INK), 10)
    c.end()
    mark(c, s, 560, 620, 32)


@draws("dumbbell", "yogamat", "rope", "treadmill")
def fitness(c: Canvas, s: Subject) -> None:
    """Draw a dumb-bell, a mat, a rope or a treadmill."""
    tint = s.tint("#2f6fd0")
    c.shadow(400, 640, 290)
    if s.kind == "dumbbell":
        c.rect(260, 386, 280, 46, c.rod(STEEL))
        for x, w, h in ((160, 70, 300), (230, 50, 240), (520, 50, 240), (570, 70, 300)):
            c.rect(x, 410 - h / 2, w, h, c.rod(tint), 18)
        c.text(400, 350, s.spec, 40, INK, weight=700)
        mark(c, s, 400, 500, 28)
    elif s.kind == "yogamat":
        draw_roll(c, 220, 450, 130, 30, 470, tint, shade(tint, -0.3))
        for x in (350, 520):
            c.stroke(f"M{x} {282 - (x - 350) // 3}v246", INK, 16)
        mark(c, s, 440, 410, 30, get_text_colour(tint))
    elif s.kind == "rope":
        twist = "#d9b98c" if s.says("拔河", "绳索", "尼龙") else s.accent
        for n in range(6):
            c.oval(
                400,
                420 + n * 8,
                230 - n * 26,
                150 - n * 18,
                "none",
                f'stroke="{shade(twist, 0.1 * (n % 2))}" stroke-width="24"',
            )
            c.oval(
                400,
                420 + n * 8,
                230 - n * 26,
                150 - n * 18,
                "none",
                f'stroke="{shade(twist, -0.3)}" stroke-width="3" stroke-dasharray="10 14"',
            )
        for x in (180, 620):
            c.rect(x - 22, 480, 44, 160, c.tube(INK), 20)
        c.text(400, 470, s.spec, 40, INK, width=180, weight=700)
    else:
        c.path("M90 610L640 560L720 600L200 660Z", c.slant("#3a414b"))
        c.stroke("M560 570L500 210M650 580L590 210", "#59626f", 26)
        c.rect(440, 170, 200, 100, c.slant("#22272f"), 18)
        c.text(540, 234, "8.0", 50, "#7fe0a8")
        mark(c, s, 360, 622, 30, "#ffffff")


@draws("tent")
def tent(c: Canvas, s: Subject) -> None:
    """Draw a tent, or a rolled sleeping bag."""
    tint = s.tint("#37a36a")
    c.shadow(400, 640, 310)
    if s.says("睡袋"):
        draw_roll(c, 240, 440, 150, 50, 420, tint, shade(tint, -0.3))
        return
    c.path("M400 180L720 620H560Z", c.slant(shade(tint, -0.2)))
    c.path("M400 180L560 620H90Z", c.slant(tint))
    c.path("M370 300L470 620H270Z", shade(tint, -0.5))
    c.path("M370 300L270 620L240 600Z", shade(tint, 0.4))
    mark(c, s, 200, 600, 26, get_text_colour(tint), 130)


@draws("chess", "guitar")
def leisure(c: Canvas, s: Subject) -> None:
    """Draw a board game with its pieces, or a guitar."""
    c.shadow(400, 660, 290)
    if s.kind == "guitar":
        c.begin("rotate(30 400 400)")
        c.rect(378, 60, 44, 360, c.tube("#4a2f1e"), 6)
        c.path(
            "M300 440Q250 330 400 330T500 440Q540 470 540 560Q530 690 400 690T260 560Q260 470 300 440Z",
            c.slant("#c9803c"),
        )
        c.disc(400, 500, 52, "#2b1c12", 'stroke="#f1d9a8" stroke-width="7"')
        c.rect(350, 600, 100, 20, "#4a2f1e", 6)
        c.stroke("M386 80V606M395 80V606M405 80V606M414 80V606", "#e9eef2", 2)
        c.end()
        return
    c.path("M110 470L250 300H690L560 600H60Z", c.slant("#d9a968"))
    for n in range(9):
        c.stroke(f"M{250 + n * 52} 316L{86 + n * 56} 586", "#7a5230", 2.5)
        c.stroke(f"M{236 - n * 19} {320 + n * 32}H{676 - n * 15}", "#7a5230", 2.5)
    words = ("帅", "车", "马", "炮", "兵", "相")
    for n in range(6):
        x, y = 230 + n % 3 * 150 - n // 3 * 40, 380 + n // 3 * 130
        black = s.says("围棋")
        draw_cylinder(
            c,
            x,
            y,
            90,
            22,
            ("#30353d" if n % 2 else "#f6f7f8") if black else "#f1d9a8",
            squash=0.26,
        )
        if not black:
            c.text(x, y + 14, words[n], 40, "#c0392b" if n % 2 else "#2a2f38", weight=700)


@draws("flag", "balloon")
def flag(c: Canvas, s: Subject) -> None:
    """Draw a flag on its staff, balloons, or a banner."""
    c.shadow(400, 680, 210, 18)
    if s.says("气球"):
        for n, (x, y) in enumerate(((280, 260), (420, 200), (540, 290), (360, 370), (490, 410))):
            c.stroke(f"M{x} {y + 90}Q400 560 400 680", "#aab4c0", 3)
            c.path(
                f"M{x - 80} {y}Q{x - 80} {y - 100} {x} {y - 100}T{x + 80} {y}Q{x + 60} {y + 90} {x} {y + 100}Q{x - 60} {y + 90} {x - 80} {y}Z",
                c.ball(RAINBOW[n]),
            )
        return
    tints = s.tints("#d63b3f", 3)
    if s.kind == "balloon":
        c.rect(90, 320, 620, 150, c.slant(tints[0]), 4)
        c.text(400, 420, "热烈庆祝 · 团结奋进", 58, "#ffe08a", width=580, weight=700)
        c.stroke("M90 320L60 240M710 320L740 240", "#aab4c0", 6)
        return
    count = 1 if not s.is_rainbow else 3
    for n in range(count):
        x = 200 + n * 160
        c.rect(x - 8, 120, 16, 550, c.tube(STEEL), 8)
        c.disc(x, 116, 16, c.ball("#d9a83f"))
        wide = 380 if count == 1 else 140
        c.path(
            f"M{x + 8} 150Q{x + wide * 0.3:g} 110 {x + wide * 0.5:g} 150T{x + wide} 140V{390 if count == 1 else 330}Q{x + wide * 0.7:g} {430 if count == 1 else 350} {x + wide * 0.5:g} {400 if count == 1 else 340}T{x + 8} {410 if count == 1 else 340}Z",
            c.slant(tints[n]),
        )
    if count == 1:
        c.text(380, 290, s.english, 40, "#ffe08a", width=260, weight=700)
    draw_carton(c, s, 420, 540, 180, 120, 60)
