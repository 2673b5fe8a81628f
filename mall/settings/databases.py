"""Databases and caches from DATABASE_URL and CACHE_URL; SQLite and no shared cache by default."""

from pathlib import Path
from typing import Any

import environ

SQLITE_PRAGMAS = (
    "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON; PRAGMA "
    "cache_size=-65536; PRAGMA mmap_size=268435456; PRAGMA temp_store=MEMORY;"
)


def build_databases(env: environ.Env, var_dir: Path) -> dict[str, dict[str, Any]]:
    """Return Django's DATABASES; SQLite runs in WAL with immediate transactions, so that writers
    queue instead of failing.
    """
    url = env("DATABASE_URL", default=f"sqlite:///{var_dir / 'mall.sqlite3'}")
    config: dict[str, Any] = env.db_url_config(url)
    if config["ENGINE"] == "django.db.backends.sqlite3":
        Path(config["NAME"]).parent.mkdir(parents=True, exist_ok=True)
        config["OPTIONS"] = {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": SQLITE_PRAGMAS,
        }
        config["TEST"] = {"NAME": env("TEST_DB_NAME", default=None)}
    else:
        config["ENGINE"] = "apps.common.postgres"
        config["CONN_MAX_AGE"] = env.int("CONN_MAX_AGE", default=60)
        config["CONN_HEALTH_CHECKS"] = True
        config["OPTIONS"] = {
            **config.get("OPTIONS", {}),
            "connect_timeout": 5,
            "prepared": env.bool("PREPARE_STATEMENTS", default=True),
        }
        if options := env("DATABASE_OPTIONS", default=""):
            config["OPTIONS"]["options"] = options
        config["TEST"] = {"NAME": env("TEST_DB_NAME", default=None), "TEMPLATE": "template0"}
    config["ATOMIC_REQUESTS"] = False
    return {"default": config}


def build_caches(env: environ.Env) -> dict[str, dict[str, Any]]:
    """Return Django's CACHES: Redis when CACHE_URL is set, else the process's own memory (never
    used for anything that must be shared).

    `limits` is what django-ratelimit counts in: our counters, which hold over processes either way.
    """
    url = env("CACHE_URL", default="")
    limits = {"BACKEND": "apps.common.limits.rules.LimitCache"}
    if not url:
        return {
            "default": {
                "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
                "LOCATION": "mall",
            },
            "limits": limits,
        }
    return {
        "limits": limits,
        "default": {
            "BACKEND": "django_redis.cache.RedisCache",
            "LOCATION": url,
            "OPTIONS": {
                "SOCKET_CONNECT_TIMEOUT": 1,
                "SOCKET_TIMEOUT": 1,
                "IGNORE_EXCEPTIONS": True,
            },
            "KEY_PREFIX": env("CACHE_PREFIX", default="mall"),
        },
    }
