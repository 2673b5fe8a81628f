"""The mall's WSGI entry point under the clock of MALL_CLOCK."""

from datetime import timedelta

from tests.clocked import clock_by_file

clock_by_file()

from mall.wsgi import application

# isort: split
from rest_framework_simplejwt.tokens import AccessToken

from apps.common.background import runner

# Signed by the real clock and read by this one: whoever has signed in stays so while the days pass.
AccessToken.lifetime = timedelta(days=400)
# The walks wait for jobs, which look at the clock every ten seconds otherwise.
runner.JOBS_SECONDS = runner.POLL_SECONDS = 1.0

__all__ = ["application"]
