"""A fresh proof of the second factor before a dangerous act.

The sign-in writes the time of the proof into the session. A session without a second factor has
none and needs no proof; where the second factor is required, such sessions do not exist.
"""

from __future__ import annotations

import time
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponseRedirect
from django.urls import reverse

PROVED_AT = "second_factor_at"


def mark_proved(request: HttpRequest, *, is_fresh: bool = True) -> None:
    """Record a proof in the session. A remembered browser is signed in, but without a fresh
    proof.
    """
    request.session[PROVED_AT] = time.time() if is_fresh else 0


def needs_proof(request: HttpRequest) -> bool:
    """Return whether a dangerous act needs a new code first."""
    at = request.session.get(PROVED_AT)
    return at is not None and time.time() - at > settings.STAFF_PROOF_SECONDS


def redirect_to_proof(request: HttpRequest) -> HttpResponseRedirect:
    """Return the redirect to the page that asks for a code and leads back to this address."""
    query = urlencode({"next": request.get_full_path()})
    return HttpResponseRedirect(f"{reverse('second-factor-prove')}?{query}")
