"""/healthz: the process lives. /readyz: it can serve. /metrics: for Prometheus inside the network. All outside the envelope."""

from __future__ import annotations

from ipaddress import ip_address, ip_network

import structlog
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound, JsonResponse
from django_prometheus.exports import ExportToDjangoView
from health_check import Database

from apps.common.background.heartbeats import workers_heard
from apps.common.client_address import client_address
from apps.common.migration_history import halfway

log = structlog.get_logger(__name__)
_migrated = False


def migrations_applied() -> bool:
    """Tell whether no migration is waiting; once true it stays true for the life of the process."""
    global _migrated
    if not _migrated:
        connection = connections[DEFAULT_DB_ALIAS]
        executor = MigrationExecutor(connection)
        _migrated = not executor.migration_plan(executor.loader.graph.leaf_nodes()) and not halfway(connection)
    return _migrated


def healthz(_request: HttpRequest) -> HttpResponse:
    """Answer 200: the process answers."""
    return JsonResponse({"status": "ok"})


def readyz(_request: HttpRequest) -> HttpResponse:
    """Answer 200 when the database answers and is migrated, else 503 naming the part that is not ready.

    Where a broker is set it also says which queues a worker answers for; a silent one takes no web process out of rotation.
    """
    parts, workers = {"database": "ok", "migrations": "ok"}, {}
    try:
        Database().run()
        if not migrations_applied():
            parts["migrations"] = "waiting"
        elif settings.CELERY_BROKER_URL:
            workers = {"workers": workers_heard()}
    except Exception as error:  # noqa: BLE001 - whatever the driver raises, we are not ready
        log.warning("not_ready", error=type(error).__name__)
        parts = {"database": "away", "migrations": "unknown"}
    ready = set(parts.values()) == {"ok"}
    return JsonResponse({"status": "ok" if ready else "not ready", **parts, **workers}, status=200 if ready else 503)


def metrics(request: HttpRequest) -> HttpResponse:
    """Answer Prometheus's text to METRICS_ALLOWED_IPS (addresses or networks); to all others there is no such page."""
    address = ip_address(client_address(request))
    if not any(address in ip_network(allowed, strict=False) for allowed in settings.METRICS_ALLOWED_IPS):
        return HttpResponseNotFound()
    answer: HttpResponse = ExportToDjangoView(request)
    return answer
