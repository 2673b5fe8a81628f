"""Logging as one JSON object per line, for our own and for library loggers, with the request id."""

from __future__ import annotations

import logging.config
from typing import Any

import structlog
from structlog.typing import EventDict, WrappedLogger

SECRET_KEYS = frozenset(
    {"token", "refreshtoken", "password", "authorization", "cookie", "sessionkey", "code", "secret"}
)


def mask_secrets(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Mask the values of keys that contain secrets. Underscores and case of the keys are
    ignored.
    """
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
    """Set up logging. Django calls it as LOGGING_CONFIG.

    `options` has `level` and `json`; without JSON, lines are formatted for a developer's terminal.
    """
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
                    "processors": [
                        structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                        renderer,
                    ],
                }
            },
            "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
            "root": {"handlers": ["stderr"], "level": options["level"]},
            "loggers": {
                # Django's request logs contain the whole query string. Ours mask it.
                "django.server": {"handlers": [], "propagate": False},
                "django.request": {"level": "ERROR"},
                # fontTools logs every table of every font that it writes.
                "fontTools": {"level": "WARNING"},
            },
        }
    )
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *SHARED,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
