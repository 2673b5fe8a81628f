"""The mall's WSGI entry under a clock that is ahead by as many seconds as the file of MALL_CLOCK says."""

import os
from datetime import timedelta
from pathlib import Path
from unittest.mock import patch

from django.utils import timezone

CLOCK = Path(os.environ["MALL_CLOCK"])
_real = timezone.now

# Every service, auto_now field and clock job asks this one.
patch("django.utils.timezone.now", lambda: _real() + timedelta(seconds=float(CLOCK.read_text(encoding="utf-8")))).start()

from mall.wsgi import application  # noqa: E402 - begins the clock jobs

# isort: split
from rest_framework_simplejwt.tokens import AccessToken  # noqa: E402 - needs the apps

# Signed by the real clock and read by this one: whoever has signed in stays so while the days pass.
AccessToken.lifetime = timedelta(days=400)

__all__ = ["application"]
