"""Test helpers for every app: the API client, exact query counts, a fast database."""

from apps.common.testing.client import Answer, ApiClient
from apps.common.testing.database import CLAIM_QUERIES, assert_queries, examples, undone

__all__ = ["CLAIM_QUERIES", "Answer", "ApiClient", "assert_queries", "examples", "undone"]
