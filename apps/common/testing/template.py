"""Create the template database if it is missing, so that the workers only copy it. Run it with
`python -m apps.common.testing.template [FILE]`. On SQLite, FILE becomes a copy of it.
"""

import shutil
import sys

import django
from django.conf import settings

from apps.common.testing.database import test_database

if __name__ == "__main__":
    django.setup()
    with test_database("template"):
        if len(sys.argv) > 1:
            shutil.copy(settings.DATABASES["default"]["NAME"], sys.argv[1])
