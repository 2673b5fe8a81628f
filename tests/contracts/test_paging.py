"""The schema of every paged list names the refusal of an invalid page."""

from __future__ import annotations

from tests.contracts.operations import Operation, mark_operations


@mark_operations(
    lambda operation: operation.method == "get" and "PageIndex" in operation.names("query")
)
def test_a_paged_call_names_validation_among_its_ret_codes(operation: Operation) -> None:
    assert "`validation`" in operation.spec["description"]
