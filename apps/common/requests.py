"""The type of a request with the attributes that the mall's middleware sets."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, cast

from django.http import HttpRequest

if TYPE_CHECKING:
    from apps.common.limits.clients import Client
    from apps.org.models import Account


class MallRequest(HttpRequest):
    """A type for annotations. Django creates plain HttpRequest objects.

    An attribute exists after its middleware, or the code that sets it, has run.
    """

    # RequestIdMiddleware
    request_id: str
    # ContentSecurityPolicyMiddleware
    csp_nonce: str
    # The client of the call limits, set by the first look-up.
    limited_client: Client
    # TenantMiddleware: the customer, the member of staff who opened a page of the API, whether the
    # bearer is invalid, and the id of the token's family.
    account: Account | None
    staff: Account | None
    bearer_refused: bool
    token_family: uuid.UUID | None
    # Seconds to wait after a failed sign-in of staff.
    sign_in_wait: int


def mall_request(request: HttpRequest) -> MallRequest:
    """Return the same request, typed with these attributes."""
    return cast("MallRequest", request)
