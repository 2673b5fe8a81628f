"""Brokers, mail, logs, addresses of other systems, and the mall's own name."""

from typing import Any

import environ

env = environ.Env()

CELERY_BROKER_URL: str = env("CELERY_BROKER_URL", default="")
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
# A task whose process was killed returns to its queue. Workers prefetch one task, so that a free
# worker gets the next one.
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# A worker process is replaced after a task in which it grew beyond this many KB, and after this
# many
# tasks.
CELERY_WORKER_MAX_MEMORY_PER_CHILD: int = env.int("WORKER_MEMORY_KB", default=400_000)
CELERY_WORKER_MAX_TASKS_PER_CHILD = 500
CELERY_TIMEZONE = "Asia/Shanghai"
CELERY_BEAT_SCHEDULER = "django_celery_beat.schedulers:DatabaseScheduler"
# Without a broker the web processes deliver the outbox, one process at a time, unless `manage.py
# run_background` does.
EMBEDDED_RUNNER: bool = env.bool("EMBEDDED_RUNNER", default=not CELERY_BROKER_URL)

EMAIL_CONFIG = env.email_url("EMAIL_URL", default="consolemail://")
vars().update(EMAIL_CONFIG)
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL: str = env("DEFAULT_FROM_EMAIL", default="文采商城 <noreply@wencai.example>")

# Public address of the mall, used in letters.
MALL_URL: str = env("MALL_URL", default=f"http://127.0.0.1:{env('PORT', default='8000')}").rstrip(
    "/"
)
# Staff sign in with a second factor. Otherwise it is their choice.
STAFF_SECOND_FACTOR: bool = env.bool("STAFF_SECOND_FACTOR", default=False)
# Encrypts the secrets of authenticator apps. Empty: SECRET_KEY.
SECOND_FACTOR_KEY: str = env("SECOND_FACTOR_KEY", default="")
# The domain to which passkeys belong, and the addresses of the mall at which they work. A browser
# accepts no IP address, so on one's own machine passkeys work at localhost. No domain: passkeys are
# off.
PASSKEY_RP_ID: str = env("PASSKEY_RP_ID", default="localhost")
PASSKEY_ORIGINS: list[str] = env.list(
    "PASSKEY_ORIGINS", default=[f"http://localhost:{env('PORT', default='8000')}"]
)
# Seconds after which a dangerous act needs a new code, in a session with a second factor.
STAFF_PROOF_SECONDS = 600
MALL_NAME: str = env("MALL_NAME", default="文采商城")
OLD_MALL_URL: str = env("OLD_MALL_URL", default="/old-mall/")
# How the page opens the old mall: a hidden form by POST, which keeps the ticket out of the address,
# or a redirect with query parameters.
OLD_MALL_METHOD: str = env("OLD_MALL_METHOD", default="post")
REDIRECT_ALLOWED_HOSTS: list[str] = env.list("REDIRECT_ALLOWED_HOSTS", default=[])
LINK_SERVICE_URL: str = env("LINK_SERVICE_URL", default="https://link.wencai.example")
LINK_SERVICE_TEST_URL: str = env(
    "LINK_SERVICE_TEST_URL", default="https://link-test.wencai.example"
)
# Whether phones are redirected to the link service. If off, they get this mall's pages.
MOBILE_REDIRECT: bool = env.bool("MOBILE_REDIRECT", default=False)
# 企业微信: the corp's own application. Without one, the demo's stand-in is used if DEMO_MODE is on.
WECHAT_WORK_CORP_ID: str = env("WECHAT_WORK_CORP_ID", default="")
WECHAT_WORK_AGENT_ID: str = env("WECHAT_WORK_AGENT_ID", default="")
WECHAT_WORK_SECRET: str = env("WECHAT_WORK_SECRET", default="")
WECHAT_WORK_API_URL: str = env("WECHAT_WORK_API_URL", default="https://qyapi.weixin.qq.com")
WECHAT_WORK_SCAN_URL: str = env(
    "WECHAT_WORK_SCAN_URL", default="https://login.work.weixin.qq.com/wwlogin/sso/login"
)
WECHAT_WORK_OAUTH_URL: str = env(
    "WECHAT_WORK_OAUTH_URL", default="https://open.weixin.qq.com/connect/oauth2/authorize"
)
# Number of proxies that append to X-Forwarded-For; 0 means that the header is ignored.
TRUSTED_PROXIES: int = env.int("TRUSTED_PROXIES", default=0)
# Prefix of nginx's internal location over MEDIA_ROOT, if nginx sends private files itself. Files
# of a
# bucket always pass through the mall.
X_ACCEL_PREFIX: str = "" if env("STORAGE_URL", default="") else env("X_ACCEL_PREFIX", default="")
# Number of user names that may fail to sign in from one address within 15 minutes. After that,
# every
# sign-in from the address needs the captcha.
LOGIN_NAMES_PER_CLIENT: int = env.int("LOGIN_NAMES_PER_CLIENT", default=30)
# ONNX model for the search by picture. If empty, the built-in descriptor is used.
IMAGE_EMBEDDER: str = env("IMAGE_EMBEDDER", default="")
METRICS_ALLOWED_IPS: list[str] = env.list("METRICS_ALLOWED_IPS", default=["127.0.0.1", "::1"])
# Hours for staff to decide on the cancellation of a confirmed order; then it is granted.
CANCEL_DECIDE_HOURS: int = env.int("CANCEL_DECIDE_HOURS", default=24)
# Days after the last receipt in which lines may be reviewed, and after a review in which a 追评
# may be
# added.
REVIEW_DAYS: int = env.int("REVIEW_DAYS", default=180)
# Days in which a review without an answer may be changed.
REVIEW_EDIT_DAYS: int = env.int("REVIEW_EDIT_DAYS", default=30)
# Days for which a quotation from the cart holds its prices; 0 turns quotations off.
QUOTATION_DAYS: int = env.int("QUOTATION_DAYS", default=15)
# Working days before the last day of a quotation on which its requester is told.
QUOTATION_REMIND_DAYS: int = env.int("QUOTATION_REMIND_DAYS", default=2)
# Questions about products that a person may ask in one day.
QUESTIONS_PER_DAY: int = env.int("QUESTIONS_PER_DAY", default=20)
# A price change of more than this percentage within 30 days raises an alarm (价格预警).
PRICE_MOVE_PERCENT: int = env.int("PRICE_MOVE_PERCENT", default=20)
# Key from which webhook secrets are derived; if empty, SECRET_KEY. After a change every partner
# needs
# a new secret.
WEBHOOK_SIGNING_KEY: str = env("WEBHOOK_SIGNING_KEY", default="")
# Internal hosts (host:port) to which webhooks may be sent, also without https.
WEBHOOK_INNER_HOSTS: list[str] = env.list("WEBHOOK_INNER_HOSTS", default=[])
DEMO_MODE: bool = env.bool("DEMO_MODE", default=True)
# Enables /test/token and /test/cookie.
TEST_PAGES: bool = env.bool("TEST_PAGES", default=True)
# Whether staff signed in to /admin/ can open the API as HTML pages.
BROWSABLE_API: bool = env.bool("BROWSABLE_API", default=True)

WEBPACK_LOADER: dict[str, Any] = {
    "DEFAULT": {"BUNDLE_DIR_NAME": "app/", "STATS_FILE": "static/app/webpack-stats.json"}
}
IMPORT_EXPORT_USE_TRANSACTIONS = True
LOGGING_CONFIG = "apps.common.logging.configure"
LOGGING: dict[str, Any] = {
    "level": env("LOG_LEVEL", default="INFO"),
    "json": env.bool("LOG_JSON", default=True),
}
