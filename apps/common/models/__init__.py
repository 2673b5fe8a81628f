"""The tables that every app uses."""

from apps.common.models.base import TenantManager, TenantModel, TenantQuerySet, TimeStampedModel
from apps.common.models.events import Event
from apps.common.models.files import StoredFile
from apps.common.models.idempotency import IdempotencyRecord
from apps.common.models.import_run import ImportChunk, ImportRun
from apps.common.models.limits import RateBlock, RateCounter
from apps.common.models.outbox import OutboxMessage, RunnerLease
from apps.common.models.work_owner import WorkOwner

__all__ = [
    "Event",
    "IdempotencyRecord",
    "ImportChunk",
    "ImportRun",
    "OutboxMessage",
    "RateBlock",
    "RateCounter",
    "RunnerLease",
    "StoredFile",
    "TenantManager",
    "TenantModel",
    "TenantQuerySet",
    "TimeStampedModel",
    "WorkOwner",
]
