"""The settings that are the same in every deployment. The environment sets the others (see
.env.example).
"""

from pathlib import Path
from urllib.parse import urlsplit

import django_stubs_ext
import environ

from mall.settings.databases import build_caches, build_databases
from mall.settings.storage import build_storages

# Allows `forms.ModelForm[Budget]` and other types with arguments that Django cannot evaluate.
django_stubs_ext.monkeypatch()

BASE_DIR = Path(__file__).resolve().parents[2]
VAR_DIR = BASE_DIR / "var"
env = environ.Env()
env.read_env(BASE_DIR / ".env", overwrite=False)

SECRET_KEY = env("SECRET_KEY", default="demo-only-secret-key-change-me-in-production-0123456789")
DEBUG = False
ALLOWED_HOSTS: list[str] = env.list("ALLOWED_HOSTS", default=["127.0.0.1", "localhost", "[::1]"])
# Additional valid ports of the Host header. The scheme's default port, and without a proxy the port
# of the process, are always valid.
MALL_PORT = urlsplit(env("MALL_URL", default="")).port
ALLOWED_PORTS: list[str] = env.list("ALLOWED_PORTS", default=[str(MALL_PORT)] if MALL_PORT else [])
CSRF_TRUSTED_ORIGINS: list[str] = env.list("CSRF_TRUSTED_ORIGINS", default=[])

INSTALLED_APPS = [
    "mall.admin_site.OfficeConfig",
    "unfold.contrib.filters",
    "unfold.contrib.import_export",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "rest_framework",
    "django_filters",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "import_export",
    "auditlog",
    "django_fsm",
    "tree_queries",
    "django_celery_beat",
    "django_prometheus",
    "webpack_loader",
    "apps.common",
    "apps.office",
    "apps.calendar",
    "apps.org",
    "apps.identity",
    "apps.dual_control",
    "apps.content",
    "apps.notices",
    "apps.dimensions",
    "apps.catalog",
    "apps.pricing",
    "apps.finders",
    "apps.search",
    "apps.inquiries",
    "apps.questions",
    "apps.selection",
    "apps.budgets",
    "apps.approvals",
    "apps.cart",
    "apps.requisitions",
    "apps.quotations",
    "apps.orders",
    "apps.reviews",
    "apps.recurring",
    "apps.aftersales",
    "apps.invoices",
    "apps.workbench",
    "apps.reports",
    "apps.webhooks",
    "apps.assistant",
    "demo.load",
]

MIDDLEWARE = [
    "django_prometheus.middleware.PrometheusBeforeMiddleware",
    "apps.common.middleware.request_id.RequestIdMiddleware",
    "apps.common.middleware.response_headers.ResponseHeadersMiddleware",
    "apps.common.middleware.bad_input.HostMiddleware",
    # Before any code that opens a file or a row named by the address.
    "apps.common.middleware.bad_input.BadInputMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    # Rate limits come before queueing, so that a limited client takes no place of the process.
    "apps.common.middleware.rate_limit.RateLimitMiddleware",
    # Before any other code that uses the database or Redis.
    "apps.common.middleware.load.LoadMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "apps.identity.middleware.SecondFactorMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "apps.identity.middleware.TenantMiddleware",
    "apps.common.middleware.audit.AuditMiddleware",
    "django_prometheus.middleware.PrometheusAfterMiddleware",
]

ROOT_URLCONF = "mall.urls"
WSGI_APPLICATION = "mall.wsgi.application"
APPEND_SLASH = False

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

DATABASES = build_databases(env, VAR_DIR)
CACHES = build_caches(env)
CACHE_URL: str = env("CACHE_URL", default="")
CACHE_PREFIX: str = env("CACHE_PREFIX", default="mall")
STORAGES = build_storages(env)
MEDIA_ROOT = Path(env("MEDIA_ROOT", default=str(VAR_DIR / "media")))
MEDIA_URL = "/media/"
STATIC_URL = "/static/"
STATIC_ROOT = BASE_DIR / "staticfiles"
# Folder of the open-licence Chinese font for PDF files. npm installs it; images copy it elsewhere.
PDF_FONT_DIR = Path(
    env(
        "PDF_FONT_DIR",
        default=str(BASE_DIR / "frontend/node_modules/@expo-google-fonts/noto-sans-sc"),
    )
)
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_MAX_AGE = 3600
# Names with a content hash, made by collectstatic and by the front-end build.
WHITENOISE_IMMUTABLE_FILE_TEST = r"^.+\.[0-9a-f]{6,12}\..+$"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# order_tabs_idx includes extra columns, which SQLite does not support; SQLite reads the rows.
SILENCED_SYSTEM_CHECKS = ["models.W040"]
AUTH_USER_MODEL = "org.Account"
# Only the back office uses Django's sign-in form.
LOGIN_REDIRECT_URL = "/admin/"
AUTHENTICATION_BACKENDS = ["apps.identity.backends.AccountBackend"]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "apps.identity.password_rules.NotLikeTheAccount",
        "OPTIONS": {"user_attributes": ("username", "nickname")},
    },
    {"NAME": "apps.identity.password_rules.LongEnough", "OPTIONS": {"min_length": 8}},
    {"NAME": "apps.identity.password_rules.NotCommon"},
    {"NAME": "apps.identity.password_rules.NotOnlyDigits"},
]

LANGUAGE_CODE = "zh-hans"
TIME_ZONE = "Asia/Shanghai"
USE_I18N = True
USE_TZ = True
FORMAT_MODULE_PATH = ["mall.formats"]

SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "mall.errors.csrf_failed"
X_FRAME_OPTIONS = "DENY"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2000

from mall.settings.assistant import *
from mall.settings.invoices import *
from mall.settings.limits import *
from mall.settings.rest import *
from mall.settings.services import *
from mall.settings.unfold import *
