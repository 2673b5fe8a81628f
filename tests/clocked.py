"""A process with a shifted clock: it is ahead by the number of seconds in the file MALL_CLOCK."""

from __future__ import annotations

import os
from datetime import datetime, timedelta
from pathlib import Path
from unittest.mock import patch

from django.utils import timezone


def clock_by_file() -> None:
    """Patch `django.utils.timezone.now()`, which services, auto_now fields and periodic jobs
    use, to add the file's offset.
    """
    file, real = Path(os.environ["MALL_CLOCK"]), timezone.now
    patch(
        "django.utils.timezone.now",
        lambda: real() + timedelta(seconds=float(file.read_text(encoding="utf-8"))),
    ).start()


def clock_set(file: Path, moment: datetime) -> None:
    """Set the clock of all processes that read `file` to the moment. The clock continues from
    there. The file is replaced atomically.
    """
    new = file.with_suffix(".new")
    new.write_text(str((moment - datetime.now(tz=moment.tzinfo)).total_seconds()), encoding="utf-8")
    new.replace(file)
