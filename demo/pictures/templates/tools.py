"""Hand and power tools, fasteners, ladders and trolleys."""

from demo.pictures.canvas import Canvas
from demo.pictures.colour import BRASS, INK, STEEL, WHITE, get_text_colour, shade
from demo.pictures.registry import draws
from demo.pictures.shapes import (
    draw_carton,
    draw_cuboid,
    draw_knob,
    draw_roll,
    draw_ruler_marks,
    get_print_colour,
    mark,
)
from demo.pictures.subject import Subject


@draws("screwdriver", "solder")
def screwdriver(c: Canvas, s: Subject) -> None:
    """Draw a screwdriver, or a soldering iron."""
    grip = s.tint("#d63b3f" if s.kind == "screwdriver" else "#2f6fd0")
    c.shadow(400, 600, 300)
    if s.says("锡丝"):
        draw_roll(c, 320, 420, 160, 60, 200, "#d3dae1", s.accent)
        return
    c.begin("rotate(-28 400 400)")
    c.rect(380, 386, 290, 28, c.rod(STEEL), 4)
    c.path(
        "M660 384H700L720 396V404L700 416H660Z",
        c.rod(shade(INK, 0.2)) if s.kind == "screwdriver" else c.rod("#d08a4a"),
    )
    c.path(
        "M90 360Q90 330 130 330H320Q350 340 360 370L390 380V420L360 430Q350 460 320 470H130Q90 470 90 440Z",
        c.rod(grip),
    )
    for y in (352, 394, 436):
        c.rect(140, y, 170, 16, c.rod(INK), 8)
    mark(c, s, 228, 392, 22, get_text_colour(grip), 130)
    if s.kind == "solder":
        c.stroke("M90 400C40 400 60 520 20 560", INK, 14)
    c.end()


@draws("escrew", "drill")
def drill(c: Canvas, s: Subject) -> None:
    """Draw a cordless drill."""
    body = s.tint("#f4bd25")
    c.shadow(410, 660, 250)
    c.path(
        "M160 200H520Q580 210 590 270T540 350H420L400 370H200Q150 350 150 280Q150 220 160 200Z",
        c.rod(body),
    )
    c.path("M300 340H440L420 560H310Z", c.tube(INK))
    c.rect(260, 550, 220, 90, c.down(shade(INK, 0.1)), 16)
    c.rect(270, 540, 200, 24, c.rod(body), 8)
    c.path("M440 370q40 10 20 80l-24 -10Z", c.down("#d63b3f"))
    c.path("M584 236H650L670 262V300L650 326H584Z", c.rod("#3a414b"))
    c.rect(668, 270, 100, 20, c.rod(STEEL), 4)
    c.stroke("".join(f"M{180 + n * 16} 232v90" for n in range(5)), shade(body, -0.4), 7)
    mark(c, s, 400, 296, 40, get_print_colour(s, body), 200)
    c.text(370, 612, s.spec, 34, "#ffffff", width=180)


@draws("grinder", "gluegun")
def grinder(c: Canvas, s: Subject) -> None:
    """Draw an angle grinder, or a glue gun."""
    body = s.tint("#f4bd25" if s.kind == "grinder" else "#2f6fd0")
    c.shadow(400, 640, 290)
    if s.kind == "gluegun":
        c.path(
            "M180 260H540L640 300L690 330V350L540 390H200Q150 380 150 320Q150 270 180 260Z",
            c.rod(body),
        )
        c.path(
            "M210 380H360L340 600Q330 640 280 640H230Q190 630 196 590Z", c.tube(shade(body, -0.2))
        )
        c.path("M360 390q60 30 20 120l-40 -10Z", c.down(INK))
        c.rect(60, 296, 110, 34, c.rod("#f1ead8"), 8)
        mark(c, s, 380, 340, 34, get_text_colour(body))
        return
    c.path("M110 420Q110 360 170 360H470Q530 370 540 430T470 510H170Q110 500 110 420Z", c.rod(INK))
    c.path("M320 356H520Q590 370 590 436T520 516H320Z", c.rod(body))
    c.disc(620, 470, 130, c.slant(STEEL), f'stroke="{shade(STEEL, -0.3)}" stroke-width="4"')
    c.path("M620 340A130 130 0 0 1 750 470H690A70 70 0 0 0 620 400Z", c.slant("#4a525e"))
    draw_knob(c, 620, 470, 26)
    c.rect(560, 250, 40, 150, c.tube(INK), 18)
    mark(c, s, 440, 448, 34, get_print_colour(s, body), 150)


@draws("wrench", "socketset")
def wrench(c: Canvas, s: Subject) -> None:
    """Draw a spanner, or a set of sockets in its case."""
    c.shadow(400, 620, 300)
    if s.kind == "socketset":
        draw_cuboid(c, 130, 300, 470, 300, 130, "#2b313a", 20)
        c.rect(150, 320, 430, 260, c.slant("#3f4753"), 12)
        for n in range(15):
            x, y = 186 + n % 5 * 60, 356 + n // 5 * 60
            c.disc(x, y, 24 - n % 5 * 2, c.slant(STEEL))
            c.disc(x, y, 12 - n % 5, "#22272f")
        c.rect(500, 350, 34, 200, c.tube(STEEL), 14)
        mark(c, s, 330, 556, 30, "#ffffff")
        return
    c.begin("rotate(-32 400 400)")
    c.path("M180 366H600V434H180Z", c.rod(STEEL))
    c.path(
        "M600 340Q680 310 730 350L690 380V420L730 450Q680 490 600 460Q570 400 600 340Z",
        c.slant(STEEL),
    )
    c.disc(150, 400, 74, c.slant(STEEL))
    c.disc(150, 400, 36, "#fafbfc")
    c.rect(240, 384, 300, 32, c.rod(shade(STEEL, -0.15)), 16)
    c.text(390, 410, f"{s.english} {s.spec}", 24, INK, width=280)
    c.end()


@draws("pliers")
def pliers(c: Canvas, s: Subject) -> None:
    """Draw pliers, a little open."""
    grip = s.tint("#d63b3f")
    c.shadow(400, 690, 180, 16)
    for flip in (1, -1):
        c.begin(f"translate(400 0) scale({flip} 1)")
        c.path("M2 120Q46 140 44 230L50 300Q70 330 40 350L-20 340V130Z", c.tube(STEEL))
        c.path("M-10 320L60 330C120 420 130 560 110 660Q96 690 66 680Q60 560 10 440Z", c.tube(grip))
        c.path(
            "M40 380C84 460 96 560 88 640",
            "none",
            'stroke="#ffffff" stroke-width="8" opacity=".3" stroke-linecap="round"',
        )
        c.end()
    c.disc(400, 330, 44, c.ball(STEEL))
    c.disc(400, 330, 16, shade(STEEL, -0.4))
    c.stroke("M386 150h28M384 170h32M382 190h36", shade(STEEL, -0.4), 4)


@draws("hammer")
def hammer(c: Canvas, s: Subject) -> None:
    """Draw a hammer: claw, rubber or round head."""
    grip = s.tint("#f4bd25")
    head = "#2b313a" if s.says("橡胶") else STEEL
    c.shadow(400, 680, 230)
    c.begin("rotate(24 400 400)")
    c.rect(374, 250, 52, 430, c.tube("#c48a4f" if s.seed % 2 else grip), 14)
    c.rect(366, 480, 68, 200, c.tube(INK if s.seed % 2 == 0 else grip), 24)
    if s.says("羊角"):
        c.path("M250 170H440V260H250Q226 214 250 170Z", c.rod(head))
        c.path("M430 170Q520 160 600 250Q540 220 440 262Z", c.rod(head))
    else:
        c.rect(230, 150, 340, 130, c.rod(head), 34)
    c.rect(366, 140, 68, 130, c.tube(shade(head, -0.08)), 8)
    c.end()
    mark(c, s, 560, 640, 28)


@draws("saw", "level")
def long_tool(c: Canvas, s: Subject) -> None:
    """Draw a hand saw, or a spirit level."""
    c.shadow(400, 600, 310)
    c.begin("rotate(-20 400 400)")
    if s.kind == "level":
        c.rect(70, 340, 660, 120, c.rod(s.accent if not s.says("卡尺") else STEEL), 8)
        for x in (180, 400, 620):
            c.rect(x - 56, 366, 112, 60, c.rod("#d8ef6a"), 30)
            c.oval(x + 6, 390, 20, 12, "#f7fde0")
            c.stroke(f"M{x - 16} 368v56M{x + 28} 368v56", INK, 3)
        draw_ruler_marks(c, 90, 458, 620, 50, -16, "#ffffff")
        c.text(290, 414, s.spec, 30, get_text_colour(s.accent), width=90)
    else:
        c.path("M230 330L740 380V420L230 470Z", c.down(STEEL))
        c.path(
            "M230 470"
            + "".join(f"l10 {14 if n % 2 == 0 else -15}" for n in range(50))
            + "L740 420Z",
            shade(STEEL, -0.1),
        )
        c.path(
            "M60 400Q60 300 160 310L250 320V480L200 500Q60 520 60 400ZM120 400Q120 440 170 440H200V370H170Q120 366 120 400Z",
            c.down("#d9742c"),
            'fill-rule="evenodd"',
        )
        mark(c, s, 460, 410, 34, shade(STEEL, -0.6))
    c.end()


@draws("tapemeasure", "lasermeter")
def tapemeasure(c: Canvas, s: Subject) -> None:
    """Draw a tape measure with its tape out, or a laser meter."""
    body = s.tint("#f4bd25")
    c.shadow(410, 640, 260)
    if s.kind == "lasermeter":
        c.path("M400 150L380 60H420Z", "#ff5a5a", 'opacity=".5"')
        c.rect(280, 140, 240, 520, c.slant("#2b313a"), 40)
        c.rect(280, 140, 240, 60, c.rod("#f08135"), 30)
        c.rect(306, 230, 188, 150, c.slant("#cfdcc4"), 12)
        c.text(400, 330, f"{s.seed % 60}.{s.seed % 900 + 100} m", 42, INK, width=170)
        for n in range(6):
            c.rect(
                312 + n % 3 * 62, 420 + n // 3 * 70, 52, 50, "#d63b3f" if n == 1 else "#59626f", 12
            )
        mark(c, s, 400, 630, 26, "#ffffff")
        return
    c.path("M200 560H60V600H210Z", c.down("#f6d23c"))
    c.rect(44, 552, 20, 64, c.tube(STEEL), 3)
    draw_ruler_marks(c, 70, 562, 150, 15, 20, INK)
    c.path(
        "M180 330Q180 190 340 190H480Q620 200 620 360V560Q620 610 570 610H230Q180 610 180 560Z",
        c.slant(INK),
    )
    c.path(
        "M210 340Q210 220 340 220H470Q590 230 590 360V540Q590 580 550 580H250Q210 580 210 540Z",
        c.slant(body),
    )
    c.disc(400, 400, 120, c.slant("#ffffff"))
    c.text(400, 390, s.english, 40, s.accent, width=190, weight=700)
    c.text(400, 450, s.spec, 54, INK, width=170, weight=700)


@draws("toolbox", "toolkit")
def toolbox(c: Canvas, s: Subject) -> None:
    """Draw a tool box, with some tools above its rim if it is a kit."""
    body = s.tint("#d63b3f" if s.seed % 2 else "#2b313a")
    c.shadow(410, 650, 300)
    if s.kind == "toolkit":
        for x, turn, tint in (
            (260, -12, "#f4bd25"),
            (340, 6, "#2f6fd0"),
            (430, -4, "#37a36a"),
            (520, 12, "#f08135"),
        ):
            c.begin(f"translate({x} 330) rotate({turn})")
            c.rect(-24, -150, 48, 130, c.tube(tint), 16)
            c.rect(-8, -30, 16, 100, c.tube(STEEL))
            c.end()
    else:
        c.path(
            "M290 330V260Q290 240 310 240H470Q490 240 490 260V330",
            "none",
            f'stroke="{INK}" stroke-width="26"',
        )
    draw_cuboid(c, 130, 340, 460, 270, 160, body, 16)
    c.rect(130, 420, 460, 16, shade(body, -0.4))
    for x in (200, 470):
        c.rect(x, 396, 56, 64, c.down("#f4bd25"), 8)
    c.text(360, 540, s.english, 52, get_text_colour(body), width=340, weight=700)
    c.text(360, 588, s.spec, 30, get_text_colour(body), width=300)


@draws("bits", "screws", "hinge", "ziptie", "terminal", "hook", "seal")
def small_parts(c: Canvas, s: Subject) -> None:
    """Draw a box of small parts with some of them in front of it."""
    tint = s.tint(
        {"ziptie": WHITE, "seal": "#d63b3f", "terminal": "#f08135", "hook": STEEL}.get(
            s.kind, STEEL
        )
    )
    c.shadow(410, 660, 300)
    draw_carton(c, s, 230, 190, 350, 270, 130)
    for n in range(5):
        x = 150 + n * 120
        c.begin(f"translate({x} 580) rotate({-24 + n * 12})")
        if s.kind in {"ziptie", "seal"}:
            c.rect(-10, -100, 20, 190, c.tube(tint), 8)
            c.rect(-22, -114, 44, 40, c.tube(shade(tint, -0.1)), 8)
        elif s.kind == "terminal":
            c.rect(-40, -44, 80, 90, c.down("#e9edf1"), 8)
            c.rect(-40, -44, 80, 30, c.down(tint), 8)
            c.disc(-18, 24, 12, "#59626f")
            c.disc(18, 24, 12, "#59626f")
        elif s.kind == "hinge":
            c.rect(-60, -60, 52, 120, c.tube(STEEL), 6)
            c.rect(8, -60, 52, 120, c.tube(shade(STEEL, -0.1)), 6)
            c.rect(-10, -66, 20, 132, c.tube(shade(STEEL, 0.2)), 8)
        elif s.kind == "hook":
            c.rect(-40, -90, 80, 90, c.slant("#f7f9fa"), 20, 'stroke="#d5dce4" stroke-width="2"')
            c.stroke("M0 -30V40a30 30 0 0 0 60 0", STEEL, 16)
        elif s.kind == "bits":
            c.rect(-10, 0, 20, 80, c.tube(shade(STEEL, -0.2)))
            c.path("M-14 0L14 -20L-14 -40L14 -60L-14 -80L0 -110L14 -80V0Z", c.tube(BRASS))
        else:
            c.path("M-36 -70H36L28 -40H-28Z", c.tube(STEEL))
            c.rect(-13, -40, 26, 120, c.tube(STEEL))
            c.stroke(
                "".join(f"M-16 {-24 + r * 16}L16 {-32 + r * 16}" for r in range(7)),
                shade(STEEL, -0.35),
                4,
            )
        c.end()


@draws("faucet", "valve")
def faucet(c: Canvas, s: Subject) -> None:
    """Draw a tap, or a ball valve."""
    c.shadow(400, 660, 220)
    if s.kind == "valve":
        c.rect(130, 410, 540, 120, c.rod(BRASS), 10)
        c.rect(110, 396, 90, 148, c.rod(shade(BRASS, -0.12)), 8)
        c.rect(600, 396, 90, 148, c.rod(shade(BRASS, -0.12)), 8)
        c.disc(400, 470, 110, c.ball(BRASS))
        c.rect(380, 290, 40, 90, c.tube(STEEL))
        c.rect(370, 270, 300, 44, c.rod("#d63b3f"), 20)
        mark(c, s, 400, 484, 34, "#5a3d12", 180)
        return
    c.path(
        "M340 650V360Q340 180 480 180T620 330V400H560V340Q560 250 480 250T410 350V650Z",
        c.tube(STEEL),
    )
    c.rect(550, 390, 80, 30, c.rod(shade(STEEL, -0.2)), 8)
    c.rect(300, 620, 150, 40, c.rod(STEEL), 12)
    c.path("M340 420L190 370V340L340 360Z", c.down(shade(STEEL, 0.1)))
    c.path("M590 440q26 44 0 60q-26 -16 0 -60Z", "#8fd0ef")
    mark(c, s, 376, 560, 16, "#59626f", 64)
