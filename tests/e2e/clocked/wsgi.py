"""The mall's WSGI entry under the clock of MALL_CLOCK."""

from datetime import timedelta

from tests.clocked import clock_by_file

clock_by_file()

from mall.wsgi import application  # noqa: E402 - begins the clock jobs

# isort: split
from rest_framework_simplejwt.tokens import AccessToken  # noqa: E402 - needs the apps

# Signed by the real clock and read by this one: whoever has signed in stays so while the days pass.
AccessToken.lifetime = timedelta(days=400)

__all__ = ["application"]
