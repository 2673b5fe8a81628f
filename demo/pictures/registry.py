"""The table of templates by picture kind."""

from collections.abc import Callable

from demo.pictures.canvas import Canvas
from demo.pictures.subject import Subject

Template = Callable[[Canvas, Subject], None]
TEMPLATES: dict[str, Template] = {}


def draws(*kinds: str) -> Callable[[Template], Template]:
    """Register a template for these kinds. A kind has only one template."""

    def register(template: Template) -> Template:
        for kind in kinds:
            if kind in TEMPLATES:
                raise ValueError(f"{kind} is drawn by {TEMPLATES[kind].__name__} already")
            TEMPLATES[kind] = template
        return template

    return register
