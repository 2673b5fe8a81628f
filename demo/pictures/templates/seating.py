"""Chairs, stools and sofas."""

from demo.pictures.canvas import Canvas
from demo.pictures.colour import INK, STEEL, WOOD, shade
from demo.pictures.registry import draws
from demo.pictures.subject import Subject


def star_base(c: Canvas, cx: float, y: float, metal: str) -> None:
    """Draw the five-legged base of a swivel chair."""
    c.rect(cx - 15, y - 110, 30, 110, c.tube(shade(metal, -0.1)), 6)
    for dx, dy in ((-170, 36), (170, 36), (-96, 64), (96, 64), (0, 20)):
        c.path(
            f"M{cx - 18:g} {y - 12:g}L{cx + dx:g} {y + dy - 8:g}V{y + dy + 8:g}L{cx + 14:g} {y + 16:g}Z",
            c.down(metal),
        )
        c.disc(cx + dx, y + dy + 18, 19, c.ball(INK))
    c.disc(cx, y, 26, c.ball(metal))


@draws("chair", "execchair")
def chair(c: Canvas, s: Subject) -> None:
    """Draw a swivel chair with a mesh back, or a padded executive chair."""
    body = s.tint("#3a414b")
    metal = "#2f353e" if s.kind == "chair" else STEEL
    tall = 60 if s.says("高背", "大班", "老板") else 0
    c.shadow(400, 690, 230)
    star_base(c, 400, 620, metal)
    if s.kind == "chair":
        if tall:
            c.rect(316, 96, 168, 70, c.slant(body), 30)
            c.rect(380, 160, 40, 30, metal)
        c.path(
            f"M284 {180}Q400 150 516 180L500 400Q400 424 300 400Z",
            "none",
            f'stroke="{metal}" stroke-width="16" stroke-linejoin="round"',
        )
        c.path("M288 184Q400 156 512 184L497 396Q400 418 303 396Z", c.slant(body), 'opacity=".82"')
        c.stroke(
            "".join(f"M{300 + n * 20} 186L{310 + n * 18} 396" for n in range(11)),
            "#ffffff",
            1.6,
            'opacity=".35"',
        )
        c.path(
            "M310 330Q400 352 490 330V366Q400 388 310 366Z",
            c.down(shade(body, -0.2)),
            'opacity=".8"',
        )
    else:
        c.path("M270 130Q290 90 400 90T530 130L512 430H288Z", c.slant(body))
        for y in (180, 250, 320):
            c.stroke(f"M290 {y}Q400 {y + 22} 510 {y}", shade(body, -0.4), 4, 'opacity=".7"')
        c.path("M300 110Q400 92 500 110L490 170Q400 190 310 170Z", "#ffffff", 'opacity=".12"')
    for x, flip in ((236, 1), (564, -1)):
        c.begin(f"translate({x} 400) scale({flip} 1)")
        c.stroke("M10 100V20", metal, 18)
        c.rect(-30, -4, 92, 26, c.rod(shade(body, -0.25) if s.kind == "execchair" else INK), 13)
        c.end()
    c.path(
        "M250 450Q260 426 300 424H500Q540 426 550 450L560 490Q550 516 500 516H300Q250 516 240 490Z",
        c.down(body),
    )
    c.path("M270 440Q400 424 530 440L536 462Q400 446 264 462Z", "#ffffff", 'opacity=".16"')


@draws("visitor", "trainchair")
def visitor(c: Canvas, s: Subject) -> None:
    """Draw a sled-base chair, with a writing board for training."""
    body = s.tint("#3a414b")
    c.shadow(400, 680, 220)
    c.stroke("M300 430L280 640Q280 664 306 664H540", shade(STEEL, -0.15), 18)
    c.stroke("M510 430L530 640Q530 664 504 664", STEEL, 18)
    c.path("M290 150Q400 130 510 150L498 370Q400 392 302 370Z", c.slant(body))
    c.stroke(
        "".join(f"M{306 + n * 22} 156L{312 + n * 20} 366" for n in range(9)),
        "#ffffff",
        1.6,
        'opacity=".3"',
    )
    c.stroke("M290 320L230 360V430", shade(STEEL, -0.1), 16)
    c.path("M250 440Q400 410 550 440V480Q400 500 250 480Z", c.down(body))
    if s.kind == "trainchair":
        c.stroke("M520 440V350L580 350", shade(STEEL, -0.1), 14)
        c.path("M470 330L640 320Q680 330 670 360L500 376Z", c.slant(WOOD))
    else:
        c.stroke("M510 320L570 360V430", shade(STEEL, -0.1), 16)


@draws("sofa")
def sofa(c: Canvas, s: Subject) -> None:
    """Draw a sofa of one, two or three seats."""
    body = s.tint("#5b6470")
    seats = 1 if s.says("单人") else 2 if s.says("双人") else 3
    wide = 150 * seats + (40 if seats == 1 else 0)
    left = 400 - wide / 2
    c.shadow(400, 640, wide / 2 + 130)
    for x in (left - 50, left + wide + 30):
        c.rect(x, 600, 20, 50, c.tube(STEEL))
    c.rect(left - 10, 290, wide + 20, 220, c.down(shade(body, -0.08)), 30)
    for n in range(seats):
        w = wide / seats
        c.rect(left + n * w + 3, 300, w - 6, 170, c.slant(shade(body, 0.05)), 26)
        c.rect(left + n * w + 3, 450, w - 6, 90, c.down(shade(body, 0.1)), 22)
    c.rect(left - 70, 390, 74, 220, c.slant(body), 32)
    c.rect(left + wide - 4, 390, 74, 220, c.slant(shade(body, -0.12)), 32)
    c.rect(left - 20, 530, wide + 40, 80, c.down(shade(body, -0.14)), 14)


@draws("barstool", "stool")
def stool(c: Canvas, s: Subject) -> None:
    """Draw a stool, high with a gas lift or a plain square one."""
    body = s.tint("#2f6fd0")
    c.shadow(400, 690, 170)
    if s.kind == "barstool":
        c.oval(400, 670, 150, 34, c.slant(STEEL))
        c.rect(384, 320, 32, 350, c.tube(STEEL))
        c.oval(400, 540, 96, 24, "none", f'stroke="{STEEL}" stroke-width="14"')
        c.path("M250 250Q250 180 400 180T550 250L530 300Q400 340 270 300Z", c.slant(body))
        c.oval(400, 290, 138, 38, c.down(shade(body, 0.1)))
        return
    for x, lean in ((270, -40), (530, 40), (330, -16), (470, 16)):
        c.path(
            f"M{x - 26} 330H{x + 26}L{x + lean + 20} 680H{x + lean - 20}Z",
            c.tube(shade(body, -0.1)),
        )
    c.rect(236, 470, 328, 30, c.down(shade(body, -0.2)), 8)
    c.path("M250 260H550L590 340H210Z", c.slant(shade(body, 0.2)))
    c.rect(208, 336, 384, 44, c.down(body), 10)


@draws("bench")
def bench(c: Canvas, s: Subject) -> None:
    """Draw a row of waiting seats."""
    body = s.tint("#c3cad3")
    seats = 4 if "四" in s.spec else 3
    wide = 560 / seats
    c.shadow(400, 640, 320)
    c.rect(110, 500, 580, 26, c.rod("#59626f"), 10)
    for x in (170, 610):
        c.path(
            f"M{x} 520L{x - 40} 640h26L{x + 26} 520ZM{x + 10} 520L{x + 60} 640h-26L{x - 16} 520Z",
            c.down("#59626f"),
        )
    for n in range(seats):
        left = 120 + n * wide
        c.path(
            f"M{left + 8:g} 290Q{left + wide / 2:g} 270 {left + wide - 8:g} 290L{left + wide - 14:g} 450H{left + 14:g}Z",
            c.slant(body),
        )
        c.stroke(
            "".join(f"M{left + 26:g} {312 + r * 20}h{wide - 52:g}" for r in range(6)),
            shade(body, -0.3),
            4,
            'opacity=".5" stroke-dasharray="6 10"',
        )
        c.path(
            f"M{left + 10:g} 450H{left + wide - 10:g}L{left + wide:g} 500H{left:g}Z",
            c.down(shade(body, 0.1)),
        )
