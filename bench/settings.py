"""Production settings for benchmarks: additional URLs, and tokens that outlive a run."""

from datetime import timedelta

from mall.settings.base import *
from mall.settings.base import SIMPLE_JWT, env

ROOT_URLCONF = "bench.empty_urls"
SIMPLE_JWT["ACCESS_TOKEN_LIFETIME"] = timedelta(days=1)
# The limit is counted as always, and never reached; BENCH_LIMITS=true leaves the limits as they
# are.
if not env.bool("BENCH_LIMITS", default=False):
    RATE_LIMITS = {}
