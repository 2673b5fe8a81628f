"""Measuring in this process, on a database of its own, with the empty view beside the mall's."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable


def printed(measure: Callable[[], dict[str, float]]) -> None:
    """Set the mall up, measure, and print the figures as JSON."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "mall.settings.test"
    import django
    from django.conf import settings

    django.setup()
    settings.ROOT_URLCONF = "bench.empty_urls"
    from django.test.utils import setup_test_environment

    from apps.common.testing.database import test_database

    setup_test_environment()
    with test_database("bench"):
        found = measure()
    json.dump(found, sys.stdout)
