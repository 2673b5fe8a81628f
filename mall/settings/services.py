"""Brokers, mail, logs, addresses of other systems, and the mall's own name."""

from typing import Any

import environ

env = environ.Env()

CELERY_BROKER_URL: str = env("CELERY_BROKER_URL", default="")
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
# A task whose process was killed goes back to its queue; one at a time is taken, so that it goes to whoever is free.
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# A process of a worker is replaced after the task in which it grew beyond so many KB, and after so many tasks.
CELERY_WORKER_MAX_MEMORY_PER_CHILD: int = env.int("WORKER_MEMORY_KB", default=400_000)
CELERY_WORKER_MAX_TASKS_PER_CHILD = 500
CELERY_TIMEZONE = "Asia/Shanghai"
CELERY_BEAT_SCHEDULER = "django_celery_beat.schedulers:DatabaseScheduler"
# Without a broker the web processes deliver the outbox themselves: exactly one of them at a time.
EMBEDDED_RUNNER: bool = env.bool("EMBEDDED_RUNNER", default=not CELERY_BROKER_URL)

EMAIL_CONFIG = env.email_url("EMAIL_URL", default="consolemail://")
vars().update(EMAIL_CONFIG)
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL: str = env("DEFAULT_FROM_EMAIL", default="文采商城 <noreply@wencai.example>")

# Where people reach the mall: what letters link to.
MALL_URL: str = env("MALL_URL", default="http://127.0.0.1:8000").rstrip("/")
MALL_NAME: str = env("MALL_NAME", default="文采商城")
OLD_MALL_URL: str = env("OLD_MALL_URL", default="/old-mall/")
# How the page goes there: a hidden form by POST, so that the ticket is in no address, or a redirect with query parameters.
OLD_MALL_METHOD: str = env("OLD_MALL_METHOD", default="post")
REDIRECT_ALLOWED_HOSTS: list[str] = env.list("REDIRECT_ALLOWED_HOSTS", default=[])
LINK_SERVICE_URL: str = env("LINK_SERVICE_URL", default="https://link.wencai.example")
LINK_SERVICE_TEST_URL: str = env("LINK_SERVICE_TEST_URL", default="https://link-test.wencai.example")
# Whether phones are sent to the link service; off, they see this mall's own pages.
MOBILE_REDIRECT: bool = env.bool("MOBILE_REDIRECT", default=False)
# 企业微信: the corp's own application; without a corp the demo's stand-in takes its place where DEMO_MODE is on.
WECHAT_WORK_CORP_ID: str = env("WECHAT_WORK_CORP_ID", default="")
WECHAT_WORK_AGENT_ID: str = env("WECHAT_WORK_AGENT_ID", default="")
WECHAT_WORK_SECRET: str = env("WECHAT_WORK_SECRET", default="")
WECHAT_WORK_API_URL: str = env("WECHAT_WORK_API_URL", default="https://qyapi.weixin.qq.com")
WECHAT_WORK_SCAN_URL: str = env("WECHAT_WORK_SCAN_URL", default="https://login.work.weixin.qq.com/wwlogin/sso/login")
WECHAT_WORK_OAUTH_URL: str = env("WECHAT_WORK_OAUTH_URL", default="https://open.weixin.qq.com/connect/oauth2/authorize")
# How many proxies in front of us append to X-Forwarded-For; 0 means the header is not believed.
TRUSTED_PROXIES: int = env.int("TRUSTED_PROXIES", default=0)
# Where nginx sends private files itself: the prefix of its internal location over MEDIA_ROOT. A bucket's bytes pass through the mall.
X_ACCEL_PREFIX: str = "" if env("STORAGE_URL", default="") else env("X_ACCEL_PREFIX", default="")
# Names under which one client address may fail to sign in within 15 minutes before everybody there is asked for the captcha.
LOGIN_NAMES_PER_CLIENT: int = env.int("LOGIN_NAMES_PER_CLIENT", default=30)
# An image model in ONNX format for the search by picture; empty: the built-in descriptor.
IMAGE_EMBEDDER: str = env("IMAGE_EMBEDDER", default="")
METRICS_ALLOWED_IPS: list[str] = env.list("METRICS_ALLOWED_IPS", default=["127.0.0.1", "::1"])
# Hours in which staff decide on a request to cancel what is confirmed; after them it is granted.
CANCEL_DECIDE_HOURS: int = env.int("CANCEL_DECIDE_HOURS", default=24)
# Days after the last receipt in which its lines may be reviewed, and after a review in which it may be followed up.
REVIEW_DAYS: int = env.int("REVIEW_DAYS", default=180)
# Days in which a review may be changed, as long as nobody has answered it.
REVIEW_EDIT_DAYS: int = env.int("REVIEW_EDIT_DAYS", default=30)
# A price that has moved by more than so many per cent within 30 days is told to the staff (价格预警).
PRICE_MOVE_PERCENT: int = env.int("PRICE_MOVE_PERCENT", default=20)
# What the secrets of webhooks are made with; empty: SECRET_KEY. Changed, every partner needs a new secret.
WEBHOOK_SIGNING_KEY: str = env("WEBHOOK_SIGNING_KEY", default="")
# Hosts of our own net, as host:port, that webhooks may be sent to all the same, without https too.
WEBHOOK_INNER_HOSTS: list[str] = env.list("WEBHOOK_INNER_HOSTS", default=[])
DEMO_MODE: bool = env.bool("DEMO_MODE", default=True)
# /test/token and /test/cookie; without them the addresses are not there.
TEST_PAGES: bool = env.bool("TEST_PAGES", default=True)
# Whether staff signed in to /admin/ get the API as pages in a browser.
BROWSABLE_API: bool = env.bool("BROWSABLE_API", default=True)

WEBPACK_LOADER: dict[str, Any] = {"DEFAULT": {"BUNDLE_DIR_NAME": "app/", "STATS_FILE": "static/app/webpack-stats.json"}}
IMPORT_EXPORT_USE_TRANSACTIONS = True
LOGGING_CONFIG = "apps.common.logging.configure"
LOGGING: dict[str, Any] = {"level": env("LOG_LEVEL", default="INFO"), "json": env.bool("LOG_JSON", default=True)}
