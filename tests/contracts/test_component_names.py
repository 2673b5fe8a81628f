"""Each serializer has its own component in the schema. drf-spectacular overwrites a component
of the same name, mostly silently.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from django.urls import get_resolver
from drf_spectacular.drainage import get_override
from rest_framework.serializers import BaseSerializer


def list_below(kind: type[Any]) -> Iterator[type[Any]]:
    for child in kind.__subclasses__():
        yield child
        yield from list_below(child)


def list_serializers() -> set[type[Any]]:
    """Return all our serializers after every URL module is loaded."""
    assert get_resolver().url_patterns
    import_module("mall.api_urls")
    return {
        kind
        for kind in list_below(BaseSerializer)
        if kind.__module__.startswith("apps.") and ".tests." not in kind.__module__
    }


def get_component_name(kind: type[Any]) -> str:
    """Return the name that drf-spectacular gives the serializer."""
    return str(get_override(kind, "component_name") or kind.__name__).removesuffix("Serializer")


def test_no_two_serializers_share_a_component() -> None:
    named: dict[str, set[str]] = defaultdict(set)
    for kind in list_serializers():
        named[get_component_name(kind)].add(f"{kind.__module__}.{kind.__qualname__}")

    assert len(named) > 300
    assert {name: sorted(kinds) for name, kinds in named.items() if len(kinds) > 1} == {}


def test_no_answer_is_named_as_the_body_of_another() -> None:
    """A body's component is its name plus `Request`, so a body `Foo` and an answer `FooRequest`
    would collide.
    """
    names = {get_component_name(kind) for kind in list_serializers()}

    assert {name for name in names if f"{name}Request" in names} == set()
