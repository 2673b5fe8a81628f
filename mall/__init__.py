"""The composition of the apps: settings, addresses, servers."""

from mall.celery import app as celery_app

__all__ = ["celery_app"]
