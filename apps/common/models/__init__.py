"""The tables that every app uses."""

from apps.common.models.base import TenantManager, TenantModel, TenantQuerySet, TimeStampedModel
from apps.common.models.documents import Event, StoredFile, WorkOwner
from apps.common.models.import_run import ColumnMapping, ImportChunk, ImportRun, ImportWrongRows
from apps.common.models.list_view import ListView
from apps.common.models.outbox import JobRun, OutboxMessage, RunnerLease
from apps.common.models.requests import IdempotencyRecord, RateBlock, RateCounter

__all__ = [
    "ColumnMapping",
    "Event",
    "IdempotencyRecord",
    "ImportChunk",
    "ImportRun",
    "ImportWrongRows",
    "JobRun",
    "ListView",
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
