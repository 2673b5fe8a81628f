"""What a browser calls itself, in words for people."""

from __future__ import annotations

# The first that is found holds: later ones are named by many (every browser says Mozilla, most say Safari).
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
    """Return `Chrome · Windows` of a User-Agent; 未知设备 where neither is known."""
    named = [next((name for mark, name in table if mark in user_agent), "") for table in (BROWSERS, SYSTEMS)]
    return " · ".join(filter(None, named)) or UNKNOWN


def is_hand_held(user_agent: str) -> bool:
    """Return whether it is a telephone's or a tablet's."""
    return any(mark in user_agent for mark in HAND_HELD)
