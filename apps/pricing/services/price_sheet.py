"""Import a sheet of agreed or market prices: at once within the person's limit, otherwise after a
second person has released it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from apps.catalog.errors import ImportWaits
from apps.catalog.services.imports import ImportReport, SheetFile
from apps.catalog.services.imports.run import import_finish, import_hold
from apps.catalog.services.imports.writer import WRITER
from apps.common.errors import DomainError
from apps.common.services.import_run import find_held_import
from apps.dual_control.services.proposals import Outcome, act_submit
from apps.org.locks import lock_account
from apps.pricing.selectors.price_changes import get_changed_today
from apps.pricing.services.controlled_acts import IMPORT_PRICES, build_price_sheet_parameters

if TYPE_CHECKING:
    from apps.common.models import ImportRun
    from apps.org.models import Account


def price_sheet_submit(
    *, actor: Account, kind: str, source: SheetFile, is_good_only: bool
) -> ImportReport:
    """Return the report of the imported sheet. `kind`: one of `PRICE_SHEETS`.

    Its rows are staged first. So the second person releases what the first one saw, and the
    release only starts the writing, which then runs in the background.

    Raises:
        ImportWaits: the sheet waits for a second person.
        ImportUnderWay, ImportRefused: as `import_apply`.
    """
    upload = source.stored_path
    if find_held_import(writer=WRITER, kind=kind, upload=upload):
        raise ImportWaits
    held_import = import_hold(
        actor=actor, kind=kind, source=source, upload=upload, is_good_only=is_good_only
    )
    if isinstance(held_import, ImportReport):
        return held_import
    outcome = held_sheet_submit(actor=actor, run=held_import)
    if outcome.proposal is not None:
        raise ImportWaits(outcome.proposal_text)
    return import_finish(run_id=held_import.pk)


def held_sheet_submit(*, actor: Account, run: ImportRun) -> Outcome:
    """Write the staged sheet, or propose it to a second person if it moves more than the actor may
    alone. The run of a refused sheet is deleted.

    What the actor moved earlier today counts too. Two sheets of a person are checked one after the
    other, because the first one changes the limit for the second.
    """
    try:
        with transaction.atomic():
            lock_account(actor.pk)
            earlier = get_changed_today(person=actor)
            parameters = build_price_sheet_parameters(run_id=run.pk, earlier=earlier)
            return act_submit(actor=actor, kind=IMPORT_PRICES, parameters=parameters)
    except DomainError:
        run.delete()
        raise
