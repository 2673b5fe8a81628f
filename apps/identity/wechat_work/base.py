"""What the mall asks of 企业微信: where to send a person, who came back, and to bring him a message."""

from __future__ import annotations

from typing import Protocol


class WeChatWorkProvider(Protocol):
    """Two there are: the real one and the demo's."""

    corp_id: str

    def authorize_url(self, *, callback: str, state: str, is_inside: bool) -> str:
        """Return where the person is sent; `is_inside` when he is in 企业微信's own browser, else he scans a code there."""
        ...

    def member_of(self, *, code: str) -> str:
        """Return the member's UserId of a code, which is spent by this.

        Raises:
            WeChatWorkExpired: the code is wrong, spent or too old.
            WeChatWorkRefused: whoever came back is no member of the corp.
            WeChatWorkUnavailable: 企业微信 does not answer, or not as it should.
        """
        ...

    def send(self, *, member: str, title: str, text: str, url: str) -> None:
        """Bring a member a message of the application, a card that opens `url`.

        Raises:
            WeChatWorkUnavailable: 企业微信 does not answer, or has not taken it.
        """
        ...
