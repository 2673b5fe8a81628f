"""For the tests: fast hashing, no mail, no background runner, limits as in production."""

from mall.settings.base import *
from mall.settings.base import DATABASES

SECRET_KEY = "test-only-secret-key-of-more-than-fifty-characters-0123456789"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
EMBEDDED_RUNNER = False
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
DEMO_MODE = True
RATE_LIMITS = {}
LOGGING = {"level": "WARNING", "json": True}
# Each test client loads the middleware. Without this setting it lists all static files, which takes
# nine tenths of a call.
WHITENOISE_AUTOREFRESH = True
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # Python keeps 128 compiled statements; the tests send thousands.
    DATABASES["default"]["OPTIONS"]["cached_statements"] = 2000
