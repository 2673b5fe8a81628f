"""Settings without which production does not start."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from django.conf import settings

SECRET = "x" * 50


@pytest.mark.parametrize(
    ("secret", "hosts", "missing"),
    [
        (SECRET, "mall.example.com,127.0.0.1", ""),
        (
            SECRET,
            "",
            (
                "ALLOWED_HOSTS must name the hosts that the mall answers to: "
                "ALLOWED_HOSTS=mall.example.com"
            ),
        ),
        ("too short", "mall.example.com", "SECRET_KEY must be set"),
    ],
)
def test_production_says_what_must_be_set(secret: str, hosts: str, missing: str) -> None:
    environment = {**os.environ, "SECRET_KEY": secret, "ALLOWED_HOSTS": hosts}
    started = subprocess.run(
        [sys.executable, "-c", "import mall.settings.prod"],
        cwd=settings.BASE_DIR,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (started.returncode == 0, missing in started.stderr) == (not missing, True)
