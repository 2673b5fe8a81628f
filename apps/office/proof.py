"""A fresh proof of the second factor before a dangerous act, and the tables of these acts.

The sign-in writes the time of the proof into the session. A session that began before the person
had a second factor has none. `SecondFactorMiddleware` of `identity` asks for the proof.
"""

from __future__ import annotations

import time
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.urls import resolve, reverse

PROVED_AT = "second_factor_at"
# The pages that only serve a dangerous act, by the names of their URLs. They ask when they open.
DANGEROUS_ACTS = frozenset(
    {
        "admin:password_change",
        "admin:auth_user_password_change",
        "admin:org_account_delete",
        "admin:auth_group_delete",
        "admin:orders_creditaccount_change_credit",
        "admin:identity_wechatworkaccount_delete",
        "admin:dual_control_proposal_release_one",
        "admin:dual_control_actlimit_change",
        "admin:org_account_impersonate",
        "admin:org_account_password_link",
        "admin:org_account_factor_reset",
        "second-factor-authenticator",
        "second-factor-passkey",
    }
)
# The pages that people also open to read. They ask when somebody saves, and keep the typed form.
DANGEROUS_SAVES = frozenset(
    {
        "admin:org_account_add",
        "admin:org_account_change",
        "admin:auth_group_add",
        "admin:auth_group_change",
        "admin:auth_group_changelist",
        "admin:org_group_add",
        "admin:org_group_change",
        "admin:identity_wechatworkaccount_add",
        "admin:identity_wechatworkaccount_changelist",
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


def is_proof_needed(request: HttpRequest) -> bool:
    """Return whether the request is a dangerous act and its session has no fresh proof."""
    match = request.resolver_match
    if match is None or is_proof_fresh(request):
        return False
    is_save = request.method == "POST" and match.view_name in DANGEROUS_SAVES
    return is_save or match.view_name in DANGEROUS_ACTS


def ask_for_proof(request: HttpRequest) -> HttpResponseBase:
    """Return the page that asks for a code: for a form to save, at once and with the typed form;
    for another page, the redirect to it.
    """
    match = request.resolver_match
    if match is None or match.view_name not in DANGEROUS_SAVES:
        return redirect_to_proof(request)
    page: HttpResponseBase = resolve(reverse("second-factor-prove")).func(request)
    return page


def redirect_to_proof(request: HttpRequest) -> HttpResponseRedirect:
    """Return the redirect to the page that asks for a code and leads back to this address."""
    query = urlencode({"next": request.get_full_path()})
    return HttpResponseRedirect(f"{reverse('second-factor-prove')}?{query}")
