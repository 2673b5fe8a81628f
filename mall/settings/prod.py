"""In production: secrets from the environment only, https only."""

from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from mall.settings.base import *
from mall.settings.base import ALLOWED_HOSTS, SECRET_KEY, env
from mall.settings.passkeys import find_passkey_fault

if SECRET_KEY.startswith("demo-only") or len(SECRET_KEY) < 50:
    raise ImproperlyConfigured("SECRET_KEY must be set to a secret of at least 50 characters")
if not env.list("ALLOWED_HOSTS", default=[]):
    raise ImproperlyConfigured(
        "ALLOWED_HOSTS must name the hosts that the mall answers to: "
        "ALLOWED_HOSTS=mall.example.com,127.0.0.1"
    )

DEBUG = False
MALL_URL = env("MALL_URL", default=f"https://{ALLOWED_HOSTS[0].lstrip('.')}").rstrip("/")
PASSKEY_RP_ID = env("PASSKEY_RP_ID", default=urlsplit(MALL_URL).hostname or "")
PASSKEY_ORIGINS = env.list("PASSKEY_ORIGINS", default=[MALL_URL])
if fault := find_passkey_fault(
    rp_id=PASSKEY_RP_ID, origins=PASSKEY_ORIGINS, allowed_hosts=ALLOWED_HOSTS
):
    raise ImproperlyConfigured(fault)
DEMO_MODE = env.bool("DEMO_MODE", default=False)
STAFF_SECOND_FACTOR = env.bool("STAFF_SECOND_FACTOR", default=not DEMO_MODE)
if not (STAFF_SECOND_FACTOR or DEMO_MODE):
    raise ImproperlyConfigured("STAFF_SECOND_FACTOR can be off in production only with DEMO_MODE")
TEST_PAGES = env.bool("TEST_PAGES", default=False)
BROWSABLE_API = env.bool("BROWSABLE_API", default=False)
SECURE_SSL_REDIRECT = env.bool("SECURE_SSL_REDIRECT", default=True)
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_HSTS_SECONDS = 31536000
SECURE_HSTS_INCLUDE_SUBDOMAINS = True
SECURE_HSTS_PRELOAD = True
SESSION_COOKIE_SECURE = True
CSRF_COOKIE_SECURE = True
