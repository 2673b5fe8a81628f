"""The built-in embedder: no model, nothing downloaded; what stands before the ground is turned, cut and measured."""

from __future__ import annotations

import numpy as np
from PIL import Image

from apps.catalog.search.images.features import DIMENSIONS, described, square
from apps.catalog.search.images.foreground import Pixels, subject_of

# A picture is asked about at these turns, in degrees: it is rarely held quite straight, sometimes on its side.
TURNS = (0, -5, 5, -10, 10, -15, 15, -20, 20, -25, 25, 90, -90)
# Where the subject leaves the picture, this much of it may be missing there.
MISSING = (0.08, 0.16)


class Descriptor:
    """Outline, colours by place, edges, light and dark of a picture's subject."""

    # Another number whenever the same picture gives other vectors: the index is then made anew, behind the search.
    name = "builtin:1"
    dimensions = DIMENSIONS
    least_score = 0.55

    def describe(self, image: Image.Image) -> Pixels | None:
        """Return the vector of the picture as it stands."""
        subject = subject_of(image)
        return None if subject is None else described(*square(subject))

    def questions(self, image: Image.Image) -> Pixels | None:
        """Return the vectors of the subject at each turn, and with what may be missing of it."""
        subject = subject_of(image)
        if subject is None:
            return None
        squares = [square(subject, turn=turn) for turn in TURNS]
        if any(subject.cut):
            left, top, right, bottom = subject.cut
            squares += [square(subject, grow=(share * left, share * top, share * right, share * bottom)) for share in MISSING]
        return np.stack([described(*one) for one in squares])
