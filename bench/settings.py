"""The mall as production runs it, with the addresses of the measuring added and tokens that outlive a run."""

from datetime import timedelta

from mall.settings.base import *  # noqa: F403
from mall.settings.base import SIMPLE_JWT

ROOT_URLCONF = "bench.empty_urls"
SIMPLE_JWT["ACCESS_TOKEN_LIFETIME"] = timedelta(days=1)
# The limit is counted as always, and never reached.
RATE_LIMITS = {}
