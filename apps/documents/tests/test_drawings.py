"""SVG to pixels: the supported subset, and refused features."""

from __future__ import annotations

import pytest

from apps.documents.drawings import DrawingRefused, rasterise_drawing

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">'
RED, BLUE, WHITE = (214, 59, 63), (47, 111, 208), (255, 255, 255)


def at(inside: str, *places: tuple[int, int], size: int = 100) -> list[tuple[int, ...]]:
    image = rasterise_drawing(f"{HEAD}{inside}</svg>".encode(), size=size)
    return [image.getpixel(place) for place in places]


@pytest.mark.parametrize(
    ("shape", "inside", "outside"),
    [
        ('<rect x="20" y="20" width="40" height="40" fill="#d63b3f"/>', (40, 40), (80, 80)),
        ('<circle cx="50" cy="50" r="20" fill="#d63b3f"/>', (50, 50), (50, 10)),
        ('<ellipse cx="50" cy="50" rx="40" ry="10" fill="#d63b3f"/>', (20, 50), (50, 30)),
        ('<path d="M10 10H90L50 90Z" fill="#d63b3f"/>', (50, 40), (15, 80)),
        ('<path d="M10 50c0 -60 80 -60 80 0s-80 60 -80 0z" fill="#d63b3f"/>', (50, 20), (8, 8)),
        ('<path d="M20 50A30 30 0 0 1 80 50Z" fill="#d63b3f"/>', (50, 30), (50, 70)),
        ('<path d="M10 50Q50 0 90 50T90 90H10Z" fill="#d63b3f"/>', (50, 60), (10, 10)),
        (
            '<path d="M10 50H90" fill="none" stroke="#d63b3f" stroke-width="10"/>',
            (50, 50),
            (50, 65),
        ),
        ((
            '<g transform="translate(50 50) rotate(90)"><rect x="10" y="-5" width="30" '
            'height="10" fill="#d63b3f"/></g>'
        ), (50, 75), (75, 50)),
    ],
    ids=["rect", "circle", "ellipse", "lines", "curves", "arc", "quadratic", "stroke", "group"],
)  # fmt: skip
def test_shape_fills_the_pixels_that_a_browser_fills(
    shape: str, inside: tuple[int, int], outside: tuple[int, int]
) -> None:
    assert at(shape, inside, outside) == [RED, WHITE]


def test_a_second_outline_the_other_way_is_a_hole() -> None:
    ring = '<path d="M10 10H90V90H10ZM30 30V70H70V30Z" fill="#d63b3f"/>'
    assert at(ring, (20, 50), (50, 50)) == [RED, WHITE]


def test_a_gradient_runs_over_the_shapes_own_box() -> None:
    stops = '<stop offset="0" stop-color="#d63b3f"/><stop offset="1" stop-color="#2f6fd0"/>'
    ramp = (
        f'<defs><linearGradient id="a" x1="0" y1="0" x2="1" y2="0">{stops}</linearGradient></defs>'
    )
    left, right, beside = at(
        f'{ramp}<rect x="20" width="60" height="100" fill="url(#a)"/>', (20, 50), (79, 50), (10, 50)
    )
    assert (left, right, beside) == (RED, (49, 110, 205), WHITE)


def test_opacity_lets_the_ground_through() -> None:
    assert at('<rect width="100" height="100" fill="#000000" opacity=".5"/>', (50, 50)) == [
        (127, 127, 127)
    ]


def test_text_is_a_bar_as_long_as_it_is() -> None:
    drawn = '<text x="50" y="60" font-size="20" fill="#000000" text-anchor="middle">得力</text>'
    middle, beside, above = at(drawn, (50, 52), (80, 52), (50, 30))
    assert (middle, beside, above) == ((127, 127, 127), WHITE, WHITE)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"not a drawing",
        b"<html></html>",
        (
            b'<!DOCTYPE svg [<!ENTITY a "aaaa">]><svg xmlns="http://www.w3.org/2000/svg" '
            b'viewBox="0 0 9 9"><text>&a;</text></svg>'
        ),
        f"{HEAD}{'<rect/>' * 5000}</svg>".encode(),
        f"{HEAD}{' ' * 600_000}</svg>".encode(),
        f'{HEAD}<rect width="nan" height="1e999"/></svg>'.encode(),
        f'{HEAD}<path d="M0 0 X 5 5"/></svg>'.encode(),
        b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 0 -1"><rect/></svg>',
        b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1e9"><rect/></svg>',
    ],
    ids=[
        "empty",
        "text",
        "html",
        "entities",
        "too many",
        "too long",
        "no number",
        "no command",
        "no box",
        "too large",
    ],
)
def test_unsupported_drawing_is_refused(content: bytes) -> None:
    with pytest.raises(DrawingRefused):
        rasterise_drawing(content, size=100)


def test_a_huge_shape_costs_no_more_than_the_paper() -> None:
    assert at(
        '<rect x="-90000" y="-90000" width="180000" height="180000" fill="#d63b3f"/>', (50, 50)
    ) == [RED]


def test_groups_in_groups_end() -> None:
    deep = "<g>" * 900 + '<rect width="100" height="100" fill="#d63b3f"/>' + "</g>" * 900
    assert at(deep, (50, 50)) == [WHITE]
