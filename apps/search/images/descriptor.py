"""The built-in embedder. It needs no model and no download: it separates the subject from the
background, rotates and crops it, and measures its features.
"""

from __future__ import annotations

import numpy as np
from PIL import Image

from apps.search.images.features import DIMENSIONS, described, square
from apps.search.images.foreground import Pixels, subject_of

# Rotations of the query picture, in degrees: photos are rarely straight, and sometimes on their
# side.
TURNS = (0, -5, 5, -10, 10, -15, 15, -20, 20, -25, 25, 90, -90)
# Shares of the subject that may be missing where it reaches the edge of the picture.
MISSING = (0.08, 0.16)


class Descriptor:
    """Describes the subject of a picture by outline, colours by position, edges and brightness."""

    # Increase the number when the same picture gives other vectors: the background job then
    # rebuilds the index.
    name = "builtin:1"
    dimensions = DIMENSIONS
    least_score = 0.55

    def describe(self, image: Image.Image) -> Pixels | None:
        """Return the vector of the unrotated picture, or None if it has no subject."""
        subject = subject_of(image)
        return None if subject is None else described(*square(subject))

    def questions(self, image: Image.Image) -> Pixels | None:
        """Return the vectors of the subject as rows: one for each rotation, and some that
        extend it beyond the edges that cut it off. Return None if the picture has no
        subject.
        """
        subject = subject_of(image)
        if subject is None:
            return None
        squares = [square(subject, turn=turn) for turn in TURNS]
        if any(subject.cut):
            left, top, right, bottom = subject.cut
            squares += [
                square(subject, grow=(share * left, share * top, share * right, share * bottom))
                for share in MISSING
            ]
        return np.stack([described(*one) for one in squares])
