"""Create the template database if it is missing, so that the workers only copy it. Run it with
`python -m apps.common.testing.template`.
"""

import django

from apps.common.testing.database import test_database

if __name__ == "__main__":
    django.setup()
    with test_database("template"):
        pass
