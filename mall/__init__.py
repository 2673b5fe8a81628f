"""The project that combines the apps: settings, URLs, server entry points."""

from mall.celery import app as celery_app

__all__ = ["celery_app"]
