"""All vectors in the memory of a process, kept under the token that moves with them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from django.db import connection

from apps.catalog.models import PictureVersion
from apps.catalog.search.images.embedder import ImageEmbedder
from apps.catalog.search.images.foreground import Pixels

# A vector's numbers lie within ±1 and are kept as a byte each: the likeness of two moves by less than a hundredth.
SCALE = 400.0
STEP = 8192


@dataclass(frozen=True, slots=True)
class PictureMatrix:
    """`rows` are vectors of bytes, one for each of the sorted `ids` of products."""

    token: str
    embedder: str
    ids: Pixels
    rows: Pixels

    def scores(self, questions: Pixels, wanted: Pixels) -> tuple[Pixels, Pixels]:
        """Return the ids of `wanted` products that have a vector, and how like the best fitting question each is (about 0 to 1)."""
        at = np.flatnonzero(np.isin(self.ids, wanted))
        asked = (questions / SCALE).astype(np.float32).T
        best = np.empty(len(at), dtype=np.float32)
        for begin in range(0, len(at), STEP):
            part = at[begin : begin + STEP]
            best[begin : begin + STEP] = (self.rows[part].astype(np.float32) @ asked).max(axis=1)
        return self.ids[at], best


def packed(vector: Pixels) -> bytes:
    """Return a vector as the database keeps it."""
    return np.clip(np.rint(vector * SCALE), -127, 127).astype(np.int8).tobytes()


_kept: dict[str, PictureMatrix] = {}


def picture_matrix(embedder: ImageEmbedder) -> PictureMatrix:
    """Return the vectors of the embedder: one query where this process has them, two after they have moved."""
    token = PictureVersion.objects.filter(pk=PictureVersion.ONLY).values_list("token", flat=True).first() or ""
    kept = _kept.get(embedder.name)
    if kept is None or not token or kept.token != token:
        kept = _read(embedder, token)
        _kept.clear()
        _kept[embedder.name] = kept
    return kept


def _read(embedder: ImageEmbedder, token: str) -> PictureMatrix:
    """What is read after the token is never older than it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT product_id, vector FROM catalog_picturevector WHERE embedder = %s ORDER BY product_id", [embedder.name])
        found = [(pk, bytes(vector)) for pk, vector in cursor.fetchall() if len(vector) == embedder.dimensions]
    rows = np.frombuffer(b"".join(vector for _, vector in found), dtype=np.int8).reshape(len(found), embedder.dimensions)
    return PictureMatrix(token, embedder.name, np.array([pk for pk, _ in found], dtype=np.int64), rows)
