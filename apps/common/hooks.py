"""A hook lets a lower app call functions of higher apps without importing them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


class Hook(Generic[Function]):
    """Functions that higher apps add in AppConfig.ready(). The lower app declares the hook as a
    constant, says beside it what the functions receive and return, and calls them.
    """

    def __init__(self) -> None:
        self._functions: list[Function] = []

    def add(self, function: Function) -> None:
        """Add a function. Adding it twice has no effect."""
        if function not in self._functions:
            self._functions.append(function)

    def __iter__(self) -> Iterator[Function]:
        """Iterate over the functions, in the order in which they were added."""
        return iter(self._functions)

    @property
    def only(self) -> Function | None:
        """Return the function of a hook that needs one answer: the one added last. None: no app
        has added one.
        """
        return self._functions[-1] if self._functions else None
