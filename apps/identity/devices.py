"""Readable names of browsers, from the User-Agent header."""

from __future__ import annotations

# The first match wins. Many browsers contain later names too, for example Safari.
BROWSERS = (
    ("wxwork", "企业微信"),
    ("MicroMessenger", "微信"),
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("QQBrowser", "QQ 浏览器"),
    ("Firefox/", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
    ("Trident/", "Internet Explorer"),
)
SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("HarmonyOS", "鸿蒙"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)
HAND_HELD = ("Mobile", "iPhone", "iPad", "Android")
UNKNOWN = "未知设备"


def device_of(user_agent: str) -> str:
    """Return a text such as `Chrome · Windows`. 未知设备 if neither the browser nor the system is
    known.
    """
    named = [
        next((name for mark, name in table if mark in user_agent), "")
        for table in (BROWSERS, SYSTEMS)
    ]
    return " · ".join(filter(None, named)) or UNKNOWN


def is_hand_held(user_agent: str) -> bool:
    """Return whether the User-Agent belongs to a phone or tablet."""
    return any(mark in user_agent for mark in HAND_HELD)
