"""Health endpoints without the envelope. `/healthz`: the process is alive. `/readyz`: it can
serve. `/metrics`: for Prometheus in the internal network.
"""

from __future__ import annotations

from ipaddress import ip_address, ip_network

import structlog
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound, JsonResponse
from django_prometheus.exports import ExportToDjangoView
from health_check import Database

from apps.common.background.leases import list_heartbeats
from apps.common.migration_history import find_half_migrated
from apps.common.requests import get_client_address

log = structlog.get_logger(__name__)
_migrated = False


def are_migrations_applied() -> bool:
    """Return whether all migrations are applied. Once true, the result is cached for the life
    of the process.
    """
    global _migrated
    if not _migrated:
        connection = connections[DEFAULT_DB_ALIAS]
        executor = MigrationExecutor(connection)
        _migrated = not executor.migration_plan(
            executor.loader.graph.leaf_nodes()
        ) and not find_half_migrated(connection)
    return _migrated


def healthz(_request: HttpRequest) -> HttpResponse:
    """Return 200."""
    return JsonResponse({"status": "ok"})


def readyz(_request: HttpRequest) -> HttpResponse:
    """Return 200 if the database is reachable and migrated, otherwise 503 with the state of
    each part.

    With a broker, the answer also shows for each queue whether a worker is alive. A silent worker
    does not change the status, because the web process can still serve.
    """
    parts, workers = {"database": "ok", "migrations": "ok"}, {}
    try:
        Database().run()
        if not are_migrations_applied():
            parts["migrations"] = "waiting"
        elif settings.CELERY_BROKER_URL:
            workers = {"workers": list_heartbeats()}
    except Exception as error:  # noqa: BLE001
        log.warning("not_ready", error=type(error).__name__)
        parts = {"database": "away", "migrations": "unknown"}
    ready = set(parts.values()) == {"ok"}
    return JsonResponse(
        {"status": "ok" if ready else "not ready", **parts, **workers}, status=200 if ready else 503
    )


def metrics(request: HttpRequest) -> HttpResponse:
    """Return Prometheus metrics to METRICS_ALLOWED_IPS (addresses or networks), and 404 to
    everyone else.
    """
    address = ip_address(get_client_address(request))
    if not any(
        address in ip_network(allowed, strict=False) for allowed in settings.METRICS_ALLOWED_IPS
    ):
        return HttpResponseNotFound()
    answer: HttpResponse = ExportToDjangoView(request)
    return answer
