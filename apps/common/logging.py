"""One JSON object per line for everything that is logged, ours and the libraries', with the request's id."""

from __future__ import annotations

import logging.config
from typing import Any

import structlog
from structlog.typing import EventDict, WrappedLogger

SECRET_KEYS = frozenset({"token", "refreshtoken", "password", "authorization", "cookie", "sessionkey", "code", "secret"})


def mask_secrets(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Return the line with the value of every key masked that names a secret, however it is spelt."""
    for key in event:
        if key.replace("_", "").lower() in SECRET_KEYS:
            event[key] = "***"
    return event


SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
    mask_secrets,
]


def configure(options: dict[str, Any]) -> None:
    """Set up logging: `options` holds `level` and `json` (false: for a developer's terminal). Django calls it as its LOGGING_CONFIG."""
    as_json = structlog.processors.JSONRenderer(ensure_ascii=False, default=str)
    renderer: Any = as_json if options["json"] else structlog.dev.ConsoleRenderer()
    logging.config.dictConfig(
        {
            "version": 1,
            "disable_existing_loggers": False,
            "formatters": {
                "line": {
                    "()": structlog.stdlib.ProcessorFormatter,
                    "foreign_pre_chain": SHARED,
                    "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
                }
            },
            "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
            "root": {"handlers": ["stderr"], "level": options["level"]},
            "loggers": {
                # Django's own request lines hold the whole address with its query; ours do not.
                "django.server": {"handlers": [], "propagate": False},
                "django.request": {"level": "ERROR"},
                # Tells of each table of each font it makes for a PDF.
                "fontTools": {"level": "WARNING"},
            },
        }
    )
    structlog.configure(
        processors=[structlog.stdlib.filter_by_level, *SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
