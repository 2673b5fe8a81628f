"""A process under a clock that a test sets: it is ahead by as many seconds as the file of MALL_CLOCK says."""

from __future__ import annotations

import os
from datetime import datetime, timedelta
from pathlib import Path
from unittest.mock import patch

from django.utils import timezone


def clock_by_file() -> None:
    """Let `django.utils.timezone.now()`, which every service, auto_now field and clock job asks, answer by the file from now on."""
    file, real = Path(os.environ["MALL_CLOCK"]), timezone.now
    patch("django.utils.timezone.now", lambda: real() + timedelta(seconds=float(file.read_text(encoding="utf-8")))).start()


def clock_set(file: Path, moment: datetime) -> None:
    """Move the clock of the processes that read `file` to the moment, from where it goes on; the file is whole at every moment."""
    new = file.with_suffix(".new")
    new.write_text(str((moment - datetime.now(tz=moment.tzinfo)).total_seconds()), encoding="utf-8")
    new.replace(file)
