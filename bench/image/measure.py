"""Run the judged set against the demo's catalogue: python -m bench.image.measure, used by
bench_image.py.
"""

from __future__ import annotations

import json
import os
import sys
import time
import uuid
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from itertools import islice
from statistics import mean, median
from typing import Any

from bench.scale import is_smoke, size

TOP = 10
LARGE, TIMED = size(10_000, 1), size(30, 1)
# Of the altered pictures and of the drawings, so many of each at most.
JUDGED = size(1_000_000, 6)


def measure() -> dict[str, float]:
    """Return the figures by name; times in ms."""
    from apps.search.models import PictureVector
    from apps.search.services.picture_index import pictures_index

    if not is_smoke():
        # The demo database of the journeys describes the best sellers only (tests/e2e/database.py).
        PictureVector.objects.filter(vector=b"").delete()
        if not pictures_index(seconds=3600):
            raise SystemExit("the pictures could not be described in an hour")
    return {**quality(), **speed()}


def quality() -> dict[str, float]:
    """Return hit@1, hit@10, and the shares of the same kind and of correctly guessed
    categories, for a visitor.
    """
    from bench.image.alterations import altered_pictures
    from bench.image.other_style import iterate_posters

    codes, kinds, leaves = _catalogue()
    places: dict[str, list[tuple[int | None, bool]]] = defaultdict(list)
    for altered in islice(altered_pictures(), JUDGED):
        results = [codes[product_id] for product_id in _found(altered.content)[0]]
        places[altered.family].append(
            (results.index(altered.code) if altered.code in results else None, altered.is_held_out)
        )
    every = [place for rows in places.values() for place in rows]
    figures = {
        f"hit@10 {family}": _share(place is not None and place < TOP for place, _ in rows)
        for family, rows in places.items()
    }
    many = Counter(kinds.values())
    precision, guessed = [], []
    for poster in islice(iterate_posters(), JUDGED):
        found_ids, guess = _found(poster.content)
        same = sum(kinds[codes[product_id]] == poster.kind for product_id in found_ids[:TOP])
        precision.append((same / min(TOP, many[poster.kind]), poster.is_held_out))
        guessed.append(guess in leaves[poster.kind])
    for part, held in (("all", None), ("held out", True)):
        chosen = [place for place, is_held in every if held is None or is_held]
        figures[f"{part} hit@1"] = _share(place == 0 for place in chosen)
        figures[f"{part} hit@10"] = _share(place is not None and place < TOP for place in chosen)
        figures[f"{part} kind@10"] = mean(
            share for share, is_held in precision if held is None or is_held
        )
    return {**figures, "guess": _share(guessed)}


def _share(facts: Iterable[bool]) -> float:
    return mean(float(fact) for fact in facts)


def _found(content: bytes) -> tuple[list[int], int | None]:
    """Return the product ids in order, and the guessed category."""
    from apps.pricing.selectors.context import get_catalogue_context
    from apps.search.images.pictures import open_picture
    from apps.search.selectors.image_search import find_similar_products

    result, guesses = find_similar_products(
        context=get_catalogue_context(actor=None), image=open_picture(content)
    )
    return [one.product_id for one in result], guesses[0].category_id if guesses else None


def _catalogue() -> tuple[dict[int, str], dict[str, str], dict[str, set[int]]]:
    """Return codes by id, kinds by code, and the categories of each kind, for products visible
    to visitors.
    """
    from apps.catalog.models import Product
    from bench.image.drawn_anew import kind_of, products

    kind = {row["商品编码"]: kind_of(row) for row in products()}
    rows = list(
        Product.objects.filter(status="on", is_public=True).values_list("pk", "code", "l3_id")
    )
    leaves: dict[str, set[int]] = defaultdict(set)
    for _, code, leaf in rows:
        leaves[kind[code]].add(leaf)
    return {pk: code for pk, code, _ in rows}, {code: kind[code] for _, code, _ in rows}, leaves


def speed() -> dict[str, float]:
    """Return times with the catalogue grown to LARGE. Clones have the pictures of their
    originals.
    """
    import numpy as np

    from apps.catalog.models import Product
    from apps.search.images.embedder import get_image_embedder
    from apps.search.images.matrix import get_picture_matrix
    from apps.search.images.pictures import open_picture, open_stored_picture
    from apps.search.models import PictureVector, PictureVersion
    from bench.grow import grow
    from bench.image.alterations import altered_pictures

    known = dict(PictureVector.objects.values_list("path", "vector"))
    grow(LARGE)
    bare = Product.objects.filter(
        pk__gt=PictureVector.objects.order_by("-pk").values_list("pk", flat=True)[0]
    ).exclude(image="")
    embedder = get_image_embedder()
    PictureVector.objects.bulk_create(
        (
            PictureVector(product_id=pk, path=path, embedder=embedder.name, vector=known[path])
            for pk, path in bare.values_list("pk", "image")
        ),
        batch_size=500,
    )
    PictureVersion.objects.update(token=uuid.uuid4().hex)
    contents = [
        altered.content for _, altered in zip(range(TIMED), altered_pictures(), strict=False)
    ]
    query = [embedder.compute_query_vectors(open_picture(content)) for content in contents]
    query_vectors = [one for one in query if one is not None]
    matrix = get_picture_matrix(embedder)
    paths = list(Product.objects.exclude(image="").values_list("image", flat=True)[:TIMED])
    return {
        "search": _p50(lambda n: _found(contents[n])),
        "search cpu": _p50(lambda n: _found(contents[n]), clock=time.process_time),
        "scan": _p50(
            lambda n: matrix.compute_scores(query_vectors[n % len(query_vectors)], matrix.ids)
        ),
        "pass": _p50(lambda _n: matrix.rows.astype(np.float32).sum()),
        "describe": _p50(lambda n: embedder.describe(open_stored_picture(paths[n]))),
    }


def _p50(call: Callable[[int], Any], *, clock: Callable[[], float] = time.perf_counter) -> float:
    call(0)
    times = []
    for n in range(TIMED):
        began = clock()
        call(n)
        times.append(1000 * (clock() - began))
    return median(times)


def main() -> None:
    """Measure and print."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "bench.settings"
    import django

    django.setup()
    from apps.common.tenancy import platform_scope

    with platform_scope(reason="bench"):
        json.dump(measure(), sys.stdout)


if __name__ == "__main__":
    main()
