"""Measure in this process, on a new database or on the demo's, with the empty view's URLs
added.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from contextlib import nullcontext


def print_measure(measure: Callable[[], dict[str, float]], *, in_place: bool = False) -> None:
    """Set up the mall, measure, and print the figures as JSON. `in_place` uses the database in
    DATABASE_URL, otherwise a new one is created.
    """
    os.environ["DJANGO_SETTINGS_MODULE"] = "mall.settings.test"
    import django
    from django.conf import settings

    django.setup()
    settings.ROOT_URLCONF = "bench.empty_urls"
    from django.test.utils import setup_test_environment

    from apps.common.testing.database import test_database

    setup_test_environment()
    with nullcontext() if in_place else test_database("bench"):
        result = measure()
    json.dump(result, sys.stdout)
