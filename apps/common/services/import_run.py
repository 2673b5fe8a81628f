"""Write a confirmed sheet in short transactions, so that an import does not block other writers.

The rows are first staged in chunks. One transaction writes a chunk, marks it as written and stores
the previous values. So a chunk is never written twice, and a run whose process died continues where
it stopped. If a chunk can no longer be written, all written chunks are undone, one by one.
"""

from __future__ import annotations

import hashlib
import json
import time
import uuid
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING, Any

import structlog
from django.core.serializers.json import DjangoJSONEncoder
from django.db import IntegrityError, connection, transaction
from django.db.models import Max, Model, ProtectedError, Q, QuerySet, RestrictedError
from django.utils import timezone

from apps.common.audit import RELEASED_BY, get_second_person
from apps.common.background.outbox import outbox_publish
from apps.common.errors import (
    EqualImportRuns,
    ImportCancelled,
    ImportNotCancellable,
    ImportNotFound,
    ImportNotHeld,
    ImportTakenBack,
    ValidationFailed,
)
from apps.common.models.import_run import OPEN, ChunkState, ImportChunk, ImportRun, ImportState
from apps.common.services.import_notice import import_end_notify
from apps.common.services.wrong_rows import WRONG_SHEET, WrongSheet, wrong_rows_add
from apps.common.tenancy import open_scope

if TYPE_CHECKING:
    from apps.org.models import Account

log = structlog.get_logger(__name__)
# About 50 ms of writing on an idle machine. Kinds with slower rows use smaller chunks.
CHUNK_ROWS = 100
# A waiting SQLite connection retries every 100 ms. A pause of that length lets every waiting
# writer in.
REST_SECONDS = {"sqlite": 0.1, "postgresql": 0.02}
LEASE = timedelta(seconds=20)
# A chunk that collides with another write is retried. After this many failures the run is undone.
MAX_FAILURES = 5
MAX_LISTED_ERRORS = 50
# A confirmation writes this long. Then a background job continues, and the page shows the progress.
PATIENCE_SECONDS = 8.0
# Outbox topic: continue the run whose key the message has.
CONTINUE_TOPIC = "import.resume"
# A background job works this long on a run. Then other work of its queue may come first.
SLICE_SECONDS = 5.0
# The option of a run that names its upload.
UPLOAD = "upload"
# The option of a run with the fields of its actor that differ from the stored account.
ACTS_AS = "acts_as"
# The option of a run with the number of wrong rows that the person left out.
LEFT_OUT = "left_out"
# The option of a run that a background job has continued. No request answers for its end.
IN_BACKGROUND = "in_background"
# The key of a report that says that a person has stopped the run.
CANCELLED = "cancelled"
CANCELLED_REASON = "导入已取消"
RECENT = timedelta(days=1)
MAX_RECENT = 5
FAILED = "写入时多次失败，请稍后重新上传；如仍失败请联系系统管理员"
IMPORTER_DISABLED = "导入人的账号已停用"
NOT_TAKEN_BACK = "有 {count} 行未能撤回，仍是导入后的内容，请联系系统管理员核对"
NOT_FOLLOWED_UP = "有 {count} 项后续处理未完成，请联系系统管理员"
# The key of a report under which it counts the actions of the rows.
ACTIONS = "actions"
# A refused cell: row number in the sheet, header of the column, message.
Refusal = tuple[int, str, str]


class ChunkRefused(Exception):
    """Rows of a chunk can no longer be written. Nothing of the chunk was written."""

    def __init__(self, refusals: Sequence[Refusal]) -> None:
        self.refusals = list(refusals)
        super().__init__(f"{len(self.refusals)} cells refused")


class RunLost(Exception):
    """Another process has taken over the run, because the lease of this process has expired."""


@dataclass(slots=True)
class Written:
    """The result of a chunk.

    `before`: how to undo each row. `follow_up`: work to do after all rows. `left`: rows that could
    not be undone.
    """

    before: list[Any] = field(default_factory=list)
    follow_up: list[Any] = field(default_factory=list)
    left: list[Refusal] = field(default_factory=list)


class ImportWriter(ABC):
    """Writes the chunks of one kind of run. Each chunk gets a new instance. `report` is stored
    with the run after the chunk.
    """

    def __init__(self, run: ImportRun) -> None:
        self.run = run
        self.report: dict[str, Any] = run.report

    def prepare(self, rows: list[Any]) -> None:  # noqa: B027
        """Read and compute in advance, outside the transaction."""

    @abstractmethod
    def write(self, rows: list[Any]) -> Written:
        """Check the rows again and write them, inside a transaction. Raises ChunkRefused."""

    @abstractmethod
    def take_back(self, before: list[Any]) -> Written:
        """Restore the previous values of the rows, inside a transaction."""

    def follow(self, items: list[Any]) -> None:  # noqa: B027
        """Do the follow-up work of written rows, inside a transaction."""

    def finish(self) -> None:  # noqa: B027
        """Finish a run after all its rows are written, in the transaction that ends it."""


_writers: dict[str, Callable[[ImportRun], ImportWriter]] = {}


def import_writer(name: str, make: Callable[[ImportRun], ImportWriter]) -> None:
    """Register the factory of a kind's writers. Call it in AppConfig.ready()."""
    _writers[name] = make


def get_importer(run: ImportRun) -> Account:
    """Return the account that imports the sheet, as it confirmed the sheet: staff who acted as a
    group administrator still do. Raises ChunkRefused if the account has been deleted.
    """
    if run.actor is None:
        raise ChunkRefused([(0, "", "导入人的账号已不存在")])
    actor = copy(run.actor)
    for name, value in run.options.get(ACTS_AS, {}).items():
        setattr(actor, name, value)
    return actor


def _get_acts_as(actor: Account) -> dict[str, Any]:
    """Return the option of a run for staff who act as a group administrator. Only the copy in
    memory has the group, so the writer of a chunk does not find it in the stored account.
    """
    if actor.is_staff and actor.group_id is not None:
        return {ACTS_AS: {"group_id": actor.group_id, "kind": actor.kind}}
    return {}


def get_edit_stamp(row: Any) -> str:
    """Return the time of a row's last change. A chunk stores it, to detect rows that changed
    after the import.
    """
    return str(row.updated_at.isoformat())


def count_actions(report: dict[str, Any], actions: Iterable[str]) -> dict[str, Any]:
    """Return the report of a run with the actions of one more chunk of rows: create, update or
    same. A writer that only creates rows counts none.
    """
    counts = Counter(report.get(ACTIONS, {}))
    counts.update(actions)
    return {**report, ACTIONS: dict(counts)}


def get_actions(run: ImportRun) -> dict[str, int]:
    """Return the number of rows that the run has created, updated and found unchanged."""
    counts: dict[str, int] = run.report.get(ACTIONS, {"create": run.rows_written})
    return {action: counts.get(action, 0) for action in ("create", "update", "same")}


def rows_delete(
    rows: Sequence[Model], erase: Callable[[list[int]], None] | None = None
) -> set[int]:
    """Delete rows of one table that an import created. Return the keys of rows that remain
    because other rows refer to them.

    `erase` deletes rows by their keys, if a plain delete is not enough.
    """
    keys = [row.pk for row in rows]
    if not keys:
        return set()
    try:
        with transaction.atomic():
            if erase is None:
                type(rows[0])._default_manager.filter(pk__in=keys).delete()
            else:
                erase(keys)
    except (ProtectedError, RestrictedError):
        if len(keys) == 1:
            return set(keys)
        # Last row first: in a sheet, parents come before their children.
        return {key for row in reversed(rows) for key in rows_delete([row], erase)}
    return set()


class Staging:
    """Collects the rows of a new run. `open` starts the writing, `drop` discards the rows.

    `began_at` is the time before the rows were checked. A run of the same sheet by the same person
    that ended after this time is an equal confirm (a second click, a repeated request). It has
    written the rows, so it answers for this run as well. So does an equal run that is still open.
    `upload` names the stored file. It does not identify the sheet, which may be uploaded twice.
    """

    def __init__(
        self,
        *,
        writer: str,
        kind: str,
        actor: Account | None,
        options: dict[str, Any],
        began_at: datetime,
        upload: str = "",
    ) -> None:
        """Start a run that is not saved yet. Its hash covers writer, kind, actor, group and
        options.
        """
        self.began_at = began_at
        scope = open_scope()
        group_id = scope.group_id if scope else None
        self.run = ImportRun(
            writer=writer, kind=kind, actor=actor, group_id=group_id, options=options
        )
        self._hash = hashlib.sha256(
            _dump_json([writer, kind, actor.pk if actor else None, group_id, options])
        )
        if upload:
            self.run.options = {**options, UPLOAD: upload}
        self._number = 0

    def hash_rows(self, rows: Iterable[Any]) -> None:
        """Add rows to the hash that identifies the sheet, including rows that need no write."""
        for row in rows:
            self._hash.update(_dump_json(row))

    def add(self, rows: Iterable[Any], *, chunk_rows: int = CHUNK_ROWS) -> None:
        """Store rows as chunks of `chunk_rows`, to be written later in this order."""
        source = iter(rows)
        chunks = []
        while chunk := list(islice(source, chunk_rows)):
            if self.run._state.adding:
                self.run.save()
            self._number += 1
            self.run.rows += len(chunk)
            chunks.append(ImportChunk(run=self.run, number=self._number, rows=chunk))
        ImportChunk.objects.bulk_create(chunks)

    def leave_out(self, sheet: WrongSheet) -> None:
        """Store wrong rows that the person leaves out, after those of an earlier call."""
        rows = list(sheet.rows)
        if not rows:
            return
        self.run.options = {
            **self.run.options,
            WRONG_SHEET: {"name": sheet.name, "header": list(sheet.header)},
            LEFT_OUT: self.run.options.get(LEFT_OUT, 0) + len(rows),
        }
        if self.run._state.adding:
            self.run.save()
        wrong_rows_add(run=self.run, rows=rows)

    def drop(self) -> None:
        """Delete the staged rows."""
        if not self.run._state.adding:
            self.run.delete()

    def open(self, report: dict[str, Any]) -> ImportRun:
        """Return the run, ready to be written. If an equal confirm has written the sheet, or is
        writing it now, drop the staged rows and return its run, which may still be open.
        """
        run = self.run
        is_staged = not run._state.adding
        while True:
            run.key, run.report, run.state = self._content_key, report, ImportState.WRITING
            try:
                with transaction.atomic():
                    run.save()
                    # No other run of the sheet can be open now, but one may have ended just before.
                    # Then nobody may see this run open: another confirm would write its rows.
                    equal = self._list_equal_runs().filter(state=ImportState.DONE).first()
                    if equal is not None:
                        transaction.set_rollback(True)
            except IntegrityError:
                equal = self.find_equal()
            else:
                if equal is None:
                    return run
            if equal is not None:
                if is_staged:
                    self.drop()
                return equal

    def hold(self, report: dict[str, Any], options: dict[str, Any]) -> ImportRun:
        """Return the run, to be written when `import_run_release` says so. `options` are added to
        its options.
        """
        run = self.run
        run.key, run.report, run.state = self._content_key, report, ImportState.HELD
        run.options = {**run.options, **options}
        run.save()
        return run

    def find_equal(self) -> ImportRun | None:
        """Return the run of an equal confirm that has written the sheet, or that another process
        is writing now. None if there is none, or if it was taken back.

        If its process died, continue it for at most PATIENCE_SECONDS. After that a background job
        continues it, and it is returned open.
        """
        equal = self._list_equal_runs().first()
        if equal is None:
            return None
        equal = import_run_work(run_id=equal.pk, seconds=PATIENCE_SECONDS)
        return None if equal.state == ImportState.TAKEN_BACK else equal

    @property
    def _content_key(self) -> str:
        return self._hash.hexdigest()

    def _list_equal_runs(self) -> QuerySet[ImportRun]:
        """Return the runs of the same content that are open or ended after this one began, the
        newest first.
        """
        is_equal = Q(state__in=OPEN) | Q(state=ImportState.DONE, ended_at__gte=self.began_at)
        runs = ImportRun.objects.filter(
            is_equal, writer=self.run.writer, kind=self.run.kind, key=self._content_key
        )
        return runs.exclude(pk=self.run.pk).order_by("-pk")


def find_open_import(*, writer: str, kind: str, upload: str) -> ImportRun | None:
    """Return the run that another process is writing from this upload, or None."""
    return ImportRun.objects.filter(
        state__in=OPEN,
        held_until__gte=timezone.now(),
        writer=writer,
        kind=kind,
        **{f"options__{UPLOAD}": upload},
    ).first()


def find_held_import(*, writer: str, kind: str, upload: str) -> ImportRun | None:
    """Return the run of this upload that waits for a second person, or None."""
    return ImportRun.objects.filter(
        state=ImportState.HELD, writer=writer, kind=kind, **{f"options__{UPLOAD}": upload}
    ).first()


def import_run_release(*, run_id: int) -> ImportRun:
    """Open a held run and return it. A background job writes it, unless the caller does. In
    `two_people_scope` the run's options name the second person.

    Raises:
        WrongState: the run does not wait any more, or an equal sheet is being written.
    """
    with transaction.atomic():
        run = ImportRun.objects.select_for_update().filter(pk=run_id).first()
        if run is None or run.state != ImportState.HELD:
            raise ImportNotHeld
        run.state = ImportState.WRITING
        if get_second_person():
            run.options = {**run.options, RELEASED_BY: get_second_person()}
        try:
            with transaction.atomic():
                run.save(update_fields=["state", "options"])
        except IntegrityError as error:
            raise EqualImportRuns from error
        outbox_publish(topic=CONTINUE_TOPIC, key=str(run.pk))
    return run


def find_done_import(*, writer: str, kind: str, upload: str) -> ImportRun | None:
    """Return the finished run of this upload, or None."""
    return ImportRun.objects.filter(
        state=ImportState.DONE, writer=writer, kind=kind, **{f"options__{UPLOAD}": upload}
    ).first()


@transaction.atomic
def import_run_cancel(*, runs: QuerySet[ImportRun], run_id: int) -> ImportRun:
    """Stop a run after its present chunk, and return it. The rows that it has written are taken
    back, as after a row that cannot be written. A background job does that, unless a process is at
    work on the run. `runs` are those that the person may cancel.

    Raises:
        ImportNotFound: the run is not one of `runs`.
        ImportNotCancellable: the run does not write rows any more.
    """
    run = runs.select_for_update(of=("self",)).filter(pk=run_id).first()
    if run is None:
        raise ImportNotFound
    if not _has_rows_to_write(run):
        raise ImportNotCancellable
    run.state, run.failures = ImportState.TAKING_BACK, 0
    run.report = {
        **run.report,
        CANCELLED: True,
        "refusals": [*run.report.get("refusals", []), (0, "", CANCELLED_REASON)],
    }
    run.save(update_fields=["state", "failures", "report"])
    outbox_publish(topic=CONTINUE_TOPIC, key=str(run.pk))
    return run


def list_own_imports(*, actor: Account) -> QuerySet[ImportRun]:
    """Return the runs that the person has confirmed, newest first."""
    return ImportRun.objects.filter(actor=actor).exclude(state=ImportState.STAGED).order_by("-pk")


def get_own_import(*, actor: Account, run_id: int) -> ImportRun:
    """Return a run that the person has confirmed.

    Raises:
        ImportNotFound: there is none, or another person has confirmed it.
    """
    run = list_own_imports(actor=actor).filter(pk=run_id).first()
    if run is None:
        raise ImportNotFound
    return run


def list_recent_imports(*, actor: Account, kind: str) -> list[ImportRun]:
    """Return the newest runs of a kind that the person has confirmed: the open ones, those that
    ended within a day, and those with a sheet of wrong rows, as long as they are stored.
    """
    recent = (
        Q(state__in=OPEN)
        | Q(ended_at__gt=timezone.now() - RECENT)
        | Q(options__has_key=WRONG_SHEET)
    )
    return list(list_own_imports(actor=actor).filter(recent, kind=kind)[:MAX_RECENT])


def sheet_import(
    *,
    writer: str,
    actor: Account,
    rows: Sequence[Any],
    good: Sequence[Any] | None = None,
    wrong: WrongSheet | None = None,
    options: dict[str, Any],
    began_at: datetime,
    refusal: ValidationFailed | None = None,
    chunk_rows: int = CHUNK_ROWS,
) -> ImportRun:
    """Write rows that were already checked, and return the run. After PATIENCE_SECONDS the run is
    still open, and a background job continues it.

    `good` are the valid rows in the order to write them, if the person takes only them. None means
    all `rows`. `wrong` are the other rows, which are stored with the run.

    `began_at` is the time before the check, and `refusal` the error that the check found. If an
    equal confirm has written the rows since `began_at`, or is writing them now, its run is the
    answer; an open one shows how many rows it has written. Without this, the second of two equal
    confirms would fail, because it finds the rows of the first one.

    Raises:
        ValidationFailed: `refusal`, or a row can no longer be written. Written rows are undone.
    """
    staging = Staging(
        writer=writer,
        kind=writer,
        actor=actor,
        options={**options, **_get_acts_as(actor)},
        began_at=began_at,
    )
    staging.hash_rows(rows)
    rows_to_write = rows if good is None else good
    if refusal is not None and not good:
        equal = staging.find_equal()
        if equal is None:
            raise refusal
        return equal
    if wrong is not None:
        staging.leave_out(wrong)
    staging.add(rows_to_write, chunk_rows=chunk_rows)
    run = import_run_work(run_id=staging.open({}).pk, seconds=PATIENCE_SECONDS)
    if run.state != ImportState.TAKEN_BACK:
        return run
    report: dict[str, Any] = run.report
    if report.get(CANCELLED):
        raise ImportCancelled(
            rows_taken_back=report.get("rows_taken_back", 0), rows_left=report.get("rows_left", 0)
        )
    refusals, rows_left = report.get("refusals", []), report.get("left", [])
    errors = [
        f"第 {row} 行：{message}" if row else message for row, _, message in [*rows_left, *refusals]
    ]
    raise ImportTakenBack(
        errors[:MAX_LISTED_ERRORS],
        rows_taken_back=report.get("rows_taken_back", 0),
        rows_left=report.get("rows_left", 0),
    )


def import_run_work(
    *, run_id: int, pauses_between_chunks: bool = True, seconds: float | None = None
) -> ImportRun:
    """Process a run until it has ended, and return it. If another process works on it, return
    it as it is: a caller in a web request does not wait for that process.

    `pauses_between_chunks`: let other transactions write between two chunks. After `seconds` a
    background job continues, and the run is returned open.
    """
    holder = uuid.uuid4().hex
    if import_run_hold(run_id=run_id, holder=holder):
        until = None if seconds is None else time.monotonic() + seconds
        return import_run_continue(
            run_id=run_id, holder=holder, pauses_between_chunks=pauses_between_chunks, until=until
        )
    return ImportRun.objects.get(pk=run_id)


def import_run_hold(*, run_id: int, holder: str) -> bool:
    """Take the lease of an open run, if it is free or has expired. Return whether `holder` has
    it.
    """
    now = timezone.now()
    free = ImportRun.objects.filter(Q(holder="") | Q(held_until__lt=now), pk=run_id, state__in=OPEN)
    return free.update(holder=holder, held_until=now + LEASE) == 1


def import_run_hold_in_background(*, run_id: int, holder: str) -> bool:
    """Take the lease as `import_run_hold` for a background job, and note in the run that its person
    learns of its end by a notice.
    """
    if not import_run_hold(run_id=run_id, holder=holder):
        return False
    run = ImportRun.objects.get(pk=run_id)
    if IN_BACKGROUND not in run.options:
        run.options = {**run.options, IN_BACKGROUND: True}
        run.save(update_fields=["options"])
    return True


def import_run_continue(
    *,
    run_id: int,
    holder: str,
    pauses_between_chunks: bool = True,
    until: float | None = None,
    is_other_work_waiting: Callable[[], bool] | None = None,
) -> ImportRun:
    """Process a run that `holder` has leased, until it has ended. If the lease expired, take it
    again. If another process has it by then, return the run as it is.

    At the time `until` of the monotonic clock, release the lease and let a background job continue.
    If `is_other_work_waiting` says no then, work on for SLICE_SECONDS.

    Any exception of a chunk other than ChunkRefused is raised again. The lease is then free, and
    the run can continue from there.
    """
    while True:
        run = ImportRun.objects.select_related("actor__group").get(pk=run_id)
        if run.state not in OPEN:
            return run
        if run.holder != holder:
            if not import_run_hold(run_id=run_id, holder=holder):
                return ImportRun.objects.get(pk=run_id)
            continue
        if until is not None and time.monotonic() >= until:
            if is_other_work_waiting is None or is_other_work_waiting():
                return _hand_over(run)
            until = time.monotonic() + SLICE_SECONDS
        try:
            _try_next_step(run)
        except RunLost:
            continue
        if pauses_between_chunks and not connection.in_atomic_block:
            time.sleep(REST_SECONDS[connection.vendor])


def _hand_over(run: ImportRun) -> ImportRun:
    """Release the lease and let a background job continue. Return the open run."""
    with transaction.atomic():
        ImportRun.objects.filter(pk=run.pk, holder=run.holder).update(holder="")
        outbox_publish(topic=CONTINUE_TOPIC, key=str(run.pk))
    return ImportRun.objects.get(pk=run.pk)


def _try_next_step(run: ImportRun) -> None:
    """Take the next step of the run. If it fails, store the refusals or count the failure. Raises
    RunLost, and any exception that a retry cannot repair.
    """
    try:
        _advance_run(run)
    except ChunkRefused as refused:
        if run.state == ImportState.WRITING:
            _refuse_rows(run, refused.refusals)
        else:
            _record_failure(run, run.holder)
    except IntegrityError:
        # Another transaction has just written the same row. The retry sees it.
        _record_failure(run, run.holder)
    except RunLost:
        raise
    except Exception:
        _record_failure(run, "")
        raise


def _advance_run(run: ImportRun) -> None:
    """Take the next step of the run. After MAX_FAILURES, refuse rows that are not yet written,
    and give up chunks that cannot be undone.
    """
    if run.failures < MAX_FAILURES:
        _process_next_chunk(run)
    elif _has_rows_to_write(run):
        raise ChunkRefused([(0, "", FAILED)])
    else:
        _give_up_chunk(run)


def _has_rows_to_write(run: ImportRun) -> bool:
    return (
        run.state == ImportState.WRITING
        and run.chunks.filter(is_follow_up=False, state=ChunkState.WAITING).exists()
    )


def _record_failure(run: ImportRun, holder: str) -> None:
    """Count a failure, and set the holder to `holder`."""
    failures = run.failures + 1
    ImportRun.objects.filter(pk=run.pk, holder=run.holder).update(failures=failures, holder=holder)
    log.warning("import_chunk_failed", run=run.pk, kind=run.kind, failures=failures)


def _refuse_rows(run: ImportRun, refusals: Sequence[Refusal]) -> None:
    """Store the refusals and start to undo the written chunks."""
    fresh = ImportRun.objects.get(pk=run.pk)
    fresh.report = {**fresh.report, "refusals": [*fresh.report.get("refusals", []), *refusals]}
    ImportRun.objects.filter(pk=run.pk, holder=run.holder, state=ImportState.WRITING).update(
        state=ImportState.TAKING_BACK, report=fresh.report, failures=0
    )


def _process_next_chunk(run: ImportRun) -> None:
    """Write or undo the next chunk. End the run if there is none."""
    writer = _writers[run.writer](run)
    is_back = run.state == ImportState.TAKING_BACK
    chunk = _find_next_chunk(run)
    if chunk is not None and not chunk.is_follow_up and not is_back:
        _refuse_disabled_importer(run)
        writer.prepare(chunk.rows)
    with transaction.atomic():
        _renew_lease(run)
        if chunk is None:
            _end_run(run, writer, ImportState.TAKEN_BACK if is_back else ImportState.DONE)
        elif chunk.is_follow_up:
            writer.follow(chunk.rows)
            ImportChunk.objects.filter(pk=chunk.pk).update(state=ChunkState.WRITTEN, rows=[])
            ImportRun.objects.filter(pk=run.pk).update(report=writer.report, failures=0)
        else:
            _process_chunk(run, writer, chunk, is_back=is_back)


def _find_next_chunk(run: ImportRun) -> ImportChunk | None:
    """Return the next chunk to write or undo, then the follow-ups; None if nothing remains."""
    rows = run.chunks.filter(is_follow_up=False)
    if run.state == ImportState.TAKING_BACK:
        chunk = rows.filter(state=ChunkState.WRITTEN).order_by("-number").first()
    else:
        chunk = rows.filter(state=ChunkState.WAITING).order_by("number").first()
    return (
        chunk
        or run.chunks.filter(is_follow_up=True, state=ChunkState.WAITING).order_by("number").first()
    )


def _refuse_disabled_importer(run: ImportRun) -> None:
    """Raise ChunkRefused if the importer's account was disabled after the confirmation."""
    if run.actor is not None and not run.actor.is_active:
        raise ChunkRefused([(0, "", IMPORTER_DISABLED)])


def _give_up_chunk(run: ImportRun) -> None:
    """Skip the next chunk and report that, so that a run ends although a chunk cannot be undone
    or followed up.
    """
    chunk = _find_next_chunk(run)
    if chunk is None:
        _process_next_chunk(run)  # ends the run
        return
    count = len(chunk.rows) if chunk.is_follow_up else len(chunk.before)
    message = (NOT_FOLLOWED_UP if chunk.is_follow_up else NOT_TAKEN_BACK).format(count=count)
    state = ChunkState.WRITTEN if chunk.is_follow_up else ChunkState.TAKEN_BACK
    report = {**run.report, "left": [*run.report.get("left", []), (0, "", message)]}
    if not chunk.is_follow_up:
        report = _count_back(report, rows=count, stay=count)
    with transaction.atomic():
        _renew_lease(run)
        ImportChunk.objects.filter(pk=chunk.pk).update(state=state, rows=[], before=[])
        ImportRun.objects.filter(pk=run.pk).update(report=report, failures=0)
    log.error("import_chunk_given_up", run=run.pk, kind=run.kind, chunk=chunk.number, rows=count)


def _renew_lease(run: ImportRun) -> None:
    """Renew the lease. Raises RunLost."""
    held_run = ImportRun.objects.filter(pk=run.pk, holder=run.holder, state=run.state)
    if held_run.update(held_until=timezone.now() + LEASE) != 1:
        raise RunLost


def _process_chunk(
    run: ImportRun, writer: ImportWriter, chunk: ImportChunk, *, is_back: bool
) -> None:
    """Write a chunk, or take it back with `is_back`, and update the counts of the run. Rows that
    follow from it become new chunks.
    """
    row_change = -len(chunk.before) if is_back else len(chunk.rows)
    result = writer.take_back(chunk.before) if is_back else writer.write(chunk.rows)
    state = ChunkState.TAKEN_BACK if is_back else ChunkState.WRITTEN
    ImportChunk.objects.filter(pk=chunk.pk).update(
        state=state, rows=[], before=json.loads(_dump_json(result.before))
    )
    if result.follow_up:
        last_number = run.chunks.aggregate(last=Max("number"))["last"]
        items = result.follow_up
        follow_up_chunks = [
            items[start : start + CHUNK_ROWS] for start in range(0, len(items), CHUNK_ROWS)
        ]
        ImportChunk.objects.bulk_create(
            ImportChunk(run=run, number=last_number + offset, is_follow_up=True, rows=part)
            for offset, part in enumerate(follow_up_chunks, start=1)
        )
    report = {**writer.report, "left": [*writer.report.get("left", []), *result.left]}
    if is_back:
        report = _count_back(report, rows=len(chunk.before), stay=len(result.left))
    rows_written = max(0, run.rows_written + row_change)
    ImportRun.objects.filter(pk=run.pk).update(rows_written=rows_written, report=report, failures=0)


def _count_back(report: dict[str, Any], *, rows: int, stay: int) -> dict[str, Any]:
    """Return the report with the rows of a chunk that were taken back, and those that stay."""
    return {
        **report,
        "rows_taken_back": report.get("rows_taken_back", 0) + rows - stay,
        "rows_left": report.get("rows_left", 0) + stay,
    }


def _end_run(run: ImportRun, writer: ImportWriter, state: ImportState) -> None:
    """Close the run with its final state, and delete its chunks. If a background job has worked on
    it, its person gets a notice.
    """
    if state == ImportState.DONE:
        writer.finish()
    ImportRun.objects.filter(pk=run.pk).update(
        state=state, ended_at=timezone.now(), holder="", report=writer.report
    )
    if run.options.get(IN_BACKGROUND):
        import_end_notify(
            run=run,
            state=state,
            report=writer.report,
            is_cancelled=bool(writer.report.get(CANCELLED)),
            left_out=run.options.get(LEFT_OUT, 0),
        )
    ImportChunk.objects.filter(run=run).delete()
    log.info(
        "import_run_ended",
        run=run.pk,
        kind=run.kind,
        state=state,
        rows=run.rows,
        actor=run.actor_id,
    )


def _dump_json(value: Any) -> bytes:
    return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False).encode()
