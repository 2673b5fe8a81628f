"""Limits the speed of password tries. Each failure makes the next try wait longer. Failures are
counted per origin: by known device, by known address, or by name for all others.

No account is locked, and failures of a stranger do not block the owner. A wait is a counter whose
window is the wait, so no process sleeps. Call these functions outside a transaction, because a
rollback would discard the counts.

Staff release the waits of a name at the back office. Only failures of unknown browsers and
addresses are released. The waits of a known browser or address are separate, last at most five
minutes, and cannot be prolonged by a stranger.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from django.db import transaction

from apps.common.audit import NOTE, act_log
from apps.common.limits.counters import add_hits, forget, get_seconds_left, peek, take_back
from apps.common.requests import build_client_key
from apps.identity.errors import (
    CountersUnavailable,
    NoStaffAccount,
    NotSlowedDown,
    ReleaseReasonMissing,
)
from apps.identity.known_device import KnownDevice, hash_name
from apps.org.models import Account

# The two sign-in pages. Each has its own counters, known devices and known addresses.
STOREFRONT_DOOR, STAFF_DOOR = "login", "admin-login"
KNOWN_ADDRESS_SECONDS = 30 * 24 * 3600


DAY = 24 * 3600
MANY = 100_000
RELEASE_KIND = "sign_in_release"


class OriginKind(StrEnum):
    DEVICE = "device"
    ADDRESS = "place"
    UNKNOWN = "name"


@dataclass(frozen=True, slots=True)
class Origin:
    """`key` identifies the counters of failures. `known_address` is the counter that marks the
    address as known for the name.
    """

    kind: OriginKind
    key: str
    known_address: str


def find_origin(*, door: str, username: str, client: str, device: KnownDevice | None) -> Origin:
    """Return the origin of this try. All unknown devices and addresses share one origin per
    name.

    `door` is the sign-in page (storefront or back office). Each door has its own known devices and
    addresses.
    """
    name, place = hash_name(username), build_client_key(client)
    known_address = f"{door}-known:{name}:{place}"
    if device is not None and device.knows(username):
        return Origin(OriginKind.DEVICE, f"device:{device.key}:{name}", known_address)
    if peek(name=known_address):
        return Origin(OriginKind.ADDRESS, f"place:{name}:{place}", known_address)
    return get_unknown_origin(username=username, known_address=known_address)


def get_unknown_origin(*, username: str, known_address: str = "") -> Origin:
    """Return the shared origin of all strangers for a name."""
    return Origin(OriginKind.UNKNOWN, f"name:{hash_name(username)}", known_address)


def remember_address(origin: Origin) -> None:
    """Mark the address as known for 30 days, because the owner has signed in from it."""
    forget(name=origin.known_address)
    add_hits(name=origin.known_address, limit=1, window_seconds=KNOWN_ADDRESS_SECONDS)


@dataclass(frozen=True, slots=True)
class Pace:
    """After `free` failures within `window` seconds, the next try waits `first` seconds. Each
    further failure doubles the wait, up to `longest` seconds.
    """

    free: int
    first: int
    longest: int
    window: int

    def compute_delay(self, count: int) -> int:
        """Return the wait in seconds after failure number `count`."""
        tries_beyond_free = count - self.free
        return (
            0
            if tries_beyond_free <= 0
            else min(self.longest, self.first * 2 ** min(tries_beyond_free - 1, 20))
        )


BY_NAME = Pace(free=4, first=5, longest=300, window=DAY)
BY_ORIGIN = {
    OriginKind.DEVICE: Pace(free=4, first=5, longest=60, window=DAY),
    OriginKind.ADDRESS: Pace(free=4, first=5, longest=300, window=DAY),
    OriginKind.UNKNOWN: BY_NAME,
}
# For all names together: several people of an office may mistype behind one address, while an
# attacker tries many names.
BY_ADDRESS = Pace(free=20, first=5, longest=60, window=15 * 60)


@dataclass(frozen=True, slots=True)
class Lane:
    """Tries that share a counter."""

    pace: Pace
    failures: str
    waits: str

    def count(self) -> tuple[int, int]:
        """Count one try and begin the wait that follows. Return (wait, delay) in seconds.

        `delay` is the wait of the next try. `wait` is above 0 if a concurrent try has already begun
        the wait.
        """
        delay = self.pace.compute_delay(
            add_hits(name=self.failures, limit=MANY, window_seconds=self.pace.window)
        )
        if delay and add_hits(name=self.waits, limit=1, window_seconds=delay, holds_from=1) > 1:
            return get_seconds_left(name=self.waits) or delay, delay
        return 0, delay

    def take_back(self) -> None:
        """Remove one try from the count and end the wait, because the try was not a failure."""
        take_back(name=self.failures, window_seconds=self.pace.window)
        forget(name=self.waits)

    def forget(self) -> bool:
        """Delete all failures and end the wait. Return False if Redis is down and may still hold
        them.
        """
        are_forgotten = [forget(name=self.failures), forget(name=self.waits)]
        return all(are_forgotten)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try. If `wait` is above 0, refuse it without checking the password. If it fails, the
    next try for the name waits `delay` seconds.
    """

    own: Lane
    shared: Lane | None
    origin: Origin
    wait: int = 0
    delay: int = 0


def attempt_begin(*, door: str, username: str, client: str, device: KnownDevice | None) -> Attempt:
    """Return the attempt. It is counted for its name before the password check, so that
    concurrent tries are counted too.

    `door` is the sign-in page. Staff see its waits by address under this name
    (`register_limit_title`).
    """
    origin = find_origin(door=door, username=username, client=client, device=device)
    own_lane = get_origin_lane(door=door, origin=origin)
    shared = None
    if origin.kind is OriginKind.UNKNOWN:
        place = build_client_key(client)
        shared = Lane(BY_ADDRESS, f"{door}-failed:address:{place}", f"{door}:{place}")
    wait = max(get_seconds_left(name=lane.waits) for lane in (own_lane, shared) if lane is not None)
    if wait:
        return Attempt(own_lane, shared, origin, wait=wait)
    wait, delay = own_lane.count()
    return Attempt(own_lane, shared, origin, wait=wait, delay=delay)


def get_origin_lane(*, door: str, origin: Origin) -> Lane:
    """Return the lane of an origin at a sign-in page."""
    return Lane(BY_ORIGIN[origin.kind], f"{door}-failed:{origin.key}", f"{door}-wait:{origin.key}")


def attempt_record_failure(attempt: Attempt) -> int:
    """Count the failure for the address as well. Return the wait of the next try in seconds."""
    return (
        max(attempt.delay, *attempt.shared.count()) if attempt.shared is not None else attempt.delay
    )


def attempt_record_success(attempt: Attempt) -> None:
    """Delete the failures for the name and mark the address as known. The failures of the
    address stay, because an attacker may also own an account.
    """
    attempt.own.forget()
    remember_address(attempt.origin)


@dataclass(frozen=True, slots=True)
class SlowDown:
    """The failures counted for a name, and the seconds until its next try."""

    failures: int
    wait: int


def get_slow_down(account: Account) -> SlowDown:
    """Return the failed sign-ins with the account's name, and the seconds until its next try."""
    lane = _get_staff_lane(account)
    return SlowDown(peek(name=lane.failures), get_seconds_left(name=lane.waits))


@transaction.atomic
def sign_in_release(*, staff: Account, account: Account, reason: str) -> SlowDown:
    """Delete the failures of the name and end its wait. Return what was released. The back
    office log has the reason.

    Raises:
        ValidationFailed: the reason is missing.
        WrongState: it is not a staff account, its name has no failures, or Redis is down and may
            still hold the counters.
    """
    if not reason.strip():
        raise ReleaseReasonMissing
    if not account.is_staff:
        raise NoStaffAccount
    slow_down = get_slow_down(account)
    if not slow_down.failures and not slow_down.wait:
        raise NotSlowedDown
    note = f"解除登录限速（登录失败 {slow_down.failures} 次）；原因：{reason.strip()}"
    act_log(subject=account, staff=staff, changes={NOTE: ("", note)}, kind=RELEASE_KIND)
    if not _get_staff_lane(account).forget():
        raise CountersUnavailable
    return slow_down


def _get_staff_lane(account: Account) -> Lane:
    return get_origin_lane(door=STAFF_DOOR, origin=get_unknown_origin(username=account.username))
