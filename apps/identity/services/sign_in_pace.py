"""Limits the speed of password tries. Each failure makes the next try wait longer. Failures are
counted by name, by address and by known device.

No account is locked. Failures of a stranger and failures of a browser or address that the owner has
used are counted separately, so a stranger cannot keep the owner out. A wait is a counter whose
window is the wait, so no process sleeps. Call these functions outside a transaction, because a
rollback would discard the counts.
"""

from __future__ import annotations

from dataclasses import dataclass

from apps.common.limits.counters import forget, hit, seconds_left, take_back
from apps.common.requests import client_key
from apps.identity.known_device import KnownDevice
from apps.identity.services.sign_in_origin import Origin, OriginKind, find_origin, remember_address

DAY = 24 * 3600
MANY = 100_000


@dataclass(frozen=True, slots=True)
class Pace:
    """After `free` failures within `window` seconds, the next try waits `first` seconds. Each
    further failure doubles the wait, up to `longest` seconds.
    """

    free: int
    first: int
    longest: int
    window: int

    def delay(self, count: int) -> int:
        """Return the wait in seconds after failure number `count`."""
        over = count - self.free
        return 0 if over <= 0 else min(self.longest, self.first * 2 ** min(over - 1, 20))


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
        delay = self.pace.delay(
            hit(name=self.failures, limit=MANY, window_seconds=self.pace.window)
        )
        if delay and hit(name=self.waits, limit=1, window_seconds=delay, holds_from=1) > 1:
            return seconds_left(name=self.waits) or delay, delay
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

    `door` is the sign-in page. Staff see its waits by address under this name (`limit_named`).
    """
    origin = find_origin(door=door, username=username, client=client, device=device)
    own = origin_lane(door=door, origin=origin)
    shared = None
    if origin.kind is OriginKind.UNKNOWN:
        place = client_key(client)
        shared = Lane(BY_ADDRESS, f"{door}-failed:address:{place}", f"{door}:{place}")
    wait = max(seconds_left(name=lane.waits) for lane in (own, shared) if lane is not None)
    if wait:
        return Attempt(own, shared, origin, wait=wait)
    wait, delay = own.count()
    return Attempt(own, shared, origin, wait=wait, delay=delay)


def origin_lane(*, door: str, origin: Origin) -> Lane:
    """Return the lane of an origin at a sign-in page."""
    return Lane(BY_ORIGIN[origin.kind], f"{door}-failed:{origin.key}", f"{door}-wait:{origin.key}")


def attempt_failed(attempt: Attempt) -> int:
    """Count the failure for the address as well. Return the wait of the next try in seconds."""
    return (
        max(attempt.delay, *attempt.shared.count()) if attempt.shared is not None else attempt.delay
    )


def attempt_succeeded(attempt: Attempt) -> None:
    """Delete the failures for the name and mark the address as known. The failures of the
    address stay, because an attacker may also own an account.
    """
    attempt.own.forget()
    remember_address(attempt.origin)
