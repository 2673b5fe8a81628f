"""A fresh proof of the second factor before a dangerous act, and the table of these acts.

The sign-in writes the time of the proof into the session. A session that began before the person
had a second factor has none. `SecondFactorMiddleware` of `identity` asks for the proof.
"""

from __future__ import annotations

import time
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponseRedirect
from django.urls import reverse

PROVED_AT = "second_factor_at"
# The pages of the dangerous acts, by the names of their URLs.
DANGEROUS_ACTS = frozenset(
    {
        "admin:dual_control_proposal_release_one",
        "admin:dual_control_actlimit_change",
        "admin:org_account_impersonate",
        "admin:org_account_password_link",
        "admin:org_account_factor_reset",
        "second-factor-authenticator",
        "second-factor-passkey",
    }
)


def mark_proved(request: HttpRequest, *, is_fresh: bool = True) -> None:
    """Record a proof in the session. A remembered browser is signed in, but without a fresh
    proof.
    """
    request.session[PROVED_AT] = time.time() if is_fresh else 0


def is_proof_fresh(request: HttpRequest) -> bool:
    """Return whether the session has a proof that is recent enough for a dangerous act."""
    proved_at: float = request.session.get(PROVED_AT, 0)
    limit: int = settings.STAFF_PROOF_SECONDS
    return time.time() - proved_at <= limit


def redirect_to_proof(request: HttpRequest) -> HttpResponseRedirect:
    """Return the redirect to the page that asks for a code and leads back to this address."""
    query = urlencode({"next": request.get_full_path()})
    return HttpResponseRedirect(f"{reverse('second-factor-prove')}?{query}")
