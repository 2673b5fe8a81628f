"""Create the template database if it is missing, so that the workers only copy it. Run it with
`python -m apps.common.testing.template [COPY]`. COPY becomes a copy of it: a file on SQLite, the
name of a new database on PostgreSQL.
"""

import shutil
import sys

import django
from django.db import connection

from apps.common.testing.database import postgres_run, test_database


def copy_to(target: str) -> None:
    """Copy the database to which the connection points."""
    source = connection.settings_dict["NAME"]
    connection.close()
    if connection.vendor == "sqlite":
        shutil.copy(source, target)
    else:
        postgres_run(f'CREATE DATABASE "{target}" TEMPLATE "{source}"')


if __name__ == "__main__":
    django.setup()
    with test_database("template"):
        for copy in sys.argv[1:]:
            copy_to(copy)
