"""The interface to 企业微信: the redirect URL, the member of a code, and messages to members."""

from __future__ import annotations

from typing import Protocol


class WeChatWorkProvider(Protocol):
    """There are two implementations: the real one and the demo one."""

    corp_id: str

    def authorize_url(self, *, callback: str, state: str, is_inside: bool) -> str:
        """Return the redirect URL. `is_inside` is true in the browser of the 企业微信 app.
        Otherwise the person scans a QR code.
        """
        ...

    def member_of(self, *, code: str) -> str:
        """Use up the code and return its member's UserId.

        Raises:
            WeChatWorkExpired: the code is wrong, used or too old.
            WeChatWorkRefused: the person is not a member of the corp.
            WeChatWorkUnavailable: 企业微信 does not answer, or the answer is not valid.
        """
        ...

    def send(self, *, member: str, title: str, text: str, url: str) -> None:
        """Send a member an application message: a card that opens `url`.

        Raises:
            WeChatWorkUnavailable: 企业微信 does not answer, or rejects the message.
        """
        ...
