"""Settings without which production does not start, and the state of a process that serves."""

from __future__ import annotations

import gc
import importlib
import os
import subprocess
import sys

import pytest
from django.conf import settings

from mall.settings.passkeys import find_passkey_fault

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
        (SECRET, "127.0.0.1,mall.example.com", "must be a domain, not the IP address 127.0.0.1"),
        ("too short", "mall.example.com", "SECRET_KEY must be set"),
    ],
)
def test_production_settings_name_each_missing_variable(
    secret: str, hosts: str, missing: str
) -> None:
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


@pytest.mark.parametrize(
    ("rp_id", "origin", "fault"),
    [
        ("example.com", "https://mall.example.com", ""),
        ("", "http://10.0.0.5", ""),
        ("10.0.0.5", "https://10.0.0.5", "must be a domain"),
        ("example.com", "http://mall.example.com", "no https address"),
        ("example.com", "https://mall.example.com/login", "no https address"),
        ("com", "https://mall.example.com", "no https address"),
        ("mall.example.com", "https://example.com", "no https address"),
        ("example.com", "https://shop.example.com", "ALLOWED_HOSTS does not name"),
    ],
)
def test_passkeys_belong_to_an_address_of_the_mall(rp_id: str, origin: str, fault: str) -> None:
    passkey_fault = find_passkey_fault(
        rp_id=rp_id, origins=[origin], allowed_hosts=["mall.example.com"]
    )
    assert (fault in passkey_fault) if fault else passkey_fault == ""


def test_a_full_garbage_collection_leaves_out_the_loaded_program() -> None:
    """It stops all threads: half a second with the program, a millisecond without."""
    importlib.import_module("mall.wsgi")
    try:
        assert "apps.orders.api.views" in sys.modules
        assert gc.get_freeze_count() > 200_000
    finally:
        gc.unfreeze()
