"""`manage.py migrate APP NAME` on an empty database: the steps after a migration work although
some tables do not exist yet.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings


def run_migrate(folder: Path, *target: str) -> str:
    """Migrate an empty SQLite database up to that point and return the output."""
    environment = {**os.environ, "DATABASE_URL": f"sqlite:///{folder / 'empty.sqlite3'}"}
    command = [sys.executable, "manage.py", "migrate", *target]
    process = subprocess.run(
        command,
        cwd=settings.BASE_DIR,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return process.stdout + process.stderr


@pytest.mark.parametrize("target", [("org", "0001_schema"), ("content", "0001_schema")])
def test_single_app_can_be_migrated(tmp_path: Path, target: tuple[str, str]) -> None:
    output = run_migrate(tmp_path, *target)

    assert "Traceback" not in output
    assert "Running migrations" in output
