"""The rate limits of clients: a rate per class of endpoints (which paths and whom they count by:
apps/common/limits/rules.py).
"""

import environ

env = environ.Env()

RATELIMIT_USE_CACHE = "limits"
RATELIMIT_CACHE_PREFIX = ""
RATELIMIT_HASH_ALGORITHM = "apps.common.limits.rules.ReadableName"

# API calls per client and minute; 0 turns all rate limits off.
API_RATE_PER_MINUTE: int = env.int("API_RATE_PER_MINUTE", default=600)
RATES = {
    "sign-in": "60/m",
    "codes": "20/h",
    "code-tries": "60/h",
    "captcha": "60/5m",
    "search": "300/m",
    "image-search": "20/m",
    "selection": "30/m",
    "writes": "240/m",
    "exports": "30/h",
    "trials": "10/m",
    "uploads": "300/h",
    "general": f"{API_RATE_PER_MINUTE}/m",
}
RATE_LIMITS: dict[str, str] = (
    {**RATES, **env.dict("RATE_LIMITS", default={})} if API_RATE_PER_MINUTE else {}
)

# Per web process: requests handled in parallel, and requests that may wait. All others get 503.
REQUESTS_AT_ONCE: int = env.int("REQUESTS_AT_ONCE", default=4)
REQUESTS_WAITING: int = env.int("REQUESTS_WAITING", default=40)
