"""Kettles, ovens and cookers."""

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


@draws("kettle", "blender")
def kettle(c: Canvas, s: Subject) -> None:
    """Draw an electric kettle, a glass tea pot or a blender."""
    body = s.tint(STEEL)
    c.shadow(400, 670, 220)
    if s.kind == "blender":
        c.path(
            "M270 440L290 620Q290 650 320 650H480Q510 650 510 620L530 440Z",
            c.tube(WHITE if s.colour_word != "绿色" else "#8ccaa5"),
        )
        c.path("M250 160H550L520 440H280Z", c.tube("#d3e6ee"), 'opacity=".85"')
        c.path("M266 300H534L520 436H280Z", c.tube("#f0a035"), 'opacity=".8"')
        c.rect(246, 130, 308, 40, c.rod(INK), 16)
        draw_knob(c, 400, 560, 40)
        mark(c, s, 400, 480, 26)
        return
    glass = s.says("养生", "煮茶")
    c.oval(400, 640, 180, 34, c.down(INK))
    fill = c.tube("#cfe4ee") if glass else c.tube(body)
    c.path(
        "M510 300C660 280 680 560 510 590L506 540C600 520 600 350 506 350Z",
        c.slant(INK if not glass else shade(body, -0.2)),
    )
    c.path("M260 250L230 610Q230 636 260 636H530Q556 636 552 610L530 250Z", fill, 'opacity=".94"')
    c.path("M262 262L180 230L196 210L290 236Z", c.slant(body if not glass else "#cfe4ee"))
    c.path("M256 250Q256 196 395 190T534 250Z", c.down(INK if not glass else shade(body, 0.1)))
    c.disc(395, 184, 18, c.ball(INK))
    if glass:
        c.path(
            "M246 420H540L552 610Q552 632 530 632H258Q232 632 234 610Z",
            c.tube("#d08a3c"),
            'opacity=".75"',
        )
        for n in range(6):
            c.disc(290 + n * 44, 560 - n % 3 * 30, 14, ("#b8402f", "#e8c24a")[n % 2])
    c.rect(238, 590, 310, 40, c.tube(shade(INK, 0.1)), 12)
    mark(c, s, 385, 480, 34, get_print_colour(s, body) if not glass else "#ffffff", 200)


@draws("coffeemaker")
def coffeemaker(c: Canvas, s: Subject) -> None:
    """Draw a coffee machine with a cup."""
    body = s.tint("#30353d")
    c.shadow(420, 660, 240)
    draw_cuboid(c, 230, 190, 330, 150, 130, body, 18)
    draw_cuboid(c, 380, 336, 180, 240, 130, shade(body, -0.1), 8)
    draw_cuboid(c, 230, 570, 330, 70, 130, body, 14)
    c.rect(280, 340, 70, 50, c.tube(STEEL), 8)
    c.path("M312 390h8v80h-8Z", "#5a3a22")
    c.path("M264 460H372L360 560H276Z", c.tube(WHITE))
    c.oval(318, 462, 54, 10, "#5a3a22")
    c.stroke("M370 480q34 6 26 36t-34 22", WHITE, 12)
    for n in range(3):
        c.disc(440 + n * 40, 240, 13, ("#5fdc8b", "#8fa0b3", "#8fa0b3")[n])
    mark(c, s, 320, 280, 34, get_text_colour(body), 160)


@draws("microwave", "oven")
def microwave(c: Canvas, s: Subject) -> None:
    """Draw a microwave oven, or an air fryer."""
    body = s.tint("#30353d")
    c.shadow(420, 640, 300)
    if s.says("空气炸锅"):
        draw_cylinder(c, 400, 230, 330, 400, body, squash=0.12)
        c.rect(300, 430, 200, 150, c.down(shade(body, 0.14)), 20)
        c.rect(360, 470, 80, 130, c.tube(shade(body, -0.3)), 20)
        c.rect(330, 300, 140, 70, "#14181e", 12)
        c.text(400, 350, "200°", 40, "#7fc3e8")
        mark(c, s, 400, 412, 24, get_text_colour(body))
        return
    draw_cuboid(c, 110, 290, 500, 310, 170, body, 14)
    c.rect(132, 316, 330, 258, c.slant("#1d232b"), 12)
    c.rect(160, 340, 274, 210, c.slant("#e7c07a" if s.seed % 2 else "#59626f"), 8, 'opacity=".55"')
    c.oval(297, 500, 100, 20, "#8d96a3", 'opacity=".8"')
    c.rect(446, 340, 14, 210, c.tube(STEEL), 7)
    c.rect(484, 320, 104, 50, "#0f1318", 6)
    c.text(536, 358, "12:00", 30, "#7fe0a8")
    draw_knob(c, 536, 440, 34)
    mark(c, s, 536, 560, 22, get_text_colour(body), 110)
    draw_feet(c, (160, 560), 596, w=36)


@draws("ricecooker", "induction")
def ricecooker(c: Canvas, s: Subject) -> None:
    """Draw a rice cooker or an induction plate."""
    body = s.tint(WHITE)
    c.shadow(410, 640, 270)
    if s.kind == "induction":
        c.path("M150 560L260 420H640L690 560Z", c.slant("#22272f"))
        c.rect(150, 556, 540, 44, c.down("#3a414b"), 12)
        c.oval(440, 480, 130, 42, "none", 'stroke="#8fa0b3" stroke-width="5"')
        c.path("M320 350H560L550 470Q440 500 330 470Z", c.tube(STEEL))
        c.oval(440, 350, 120, 30, c.slant("#dfe5ea"))
        c.text(250, 590, f"{s.english} {s.spec}", 26, "#ffffff", width=180)
        return
    c.path(
        "M190 360Q190 250 400 250T610 360V560Q610 630 540 630H260Q190 630 190 560Z", c.tube(body)
    )
    c.path(
        "M186 370Q186 250 400 244T614 370Q400 410 186 370Z",
        c.down(shade(body, 0.1)),
        f'stroke="{shade(body, -0.25)}" stroke-width="2"',
    )
    c.rect(310, 430, 180, 110, c.slant("#1d232b"), 16)
    c.text(400, 500, "0:30", 48, "#f0a035")
    c.rect(340, 222, 120, 36, c.rod(INK), 16)
    mark(c, s, 400, 590, 28, get_print_colour(s, body))
