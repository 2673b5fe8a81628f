"""All picture vectors in the memory of a process. A version token changes with every change of
the vectors and invalidates the cache.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from django.db import connection

from apps.search.images.embedder import ImageEmbedder
from apps.search.images.foreground import Pixels
from apps.search.models import PictureVersion

# The numbers of a vector are within ±1. Each is stored as one byte; this changes a similarity by
# less than 0.01.
SCALE = 400.0
STEP = 8192


@dataclass(frozen=True, slots=True)
class PictureMatrix:
    """`rows` are byte vectors, one for each of the sorted product `ids`."""

    token: str
    embedder: str
    ids: Pixels
    rows: Pixels

    def compute_scores(self, query_vectors: Pixels, product_ids: Pixels) -> tuple[Pixels, Pixels]:
        """Return the ids of the `product_ids` products that have a vector, and the similarity of
        each to its best query vector (about 0 to 1).
        """
        at = np.flatnonzero(np.isin(self.ids, product_ids))
        queries = (query_vectors / SCALE).astype(np.float32).T
        best = np.empty(len(at), dtype=np.float32)
        for begin in range(0, len(at), STEP):
            part = at[begin : begin + STEP]
            best[begin : begin + STEP] = (self.rows[part].astype(np.float32) @ queries).max(axis=1)
        return self.ids[at], best


def pack_vector(vector: Pixels) -> bytes:
    """Return a vector in the format of the database."""
    return np.clip(np.rint(vector * SCALE), -127, 127).astype(np.int8).tobytes()


_cache: dict[str, PictureMatrix] = {}


def get_picture_matrix(embedder: ImageEmbedder) -> PictureMatrix:
    """Return the vectors of the embedder. One query if the cache is current, two after a change."""
    token = (
        PictureVersion.objects.filter(pk=PictureVersion.ONLY)
        .values_list("token", flat=True)
        .first()
        or ""
    )
    matrix = _cache.get(embedder.name)
    if matrix is None or not token or matrix.token != token:
        matrix = _read_vectors(embedder, token)
        _cache.clear()
        _cache[embedder.name] = matrix
    return matrix


def _read_vectors(embedder: ImageEmbedder, token: str) -> PictureMatrix:
    """Read the vectors after the token, so that they are never older than the token."""
    with connection.cursor() as cursor:
        cursor.execute(
            (
                "SELECT product_id, vector FROM search_picturevector WHERE embedder = %s ORDER BY "
                "product_id"
            ),
            [embedder.name],
        )
        vectors = [
            (pk, bytes(vector))
            for pk, vector in cursor.fetchall()
            if len(vector) == embedder.dimensions
        ]
    rows = np.frombuffer(b"".join(vector for _, vector in vectors), dtype=np.int8).reshape(
        len(vectors), embedder.dimensions
    )
    return PictureMatrix(
        token, embedder.name, np.array([pk for pk, _ in vectors], dtype=np.int64), rows
    )
