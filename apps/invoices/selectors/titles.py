"""Invoice titles for their page and for applications."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Prefetch, Q, QuerySet

from apps.common.keys import key_of
from apps.invoices.errors import TitleNotFound
from apps.invoices.models import SpecialQualification
from apps.invoices.selectors.scope import titles_visible
from apps.org.models import InvoiceTitle

if TYPE_CHECKING:
    from apps.org.models import Account


def titles_listed(
    *,
    actor: Account,
    enterprise_id: int | None = None,
    keyword: str = "",
    is_active: bool | None = None,
) -> QuerySet[InvoiceTitle]:
    """Return the titles that the actor can see, default first, each with its qualifications,
    newest first. Two queries.
    """
    rows = titles_visible(actor=actor)
    if enterprise_id is not None:
        rows = rows.filter(enterprise_id=enterprise_id)
    if keyword:
        rows = rows.filter(Q(title__icontains=keyword) | Q(tax_number__icontains=keyword.upper()))
    if is_active is not None:
        rows = rows.filter(is_active=is_active)
    newest = SpecialQualification.objects.order_by("-pk").prefetch_related("files")
    return rows.prefetch_related(Prefetch("qualifications", newest)).order_by(
        "-is_active", "enterprise_id", "-is_default", "pk"
    )


def title_get(*, actor: Account, pk: str) -> InvoiceTitle:
    """Return one title.

    Raises:
        TitleNotFound: the actor cannot see a title with this id.
    """
    found = titles_listed(actor=actor).filter(pk=key_of(pk)).first()
    if found is None:
        raise TitleNotFound
    return found
